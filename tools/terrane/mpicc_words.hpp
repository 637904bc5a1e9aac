// SPDX-License-Identifier: Apache-2.0
// mpicc_words.hpp: the words of terrane mpicc: its own options, and what the C compiler is to get.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

/// A file, or a library, as the linker gets them in their order.
struct mpicc_input {
  std::string word;
  bool is_source = false;
  std::vector<std::string> before{};  // -x LANGUAGE, which holds for it
};

struct mpicc_words {
  bool links = true;  // false: -c and others, or nothing is given to be linked
  bool shows = false;
  bool warns = true;
  unsigned long stack_kib = 8192;
  std::string output{};
  std::vector<mpicc_input> inputs{};
  std::vector<std::string> for_both{};  // to compile and to link
  std::vector<std::string> all{};       // but for mpicc's own options
};

/// An error: an option of its own cannot be.
result<mpicc_words> read_mpicc_words(const std::vector<std::string>& given);

}  // namespace terrane
