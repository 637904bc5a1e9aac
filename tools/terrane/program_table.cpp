// SPDX-License-Identifier: Apache-2.0
// program_table.cpp: the programs of the folder programs/, and the arguments of each.
#include <array>

#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

using argument = listed_argument;

constexpr std::array fib{argument{"N", "33", "0 to 90 (45 in Threaded-C)", "which number"}};
constexpr std::array queens{argument{"N", "12", "1 to 20", "queens, rows and columns"},
                            argument{"T", "4", "1 to N", "tokens to row T, N: throughout"}};
constexpr std::array tsp{argument{"N", "10", "1 to 13", "cities beside the home city"},
                         argument{"T", "4", "1 to N", "tokens for the first T cities"}};
constexpr std::array knary{argument{"N", "7", "1 to 30", "levels of the tree"},
                           argument{"K", "7", "1 to 16", "children of a node"},
                           argument{"R", "2", "0 to K", "of them, one after another"},
                           argument{"G", "400", "0 to 1000000000", "turns of a node's loop"}};
constexpr std::array matmul{argument{"N", "256", "1 to 4096", "rows and columns"},
                            argument{"ROWS", "16", "1 to N", "rows in a token"}};
constexpr std::array tomcatv{argument{"N", "257", "3 to 2049", "points on a side of the mesh"},
                             argument{"I", "100", "1 to 1000000", "iterations"}};
constexpr std::array spmd{argument{"A", "4", "1 to 16", "children of a task"},
                          argument{"B", "4", "1 to 1024", "size of a root, halved below"},
                          argument{"C", "0", "0 to 100", "percent that tasks differ by"},
                          argument{"G", "800000", "0 to 1000000000", "turns of a task's loop"}};
constexpr std::array paraffins{argument{"N", "28", "1 to 29", "carbon atoms, at most"},
                               argument{"T", "913000", "1 to 2000000000", "paraffins in a token"}};
constexpr std::array atgc{argument{"N", "4000", "1 to 1000000", "letters of each sequence"}};
constexpr std::array quadrature{argument{"N", "16", "1 to 20000", "parts, each a thread"},
                                argument{"H", "9", "1 to 12", "no interval below 10^-H is halved"}};
constexpr std::array grep{argument{"TEXT", "", "", "what to find"},
                          argument{"DIR", "", "", "where, with all that is below"},
                          argument{"POLICY", "", "see docs/programs.md", "which threads move"},
                          argument{"US", "0", "0 to 1000000", "reading another node's file"},
                          argument{"DISKS", "nodes", "1 to 1000000", "nodes with files"}};
constexpr std::array moves{argument{"KIB", "0", "0, 1, 2, 4, ... 32", "of stack in use"},
                           argument{"TIMES", "200", "1 to 10000", "moves"}};
constexpr argument start{"START", "0", "0 to 599", "see docs/programs.md"};
constexpr std::array adder{argument{"A", "8", "1 to 256", "first operands below it"},
                           argument{"B", "8", "1 to 256", "second operands below it"}, start};
constexpr std::array wator{argument{"SEED", "1", "0 to 1000000", "of what is drawn"},
                           argument{"STEPS", "100", "0 to 1000000", "steps"},
                           argument{"THREADS", "16", "1 to 1024", "regions, each a thread"},
                           argument{"SIDE", "100", "6 to 4000", "of the sea, in cells"}, start};
constexpr std::array synthetic{argument{"PAIRS", "20", "0 to 1000", "that communicate"},
                               argument{"COMPUTE", "0", "0 to 1000", "threads that compute"},
                               argument{"MIXED", "0", "0 to 1000", "pairs that do both"},
                               argument{"SECONDS", "0", "0 to 100000", "0: fixed work"},
                               argument{"MESSAGES", "340", "0 to 100000000", "of a pair"},
                               argument{"MS", "2700", "0 to 100000000", "of a thread"},
                               start};
