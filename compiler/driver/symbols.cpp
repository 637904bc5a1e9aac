// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/symbols.hpp"

#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"

namespace terrane::compiler {

namespace {

struct definitions {
  bool main = false;  // of C
  bool root = false;  // THREADED MAIN
};

void look(const llvm::object::Binary& binary, definitions& found) {
  if (const auto* archive = llvm::dyn_cast<llvm::object::Archive>(&binary)) {
    for (const auto& symbol : archive->symbols()) {
      found.main |= symbol.getName() == "main";
      found.root |= symbol.getName() == "MAIN__threaded";
    }
    return;
  }
  const auto* object = llvm::dyn_cast<llvm::object::ObjectFile>(&binary);
  if (!object) return;
  for (const auto& symbol : object->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*flags & llvm::object::SymbolRef::SF_Undefined) continue;
    found.main |= *name == "main";
    found.root |= *name == "MAIN__threaded";
  }
}

}  // namespace

std::string check_shared(const std::vector<linked_file>& files) {
  for (const linked_file& each : files) {
    auto binary = llvm::object::createBinary(each.path);
    if (!binary) {
      llvm::consumeError(binary.takeError());
      continue;
    }
    const auto* object = llvm::dyn_cast<llvm::object::ObjectFile>(binary->getBinary());
    if (!object) continue;
    for (const auto& section : object->sections()) {
      llvm::Expected<llvm::StringRef> name = section.getName();
      if (!name)
        llvm::consumeError(name.takeError());
      else if (*name == "terrane_node_data" && section.getSize() != 0)
        return each.name +
               " has variables of its own outside functions, of which each node has a copy: a "
               "shared library cannot; make it an archive (.a), or move them into the program";
    }
  }
  return "";
}

std::string check_main(const std::vector<linked_file>& files) {
  std::string first_root, names;
  bool main = false;
  for (const linked_file& each : files) {
    auto binary = llvm::object::createBinary(each.path);
    if (!binary) {
      llvm::consumeError(binary.takeError());
      continue;  // the linker will say what is wrong with it
    }
    definitions found;
    look(*binary->getBinary(), found);
    if (found.root && !first_root.empty())
      return "MAIN is defined twice, in " + first_root + " and in " + each.name +
             ": a program has one";
    if (found.root) first_root = each.name;
    main |= found.main;
    names += (names.empty() ? "" : ", ") + each.name;
  }
  if (main) return "";
  return "the program has no MAIN: none of " + names +
         " defines one; write THREADED MAIN() { ... }, or compile with -c";
}

}  // namespace terrane::compiler
