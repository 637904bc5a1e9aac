// SPDX-License-Identifier: Apache-2.0
// pieces.cpp: how pieces and receives meet.
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "parts/ucx/node.hpp"

namespace terrane::ucx {

namespace {

operation* operation_of(terrane_carrier_handle request) {
  return reinterpret_cast<operation*>(request.word);
}
terrane_carrier_handle handle_of(operation* its) { return {reinterpret_cast<std::uint64_t>(its)}; }

operation* make_operation(node& of) {
  operation* made = of.free;
  if (made)
    of.free = made->next_free;
  else
    made = new operation;
  *made = operation{};
  made->of = &of;
  return made;
}
void give_back(operation* its) {
  its->next_free = its->of->free;
  its->of->free = its;
}
void end(operation* its, ucs_status_t status, std::size_t bytes) {
  its->done = true;
  its->status = status;
  its->bytes = bytes;
}

// --- receives ---

void received(void* request, ucs_status_t status, std::size_t bytes, void* raw) {
  end(static_cast<operation*>(raw), status, bytes);
  ucp_request_free(request);
}

/// Not within a callback of UCX.
void fetch_met(node& here) {
  while (!here.to_fetch.empty()) {
    const met_piece next = here.to_fetch.back();
    here.to_fetch.pop_back();
    ucp_request_param_t how{};
    how.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
    how.cb.recv_am = received;
    how.user_data = next.receive;
    void* const begun =
        ucp_am_recv_data_nbx(here.worker, next.data, next.receive->room, next.bytes, &how);
    if (!UCS_PTR_IS_PTR(begun)) end(next.receive, UCS_PTR_STATUS(begun), next.bytes);
  }
}

/// True if UCX's data is needed on: fetch_met() is due.
bool meet(operation* receive, const piece& its) {
  receive->met = true;
  if (its.bytes > receive->bytes) {
    end(receive, UCS_ERR_MESSAGE_TRUNCATED, 0);
    return false;
  }
  if (its.kind == piece::rendezvous) {
    receive->of->to_fetch.push_back({receive, its.data, its.bytes});
    return true;
  }
  if (its.bytes != 0) std::memcpy(receive->room, its.data, its.bytes);
  end(receive, UCS_OK, its.bytes);
  return false;
}

void release(node& here, const piece& its) {
  if (its.kind == piece::own)
    std::free(its.data);
  else
    ucp_am_data_release(here.worker, its.data);
}

/// What came was sent by no node of the run, or there is no memory for it.
ucs_status_t refuse(node& here) {
  for (peer& each : here.peers) end_arrivals(each, UCS_ERR_INVALID_PARAM);
  return UCS_OK;
}

ucs_status_t arrive(node& here, const void* header, std::size_t header_bytes, piece its,
                    bool persists, int tag) {
  piece_head head;
  if (header_bytes != sizeof head) return refuse(here);
  std::memcpy(&head, header, sizeof head);
  if (head.from >= here.peers.size()) return refuse(here);
  if (here.peers[head.from].wrong != UCS_OK) return UCS_OK;
  arrivals& from = here.peers[head.from].from[tag];
  const std::uint32_t ahead = head.number - from.first;
  if (ahead < from.waiting.size() && from.waiting[ahead]) {
    operation* const receive = from.waiting[ahead];
    from.waiting[ahead] = nullptr;
    while (!from.waiting.empty() && !from.waiting.front()) {
      from.waiting.pop_front();
      ++from.first;
    }
    return meet(receive, its) ? UCS_INPROGRESS : UCS_OK;
  }
  const bool again = static_cast<std::int32_t>(ahead) < 0 || ahead < from.waiting.size();
  if (again) return refuse(here);
  its.number = head.number;
  if (!persists) {
    void* const copy = std::malloc(its.bytes + 1);
    if (!copy) return refuse(here);
    std::memcpy(copy, its.data, its.bytes);
    its.data = copy;
  }
  from.early.push_back(its);
  return persists ? UCS_INPROGRESS : UCS_OK;
}

template <int tag>
ucs_status_t arrived_with(void* raw, const void* header, std::size_t header_bytes, void* data,
                          std::size_t bytes, const ucp_am_recv_param_t* about) {
  const bool rendezvous = (about->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0;
  const bool persists = rendezvous || (about->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA) != 0;
  const auto kind = rendezvous ? piece::rendezvous : persists ? piece::persistent : piece::own;
  return arrive(*static_cast<node*>(raw), header, header_bytes, {0, data, bytes, kind}, persists,
                tag);
}

}  // namespace

const ucp_am_recv_callback_t arrived[tags_max] = {arrived_with<1>, arrived_with<2>, arrived_with<3>,
                                                  arrived_with<4>};

void end_arrivals(peer& its, ucs_status_t why) {
  its.wrong = why;
  for (arrivals& each : its.from) {
    for (operation* waiting : each.waiting)
      if (waiting) end(waiting, why, 0);
    for (const piece& early : each.early) release(*its.of, early);
    each = {};
  }
}

void progress(node& here) {
  ucp_worker_progress(here.worker);
  fetch_met(here);
}

int receive(terrane_carrier_handle among, void* data, std::size_t bytes, int from, int tag,
            terrane_carrier_handle* request) {
  node& here = node_of(among);
  peer& other = peer_of(here, from);
  arrivals& its = other.from[tag];
  operation* const made = make_operation(here);
  made->from = from;
  made->tag = tag;
  made->room = static_cast<unsigned char*>(data);
  made->bytes = bytes;
  *request = handle_of(made);
  if (other.wrong != UCS_OK) {
    end(made, other.wrong, 0);
    return 0;
  }
  const auto number = static_cast<std::uint32_t>(its.first + its.waiting.size());
  for (auto early = its.early.begin(); early != its.early.end(); ++early) {
    if (early->number != number) continue;
    const piece there = *early;
    its.early.erase(early);
    if (its.waiting.empty())
      ++its.first;
    else
      its.waiting.push_back(nullptr);
    if (meet(made, there))
      fetch_met(here);
    else
      release(here, there);
    return 0;
  }
  its.waiting.push_back(made);
  return 0;
}

// --- sends ---

namespace {

void sent(void* request, ucs_status_t status, void* raw) {
  end(static_cast<operation*>(raw), status, 0);
  ucp_request_free(request);
}

}  // namespace

int send(terrane_carrier_handle among, const void* data, std::size_t bytes, int to, int tag,
         terrane_carrier_handle* request) {
  node& here = node_of(among);
  peer& its = peer_of(here, to);
  *request = {0};
  if (its.lost) return 0;
  operation* const made = make_operation(here);
  made->head = {here.me, its.sent[tag]++};
  ucp_request_param_t how{};
  how.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  how.cb.send = sent;
  how.user_data = made;
  void* const begun = ucp_am_send_nbx(its.endpoint, static_cast<unsigned>(tag), &made->head,
                                      sizeof made->head, data, bytes, &how);
  if (UCS_PTR_IS_PTR(begun)) {
    *request = handle_of(made);
    return 0;
  }
  give_back(made);
  return UCS_PTR_STATUS(begun);
}

// --- requests ---

namespace {

/// One that is done: its outcome.
int finish(terrane_carrier_handle* request, std::size_t* bytes) {
  operation* const its = operation_of(*request);
  if (bytes) *bytes = its->bytes;
  const ucs_status_t status = its->status;
  *request = {0};
  give_back(its);
  return status;
}

}  // namespace

int test(terrane_carrier_handle* request, int* done, std::size_t* bytes) {
  operation* const its = operation_of(*request);
  *done = 1;
  if (bytes) *bytes = 0;
  if (!its) return 0;
  if (!its->done) progress(*its->of);
  if (its->done) return finish(request, bytes);
  *done = 0;
  return 0;
}

int test_any(terrane_carrier_handle* requests, int count, int* which, std::size_t* bytes) {
  *which = -1;
  for (bool looked = false;; looked = true) {
    node* here = nullptr;
    for (int i = 0; i < count; ++i) {
      operation* const its = operation_of(requests[i]);
      if (!its) continue;
      here = its->of;
      if (!its->done) continue;
      *which = i;
      return finish(&requests[i], bytes);
    }
    if (!here || looked) return 0;
    progress(*here);
  }
}

/// What a lost node was to bring does not come, but UCX may still say so: its operation stays.
void cancel(terrane_carrier_handle* request) {
  operation* const its = operation_of(*request);
  if (!its) return;
  *request = {0};
  peer& other = peer_of(*its->of, its->from);
  for (operation*& each : other.from[its->tag].waiting)
    if (each == its) each = nullptr;
  while (its->met && !its->done && !other.lost) progress(*its->of);
  if (its->done || !its->met) give_back(its);
}

}  // namespace terrane::ucx
