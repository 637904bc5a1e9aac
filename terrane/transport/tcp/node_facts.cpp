// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/node_facts.hpp"

#include <algorithm>
#include <cstring>

#include "terrane/transport/tcp/byte_order.hpp"

namespace terrane {

namespace {

bool prints(unsigned char letter) { return letter >= 0x20 && letter < 0x7f; }

/// Goes through a block from its start. Both directions name the same fields in the same order.
class writer {
 public:
  explicit writer(node_facts::block& to) : at_(to.data()) {}

  void text(const std::string& from, std::size_t room) {
    const std::size_t size = std::min(from.size(), room);
    *at_++ = static_cast<unsigned char>(size);
    std::transform(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(size), at_,
                   [](char letter) -> unsigned char {
                     const auto byte = static_cast<unsigned char>(letter);
                     return prints(byte) ? byte : '?';
                   });
    at_ += room;
  }
  template <class Number>
  void number(Number from) {
    put_number(at_, from);
    at_ += sizeof from;
  }

 private:
  unsigned char* at_;
};

class reader {
 public:
  explicit reader(const unsigned char* from) : at_(from) {}

  void text(std::string& into, std::size_t room) {
    const std::size_t size = *at_++;
    right_ = right_ && size <= room && std::all_of(at_, at_ + std::min(size, room), prints) &&
             std::all_of(at_ + std::min(size, room), at_ + room, [](auto byte) { return !byte; });
    if (right_) into.assign(at_, at_ + size);
    at_ += room;
  }
  template <class Number>
  void number(Number& into) {
    into = get_number<Number>(at_);
    at_ += sizeof into;
  }
  bool right(const unsigned char* behind) const {
    return right_ && std::all_of(at_, behind, [](auto byte) { return !byte; });
  }

 private:
  const unsigned char* at_;
  bool right_ = true;
};

template <class Facts, class Way>
void go_through(Facts& facts, Way& way) {
  way.text(facts.build, node_facts::build_bytes_max);
  way.text(facts.host, node_facts::host_bytes_max);
  way.text(facts.address, node_facts::address_bytes_max);
  way.number(facts.port);
  way.number(facts.version);
  way.number(facts.process);
  way.number(facts.image);
  way.number(facts.layout);
  way.number(facts.stacks);
}

constexpr std::size_t used_bytes = 1 + node_facts::build_bytes_max + 1 +
                                   node_facts::host_bytes_max + 1 + node_facts::address_bytes_max +
                                   2 + 4 + 4 + 8 + 8 + 8;
static_assert(used_bytes <= node_facts::block_bytes);

}  // namespace

node_facts::block node_facts::encode() const {
  block made{};
  writer to(made);
  go_through(*this, to);
  return made;
}

std::optional<node_facts> node_facts::decode(std::span<const unsigned char, block_bytes> from) {
  node_facts read;
  reader in(from.data());
  go_through(read, in);
  if (!in.right(from.data() + from.size())) return std::nullopt;
  return read;
}

}  // namespace terrane
