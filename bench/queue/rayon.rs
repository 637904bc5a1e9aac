// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: producers and consumers as threads around crossbeam's bounded channel, which is what
//! users of rayon take.

use report::{Known, Run};
use std::thread;

const PARTIES: u64 = 4;
const ROOM: usize = 64;

fn sum_of(n: u32) -> u64 {
    let (to, from) = crossbeam_channel::bounded::<u64>(ROOM);
    let first = |which: u64| u64::from(n) * 1000 * which / PARTIES;
    thread::scope(|all| {
        for which in 0..PARTIES {
            let to = to.clone();
            all.spawn(move || {
                for item in first(which)..first(which + 1) {
                    to.send(item).expect("consumers take all");
                }
            });
        }
        drop(to);
        let consumers: Vec<_> = (0..PARTIES)
            .map(|_| {
                let from = from.clone();
                all.spawn(move || from.iter().sum::<u64>())
            })
            .collect();
        let sums = consumers.into_iter().map(|one| one.join().expect("a sum"));
        sums.sum()
    })
}

fn main() {
    let run = Run::from_arguments("queue", 1_000_000);
    report::confine(run.workers);
    sum_of(4);
    let items = u64::from(run.n) * 1000;
    let known = Known {
        answer: items / 2 * (items - 1),
        tasks: items,
    };
    report::measure(&run, &known, || sum_of(run.n));
}
