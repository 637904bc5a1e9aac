// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/shape_rules.hpp"

#include <unordered_map>

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/faults.hpp"
#include "compiler/read/wording.hpp"

namespace terrane::compiler {

using namespace clang;

namespace {

/// Finds labels, gotos and addresses of labels, and the fiber of each.
class jump_finder : public RecursiveASTVisitor<jump_finder> {
 public:
  int fiber = -1;
  std::unordered_map<const LabelDecl*, int> labels;
  struct jump {
    const LabelDecl* to;
    SourceLocation where;
    const char* word;
    int fiber;
  };
  std::vector<jump> jumps;
  bool VisitLabelStmt(LabelStmt* label) {
    labels[label->getDecl()] = fiber;
    return true;
  }
  bool VisitGotoStmt(GotoStmt* statement) {
    jumps.push_back({statement->getLabel(), statement->getGotoLoc(), "goto ", fiber});
    return true;
  }
  bool VisitAddrLabelExpr(AddrLabelExpr* address) {
    jumps.push_back({address->getLabel(), address->getAmpAmpLoc(), "&&", fiber});
    return true;
  }
};

void check_jumps(const parsed& from, const function_shape& shape) {
  jump_finder finder;
  for (const Stmt* each : shape.init) finder.TraverseStmt(const_cast<Stmt*>(each));
  for (const fiber_shape& each : shape.fibers) {
    ++finder.fiber;
    finder.TraverseStmt(const_cast<CompoundStmt*>(each.body));
  }
  for (const jump_finder::jump& each : finder.jumps)
    if (const auto found = finder.labels.find(each.to);
        found != finder.labels.end() && found->second != each.fiber)
      report(from.faults(), each.where, fault::jump_across_fibers)
          << each.word + each.to->getName().str();
}

/// Finds a variable in an expression that `wanted` selects.
template <class Wanted>
const DeclRefExpr* find_variable(const Stmt* within, const Wanted& wanted) {
  if (!within) return nullptr;
  if (const auto* name = dyn_cast<DeclRefExpr>(within))
    if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()); variable && wanted(*variable))
      return name;
  for (const Stmt* child : within->children())
    if (const auto* found = find_variable(child, wanted)) return found;
  return nullptr;
}

void check_fiber(const parsed& from, const fiber_shape& fiber) {
  const llvm::StringRef name = fiber.slot->getName();
  const auto is_local = [](const VarDecl& variable) {
    return variable.isLocalVarDecl() && variable.hasLocalStorage();
  };
  for (const Expr* each : {fiber.count, fiber.reset}) {
    if (const auto* local = find_variable(each, is_local)) {
      report(from.faults(), local->getLocation(), fault::count_uses_local)
          << name << cast<VarDecl>(local->getDecl())->getName();
      continue;
    }
    const auto value = each ? each->getIntegerConstantExpr(from.tree()) : std::nullopt;
    if (value && value->getExtValue() < (each == fiber.count ? 1 : 0))
      report(from.faults(), each->getExprLoc(), fault::count_negative)
          << (each == fiber.count ? "count" : "reset") << "fiber '" + name.str() + "'"
          << static_cast<int>(value->getExtValue()) << 1;
    if (each && !each->getType()->isIntegerType())
      report(from.faults(), each->getExprLoc(), fault::operation_argument_kind)
          << (each == fiber.count ? "the count" : "the reset") << "fiber '" + name.str() + "'"
          << "an integer" << spell_type(each->getType());
  }
  if (!fiber.priority) return;
  const auto value = fiber.priority->getIntegerConstantExpr(from.tree());
  if (!value || *value < 0 || *value > 7)
    report(from.faults(), fiber.priority->getExprLoc(), fault::priority_range)
        << (value ? "is " + std::to_string(value->getExtValue()) : "is no constant");
}

