// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/name_rules.hpp"

#include <algorithm>
#include <iterator>

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/faults.hpp"

namespace terrane::compiler {

using namespace clang;

namespace {

/// All names that the compiler adds begin with this, except the parts of a threaded function.
constexpr llvm::StringLiteral own_beginning = "terrane_";
constexpr llvm::StringLiteral parts[] = {"activate", "arguments", "destroy", "fibers",
                                         "frame",    "init",      "invoke",  "registered",
                                         "run",      "threaded",  "token"};

class name_checker : public RecursiveASTVisitor<name_checker> {
 public:
  explicit name_checker(const parsed& from) : from_(from) {}

  bool VisitNamedDecl(NamedDecl* declared) {
    const auto* name = declared->getIdentifier();
    if (!name || !name->getName().starts_with(own_beginning) || name->getName() == "terrane_slot" ||
        declared->getLocation().isMacroID() || only_declares(*declared) ||
        !from_.of_user(declared->getCanonicalDecl()->getLocation()))
      return true;
    report(from_.faults(), declared->getLocation(), fault::name_taken)
        << name->getName() << "names that begin with terrane_ are the runtime's";
    return true;
  }

 private:
  /// True for a mere declaration: a text may declare what the runtime defines, as with any library.
  static bool only_declares(const NamedDecl& declared) {
    if (const auto* function = dyn_cast<FunctionDecl>(&declared))
      return !function->isThisDeclarationADefinition();
    const auto* variable = dyn_cast<VarDecl>(&declared);
    return variable && variable->isThisDeclarationADefinition() == VarDecl::DeclarationOnly;
  }

  const parsed& from_;
};

bool is_threaded(const parsed& from, const FunctionDecl& function) {
  return from.words.threaded.contains(function.getLocation().getRawEncoding());
}

/// For a name such as f__token, where f is threaded: f; else null.
const FunctionDecl* function_of_part(const parsed& from, llvm::StringRef name) {
  const auto [of, part] = name.rsplit("__");
  if (of.empty() || std::find(std::begin(parts), std::end(parts), part) == std::end(parts))
    return nullptr;
  for (const NamedDecl* each :
       from.tree().getTranslationUnitDecl()->lookup(&from.tree().Idents.get(of)))
    if (const auto* function = dyn_cast<FunctionDecl>(each);
        function && is_threaded(from, *function))
      return function;
  return nullptr;
}

}  // namespace

void check_names(const parsed& from, Decl& declared) {
  name_checker(from).TraverseDecl(&declared);
  const auto* named = dyn_cast<NamedDecl>(&declared);
  if (!named || !named->getIdentifier()) return;
  if (const FunctionDecl* whole = function_of_part(from, named->getName()))
    report(from.faults(), named->getLocation(), fault::name_taken)
        << named->getName()
        << "it is the compiler's for a part of '" + whole->getName().str() + "'";
  const auto* function = dyn_cast<FunctionDecl>(&declared);
  const FunctionDecl* before = function ? function->getPreviousDecl() : nullptr;
  if (!before || is_threaded(from, *function) == is_threaded(from, *before)) return;
  const unsigned line = from.places().getPresumedLoc(before->getLocation()).getLine();
  const bool now = is_threaded(from, *function);
  report(from.faults(), function->getLocation(), fault::threaded_shape)
      << "'" + function->getName().str() + "' is " + (now ? "THREADED" : "an ordinary function") +
             " here and " + (now ? "an ordinary function" : "THREADED") + " in line " +
             std::to_string(line)
      << "write THREADED before each of its declarations, or before none";
}

}  // namespace terrane::compiler
