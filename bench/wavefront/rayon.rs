// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: wavefront with a rayon scope, whose tasks nobody waits for one by one.

use report::{Known, Run};
use std::sync::atomic::{AtomicU32, AtomicU8, Ordering};

struct Grid {
    n: usize,
    value: Vec<AtomicU32>, // written once each; ordered by `missing`
    missing: Vec<AtomicU8>,
}

fn of_neighbours(above: u32, left: u32, i: usize, j: usize) -> u32 {
    above
        .wrapping_mul(31)
        .wrapping_add(left.wrapping_mul(17))
        .wrapping_add((i ^ j) as u32)
}

impl Grid {
    fn new(n: usize) -> Grid {
        let missing = |at: usize| AtomicU8::new(u8::from(at >= n) + u8::from(at % n > 0));
        Grid {
            n,
            value: (0..n * n).map(|_| AtomicU32::new(1)).collect(),
            missing: (0..n * n).map(missing).collect(),
        }
    }

    fn is_ready(&self, i: usize, j: usize) -> bool {
        i < self.n && j < self.n && self.missing[i * self.n + j].fetch_sub(1, Ordering::AcqRel) == 1
    }

    fn compute<'a>(&'a self, tasks: &rayon::Scope<'a>, i: usize, j: usize) {
        let at = i * self.n + j;
        let known = |is_there: bool, before: usize| match is_there {
            true => self.value[at - before].load(Ordering::Relaxed),
            false => 1,
        };
        let value = of_neighbours(known(i > 0, self.n), known(j > 0, 1), i, j);
        self.value[at].store(value, Ordering::Relaxed);
        if self.is_ready(i + 1, j) {
            tasks.spawn(move |tasks| self.compute(tasks, i + 1, j));
        }
        if self.is_ready(i, j + 1) {
            tasks.spawn(move |tasks| self.compute(tasks, i, j + 1));
        }
    }

    fn compute_all(&self) {
        rayon::scope(|tasks| self.compute(tasks, 0, 0));
    }
}

fn known(n: usize) -> Known {
    let mut row = vec![1; n];
    for i in 0..n {
        let mut left = 1;
        for (j, cell) in row.iter_mut().enumerate() {
            *cell = of_neighbours(*cell, left, i, j);
            left = *cell;
        }
    }
    Known {
        answer: u64::from(row[n - 1]),
        tasks: (n * n) as u64,
    }
}

fn main() {
    let run = Run::from_arguments("wavefront", 20000);
    let pool = report::pool(&run);
    pool.install(|| Grid::new(64).compute_all());
    report::spread();
    let grid = Grid::new(run.n as usize);
    let seconds = report::seconds_of(|| pool.install(|| grid.compute_all()));
    let last = grid.value[grid.value.len() - 1].load(Ordering::Relaxed);
    report::report(&run, &known(grid.n), u64::from(last), seconds);
}