void check_variables(const parsed& from, const function_shape& shape) {
  const auto no_parameter = [](const VarDecl& variable) { return !isa<ParmVarDecl>(variable); };
  for (const Stmt* each : shape.init) {
    const auto* statement = dyn_cast<DeclStmt>(each);
    if (!statement) continue;
    for (const Decl* one : statement->decls()) {
      const auto* name = dyn_cast<NamedDecl>(one);
      QualType type;
      if (const auto* variable = dyn_cast<VarDecl>(one)) type = variable->getType();
      if (const auto* alias = dyn_cast<TypedefNameDecl>(one)) type = alias->getUnderlyingType();
      if (type.isNull() || !type->isVariablyModifiedType()) continue;
      bool allowed = isa<VarDecl>(one) && type->isVariableArrayType();
      for (QualType part = type; allowed && from.tree().getAsArrayType(part);
           part = from.tree().getAsArrayType(part)->getElementType())
        if (const auto* array = from.tree().getAsVariableArrayType(part))
          allowed &= !find_variable(array->getSizeExpr(), no_parameter);
      if (!allowed)
        report(from.faults(), one->getLocation(), fault::variable_length) << name->getName();
    }
  }
  for (const DeclStmt* statement : shape.between_fibers)
    for (const Decl* one : statement->decls())
      if (const auto* variable = dyn_cast<VarDecl>(one))
        report(from.faults(), variable->getLocation(), fault::local_between_fibers)
            << variable->getName();
}

constexpr std::int64_t frame_bytes_max = 1 << 20;  // as in terrane.h
constexpr std::int64_t frame_head_bytes = 16, slot_bytes = 16;

/// The frame holds the slots and the shared variables. Parameters count even if they stay C
/// variables: the limit is large, so that the difference does not matter.
void check_frame_size(const parsed& from, const function_shape& shape) {
  std::int64_t bytes = frame_head_bytes;
  const VarDecl* largest = nullptr;
  std::int64_t largest_bytes = 0;
  const auto add = [&](const VarDecl& variable) {
    const QualType type = variable.getType();
    if (!has_size(type)) return;
    const QualType element = from.tree().getBaseElementType(type);
    std::int64_t size = from.tree().getTypeSizeInChars(type).getQuantity();
    if (is_slot(element))  // Clang sees a substitute of another size
      size = size / from.tree().getTypeSizeInChars(element).getQuantity() * slot_bytes;
    bytes += size;
    if (size > largest_bytes) largest = &variable, largest_bytes = size;
  };
  for (const VarDecl* each : shape.in_frame) add(*each);
  bytes += static_cast<std::int64_t>(shape.fibers.size()) * slot_bytes;
  if (largest && bytes > frame_bytes_max)
    report(from.faults(), largest->getLocation(), fault::frame_too_large)
        << shape.function->getName() << std::to_string(bytes) << largest->getName()
        << std::to_string(largest_bytes);
}

/// Refuses system headers within a function: the written C could not hold their declarations.
void check_includes(const parsed& from, const function_shape& shape) {
  const SourceManager& places = from.places();
  const SourceRange body = shape.function->getBody()->getSourceRange();
  for (const directive& each : from.directives) {
    if (!each.system_header) continue;
    const SourceLocation where =
        places.getLocForStartOfFile(each.file).getLocWithOffset(static_cast<int>(each.offset));
    if (places.isBeforeInTranslationUnit(body.getBegin(), where) &&
        places.isBeforeInTranslationUnit(where, body.getEnd()))
      report(from.faults(), where, fault::misplaced_word)
          << "a header of the system is included inside a threaded function"
          << "move the #include to the head of the file";
  }
}

}  // namespace

void check_shape(const parsed& from, const function_shape& shape) {
  for (const fiber_shape& fiber : shape.fibers) check_fiber(from, fiber);
  check_variables(from, shape);
  check_jumps(from, shape);
  check_frame_size(from, shape);
  check_includes(from, shape);
}

}  // namespace terrane::compiler
