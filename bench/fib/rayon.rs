// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: fib with a rayon join per call.

use report::{Known, Run};

const N_MAX: u64 = 50;
const N_WARM: u32 = 20;

/// Found by adding, not by recursion; every call is a task.
fn known(n: u32) -> Known {
    let (mut before, mut value) = (0u64, 1u64);
    for _ in 0..n {
        (before, value) = (value, before + value);
    }
    Known {
        answer: value,
        tasks: 2 * value - 1,
    }
}

fn fib(n: u32) -> u64 {
    if n < 2 {
        return 1;
    }
    let (left, right) = rayon::join(|| fib(n - 1), || fib(n - 2));
    left + right
}

fn main() {
    let run = Run::from_arguments("fib", N_MAX);
    let pool = report::pool(&run);
    pool.install(|| fib(N_WARM));
    report::spread();
    report::measure(&run, &known(run.n), || pool.install(|| fib(run.n)));
}
