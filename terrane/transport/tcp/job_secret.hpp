// SPDX-License-Identifier: Apache-2.0
// job_secret.hpp: the 256 bits that whoever belongs to a run knows, and nobody else.
//
// Purpose     The launcher mints it. Each node's process gets it as the first line of its standard
//             input: never as an argument, in the environment or in a file, which others can read.
// Invariants  The bits lie in a page of their own, which is not swapped out and not dumped where
//             the kernel allows to say so, and which is overwritten before it is given back. Copies
//             on the way (the line) are overwritten too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "terrane/base/keyed_hash.hpp"
#include "terrane/base/result.hpp"

namespace terrane {

/// Names a run to everybody. It is derived from the secret and says nothing about it.
using job_id = std::array<unsigned char, 16>;

class job_secret {
 public:
  static constexpr std::size_t bytes = 32;
  static constexpr std::size_t line_bytes = 2 * bytes + 1;  // digits and a line break

  /// A line of text with the secret. It overwrites itself at its end.
  class line {
   public:
    line() = default;
    line(const line&) = delete;
    line& operator=(const line&) = delete;
    ~line() { wipe(text_); }
    std::span<unsigned char> text() { return text_; }

   private:
    std::array<unsigned char, line_bytes> text_{};
  };

  /// A new secret, from the kernel's source of random numbers.
  static result<job_secret> mint();

  /// Reads the line of a secret from a descriptor, and no byte more: what follows belongs to
  /// others. Waits for it. An error says what came instead, without repeating it.
  static result<job_secret> read_from(int descriptor);

  /// The secret of a line, which is overwritten. 64 lower-case hexadecimal digits, a line break.
  static result<job_secret> of_line(line& from);

  /// Writes the line that `read_from` reads.
  void write(line& into) const;

  /// A key for one purpose. Keys for different purposes tell nothing about each other.
  hash_bytes key_for(const char* purpose) const;

  job_id job() const;

  /// The guard word of the run's stacks. Its first byte is 0, as in all guard words, so that no
  /// text that runs over can hold it.
  std::uint64_t guard_word() const;

 private:
  struct give_back {
    void operator()(unsigned char* page) const;
  };
  explicit job_secret(unsigned char* page) : page_(page) {}
  static result<job_secret> empty();
  std::span<unsigned char> mine() { return {page_.get(), bytes}; }

  std::unique_ptr<unsigned char, give_back> page_;
};

}  // namespace terrane
