// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/shared_variables.hpp"

#include <elf.h>

#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace terrane {

namespace {

/// An object file, of which nothing beyond its end is read.
class elf_object {
 public:
  explicit elf_object(std::string bytes) : bytes_(std::move(bytes)) {
    const auto head = at<Elf64_Ehdr>(0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_type != ET_REL)
      return;
    for (std::uint64_t i = 0; i < head->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(head->e_shoff + i * head->e_shentsize);
      if (!section) {
        sections_.clear();
        return;
      }
      sections_.push_back(*section);
    }
    names_ = head->e_shstrndx;
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  const Elf64_Shdr* section(std::uint64_t number) const {
    return number < sections_.size() ? &sections_[number] : nullptr;
  }
  std::string_view name_of(const Elf64_Shdr& one) const { return text(names_, one.sh_name); }
  /// The text at that place of that section of texts.
  std::string_view text(std::uint64_t section_number, std::uint64_t place) const {
    const Elf64_Shdr* const texts = section(section_number);
    if (!texts || place >= texts->sh_size || texts->sh_offset > bytes_.size()) return {};
    const std::string_view rest = std::string_view(bytes_).substr(texts->sh_offset, texts->sh_size);
    return place < rest.size() ? rest.substr(place, rest.substr(place).find('\0'))
                               : std::string_view();
  }
  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return {};
    T one;
    std::memcpy(&one, bytes_.data() + offset, sizeof one);
    return one;
  }

 private:
  std::string bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::uint64_t names_ = 0;
};

bool is_shared(const elf_object& object, const Elf64_Sym& one) {
  const auto type = ELF64_ST_TYPE(one.st_info);
  if (one.st_size == 0 || (type != STT_OBJECT && type != STT_TLS && type != STT_COMMON))
    return false;
  if (one.st_shndx == SHN_COMMON) return true;
  const Elf64_Shdr* const where = object.section(one.st_shndx);
  return one.st_shndx != SHN_UNDEF && where && (where->sh_flags & SHF_WRITE) != 0 &&
         !object.name_of(*where).starts_with(".data.rel.ro");
}

/// Without what the compiler adds to the name of a static local: count.0
std::string_view as_written(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == 0 || dot == name.npos || dot + 1 == name.size()) return name;
  for (const char each : name.substr(dot + 1))
    if (std::isdigit(static_cast<unsigned char>(each)) == 0) return name;
  return name.substr(0, dot);
}

}  // namespace

std::vector<shared_variable> shared_variables_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const elf_object object(std::string(std::istreambuf_iterator<char>(file), {}));
  std::vector<shared_variable> all;
  for (const Elf64_Shdr& table : object.sections()) {
    if (table.sh_type != SHT_SYMTAB) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto one = object.at<Elf64_Sym>(table.sh_offset + at);
      if (!one) break;
      if (is_shared(object, *one))
        all.push_back(
            {std::string(as_written(object.text(table.sh_link, one->st_name))), one->st_size});
    }
  }
  return all;
}

}  // namespace terrane
