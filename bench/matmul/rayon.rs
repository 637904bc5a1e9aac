// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: matmul with rayon joins; the kernel is kernel.h's, said in Rust.

use report::{Known, Run};

const LEAF: usize = 64;

/// Blocks of c, a and b, by the addresses of their first elements: halves of c's columns are no
/// slices.
#[derive(Clone, Copy)]
struct Blocks {
    c: *mut f64,
    a: *const f64,
    b: *const f64,
    rows: usize,
    columns: usize,
    inner: usize,
    stride: usize,
}
// SAFETY: tasks that run at the same time have blocks of c that do not overlap.
unsafe impl Send for Blocks {}
unsafe impl Sync for Blocks {}

impl Blocks {
    fn multiply_whole(&self) {
        for i in 0..self.rows {
            // SAFETY: the blocks lie inside their matrices, whose rows are `stride` apart.
            let to = unsafe {
                std::slice::from_raw_parts_mut(self.c.add(i * self.stride), self.columns)
            };
            for k in 0..self.inner {
                // SAFETY: as above.
                let (factor, from) = unsafe {
                    (
                        *self.a.add(i * self.stride + k),
                        std::slice::from_raw_parts(self.b.add(k * self.stride), self.columns),
                    )
                };
                for (sum, one) in to.iter_mut().zip(from) {
                    *sum += factor * one;
                }
            }
        }
    }

    fn multiply(self) {
        let Blocks {
            rows,
            columns,
            inner,
            ..
        } = self;
        let (mut first, mut second) = (self, self);
        if rows <= LEAF && columns <= LEAF && inner <= LEAF {
            return self.multiply_whole();
        }
        // SAFETY: halves of the blocks lie inside them.
        unsafe {
            if rows >= columns && rows >= inner {
                first.rows = rows / 2;
                second.rows = rows - first.rows;
                second.a = self.a.add(first.rows * self.stride);
                second.c = self.c.add(first.rows * self.stride);
            } else if columns >= inner {
                first.columns = columns / 2;
                second.columns = columns - first.columns;
                second.b = self.b.add(first.columns);
                second.c = self.c.add(first.columns);
            } else {
                first.inner = inner / 2;
                second.inner = inner - first.inner;
                second.a = self.a.add(first.inner);
                second.b = self.b.add(first.inner * self.stride);
                first.multiply();
                return second.multiply();
            }
        }
        rayon::join(move || first.multiply(), move || second.multiply());
    }
}

fn filled(n: usize, of: impl Fn(usize, usize) -> usize) -> Vec<f64> {
    (0..n * n).map(|at| of(at / n, at % n) as f64).collect()
}

fn product(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    Blocks {
        c: c.as_mut_ptr(),
        a: a.as_ptr(),
        b: b.as_ptr(),
        rows: n,
        columns: n,
        inner: n,
        stride: n,
    }
    .multiply();
}

fn main() {
    let run = Run::from_arguments("matmul", 8192);
    let pool = report::pool(&run);
    let few = filled(128, |i, j| i + j);
    let mut sums = few.clone();
    pool.install(|| product(&few, &few, &mut sums, 128));
    report::spread();
    let n = run.n as usize;
    let a = filled(n, |i, j| (3 * i + 5 * j) % 7);
    let b = filled(n, |i, j| (2 * i + 3 * j) % 5);
    let mut c = filled(n, |_, _| 0);
    let answer = (0..n).map(|k| {
        let column: usize = (0..n).map(|i| (3 * i + 5 * k) % 7 * (1 + i % 5)).sum();
        let row: usize = (0..n).map(|j| (2 * k + 3 * j) % 5 * (1 + j % 3)).sum();
        (column * row) as u64
    });
    let known = Known {
        answer: answer.sum(),
        tasks: (run.n as u64).pow(3).div_ceil(1000),
    };
    let seconds = report::seconds_of(|| pool.install(|| product(&a, &b, &mut c, n)));
    let weighted = |at: usize| c[at] as u64 * (1 + at / n % 5) as u64 * (1 + at % n % 3) as u64;
    report::report(&run, &known, (0..n * n).map(weighted).sum(), seconds);
}
