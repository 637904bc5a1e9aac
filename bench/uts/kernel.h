// SPDX-License-Identifier: Apache-2.0
// kernel.h: the unbalanced trees T1, T2 and T3: a node is a SHA-1 digest, from which follows how
// many children it has.
//
// Problem     The number of nodes. T1: geometric, fixed shape, 10 levels. T2: geometric, cyclic
//             shape. T3: binomial: a root with 2,000 children, each other node 8 with probability
//             0.124875; its longest path has 1,572 nodes.
// Cost        A digest for each node, some 250 ns.
// Source      Olivier et al., "UTS: An Unbalanced Tree Search Benchmark" (2006): generator and
//             parameters. SHA-1: FIPS 180-4.
// Language    C11 and C++20. bench/uts/rayon.rs does the same in Rust.
#ifndef TERRANE_BENCH_UTS_KERNEL_H
#define TERRANE_BENCH_UTS_KERNEL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "bench/report.h"

enum { uts_n_max = 3, uts_n_warm = 0, uts_children_max = 2000 };

struct uts_node {
  uint8_t state[20];
  int32_t height;
};

static inline uint32_t uts_rotated(uint32_t word, int by) { return word << by | word >> (32 - by); }

/// Stores and loads a word, its highest byte first; by one swap, since compilers do not agree on
/// loops over bytes.
static inline void uts_store(uint8_t* to, uint32_t word) {
  const uint32_t swapped = __builtin_bswap32(word);
  memcpy(to, &swapped, 4);
}

static inline uint32_t uts_load(const uint8_t* from) {
  uint32_t swapped;
  memcpy(&swapped, from, 4);
  return __builtin_bswap32(swapped);
}

/// The function of a round that mixes three words.
static inline uint32_t uts_mixed(int round, uint32_t x, uint32_t y, uint32_t z) {
  return round == 0 ? (x & y) | (~x & z) : round == 2 ? (x & y) | (x & z) | (y & z) : x ^ y ^ z;
}

/// One step, without moving the five words: the caller names them in turn.
static inline void uts_step(int round, uint32_t a, uint32_t* b, uint32_t c, uint32_t d, uint32_t* e,
                            uint32_t word) {
  *e += uts_rotated(a, 5) + uts_mixed(round, *b, c, d) + word;
  *b = uts_rotated(*b, 30);
}

static inline void uts_round(int round, uint32_t constant, const uint32_t* w, uint32_t* h) {
  uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 20 * round; i < 20 * round + 20; i += 5) {
    uts_step(round, a, &b, c, d, &e, constant + w[i]);
    uts_step(round, e, &a, b, c, &d, constant + w[i + 1]);
    uts_step(round, d, &e, a, b, &c, constant + w[i + 2]);
    uts_step(round, c, &d, e, a, &b, constant + w[i + 3]);
    uts_step(round, b, &c, d, e, &a, constant + w[i + 4]);
  }
  h[0] = a, h[1] = b, h[2] = c, h[3] = d, h[4] = e;
}

/// SHA-1 of a message of at most 55 bytes, which is one block. g++ 12 would make vectors of the
/// loop over w, each of whose words needs the third before it, and take twice as long.
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("no-tree-vectorize")))
#endif
static inline void
uts_digest(const uint8_t* message, int bytes, uint8_t* digest) {
  uint8_t block[64] = {0};
  memcpy(block, message, (size_t)bytes);
  block[bytes] = 0x80;
  uts_store(block + 60, 8u * (uint32_t)bytes);
  uint32_t w[80];
  for (int i = 0; i < 16; i++) w[i] = uts_load(block + 4 * i);
  for (int i = 16; i < 80; i++) w[i] = uts_rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  const uint32_t first[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
  uint32_t h[5];
  memcpy(h, first, sizeof h);
  uts_round(0, 0x5a827999u, w, h);
  uts_round(1, 0x6ed9eba1u, w, h);
  uts_round(2, 0x8f1bbcdcu, w, h);
  uts_round(3, 0xca62c1d6u, w, h);
  for (int i = 0; i < 5; i++) uts_store(digest + 4 * i, first[i] + h[i]);
}

/// n: 1 to 3 for T1 to T3; 0: T1 with four levels, for the warm-up.
static inline struct uts_node uts_root(int n) {
  uint8_t seed[20] = {0};
  uts_store(seed + 16, n == 3 ? 42 : n == 2 ? 502 : 19);
  struct uts_node root = {{0}, 0};
  uts_digest(seed, 20, root.state);
  return root;
}

static inline struct uts_node uts_child(const struct uts_node* parent, int which) {
  uint8_t message[24];
  memcpy(message, parent->state, 20);
  uts_store(message + 20, (uint32_t)which);
  struct uts_node child;
  uts_digest(message, 24, child.state);
  child.height = parent->height + 1;
  return child;
}

/// How many children an inner node of the geometric trees has on average.
static inline double uts_branching(int n, int height) {
  if (n != 2) return height < (n == 0 ? 4 : 10) ? 4 : 0;
  if (height == 0) return 6;
  return height > 5 * 16 ? 0 : pow(6, sin(2 * 3.141592653589793 * height / 16));
}

static inline int uts_children(int n, const struct uts_node* node) {
  const double u = (uts_load(node->state + 16) & 0x7fffffffu) / 2147483648.0;
  if (n == 3) return node->height == 0 ? uts_children_max : u < 0.124875 ? 8 : 0;
  const double p = 1 / (1 + uts_branching(n, node->height));
  const int children = (int)floor(log(1 - u) / log(1 - p));
  return children < 100 ? children : 100;
}

/// answer, tasks: the nodes, as the authors of the benchmark published them.
static inline struct bench_known uts_known(int n) {
  const uint64_t nodes = n == 1 ? 4130071 : n == 2 ? 4117769 : 4112897;
  const struct bench_known known = {nodes, nodes};
  return known;
}

#endif
