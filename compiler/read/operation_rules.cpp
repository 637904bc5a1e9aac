// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/operation_rules.hpp"

#include "clang/Lex/Lexer.h"
#include "compiler/read/faults.hpp"
#include "compiler/read/shape.hpp"
#include "compiler/read/wording.hpp"

namespace terrane::compiler {

using namespace clang;

namespace {

const char* spoken(kind what) {
  switch (what) {
    case kind::slot: return "a slot: an SPTR, or the name of a slot of this function";
    case kind::own_slot: return "the name of a slot of this function";
    case kind::own_fiber: return "the name of a fiber of this function";
    case kind::handle:
    case kind::target: return "a GLOBAL handle, as TO_GLOBAL makes of a pointer";
    case kind::handle_or_own: return "a GLOBAL handle or a variable of the source's type";
    case kind::long_handle: return "a GLOBAL handle of a 64-bit integer";
    case kind::value_for_next: return "a value of the type that the handle behind it names";
    case kind::pointer:
    case kind::target_pointer: return "a local pointer";
    case kind::mailbox: return "a MAILBOX";
    case kind::mailbox_place: return "a pointer to a MAILBOX";
    case kind::mailbox_handle: return "a GLOBAL handle of a MAILBOX";
    case kind::integer:
    case kind::count:
    case kind::reset: return "an integer";
    case kind::own_argument: return "an argument of a fiber, as in TO_APTR(fiber.argument)";
    case kind::argument_place: return "an APTR, as TO_APTR makes of a fiber's argument";
    case kind::argument_value: return "a value of the type that the APTR behind it names";
    default: return "something else";
  }
}

class operation_checker {
 public:
  operation_checker(const parsed& from, const operation& what, const CallExpr& call)
      : from_(from), what_(what), call_(call) {}

  void run() {
    unsigned wanted = 0;
    while (wanted < arguments_max && what_.arguments[wanted] != kind::none) ++wanted;
    if (call_.getNumArgs() != wanted) {
      const std::string takes = wanted == 0 ? "no arguments"
                                            : std::to_string(wanted) +
                                                  (wanted == 1 ? " argument (" : " arguments (") +
                                                  std::string(what_.parameters) + ")";
      report(from_.faults(), call_.getBeginLoc(), fault::operation_arguments)
          << std::string(what_.name) << takes << call_.getNumArgs();
      return;
    }
    for (unsigned i = 0; i < wanted; ++i) {
      if (!fits(i))
        refuse(i);
      else if (writes_constant(i))
        report(from_.faults(), call_.getArg(i)->getExprLoc(), fault::constant_target)
            << std::string(what_.name) << i + 1 << said_type(i)
            << call_.getArg(i)->getSourceRange();
      else
        check_count(i);
    }
  }

 private:
  bool fits(unsigned i) const {
    const Expr* argument = call_.getArg(i);
    const QualType type = argument->getType();
    switch (what_.arguments[i]) {
      case kind::slot: return is_slot_place(type) || is_own_slot(argument);
      case kind::own_slot: return is_own_slot(argument);
      case kind::own_fiber: return is_own_fiber(argument);
      case kind::handle:
      case kind::target: return is_handle(type) && names_a_value(type);
      case kind::handle_or_own:
        return same_as_source(is_handle(type) ? type->getPointeeType() : type) &&
               (is_handle(type) || variable_under(argument) || points_at(argument));
      case kind::long_handle:
        return is_null(argument) || (is_handle(type) && type->getPointeeType()->isIntegerType() &&
                                     has_size(type->getPointeeType()) &&
                                     from_.tree().getTypeSize(type->getPointeeType()) == 64);
      case kind::value_for_next: return is_handle(next(i)) && assignable(i, next(i));
      case kind::argument_value: return is_argument_place(next(i)) && assignable(i, next(i));
      case kind::pointer:
      case kind::target_pointer:
        return type->isPointerType() && !is_handle(type) && !is_slot_place(type);
      case kind::mailbox: return is_mailbox(type);
      case kind::mailbox_place:
        return type->isPointerType() && !is_handle(type) && is_mailbox(type->getPointeeType());
      case kind::mailbox_handle: return is_handle(type) && is_mailbox(type->getPointeeType());
      case kind::integer:
      case kind::count:
      case kind::reset: return type->isIntegerType();
      case kind::own_argument: return fiber_argument(argument) != nullptr;
      case kind::argument_place: return is_argument_place(type);
      default: return true;
    }
  }

