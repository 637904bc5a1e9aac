// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/ucx/ucx_network.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace terrane {

namespace {

/// How many turns of UCX there are for one of the world's wires, which have little to say.
constexpr std::uint64_t turns_between_looks = 1024;

}  // namespace

ucx_network::ucx_network(const terrane_ucx_table& ucx, const network_maker& world_wires,
                         const network_shape& shape, network_user& user)
    : ucx_(ucx),
      shape_(shape),
      user_(user),
      world_wires_(world_wires(shape, *this)),
      addresses_(shape.nodes),
      missing_(shape.nodes - 1) {}

ucx_network::~ucx_network() {
  messages_.reset();
  if (among_.word != 0) ucx_.close(among_);
}

error ucx_network::problem(const char* what, int code) const {
  char text[256] = "";
  ucx_.messages.say(code, text, sizeof text);
  return error{fmt::format("UCX could not {}: {}", what, text)};
}

result<void> ucx_network::connect_all() {
  if (auto connected = world_wires_->connect_all(); !connected) return connected;
  const void* mine;
  std::size_t bytes;
  if (const int wrong = ucx_.open(static_cast<int>(shape_.me), static_cast<int>(shape_.nodes),
                                  &among_, &mine, &bytes);
      wrong != 0) {
    among_ = {};
    return problem("begin", wrong);
  }
  const processor_id from = shape_.me * shape_.processors_per_node;
  for (node_id n = 0; n < shape_.nodes; ++n)
    if (n != shape_.me)
      world_wires_->send(
          n, any_processor,
          {entry::put, false, from, bytes > small_message_bytes_max ? 0 : bytes, no_place},
          {mine, bytes}, {});
  while (missing_ != 0 || !world_wires_->all_sent()) {
    world_wires_->flush();
    if (!world_wires_->turn()) sched_yield();
  }
  for (node_id n = 0; n < shape_.nodes; ++n) {
    if (n == shape_.me) continue;
    const std::string& its = addresses_[n];
    if (const int wrong = ucx_.connect(among_, static_cast<int>(n), its.data(), its.size());
        wrong != 0)
      return problem(fmt::format("reach node {}", n).c_str(), wrong);
  }
  messages_.emplace(ucx_.messages, among_, shape_, user_);
  return {};
}

bool ucx_network::deliver(std::uint16_t, const unsigned char* record, std::size_t) {
  const packed_head about(record);
  const node_id from = about.from() / shape_.processors_per_node;
  const unsigned char* const data = record + sizeof about;
  std::string its(reinterpret_cast<const char*>(data), about.size());
  if (about.large()) {
    large_message where;
    std::memcpy(&where, data, sizeof where);
    its.assign(reinterpret_cast<const char*>(where.block), where.size);
    std::free(where.block);
  }
  if (from >= shape_.nodes || its.empty() || !addresses_[from].empty()) {
    user_.broken(from, "brought messages although UCX was to bring them");
    return true;
  }
  addresses_[from] = std::move(its);
  --missing_;
  return true;
}

void ucx_network::lose(node_id which) {
  world_wires_->lose(which);
  messages_->lose(which);
}

bool ucx_network::turn() {
  if (messages_->turns() % turns_between_looks == 0) world_wires_->turn();
  return messages_->turn();
}

void ucx_network::close() {
  if (messages_) messages_->close();
  world_wires_->close();
}

}  // namespace terrane
