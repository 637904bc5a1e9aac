// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/signature_rules.hpp"

#include "compiler/read/faults.hpp"
#include "compiler/read/shape.hpp"
#include "compiler/read/wording.hpp"

namespace terrane::compiler {

using namespace clang;

namespace {

constexpr std::int64_t arguments_bytes_max = 1024;

/// Names the local pointer within a struct, union or array passed by value; "" if there is none.
std::string pointer_within(const parsed& from, QualType type) {
  if (const auto* array = from.tree().getAsArrayType(type))
    return is_local_pointer(array->getElementType())
               ? "an array of pointers"
               : pointer_within(from, array->getElementType());
  const auto* record = type->getAsRecordDecl();
  if (!record || !record->getDefinition()) return "";
  if (record->getDefinition()->isInvalidDecl()) return "";  // it may contain itself
  for (const FieldDecl* field : record->getDefinition()->fields()) {
    if (is_local_pointer(field->getType()))
      return "member '" + field->getName().str() + "'" +
             (is_function_value(field->getType())
                  ? ", a TFUNC, which travels as a parameter of its own"
                  : "");
    const std::string inner = pointer_within(from, field->getType());
    if (!inner.empty()) return inner;
  }
  return "";
}

/// The type of a parameter, if it is first named within the parameter list; else null. Nothing else
/// sees such a type: neither a caller nor the structure in which the arguments are sent.
const TagDecl* declared_in_head(const parsed& from, const FunctionDecl& function, QualType type) {
  const TagDecl* tag = type->getAsTagDecl();
  if (!tag) return nullptr;
  const SourceLocation where = tag->getCanonicalDecl()->getLocation();
  return from.places().isBeforeInTranslationUnit(function.getLocation(), where) ? tag : nullptr;
}

bool is_argument_vector(const FunctionDecl& main) {
  if (main.getNumParams() != 2) return false;
  const QualType count = main.getParamDecl(0)->getType(), words = main.getParamDecl(1)->getType();
  return count.getCanonicalType().getUnqualifiedType() == main.getASTContext().IntTy &&
         words->isPointerType() && words->getPointeeType()->isPointerType() &&
         words->getPointeeType()->getPointeeType()->isCharType();
}

void check_main(const parsed& from, const FunctionDecl& main) {
  if (main.getNumParams() == 0 || is_argument_vector(main)) return;
  std::string shown = "THREADED MAIN(";
  for (const ParmVarDecl* each : main.parameters())
    shown += (shown.back() == '(' ? "" : ", ") + spell_type(each->getType());
  report(from.faults(), main.getLocation(), fault::main_shape) << "'" + shown + ")'";
}

}  // namespace

void check_signature(const parsed& from, const FunctionDecl& function) {
  if (function.isVariadic())
    report(from.faults(), function.getLocation(), fault::threaded_shape)
        << "'" + function.getName().str() + "' takes a variable number of arguments"
        << "what travels to an activation has a type: name the parameters";
  if (function.getName() == "MAIN") return check_main(from, function);
  std::int64_t bytes = 0;
  for (const ParmVarDecl* each : function.parameters()) {
    const QualType type = each->getType();
    const auto refuse = [&](fault why) {
      return report(from.faults(), each->getLocation(), why)
             << each->getName() << function.getName();
    };
    if (declared_in_head(from, function, type))
      report(from.faults(), each->getLocation(), fault::threaded_shape)
          << "the type of parameter '" + each->getName().str() +
                 "' is declared in the parameter list"
          << "declare it before the function, so that callers know it";
    else if (each->getOriginalType()->isArrayType())
      refuse(fault::array_parameter);
    else if (is_slot(type))
      refuse(fault::slot_parameter);
    else if (is_function_value(type))
      ;  // is sent as its entry
    else if (type->isPointerType() && type->getPointeeType()->isFunctionType())
      refuse(fault::pointer_parameter) << "the address of a function";
    else if (const std::string inner = pointer_within(from, type); !inner.empty())
      refuse(fault::pointer_parameter) << inner;
    if (has_size(type))
      bytes +=
          from.tree().getTypeSizeInChars(type).alignTo(CharUnits::fromQuantity(8)).getQuantity();
  }
  if (bytes > arguments_bytes_max)
    report(from.faults(), function.getLocation(), fault::arguments_too_large)
        << function.getName() << static_cast<int>(bytes);
}

void check_ordinary(const parsed& from, const FunctionDecl& function) {
  if (function.getIdentifier() && function.getName() == "MAIN")
    report(from.faults(), function.getLocation(), fault::main_shape) << "no THREADED function";
}

void check_passed_pointers(const parsed& from, const FunctionDecl& function,
                           const CallExpr& start) {
  for (unsigned i = 0; i < start.getNumArgs() && i < function.getNumParams(); ++i) {
    const QualType wanted = function.getParamDecl(i)->getType();
    if (!is_local_pointer(wanted) || is_function_value(wanted)) continue;
    const Expr* argument = start.getArg(i)->IgnoreParenImpCasts();
    if (const auto* cast = dyn_cast<CStyleCastExpr>(argument))
      argument = cast->getSubExpr()->IgnoreParenImpCasts();
    if (called(argument) == "LOCAL_ONLY" ||
        start.getArg(i)->isNullPointerConstant(from.tree(), Expr::NPC_ValueDependentIsNotNull) !=
            Expr::NPCK_NotNull)
      continue;
    report(from.faults(), start.getArg(i)->getExprLoc(), fault::pointer_parameter)
        << function.getParamDecl(i)->getName() << function.getName()
        << "'" + spell_type(start.getArg(i)->getType()) + "'";
  }
}

void check_passed_values(const parsed& from, const std::string& mark, const CallExpr& start) {
  for (const Expr* each : start.arguments()) {
    const QualType type = each->getType();
    const auto refuse = [&](const std::string& wanted) {
      report(from.faults(), each->getExprLoc(), fault::operation_argument_kind)
          << "an argument" << mark << wanted << spell_type(type);
    };
    if (is_slot(type))
      refuse("an SPTR, as TO_SPTR makes of a slot");
    else if (const std::string inner = pointer_within(from, type); !inner.empty())
      refuse("without local pointers (" + inner + ")");
  }
}

}  // namespace terrane::compiler