  /// The type of an argument as written, before C's implicit conversions.
  QualType said_as(unsigned i) const { return call_.getArg(i)->IgnoreParenImpCasts()->getType(); }
  std::string said_type(unsigned i) const {
    const bool handle = call_.getArg(i)->getType()->isPointerType();
    return spell_type(handle ? call_.getArg(i)->getType() : said_as(i));
  }
  /// True if the operation writes to something const: the target of a handle or pointer, or a
  /// variable of the function itself.
  bool writes_constant(unsigned i) const {
    const kind what = what_.arguments[i];
    if (what != kind::target && what != kind::target_pointer && what != kind::long_handle &&
        what != kind::handle_or_own)
      return false;
    const QualType type = call_.getArg(i)->getType();
    const bool own = what == kind::handle_or_own && !is_handle(type);
    if (!own && !type->isPointerType()) return false;  // a null handle
    const QualType target = own ? said_as(i) : type->getPointeeType();
    return from_.tree().getBaseElementType(target).isConstQualified();
  }
  void check_count(unsigned i) const {
    const kind what = what_.arguments[i];
    if (what != kind::count && what != kind::reset) return;
    const auto value = call_.getArg(i)->getIntegerConstantExpr(from_.tree());
    if (!value || !value->isNegative()) return;
    report(from_.faults(), call_.getArg(i)->getExprLoc(), fault::count_negative)
        << (what == kind::reset ? "reset" : "count")
        << "'" + variable_under(call_.getArg(0))->getName().str() + "'"
        << static_cast<int>(value->getExtValue()) << 0;
  }

  QualType next(unsigned i) const { return call_.getArg(i + 1)->getType(); }
  static bool is_mailbox(QualType type) {
    const auto* record = type->getAsRecordDecl();
    return record && record->getName() == "terrane_mailbox";
  }
  static bool is_own_slot(const Expr* argument) {
    return is_slot(argument->getType()) && variable_under(argument);
  }
  bool is_own_fiber(const Expr* argument) const {
    const VarDecl* variable = is_own_slot(argument) ? variable_under(argument) : nullptr;
    return variable && from_.words.fibers.contains(variable->getLocation().getRawEncoding());
  }
  bool is_null(const Expr* argument) const {
    return argument->isNullPointerConstant(from_.tree(), Expr::NPC_ValueDependentIsNotNull) !=
               Expr::NPCK_NotNull ||
           (is_handle(argument->getType()) && isa<CStyleCastExpr>(argument->IgnoreParenImpCasts()));
  }
  /// PUT_SYNC and GET_SYNC copy a value, which must have a size. Block moves and FREE also take
  /// handles of void.
  bool names_a_value(QualType handle) const {
    const bool copied = what_.name == "PUT_SYNC" || what_.name == "GET_SYNC";
    return !copied || !handle->getPointeeType()->isIncompleteType();
  }
  bool same_as_source(QualType target) const {
    const QualType source = call_.getArg(0)->getType();
    if (!is_handle(source)) return true;  // another rule reports it
    const auto bare = [&](QualType type) {
      return from_.tree().getCanonicalType(type).getUnqualifiedType();
    };
    return bare(source->getPointeeType()) == bare(target);
  }
  /// True for *p, p[i] and p->f: lvalues behind a local pointer.
  static bool points_at(const Expr* argument) {
    const auto* cast = dyn_cast<ImplicitCastExpr>(argument);
    return cast && cast->getCastKind() == CK_LValueToRValue;
  }
  bool assignable(unsigned i, QualType place) const {
    const QualType target = place->getPointeeType().getUnqualifiedType();
    if (target->isIncompleteType()) return false;
    ExprResult value(const_cast<Expr*>(call_.getArg(i)));
    const auto fit = from_.sema.CheckSingleAssignmentConstraints(target, value, /*Diagnose=*/false,
                                                                 false, /*ConvertRHS=*/false);
    return fit != Sema::Incompatible && fit != Sema::PointerToInt && fit != Sema::IntToPointer &&
           fit != Sema::IncompatiblePointer;
  }

  void refuse(unsigned i) const {
    const Expr* argument = call_.getArg(i);
    if (argument->getType()->isDependentType()) return;  // Clang has reported the error
    std::string wanted = spoken(what_.arguments[i]);
    const bool value =
        what_.arguments[i] == kind::value_for_next || what_.arguments[i] == kind::argument_value;
    if (value && next(i)->isPointerType() && (is_handle(next(i)) || is_argument_place(next(i)))) {
      QualType target = next(i)->getPointeeType();
      wanted = "a value for '" + spell_type(target.getUnqualifiedType()) + "'";
    } else if (value) {
      return;  // the fault is in the handle
    }
    QualType type = argument->getType();
    if (what_.arguments[i] == kind::own_argument && type->isPointerType())
      type = type->getPointeeType();
    const bool of_library = what_.name == "TERRANE_C_SLOT";
    report(from_.faults(), from_.places().getFileLoc(argument->getExprLoc()),
           fault::operation_argument_kind)
        << (of_library ? "the slot" : "argument " + std::to_string(i + 1))
        << (of_library ? word_used() : std::string(what_.name)) << wanted << spell_type(type)
        << argument->getSourceRange();
  }

  /// The user's word that became this operation.
  std::string word_used() const {
    const SourceLocation where = from_.places().getExpansionLoc(call_.getBeginLoc());
    return Lexer::getSourceText(CharSourceRange::getTokenRange(where, where), from_.places(),
                                from_.tree().getLangOpts())
        .str();
  }

  const parsed& from_;
  const operation& what_;
  const CallExpr& call_;
};

}  // namespace

void check_operation(const parsed& from, const operation& what, const CallExpr& call) {
  operation_checker(from, what, call).run();
}

}  // namespace terrane::compiler
