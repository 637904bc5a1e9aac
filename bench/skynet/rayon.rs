// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: skynet with a rayon join per child.

use report::{Known, Run};

fn sum_below(first: u64, leaves: u64) -> u64 {
    if leaves == 1 {
        return first;
    }
    from_child(first, leaves / 10, 0)
}

/// The child `which` is one side of a join, those after it are the other.
fn from_child(first: u64, each: u64, which: u64) -> u64 {
    if which == 10 {
        return 0;
    }
    let (one, others) = rayon::join(
        || sum_below(first + which * each, each),
        || from_child(first, each, which + 1),
    );
    one + others
}

fn main() {
    let run = Run::from_arguments("skynet", 9);
    let leaves = 10u64.pow(run.n);
    let pool = report::pool(&run);
    pool.install(|| sum_below(0, 1000));
    report::spread();
    let known = Known {
        answer: leaves / 2 * (leaves - 1),
        tasks: (10 * leaves - 1) / 9,
    };
    report::measure(&run, &known, || pool.install(|| sum_below(0, leaves)));
}
