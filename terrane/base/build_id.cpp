// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/build_id.hpp"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace terrane {

namespace {

/// The description of the linker's note in those notes, as text.
std::string id_in(const unsigned char* at, std::size_t bytes) {
  constexpr std::uint32_t build_id_type = 3;  // NT_GNU_BUILD_ID
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const std::size_t name_bytes = (std::size_t{note.n_namesz} + 3) & ~std::size_t{3};
    const std::size_t text_bytes = (std::size_t{note.n_descsz} + 3) & ~std::size_t{3};
    const std::size_t all = sizeof note + name_bytes + text_bytes;
    if (all > bytes) return {};
    const unsigned char* const name = at + sizeof note;
    if (note.n_type == build_id_type && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string text;
      for (std::size_t i = 0; i < note.n_descsz && i < 20; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", name[name_bytes + i]);
        text += digits;
      }
      return text;
    }
    at += all;
    bytes -= all;
  }
  return {};
}

std::string number_of_file() {
  std::uint64_t all = 1;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  unsigned char bytes[4096];
  for (ssize_t got; file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0;)
    for (ssize_t i = 0; i < got; ++i) all = (all ^ bytes[i]) * 0x100000001b3u;
  if (file >= 0) close(file);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(all));
  return digits;
}

}  // namespace

std::string build_id() {
  std::string found;
  // The executable is the first object.
  const auto look = [](dl_phdr_info* object, std::size_t, void* to) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& part = object->dlpi_phdr[i];
      if (part.p_type != PT_NOTE) continue;
      const auto* at = reinterpret_cast<const unsigned char*>(object->dlpi_addr + part.p_vaddr);
      auto& text = *static_cast<std::string*>(to);
      if (text = id_in(at, part.p_memsz); !text.empty()) break;
    }
    return 1;
  };
  dl_iterate_phdr(look, &found);
  return found.empty() ? number_of_file() : found;
}

}  // namespace terrane
