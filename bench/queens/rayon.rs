// SPDX-License-Identifier: Apache-2.0
//! rayon.rs: queens with a rayon join per placement; the kernel is kernel.h's, said in Rust.

use report::{Known, Run};

const N_MAX: usize = 16;
const N_WARM: usize = 8;

type Board = [u8; N_MAX];

/// (solutions, legal placements) of boards of 1 to 16: known.h says where they come from.
const KNOWN: [(u64, u64); N_MAX] = [
    (1, 1),
    (0, 2),
    (0, 5),
    (2, 16),
    (10, 53),
    (4, 152),
    (40, 551),
    (92, 2056),
    (352, 8393),
    (724, 35538),
    (2680, 166925),
    (14200, 856188),
    (73712, 4674889),
    (365596, 27358552),
    (2279184, 171129071),
    (14772512, 1141190302),
];

fn known(n: u32) -> Known {
    let (answer, tasks) = KNOWN[n as usize - 1];
    Known { answer, tasks }
}

fn legal(board: &Board, row: usize, column: i32) -> bool {
    board[..row].iter().enumerate().all(|(i, &other)| {
        let other = i32::from(other);
        let distance = (row - i) as i32;
        other != column && other != column - distance && other != column + distance
    })
}

fn place(mut board: Board, row: usize, column: usize) -> Board {
    board[row] = column as u8;
    board
}

fn queens(board: Board, row: usize, n: usize) -> u64 {
    if row == n {
        return 1;
    }
    from_column(&board, row, 0, n)
}

/// The first legal placement at `column` or after is one side of a join, the others are the other.
fn from_column(board: &Board, row: usize, column: usize, n: usize) -> u64 {
    let Some(column) = (column..n).find(|&column| legal(board, row, column as i32)) else {
        return 0;
    };
    let child = place(*board, row, column);
    let (first, others) = rayon::join(
        || queens(child, row + 1, n),
        || from_column(board, row, column + 1, n),
    );
    first + others
}

fn main() {
    let run = Run::from_arguments("queens", N_MAX as u64);
    let pool = report::pool(&run);
    pool.install(|| queens([0; N_MAX], 0, N_WARM));
    report::spread();
    report::measure(&run, &known(run.n), || {
        pool.install(|| queens([0; N_MAX], 0, run.n as usize))
    });
}
