// SPDX-License-Identifier: Apache-2.0
// node.cpp: how a node begins, reaches the others, loses them, and ends.
#include "parts/ucx/node.hpp"

#include <chrono>
#include <memory>

namespace terrane::ucx {

namespace {

constexpr std::chrono::seconds patience{1};  // with a node that does not take what is sent

void close_endpoint(peer& its, bool by_force) {
  if (!its.endpoint) return;
  ucp_request_param_t how{};
  how.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  how.flags = by_force ? UCP_EP_CLOSE_FLAG_FORCE : 0;
  void* const begun = ucp_ep_close_nbx(its.endpoint, &how);
  its.endpoint = nullptr;
  if (!UCS_PTR_IS_PTR(begun)) return;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (ucp_request_check_status(begun) == UCS_INPROGRESS &&
         std::chrono::steady_clock::now() < until)
    progress(*its.of);
  ucp_request_free(begun);
}

/// What UCX says of a node that does not answer, within any call.
void failed(void* raw, ucp_ep_h, ucs_status_t status) {
  end_arrivals(*static_cast<peer*>(raw), status);
}

ucs_status_t make_worker(node& here) {
  ucp_params_t wanted{};
  wanted.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS;
  wanted.features = UCP_FEATURE_AM;
  wanted.estimated_num_eps = here.peers.size();
  if (const auto wrong = ucp_init(&wanted, nullptr, &here.context); wrong != UCS_OK) return wrong;
  ucp_worker_params_t how{};
  how.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  how.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  auto wrong = ucp_worker_create(here.context, &how, &here.worker);
  for (unsigned tag = 1; tag <= tags_max && wrong == UCS_OK; ++tag) {
    ucp_am_handler_param_t handler{};
    handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                         UCP_AM_HANDLER_PARAM_FIELD_ARG | UCP_AM_HANDLER_PARAM_FIELD_FLAGS;
    handler.id = tag;
    handler.flags = UCP_AM_FLAG_WHOLE_MSG;
    handler.cb = arrived[tag - 1];
    handler.arg = &here;
    wrong = ucp_worker_set_am_recv_handler(here.worker, &handler);
  }
  if (wrong == UCS_OK)
    wrong = ucp_worker_get_address(here.worker, &here.address, &here.address_bytes);
  return wrong;
}

}  // namespace

int open(int me, int nodes, terrane_carrier_handle* made, const void** address,
         std::size_t* bytes) {
  auto* const here = new node;
  here->me = static_cast<std::uint32_t>(me);
  here->peers.resize(static_cast<std::size_t>(nodes));
  for (peer& each : here->peers) each.of = here;
  *made = {reinterpret_cast<std::uint64_t>(here)};
  if (const ucs_status_t wrong = make_worker(*here); wrong != UCS_OK) {
    close(*made);
    return wrong;
  }
  *address = here->address;
  *bytes = here->address_bytes;
  return 0;
}

/// With UCP_ERR_HANDLING_MODE_PEER version 1.13 uses no shared memory. That nodes end is found
/// otherwise.
int connect(terrane_carrier_handle among, int to, const void* address, std::size_t) {
  node& here = node_of(among);
  peer& its = peer_of(here, to);
  ucp_ep_params_t how{};
  how.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                   UCP_EP_PARAM_FIELD_ERR_HANDLER;
  how.address = static_cast<const ucp_address_t*>(address);
  how.err_mode = UCP_ERR_HANDLING_MODE_NONE;
  how.err_handler = {failed, &its};
  return ucp_ep_create(here.worker, &how, &its.endpoint);
}

void lose(terrane_carrier_handle among, int which) {
  peer& its = peer_of(node_of(among), which);
  its.lost = true;
  end_arrivals(its, UCS_ERR_CONNECTION_RESET);
  close_endpoint(its, true);
}

void close(terrane_carrier_handle among) {
  const std::unique_ptr<node> here(&node_of(among));
  for (peer& each : here->peers) close_endpoint(each, each.wrong != UCS_OK);
  for (peer& each : here->peers) end_arrivals(each, UCS_ERR_CANCELED);
  if (here->address) ucp_worker_release_address(here->worker, here->address);
  if (here->worker) ucp_worker_destroy(here->worker);
  if (here->context) ucp_cleanup(here->context);
  while (operation* const next = here->free) {
    here->free = next->next_free;
    delete next;
  }
}

}  // namespace terrane::ucx
