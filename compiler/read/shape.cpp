// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/shape.hpp"

#include <set>

#include "compiler/read/ancestry.hpp"
#include "compiler/read/faults.hpp"

namespace terrane::compiler {

using namespace clang;

llvm::StringRef called(const Expr* expression) {
  const auto* call = expression ? dyn_cast<CallExpr>(expression->IgnoreParenImpCasts()) : nullptr;
  const auto* function = call ? call->getDirectCallee() : nullptr;
  if (!function || !function->getIdentifier()) return "";
  return function->hasAttr<OverloadableAttr>() ? function->getName() : "";
}

bool is_handle(QualType type) {
  return type->isPointerType() && type->getPointeeType().getAddressSpace() == LangAS::opencl_global;
}
bool is_local_pointer(QualType type) {
  return type->isPointerType() && type->getPointeeType().getAddressSpace() == LangAS::Default;
}
bool is_function_value(QualType type) {
  for (const auto* alias = type->getAs<TypedefType>(); alias;
       alias = alias->desugar()->getAs<TypedefType>())
    if (alias->getDecl()->getName() == "TFUNC") return true;
  return false;
}
bool is_slot_place(QualType type) {
  return type->isPointerType() && type->getPointeeType().getAddressSpace() == LangAS::opencl_local;
}
bool is_argument_place(QualType type) {
  return type->isPointerType() &&
         type->getPointeeType().getAddressSpace() == LangAS::opencl_constant;
}
/// After an error Clang keeps a dependent type, whose size cannot be asked for.
bool has_size(QualType type) {
  return !type->isVariableArrayType() && !type->isIncompleteType() && !type->isDependentType();
}
bool is_slot(QualType type) {
  const auto* record = type->getAsRecordDecl();
  if (!record) return false;
  if (record->getName() == "SLOT") return true;
  return !record->field_empty() && record->field_begin()->getName() == "terrane_slot";
}

const FieldDecl* fiber_argument(const Expr* place) {
  const auto* of = dyn_cast<UnaryOperator>(place->IgnoreParenImpCasts());
  if (!of || of->getOpcode() != UO_AddrOf) return nullptr;
  const auto* member = dyn_cast<MemberExpr>(of->getSubExpr()->IgnoreParens());
  if (!member || member->isArrow() || !is_slot(member->getBase()->getType())) return nullptr;
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  return field && field->getFieldIndex() > 0 ? field : nullptr;
}

const VarDecl* variable_under(const Expr* lvalue) {
  for (;;) {
    lvalue = lvalue->IgnoreParens();
    if (const auto* name = dyn_cast<DeclRefExpr>(lvalue)) return dyn_cast<VarDecl>(name->getDecl());
    if (const auto* member = dyn_cast<MemberExpr>(lvalue)) {
      if (member->isArrow()) return nullptr;
      lvalue = member->getBase();
    } else if (const auto* element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
      const auto* decay = dyn_cast<ImplicitCastExpr>(element->getBase());
      if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay) return nullptr;
      lvalue = decay->getSubExpr();
    } else if (const auto* cast = dyn_cast<ImplicitCastExpr>(lvalue)) {
      lvalue = cast->getSubExpr();
    } else {
      return nullptr;
    }
  }
}

std::optional<fiber_shape> as_fiber(const Stmt* statement) {
  const auto* branch = dyn_cast<IfStmt>(statement);
  if (!branch || !branch->getCond()) return std::nullopt;
  const Expr* condition = branch->getCond()->IgnoreParenImpCasts();
  fiber_shape found;
  if (const auto* comma = dyn_cast<BinaryOperator>(condition)) {
    if (called(comma->getRHS()) != "terrane_priority") return std::nullopt;
    const auto* mark = cast<CallExpr>(comma->getRHS()->IgnoreParenImpCasts());
    if (mark->getNumArgs() > 0) found.priority = mark->getArg(0);
    condition = comma->getLHS()->IgnoreParenImpCasts();
  }
  if (called(condition) != "terrane_fiber") return std::nullopt;
  const auto* mark = cast<CallExpr>(condition);
  const auto* place = mark->getNumArgs() > 0
                          ? dyn_cast<UnaryOperator>(mark->getArg(0)->IgnoreParenImpCasts())
                          : nullptr;
  if (!place) return std::nullopt;
  found.slot = variable_under(place->getSubExpr());
  if (mark->getNumArgs() > 1) found.count = mark->getArg(1);
  if (mark->getNumArgs() > 2) found.reset = mark->getArg(2);
  found.head = branch;
  found.body = dyn_cast<CompoundStmt>(branch->getThen());
  return found.slot && found.body ? std::optional(found) : std::nullopt;
}

