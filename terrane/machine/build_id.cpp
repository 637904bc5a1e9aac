// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/build_id.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

namespace terrane {

namespace {

constexpr std::size_t id_bytes_max = 32;
constexpr std::uint64_t notes_bytes_max = 1 << 20;

std::optional<std::string> read_at(std::ifstream& file, std::uint64_t offset, std::uint64_t bytes) {
  std::string text(bytes, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!file) return std::nullopt;
  return text;
}

/// The id among the notes of one segment.
std::optional<std::string> id_among(std::string_view notes) {
  const auto padded = [](std::uint64_t bytes) { return (bytes + 3) & ~std::uint64_t{3}; };
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr head;
    std::memcpy(&head, notes.data(), sizeof head);
    notes.remove_prefix(sizeof head);
    if (padded(head.n_namesz) > notes.size()) return std::nullopt;
    const std::string_view name = notes.substr(0, head.n_namesz);
    notes.remove_prefix(padded(head.n_namesz));
    if (head.n_descsz > notes.size()) return std::nullopt;
    if (head.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4) &&
        head.n_descsz != 0 && head.n_descsz <= id_bytes_max) {
      std::string id;
      for (const char each : notes.substr(0, head.n_descsz))
        id += fmt::format("{:02x}", static_cast<unsigned char>(each));
      return id;
    }
    notes.remove_prefix(std::min<std::size_t>(padded(head.n_descsz), notes.size()));
  }
  return std::nullopt;
}

std::optional<std::string> linked_id(std::ifstream& file) {
  const auto head_text = read_at(file, 0, sizeof(Elf64_Ehdr));
  if (!head_text || !head_text->starts_with(ELFMAG) || (*head_text)[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  Elf64_Ehdr head;
  std::memcpy(&head, head_text->data(), sizeof head);
  for (std::uint64_t i = 0; i < head.e_phnum; ++i) {
    const auto part_text = read_at(file, head.e_phoff + i * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr));
    if (!part_text) return std::nullopt;
    Elf64_Phdr part;
    std::memcpy(&part, part_text->data(), sizeof part);
    if (part.p_type != PT_NOTE || part.p_filesz > notes_bytes_max) continue;
    if (const auto notes = read_at(file, part.p_offset, part.p_filesz))
      if (auto id = id_among(*notes)) return id;
  }
  return std::nullopt;
}

std::string hash_of(std::ifstream& file) {
  std::uint64_t hash = 0xcbf29ce484222325u, bytes = 0;  // FNV-1a
  std::string part(std::size_t{1} << 16, '\0');
  file.clear();
  file.seekg(0);
  do {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    const auto got = static_cast<std::size_t>(file.gcount());
    for (const char each : std::string_view(part).substr(0, got))
      hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3u;
    bytes += got;
  } while (file);
  return fmt::format("hash-{:016x}-{}", hash, bytes);
}

}  // namespace

result<std::string> build_id_of_file(const std::string& path) {
  struct stat about{};
  std::ifstream file(path, std::ios::binary);
  if (stat(path.c_str(), &about) != 0 || !file)
    return error{fmt::format("{} cannot be read: {}", path, std::strerror(errno))};
  if (!S_ISREG(about.st_mode)) return error{fmt::format("{} is no file", path)};
  if (auto id = linked_id(file)) return *std::move(id);
  return hash_of(file);
}

result<std::string> own_build_id() { return build_id_of_file("/proc/self/exe"); }

}  // namespace terrane
