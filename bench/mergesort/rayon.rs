// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: mergesort with rayon joins; the kernel is kernel.h's, said in Rust.

use report::{Known, Run};

const LEAF: usize = 2048;

fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d049bb133111eb);
    x ^ x >> 31
}

/// The same for every order of the numbers, if they are in ascending order; else 0.
fn check(all: &[u64]) -> u64 {
    if !all.is_sorted() {
        return 0;
    }
    all.iter().fold(0, |sum, &one| sum.wrapping_add(mixed(one)))
}

fn merge_serial(left: &[u64], right: &[u64], to: &mut [u64]) {
    let (mut i, mut j, mut k) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        let second = right[j] < left[i];
        to[k] = if second { right[j] } else { left[i] };
        j += usize::from(second);
        i += usize::from(!second);
        k += 1;
    }
    let middle = k + left.len() - i;
    to[k..middle].copy_from_slice(&left[i..]);
    to[middle..].copy_from_slice(&right[j..]);
}

fn sort_serial(all: &mut [u64], room: &mut [u64], to_room: bool) {
    if all.len() <= 16 {
        for i in 1..all.len() {
            let one = all[i];
            let mut place = i;
            while place > 0 && all[place - 1] > one {
                all[place] = all[place - 1];
                place -= 1;
            }
            all[place] = one;
        }
        if to_room {
            room.copy_from_slice(all);
        }
        return;
    }
    let half = all.len() / 2;
    {
        let (a, b) = all.split_at_mut(half);
        let (c, d) = room.split_at_mut(half);
        sort_serial(a, c, !to_room);
        sort_serial(b, d, !to_room);
    }
    let (from, to) = if to_room { (all, room) } else { (room, all) };
    merge_serial(&from[..half], &from[half..], to);
}

fn merge(left: &[u64], right: &[u64], to: &mut [u64]) {
    if left.len() < right.len() {
        return merge(right, left, to);
    }
    if left.len() + right.len() <= LEAF {
        return merge_serial(left, right, to);
    }
    let half = left.len() / 2;
    let below = right.partition_point(|&one| one < left[half]);
    let (first, second) = to.split_at_mut(half + below);
    rayon::join(
        || merge(&left[..half], &right[..below], first),
        || merge(&left[half..], &right[below..], second),
    );
}

fn sort(all: &mut [u64], room: &mut [u64], to_room: bool) {
    if all.len() <= LEAF {
        return sort_serial(all, room, to_room);
    }
    let half = all.len() / 2;
    {
        let (a, b) = all.split_at_mut(half);
        let (c, d) = room.split_at_mut(half);
        rayon::join(|| sort(a, c, !to_room), || sort(b, d, !to_room));
    }
    let (from, to) = if to_room { (all, room) } else { (room, all) };
    merge(&from[..half], &from[half..], to);
}

fn numbers(count: usize) -> Vec<u64> {
    (0..count as u64).map(mixed).collect()
}

fn main() {
    let run = Run::from_arguments("mergesort", 27);
    let pool = report::pool(&run);
    let (mut few, mut beside) = (numbers(1 << 15), numbers(1 << 15));
    pool.install(|| sort(&mut few, &mut beside, false));
    report::spread();
    let mut all = numbers(1 << run.n);
    let mut room = all.clone();
    let known = Known {
        answer: all.iter().fold(0, |sum, &one| sum.wrapping_add(mixed(one))),
        tasks: all.len() as u64,
    };
    let seconds = report::seconds_of(|| pool.install(|| sort(&mut all, &mut room, false)));
    report::report(&run, &known, check(&all), seconds);
}
