// SPDX-License-Identifier: Apache-2.0
// call_place.hpp: where in a program a call stands, for what is said of it. In C++ it is found by a
// default argument; C programs say it (terrane/c/mpi/mpi.h).
#pragma once

#include <cstdint>
#include <source_location>

namespace terrane {

class call_place {
 public:
  constexpr call_place() = default;
  constexpr call_place(const char* file, std::uint32_t line) : file_(file), line_(line) {}
  static constexpr call_place current(
      const std::source_location& at = std::source_location::current()) {
    return {at.file_name(), at.line()};
  }
  constexpr const char* file_name() const { return file_; }
  constexpr std::uint32_t line() const { return line_; }

 private:
  const char* file_ = "";
  std::uint32_t line_ = 0;
};

}  // namespace terrane
