// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/value_rules.hpp"

#include <vector>

#include "compiler/read/ancestry.hpp"
#include "compiler/read/faults.hpp"
#include "compiler/read/messages.hpp"

namespace terrane::compiler {

using namespace clang;

namespace {

/// Sorts the uses of the frame's variables into reads and all other uses.
class use_finder : public ancestry<use_finder> {
 public:
  use_finder(const parsed& from, const function_shape& shape) : from_(from), shape_(shape) {}

  std::vector<const DeclRefExpr*> first_reads;  // of each variable, in order
  std::unordered_set<const VarDecl*> written;   // or their address is taken

  bool VisitDeclRefExpr(DeclRefExpr* name) {
    const auto* variable = dyn_cast<VarDecl>(name->getDecl());
    if (!variable || !shape_.in_frame.contains(variable) || !has_size(variable->getType()) ||
        is_slot(from_.tree().getBaseElementType(variable->getType())))
      return true;
    if (unread()) return true;
    if (only_read()) {
      if (read_.insert(variable).second) first_reads.push_back(name);
    } else
      written.insert(variable);
    return true;
  }
  bool VisitCallExpr(CallExpr* call) {
    if (called(call) == "GET_SYNC" && call->getNumArgs() > 1)
      if (const VarDecl* target = variable_under(call->getArg(1))) written.insert(target);
    return true;
  }

 private:
  bool unread() const {
    for (std::size_t i = path_.size() - 1; i-- > 0;)
      if (isa<UnaryExprOrTypeTraitExpr>(path_[i])) return true;
    return false;
  }
  bool only_read() const {
    for (std::size_t i = path_.size() - 1; i-- > 0;) {
      const Stmt* user = path_[i];
      if (isa<ParenExpr>(user)) continue;
      if (const auto* cast = dyn_cast<ImplicitCastExpr>(user)) {
        if (cast->getCastKind() == CK_LValueToRValue) return true;
        if (cast->getCastKind() != CK_ArrayToPointerDecay) return false;
      } else if (const auto* element = dyn_cast<ArraySubscriptExpr>(user)) {
        if (element->getBase() != path_[i + 1]) return true;  // the variable is the index
      } else if (const auto* member = dyn_cast<MemberExpr>(user)) {
        if (member->isArrow()) return true;
      } else {
        return false;
      }
    }
    return false;
  }

  const parsed& from_;
  const function_shape& shape_;
  std::unordered_set<const VarDecl*> read_;
};

}  // namespace

namespace {

void check_shared(const parsed& from, const function_shape& shape) {
  use_finder uses(from, shape);
  for (const Stmt* each : shape.init) uses.TraverseStmt(const_cast<Stmt*>(each));
  for (const fiber_shape& each : shape.fibers)
    uses.TraverseStmt(const_cast<CompoundStmt*>(each.body));
  for (const DeclRefExpr* name : uses.first_reads) {
    const auto* variable = cast<VarDecl>(name->getDecl());
    if (isa<ParmVarDecl>(variable) || variable->getInit() || uses.written.contains(variable))
      continue;
    report(from.faults(), name->getLocation(), fault::never_written)
        << variable->getName() << shape.function->getName();
  }
}

/// Finds the variable that is named at each place.
class name_finder : public RecursiveASTVisitor<name_finder> {
 public:
  std::unordered_map<unsigned, const VarDecl*> at;
  bool VisitDeclRefExpr(DeclRefExpr* name) {
    if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()))
      at.emplace(name->getLocation().getRawEncoding(), variable);
    return true;
  }
};

/// True for a fiber's argument: Clang reads it as a variable, at the place of a member of the slot.
bool is_argument(const function_shape& shape, const VarDecl& variable) {
  for (const fiber_shape& each : shape.fibers)
    for (const FieldDecl* member : each.slot->getType()->getAsRecordDecl()->fields())
      if (member->getLocation() == variable.getLocation()) return true;
  return false;
}

void tell_what_clang_found(const parsed& from, const std::vector<function_shape>& shapes) {
  name_finder names;
  for (Decl* each : from.tree().getTranslationUnitDecl()->decls())
    if (isa<FunctionDecl>(each) && from.of_user(each->getLocation())) names.TraverseDecl(each);
  from.messages.tell_kept([&](const std::vector<SourceLocation>& places) {
    for (const SourceLocation where : places) {
      const auto found = names.at.find(where.getRawEncoding());
      if (found == names.at.end()) continue;
      for (const function_shape& shape : shapes)
        if (shape.in_frame.contains(found->second) || is_argument(shape, *found->second))
          return false;
      return !is_slot(from.tree().getBaseElementType(found->second->getType()));
    }
    return false;
  });
}

bool says_terminate(const Stmt* within) {
  if (!within) return false;
  if (const auto* call = dyn_cast<CallExpr>(within); call && called(call) == "TERMINATE")
    return true;
  for (const Stmt* child : within->children())
    if (says_terminate(child)) return true;
  return false;
}

}  // namespace

void check_values(const parsed& from, const std::vector<function_shape>& shapes) {
  if (from.faults().hasErrorOccurred()) return;
  for (const function_shape& each : shapes) {
    if (each.is_main() && !says_terminate(each.function->getBody()))
      report(from.faults(), each.function->getLocation(), fault::main_without_end);
    check_shared(from, each);
  }
  tell_what_clang_found(from, shapes);
}

}  // namespace terrane::compiler
