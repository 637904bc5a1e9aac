// SPDX-License-Identifier: Apache-2.0
// node.hpp: a node of a run as UCX sees it, and what is under way to it and from it.
//
// Purpose     A piece is one active message, whose identifier is its tag and whose header says who
//             sends it and the how manieth of that tag it is. UCX chooses whether its bytes come
//             with it or by rendezvous, directly from memory to memory where it can.
// Order       UCX promises none among messages of different sizes: the numbers do. Piece n goes to
//             receive n, whichever of the two comes first.
// Early       A piece that finds no receive waits in UCX's memory (a rendezvous: at its sender).
//             Whoever uses the carrier sees to it that these are few.
// Threads     Only one at a time calls a node's functions.
#pragma once

#include <ucp/api/ucp.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "terrane/transport/ucx/ucx_table.h"

namespace terrane::ucx {

inline constexpr int tags_max = 4;

/// Travels with each piece.
struct piece_head {
  std::uint32_t from;
  std::uint32_t number;  // of this tag, from this node to that one
};

struct piece {
  std::uint32_t number;
  void* data;
  std::size_t bytes;
  enum { own, persistent, rendezvous } kind;  // own: not in UCX's memory
};

struct node;

/// A send or a receive.
struct operation {
  node* of;
  piece_head head;
  bool done;
  ucs_status_t status;
  std::size_t bytes;
  // of a receive
  int from, tag;
  unsigned char* room;
  bool met;  // its piece is there
  operation* next_free;
};

/// What comes from one node with one tag.
struct arrivals {
  std::uint32_t first = 0;         // number of the oldest receive that waits
  std::deque<operation*> waiting;  // null: it was met, or taken back
  std::vector<piece> early;
};

struct peer {
  node* of = nullptr;
  ucp_ep_h endpoint = nullptr;
  ucs_status_t wrong = UCS_OK;  // else nothing comes from there any more
  bool lost = false;            // and nothing goes there
  std::uint32_t sent[tags_max + 1] = {};
  arrivals from[tags_max + 1];
};

struct met_piece {
  operation* receive;
  void* data;
  std::size_t bytes;
};

struct node {
  std::uint32_t me = 0;
  ucp_context_h context = nullptr;
  ucp_worker_h worker = nullptr;
  ucp_address_t* address = nullptr;
  std::size_t address_bytes = 0;
  std::vector<peer> peers;
  std::vector<met_piece> to_fetch;  // rendezvous whose receive is there
  operation* free = nullptr;
};

inline node& node_of(terrane_carrier_handle among) { return *reinterpret_cast<node*>(among.word); }
inline peer& peer_of(node& here, int number) {
  return here.peers[static_cast<std::size_t>(number)];
}

// --- pieces.cpp ---

int send(terrane_carrier_handle among, const void* data, std::size_t bytes, int to, int tag,
         terrane_carrier_handle* request);
int receive(terrane_carrier_handle among, void* data, std::size_t bytes, int from, int tag,
            terrane_carrier_handle* request);
int test(terrane_carrier_handle* request, int* done, std::size_t* bytes);
int test_any(terrane_carrier_handle* requests, int count, int* which, std::size_t* bytes);
void cancel(terrane_carrier_handle* request);
/// UCX calls arrived[tag - 1] for each piece.
extern const ucp_am_recv_callback_t arrived[tags_max];
void progress(node& here);
/// Nothing comes from there any more: who waits for it is told.
void end_arrivals(peer& its, ucs_status_t why);

// --- node.cpp ---

int open(int me, int nodes, terrane_carrier_handle* made, const void** address, std::size_t* bytes);
int connect(terrane_carrier_handle among, int to, const void* address, std::size_t bytes);
void lose(terrane_carrier_handle among, int which);
void close(terrane_carrier_handle among);

// --- ways.cpp ---

int list(void* to, terrane_ucx_told* told);
int chosen(terrane_carrier_handle among, int to_node, void* to, terrane_ucx_told* told);

}  // namespace terrane::ucx