namespace {

bool outlives_calls(const parsed& from, const VarDecl& variable) {
  return !variable.hasLocalStorage() && variable.getTLSKind() == VarDecl::TLS_None &&
         from.of_user(variable.getLocation());
}

}  // namespace

bool per_node(const parsed& from, const VarDecl& variable) {
  const QualType type = variable.getType();
  return outlives_calls(from, variable) && type.getAddressSpace() == LangAS::Default &&
         !from.tree().getBaseElementType(type).isConstQualified();
}

bool per_machine(const parsed& from, const VarDecl& variable) {
  return outlives_calls(from, variable) && variable.getType().getAddressSpace() != LangAS::Default;
}

const VarDecl* moving_variable_in(const parsed& from, const Stmt& within) {
  if (const auto* name = dyn_cast<DeclRefExpr>(&within)) {
    const auto* variable = dyn_cast<VarDecl>(name->getDecl());
    return variable && (per_node(from, *variable) || per_machine(from, *variable)) ? variable
                                                                                   : nullptr;
  }
  for (const Stmt* child : within.children())
    if (child)
      if (const VarDecl* found = moving_variable_in(from, *child)) return found;
  return nullptr;
}

namespace {

bool holds_fiber(const Stmt* statement) {
  if (!statement) return false;
  if (as_fiber(statement)) return true;
  for (const Stmt* child : statement->children())
    if (holds_fiber(child)) return true;
  return false;
}

const char* spoken(const Stmt* statement) {
  switch (statement->getStmtClass()) {
    case Stmt::IfStmtClass: return "an 'if'";
    case Stmt::ForStmtClass: return "a 'for'";
    case Stmt::WhileStmtClass: return "a 'while'";
    case Stmt::DoStmtClass: return "a 'do'";
    case Stmt::SwitchStmtClass: return "a 'switch'";
    case Stmt::LabelStmtClass: return "a labelled statement";
    default: return "another statement";
  }
}

/// Sorts the statements of the body into the initial fiber and the fibers.
class sorter {
 public:
  sorter(const parsed& from, function_shape& to) : from_(from), to_(to) {
    for (const VarDecl* each : to.shared) names_.insert(each->getName());  // the parameters
  }

  void sort(const CompoundStmt* block) {
    for (const Stmt* each : block->body()) {
      if (auto fiber = as_fiber(each)) {
        to_.fibers.push_back(*fiber);
        refuse_nested(fiber->body, "another FIBER");
        if (each != block->body_back()) continue;
      } else if (!holds_fiber(each)) {
        add(each);
      } else if (const auto* inner = dyn_cast<CompoundStmt>(each)) {
        sort(inner);
      } else {
        refuse_nested(each, spoken(each));
      }
    }
  }

 private:
  void add(const Stmt* each) {
    const auto* declaration = dyn_cast<DeclStmt>(each);
    if (declaration) note_names(*declaration);
    if (declaration && declares_fiber(*declaration)) return;
    if (!to_.fibers.empty()) {
      if (declaration) {
        to_.between_fibers.push_back(declaration);
      } else if (!isa<NullStmt>(each)) {
        report(from_.faults(), each->getBeginLoc(), fault::statement_between_fibers);
        return;
      }
    }
    if (declaration)
      for (const Decl* one : declaration->decls())
        if (const auto* variable = dyn_cast<VarDecl>(one); variable && variable->hasLocalStorage())
          to_.shared.insert(variable);
    to_.init.push_back(each);
  }

  /// A frame has no nested blocks: a variable that hides another in C would be the same variable
  /// in the frame.
  void note_names(const DeclStmt& declaration) {
    for (const Decl* each : declaration.decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable && variable->hasLocalStorage() && !names_.insert(variable->getName()).second)
        report(from_.faults(), variable->getLocation(), fault::declared_twice)
            << variable->getName();
    }
  }

  /// True for the slots that words.hpp adds at the head of the function.
  bool declares_fiber(const DeclStmt& statement) const {
    for (const Decl* each : statement.decls())
      if (!isa<RecordDecl>(each) &&
          from_.words.fibers.contains(each->getLocation().getRawEncoding()))
        return true;
    return false;
  }

