// SPDX-License-Identifier: Apache-2.0
//! report.rs: report.h for the Rust benchmarks: same arguments, same exit statuses, same line.

use std::process::exit;
use std::time::Instant;

pub struct Run {
    pub problem: &'static str,
    pub workers: usize,
    pub n: u32,
}

pub struct Known {
    pub answer: u64,
    pub tasks: u64,
}

impl Run {
    /// Reads `<workers> <n>`, or ends the program with a sentence and status 2.
    pub fn from_arguments(problem: &'static str, n_max: u64) -> Run {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let [workers, n] = arguments.as_slice() else {
            eprintln!("{problem}/rayon: give two arguments, <workers> <n>");
            exit(2);
        };
        Run {
            problem,
            workers: number(problem, "workers", workers, 1024) as usize,
            n: number(problem, "n", n, n_max) as u32,
        }
    }
}

fn number(problem: &str, name: &str, text: &str, max: u64) -> u64 {
    match text.parse() {
        Ok(value) if (1..=max).contains(&value) => value,
        _ => {
            eprintln!("{problem}/rayon: {name} must be a number from 1 to {max}, not '{text}'");
            exit(2);
        }
    }
}

/// A pool of exactly the asked number of workers. Their stacks have room for the tree T3 of uts,
/// whose depth ends the default of 2 MiB.
pub fn pool(run: &Run) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(run.workers)
        .stack_size(64 << 20)
        .build()
        .expect("rayon starts its workers")
}

extern "C" {
    // The C library's; a thread is named by its kernel identifier, the mask holds 1,024 processors.
    fn sched_getaffinity(thread: i32, bytes: usize, mask: *mut u64) -> i32;
    fn sched_setaffinity(thread: i32, bytes: usize, mask: *const u64) -> i32;
}

type Mask = [u64; 16];

/// Pins the threads, oldest first, to the allowed processors in turn: spread.h says why.
pub fn spread() {
    let bytes = std::mem::size_of::<Mask>();
    let mut allowed: Mask = [0; 16];
    // SAFETY: `allowed` is `bytes` long and outlives the call.
    if unsafe { sched_getaffinity(0, bytes, allowed.as_mut_ptr()) } < 0 {
        return;
    }
    let processors = (0..64 * allowed.len()).filter(|i| allowed[i / 64] >> (i % 64) & 1 == 1);
    for (thread, processor) in threads().into_iter().zip(processors.cycle()) {
        let mut one: Mask = [0; 16];
        one[processor / 64] = 1 << (processor % 64);
        // SAFETY: `one` is `bytes` long and outlives the call. A thread that is gone is an error
        // that harms nobody.
        unsafe { sched_setaffinity(thread, bytes, one.as_ptr()) };
    }
}

/// Leaves this thread, and those that it makes, the first `workers` of their processors.
pub fn confine(workers: usize) {
    let bytes = std::mem::size_of::<Mask>();
    let mut allowed: Mask = [0; 16];
    let mut few: Mask = [0; 16];
    // SAFETY: both masks are `bytes` long and outlive the calls.
    unsafe {
        if sched_getaffinity(0, bytes, allowed.as_mut_ptr()) < 0 {
            return;
        }
        let is_allowed = |i: &usize| allowed[i / 64] >> (i % 64) & 1 == 1;
        for i in (0..64 * few.len()).filter(is_allowed).take(workers) {
            few[i / 64] |= 1 << (i % 64);
        }
        sched_setaffinity(0, bytes, few.as_ptr());
    }
}

/// The thread identifiers of this process, oldest first.
fn threads() -> Vec<i32> {
    let entries = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let mut threads: Vec<i32> = entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    threads.sort_unstable();
    threads
}

/// Times one call of `body`, which returns the answer; verifies it, then prints the line.
pub fn measure(run: &Run, known: &Known, body: impl FnOnce() -> u64) {
    let mut found = 0;
    let seconds = seconds_of(|| found = body());
    report(run, known, found, seconds);
}

pub fn seconds_of(body: impl FnOnce()) -> f64 {
    let start = Instant::now();
    body();
    start.elapsed().as_secs_f64()
}

/// Prints the line, if `found` is the known answer.
pub fn report(run: &Run, known: &Known, found: u64, seconds: f64) {
    let Run {
        problem,
        workers,
        n,
    } = run;
    let Known { answer, tasks } = known;
    if found != *answer {
        eprintln!("{problem}/rayon: wrong answer for n = {n}: {found} instead of {answer}");
        exit(1);
    }
    let compiler = option_env!("BENCH_COMPILER").unwrap_or("rustc");
    let ns_per_task = seconds * 1e9 / *tasks as f64;
    let rss = rss_kib();
    println!(
        "{problem},rayon,{compiler},{workers},{n},{seconds:.9},{tasks},{ns_per_task:.3},{rss}"
    );
}

/// The most memory this program had resident at once, in KiB; 0 where the kernel does not say.
fn rss_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|text| text.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