constexpr std::array multi_phase{argument{"ITERATIONS", "10", "0 to 1000000", "of a phase"}, start};
constexpr std::array latency{argument{"SIZES", "100", "1 to 5000", "sizes up to 5000 bytes"},
                             argument{"REPS", "10", "1 to 1000000", "messages of each"}};
constexpr std::array migrate{argument{"LOOPS", "20", "0 to 1000000", "messages and moves"}};
constexpr std::array overflow{argument{"GAP_US", "873", "1 to 1000000", "between two events"},
                              argument{"READ_US", "907", "1 to 1000000", "to read one"},
                              argument{"ROOM", "1280", "1 to 1000000", "for events not read"},
                              argument{"SECONDS", "30", "1 to 100000", "at most"}};
constexpr std::array jacobi{
    argument{"VERSION", "blocking", "see docs/programs.md", "how columns are exchanged"},
    argument{"N", "514", "3 to 16386", "points on a side"},
    argument{"ITER", "20", "0 to 1000000", "iterations"},
    argument{"W", "1000", "0 to 2000", "relaxation, per mille"},
    argument{"B", "1", "1 to 16384", "columns of a boundary thread"},
    argument{"L", "1", "1 to 1000", "how often one block is computed"},
    argument{"V", "1", "1 to 4096", "members on a processor"}};
constexpr std::array pic{
    argument{"VERSION", "original", "see docs/programs.md", "how particles are exchanged"},
    argument{"NP", "1024", "1 to 16777216", "particles"},
    argument{"G", "32", "2 to 4096", "cells on a side"},
    argument{"STEPS", "50", "0 to 1000000", "steps in time"},
    argument{"V", "2", "1 to 4096", "domains on a processor"},
    argument{"SEED", "2024", "0 to 1000000000", "of the first places"}};
constexpr std::array barrier{argument{"ROUNDS", "10", "0 to 1000000", "rounds"}};
constexpr std::array sequential{
    argument{"NAME", "", "fib to wator", "the program that it is the twin of"},
    argument{"ARGS", "", "", "that one's arguments"}};

constexpr std::array<listed_program, 29> table{{
    {"fib", fib, "every call a token: the finest grain there is"},
    {"queens", queens, "all placements of queens, tokens to row T"},
    {"tsp", tsp, "the shortest of all tours of N cities"},
    {"knary", knary, "a K-ary tree, R branches in sequence"},
    {"matmul", matmul, "a token per ROWS rows of a matrix"},
    {"tomcatv", tomcatv, "a mesh relaxed in blocks of rows"},
    {"spmd", spmd, "ten rounds of trees, barriers between"},
    {"paraffins", paraffins, "isomers of up to N carbon atoms, one by one"},
    {"atgc", atgc, "sequences aligned by strips of columns"},
    {"quadrature", quadrature, "a wild function integrated, part by part"},
    {"sequential", sequential, "those above in plain C++"},
    {"grep", grep, "lines of files, by threads that migrate"},
    {"moves", moves, "threads between two nodes, timed"},
    {"adder", adder, "a circuit whose elements are threads"},
    {"wator", wator, "fish and sharks, in regions that are threads"},
    {"synthetic", synthetic, "threads that compute, and communicate"},
    {"multi_phase", multi_phase, "the same in eight phases"},
    {"local", latency, "sends of growing length, timed"},
    {"remote", latency, "the same to another node"},
    {"migrate", migrate, "a thread that moves after each message"},
    {"overflow", overflow, "events until their monitor is full"},
    {"jacobi", jacobi, "a grid relaxed by a rope"},
    {"pic", pic, "charges in cells, by ropes"},
    {"reduce", {}, "items of all processors in one mailbox"},
    {"remote_sum", {}, "two remote numbers fetched at once"},
    {"counter", {}, "a counter behind a lock"},
    {"istruct", {}, "Pascal's triangle in an I-structure"},
    {"pingpong", {}, "messages of growing length there and back"},
    {"barrier", barrier, "slots and a mailbox between rounds"},
}};

}  // namespace

std::span<const listed_program> listed_programs() { return table; }

}  // namespace terrane