  void refuse_nested(const Stmt* within, const char* what) {
    for (const Stmt* child : within->children()) {
      if (!child) continue;
      if (const auto fiber = as_fiber(child))
        report(from_.faults(), fiber->head->getBeginLoc(), fault::fiber_nested)
            << fiber->slot->getName() << what;
      else
        refuse_nested(child, isa<CompoundStmt>(child) ? what : spoken(child));
    }
  }

  const parsed& from_;
  function_shape& to_;
  std::set<llvm::StringRef> names_;
};

/// Finds which shared variables cannot be plain variables of the initial fiber.
class escape_finder : public ancestry<escape_finder> {
 public:
  explicit escape_finder(function_shape& to) : to_(to) {}
  bool in_fiber = false;

  bool VisitDeclRefExpr(DeclRefExpr* name) {
    const auto* variable = dyn_cast<VarDecl>(name->getDecl());
    if (!variable || !to_.shared.contains(variable)) return true;
    const bool escapes = !in_fiber && !only_value();
    if (escapes || in_fiber) to_.in_frame.insert(variable);
    if (escapes) to_.saved.erase(variable);
    return true;
  }
  bool VisitCallExpr(CallExpr* call) {
    if (called(call) == "GET_SYNC" && call->getNumArgs() > 1)
      if (const auto* variable = variable_under(call->getArg(1));
          variable && to_.shared.contains(variable) && !is_handle(call->getArg(1)->getType())) {
        to_.in_frame.insert(variable);
        to_.saved.erase(variable);
      }
    return true;
  }

 private:
  /// True if the variable named by the innermost expression is read or assigned, and its address is
  /// not taken.
  bool only_value() const {
    for (std::size_t i = path_.size() - 1; i-- > 0;) {
      const Stmt* user = path_[i];
      if (isa<ParenExpr, UnaryExprOrTypeTraitExpr>(user)) continue;
      if (const auto* member = dyn_cast<MemberExpr>(user)) {
        if (member->isArrow() || member->getType()->isArrayType()) return false;
        continue;
      }
      if (const auto* cast = dyn_cast<ImplicitCastExpr>(user))
        return cast->getCastKind() == CK_LValueToRValue;
      if (const auto* binary = dyn_cast<BinaryOperator>(user))
        return binary->isAssignmentOp() && binary->getLHS() == path_[i + 1];
      if (const auto* unary = dyn_cast<UnaryOperator>(user)) return unary->isIncrementDecrementOp();
      return false;
    }
    return false;
  }

  function_shape& to_;
};

/// The variables of one declaration are all plain or all in the frame. A declaration that defines a
/// type, has an array or a slot, or follows a fiber, is in the frame.
void settle_groups(function_shape& shape) {
  for (const Stmt* each : shape.init) {
    const auto* statement = dyn_cast<DeclStmt>(each);
    if (!statement) continue;
    bool framed = std::find(shape.between_fibers.begin(), shape.between_fibers.end(), statement) !=
                  shape.between_fibers.end();
    for (const Decl* one : statement->decls()) {
      const auto* variable = dyn_cast<VarDecl>(one);
      framed |= isa<TagDecl>(one) ||
                (variable && (shape.in_frame.contains(variable) ||
                              variable->getType()->isArrayType() || is_slot(variable->getType())));
    }
    for (const Decl* one : statement->decls())
      if (const auto* variable = dyn_cast<VarDecl>(one);
          framed && variable && variable->hasLocalStorage())
        shape.in_frame.insert(variable);
  }
}

}  // namespace

function_shape shape_of(const parsed& from, const FunctionDecl& function) {
  function_shape shape;
  shape.function = &function;
  for (const ParmVarDecl* each : function.parameters()) {
    shape.shared.insert(each);
    shape.saved.insert(each);
  }
  if (const auto* body = dyn_cast_or_null<CompoundStmt>(function.getBody()))
    sorter(from, shape).sort(body);
  escape_finder finder(shape);
  for (const Stmt* each : shape.init) finder.TraverseStmt(const_cast<Stmt*>(each));
  finder.in_fiber = true;
  for (const fiber_shape& each : shape.fibers)
    finder.TraverseStmt(const_cast<CompoundStmt*>(each.body));
  settle_groups(shape);
  return shape;
}

}  // namespace terrane::compiler
