// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/executable_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "terrane/machine/options.hpp"

namespace terrane {

namespace {

/// The contents of the file; empty if it cannot be read.
std::string bytes_of(const std::string& path) {
  struct stat about{};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_elf(std::string_view bytes) {
  return bytes.starts_with(ELFMAG) && bytes.size() > EI_CLASS && bytes[EI_CLASS] == ELFCLASS64;
}

std::uint64_t end_of(std::uint64_t offset, std::uint64_t bytes) {
  return offset + std::min(bytes, UINT64_MAX - offset);
}

/// The least size of the file according to its headers.
std::uint64_t promised_bytes(std::string_view bytes) {
  Elf64_Ehdr head;
  if (bytes.size() < sizeof head) return sizeof head;
  std::memcpy(&head, bytes.data(), sizeof head);
  std::uint64_t end =
      std::max(end_of(head.e_shoff, std::uint64_t{head.e_shnum} * head.e_shentsize),
               end_of(head.e_phoff, std::uint64_t{head.e_phnum} * sizeof(Elf64_Phdr)));
  for (std::uint64_t i = 0; i < head.e_phnum && end <= bytes.size(); ++i) {
    Elf64_Phdr part;
    std::memcpy(&part, bytes.data() + head.e_phoff + i * sizeof part, sizeof part);
    if (part.p_type == PT_LOAD) end = std::max(end, end_of(part.p_offset, part.p_filesz));
  }
  return end;
}

}  // namespace

result<void> require_whole(const std::string& path) {
  const std::string bytes = bytes_of(path);
  if (!is_elf(bytes)) return {};
  const std::uint64_t promised = promised_bytes(bytes);
  if (promised <= bytes.size()) return {};
  return error{fmt::format("it is not whole: it has {} bytes of {}", bytes.size(), promised)};
}

bool may_hold_runtime(const std::string& path) {
  const std::string bytes = bytes_of(path);
  if (!is_elf(bytes) || promised_bytes(bytes) > bytes.size()) return true;
  // The environment variable with a program's options, or the function that it must be linked to.
  for (const char* sign : {options_variable, "terrane_run"})
    if (bytes.find(sign) != bytes.npos) return true;
  return false;
}

}  // namespace terrane
