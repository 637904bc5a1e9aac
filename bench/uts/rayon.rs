// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: uts with a rayon join per child; the kernel is kernel.h's, said in Rust.

use report::{Known, Run};

#[derive(Clone, Copy)]
struct Node {
    state: [u8; 20],
    height: i32,
}

/// SHA-1 of a message of at most 55 bytes, which is one block.
fn digest(message: &[u8]) -> [u8; 20] {
    let mut block = [0u8; 64];
    block[..message.len()].copy_from_slice(message);
    block[message.len()] = 0x80;
    block[60..].copy_from_slice(&(8 * message.len() as u32).to_be_bytes());
    let mut w = [0u32; 80];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes(bytes.try_into().expect("four bytes"));
    }
    for i in 16..80 {
        w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
    }
    let first = [
        0x67452301u32,
        0xefcdab89,
        0x98badcfe,
        0x10325476,
        0xc3d2e1f0,
    ];
    let [mut a, mut b, mut c, mut d, mut e] = first;
    for (i, word) in w.iter().enumerate() {
        let (mix, constant) = match i / 20 {
            0 => ((b & c) | (!b & d), 0x5a827999u32),
            1 => (b ^ c ^ d, 0x6ed9eba1),
            2 => ((b & c) | (b & d) | (c & d), 0x8f1bbcdc),
            _ => (b ^ c ^ d, 0xca62c1d6),
        };
        let next = a
            .rotate_left(5)
            .wrapping_add(mix)
            .wrapping_add(e)
            .wrapping_add(constant)
            .wrapping_add(*word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    let mut made = [0u8; 20];
    for (i, (old, new)) in first.iter().zip([a, b, c, d, e]).enumerate() {
        made[4 * i..4 * i + 4].copy_from_slice(&old.wrapping_add(new).to_be_bytes());
    }
    made
}

fn root(n: u32) -> Node {
    let mut seed = [0u8; 20];
    seed[19] = if n == 3 { 42 } else { 19 };
    if n == 2 {
        seed[18..].copy_from_slice(&502u16.to_be_bytes());
    }
    Node {
        state: digest(&seed),
        height: 0,
    }
}

fn child(parent: &Node, which: u32) -> Node {
    let mut message = [0u8; 24];
    message[..20].copy_from_slice(&parent.state);
    message[20..].copy_from_slice(&which.to_be_bytes());
    Node {
        state: digest(&message),
        height: parent.height + 1,
    }
}

fn branching(n: u32, height: i32) -> f64 {
    if n != 2 {
        let levels = if n == 0 { 4 } else { 10 };
        return if height < levels { 4.0 } else { 0.0 };
    }
    match height {
        0 => 6.0,
        1..=80 => 6f64.powf((2.0 * std::f64::consts::PI * f64::from(height) / 16.0).sin()),
        _ => 0.0,
    }
}

fn children(n: u32, node: &Node) -> u32 {
    let word = u32::from_be_bytes(node.state[16..].try_into().expect("four bytes"));
    let u = f64::from(word & 0x7fffffff) / 2147483648.0;
    if n == 3 {
        return match node.height {
            0 => 2000,
            _ if u < 0.124875 => 8,
            _ => 0,
        };
    }
    let p = 1.0 / (1.0 + branching(n, node.height));
    (((1.0 - u).ln() / (1.0 - p).ln()).floor() as u32).min(100)
}

fn nodes_below(n: u32, node: &Node) -> u64 {
    1 + from_child(n, node, 0, children(n, node))
}

/// The child `which` is one side of a join, those after it are the other.
fn from_child(n: u32, node: &Node, which: u32, count: u32) -> u64 {
    if which == count {
        return 0;
    }
    let (first, others) = rayon::join(
        || nodes_below(n, &child(node, which)),
        || from_child(n, node, which + 1, count),
    );
    first + others
}

fn main() {
    let run = Run::from_arguments("uts", 3);
    let nodes = [4130071, 4117769, 4112897][run.n as usize - 1];
    let pool = report::pool(&run);
    pool.install(|| nodes_below(0, &root(0)));
    report::spread();
    let known = Known {
        answer: nodes,
        tasks: nodes,
    };
    report::measure(&run, &known, || {
        pool.install(|| nodes_below(run.n, &root(run.n)))
    });
}
