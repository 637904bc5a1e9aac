// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/rules.hpp"

#include <algorithm>
#include <iterator>

#include "compiler/read/ancestry.hpp"
#include "compiler/read/faults.hpp"
#include "compiler/read/name_rules.hpp"
#include "compiler/read/operation_rules.hpp"
#include "compiler/read/shape.hpp"
#include "compiler/read/shape_rules.hpp"
#include "compiler/read/signature_rules.hpp"
#include "compiler/read/value_rules.hpp"
#include "compiler/read/wording.hpp"

namespace terrane::compiler {

using namespace clang;

namespace {

bool blocks(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"read",
                                                  "recv",
                                                  "recvfrom",
                                                  "accept",
                                                  "connect",
                                                  "sleep",
                                                  "usleep",
                                                  "nanosleep",
                                                  "pause",
                                                  "wait",
                                                  "waitpid",
                                                  "select",
                                                  "poll",
                                                  "getchar",
                                                  "scanf",
                                                  "fgets",
                                                  "getline",
                                                  "sem_wait",
                                                  "pthread_join",
                                                  "pthread_mutex_lock",
                                                  "pthread_cond_wait",
                                                  "pthread_barrier_wait",
                                                  "pthread_rwlock_rdlock",
                                                  "pthread_rwlock_wrlock"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Walks one function, or the initialiser of one variable.
class rule_checker : public ancestry<rule_checker> {
 public:
  rule_checker(const parsed& from, const function_shape* shape) : from_(from), shape_(shape) {}

  bool VisitFieldDecl(FieldDecl* field) {
    if (field->getName() != "terrane_slot") refuse_slot(*field, field->getType());
    return true;
  }
  bool VisitTypedefNameDecl(TypedefNameDecl* type) {
    refuse_slot(*type, type->getUnderlyingType());
    return true;
  }

  /// A constant exists once for all nodes, so it cannot point at a variable whose address differs
  /// between nodes.
  bool VisitVarDecl(VarDecl* variable) {
    if (!shape_ || !variable->hasLocalStorage()) refuse_slot(*variable, variable->getType());
    const bool shared = !variable->hasLocalStorage() && variable->getInit() &&
                        from_.of_user(variable->getLocation()) && !per_node(from_, *variable) &&
                        !per_machine(from_, *variable);
    const VarDecl* target = shared ? moving_variable_in(from_, *variable->getInit()) : nullptr;
    if (target)
      report(from_.faults(), variable->getLocation(), fault::constant_place)
          << variable->getName() << target->getName();
    return true;
  }

  /// GCC, like the standard, allows only variables to be declared in the head of a loop.
  bool VisitForStmt(ForStmt* loop) {
    const auto* head = dyn_cast_or_null<DeclStmt>(loop->getInit());
    if (!head) return true;
    for (const Decl* each : head->decls())
      if (!isa<VarDecl>(each))
        report(from_.faults(), each->getLocation(), fault::misplaced_word)
            << "the head of a 'for' declares more than variables"
            << "declare the type before the loop";
    return true;
  }

  bool VisitReturnStmt(ReturnStmt* statement) {
    if (shape_) report(from_.faults(), statement->getBeginLoc(), fault::fiber_return);
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    const auto* function = call->getDirectCallee();
    if (is_start(call)) return check_start(*call);
    if (!function || !function->getIdentifier()) return true;
    if (from_.words.threaded.contains(
            function->getCanonicalDecl()->getLocation().getRawEncoding())) {
      report(from_.faults(), call->getBeginLoc(), fault::threaded_called) << function->getName();
      return true;
    }
    if (const operation* what = find_operation(called(call).str())) {
      check_operation(from_, *what, *call);
      check_place(*what, *call);
      return true;
    }
    if (shape_ && blocks(function->getName()) && !from_.of_user(function->getLocation()))
      report(from_.faults(), call->getBeginLoc(), fault::blocking_call) << function->getName();
    if (shape_ && (function->getName() == "alloca" || function->getName() == "__builtin_alloca"))
      report(from_.faults(), call->getBeginLoc(), fault::fiber_local_escapes) << "memory of alloca";
    return true;
  }

  bool VisitArraySubscriptExpr(ArraySubscriptExpr* element) {
    const VarDecl* slots = is_slot(element->getType()) ? variable_under(element) : nullptr;
    const auto* all = slots ? from_.tree().getAsConstantArrayType(slots->getType()) : nullptr;
    const auto index = all ? element->getIdx()->getIntegerConstantExpr(from_.tree()) : std::nullopt;
    if (index && (index->isNegative() || index->getExtValue() >= all->getSExtSize()))
      report(from_.faults(), element->getIdx()->getExprLoc(), fault::slot_index)
          << slots->getName() << std::to_string(index->getExtValue())
          << std::to_string(all->getSExtSize());
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr* name) {
    const auto* function = dyn_cast<FunctionDecl>(name->getDecl());
    if (!function || !function->hasAttr<OverloadableAttr>() ||
        !find_operation(function->getName().str()))
      return true;
    for (std::size_t i = path_.size() - 1; i-- > 0;) {
      if (isa<ImplicitCastExpr, ParenExpr>(path_[i])) continue;
      const auto* call = dyn_cast<CallExpr>(path_[i]);
      if (call && call->getCallee()->IgnoreParenImpCasts() == name) return true;
      break;
    }
    report(from_.faults(), name->getLocation(), fault::operation_as_value) << function->getName();
    return true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) {
    if (cast->getCastKind() == CK_LValueToRValue) refuse_handle_target(cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* operation) {
    if (operation->isAssignmentOp()) refuse_handle_target(operation->getLHS());
    if (operation->getOpcode() == BO_Comma && is_mark(operation->getLHS()))
      check_started(*operation);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp()) refuse_handle_target(operation->getSubExpr());
    if (operation->getOpcode() == UO_AddrOf) refuse_word_of_node(*operation->getSubExpr());
    return true;
  }
  bool VisitCStyleCastExpr(CStyleCastExpr* cast) {
    const QualType to = cast->getType(), from = cast->getSubExpr()->getType();
    if (!to->isPointerType() || !from->isPointerType() || is_handle(to) == is_handle(from))
      return true;
    if (find_operation(called(cast->getSubExpr()).str()) ||
        cast->isNullPointerConstant(from_.tree(), Expr::NPC_ValueDependentIsNotNull) !=
            Expr::NPCK_NotNull)
      return true;
    report(from_.faults(), cast->getBeginLoc(), fault::handle_mixed)
        << "a cast from '" + spell_type(from) + "' to '" + spell_type(to) + "'"
        << cast->getSourceRange();
    return true;
  }

 private:
  void refuse_slot(const NamedDecl& named, QualType type) {
    if (from_.of_user(named.getLocation()) && is_slot(from_.tree().getBaseElementType(type)))
      report(from_.faults(), named.getLocation(), fault::outside_threaded)
          << "'" + named.getName().str() + "' is a SLOT"
          << "slots lie in frames; declare it as a variable of the function whose fiber it enables";
  }

  /// Clang reads NODE_ID and similar words as constants, but they are calls and have no address.
  void refuse_word_of_node(const Expr& place) {
    const auto* name = dyn_cast<DeclRefExpr>(place.IgnoreParens());
    const auto* variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    const SourceManager& places = from_.places();
    if (variable && places.isWrittenInBuiltinFile(places.getExpansionLoc(variable->getLocation())))
      report(from_.faults(), place.getExprLoc(), fault::misplaced_word)
          << variable->getName().str() + " is a value and has no address"
          << "copy it into a variable";
  }

  static bool is_mark(const Expr* left) {
    const llvm::StringRef name = called(left);
    return name == "TOKEN" || name == "INVOKE";
  }
  bool is_start(const CallExpr* call) const {
    const auto* comma = dyn_cast_or_null<BinaryOperator>(parent());
    return comma && comma->getOpcode() == BO_Comma && comma->getRHS() == call &&
           is_mark(comma->getLHS());
  }

  /// A start was turned into a call, unless it names no function: TOKEN(-, n), TOKEN(c ? f : g).
  void check_started(const BinaryOperator& comma) {
    if (isa<CallExpr>(comma.getRHS()) || comma.getRHS()->containsErrors()) return;
    report(from_.faults(), comma.getOperatorLoc(), fault::threaded_shape)
        << called(comma.getLHS()).str() + " names no threaded function"
        << "write the name of one, or in parentheses what gives a TFUNC: TOKEN((c ? f : g), n)";
  }

  bool check_start(const CallExpr& start) {
    const auto* comma = cast<BinaryOperator>(parent());
    const auto* mark = cast<CallExpr>(comma->getLHS()->IgnoreParenImpCasts());
    for (const Expr* node : mark->arguments())
      if (!node->getType()->isIntegerType())
        report(from_.faults(), node->getExprLoc(), fault::operation_argument_kind)
            << "argument 1" << "INVOKE" << "an integer, the number of a processor"
            << spell_type(node->getType());
    const auto* function = start.getDirectCallee();
    if (function && function->isImplicit())
      return true;  // Clang has reported that it is not declared
    const bool threaded = function
                              ? from_.words.threaded.contains(
                                    function->getCanonicalDecl()->getLocation().getRawEncoding())
                              : start.getCallee()->getType()->isPointerType();
    if (!threaded)
      report(from_.faults(), start.getCallee()->getExprLoc(), fault::threaded_shape)
          << "'" + (function ? function->getName().str() : "this") + "' is no THREADED function"
          << "only those can be started as activations; an ordinary function is called";
    else if (function && function->getName() == "MAIN")
      report(from_.faults(), start.getCallee()->getExprLoc(), fault::threaded_shape)
          << "MAIN cannot be started again" << "it is the root of the program, and runs once";
    else if (function)
      check_passed_pointers(from_, *function, start);
    else
      check_passed_values(from_, called(mark).str(), start);
    return true;
  }

  /// TERMINATE and similar operations are statements, and belong in a threaded function.
  void check_place(const operation& what, const CallExpr& call) {
    if (what.of_frame && !shape_) {
      report(from_.faults(), call.getBeginLoc(), fault::outside_threaded)
          << std::string(what.name)
          << "it is about the activation that runs; pass an SPTR to functions that are called";
      return;
    }
    const bool ends = what.name == "TERMINATE" || what.name == "END_FIBER";
    if (ends && parent() && isa<Expr>(parent()) && !isa<StmtExpr>(parent()))
      report(from_.faults(), call.getBeginLoc(), fault::misplaced_word)
          << std::string(what.name) + " is a statement"
          << "write 'if (...) " + std::string(what.name) + ";'";
    if (!shape_) return;
    if (what.name == "TO_GLOBAL" && call.getNumArgs() == 1)
      check_life(call.getArg(0)->IgnoreParenImpCasts(), true);
    if (what.name == "GET_SYNC" && call.getNumArgs() == 3 && !is_handle(call.getArg(1)->getType()))
      check_life(call.getArg(1), false);
  }

  /// Refuses a fiber's own variable as the target: it no longer exists when the answer arrives.
  void check_life(const Expr* place, bool address) {
    if (address) {
      const auto* of = dyn_cast<UnaryOperator>(place);
      if (of && of->getOpcode() == UO_AddrOf)
        place = of->getSubExpr();
      else if (!place->getType()->isArrayType())
        return;
    }
    const VarDecl* variable = variable_under(place);
    if (variable && variable->hasLocalStorage() && !shape_->shared.contains(variable))
      report(from_.faults(), place->getExprLoc(), fault::fiber_local_escapes)
          << "'" + variable->getName().str() + "'";
  }

  void refuse_handle_target(const Expr* lvalue) {
    if (lvalue->getType().getAddressSpace() == LangAS::opencl_global)
      report(from_.faults(), lvalue->getExprLoc(), fault::handle_dereferenced)
          << lvalue->getSourceRange();
  }

  const parsed& from_;
  const function_shape* shape_;
};

}  // namespace

void check_rules(const parsed& from) {
  std::vector<function_shape> shapes;
  for (Decl* each : from.tree().getTranslationUnitDecl()->decls()) {
    if (each->isImplicit() || !from.of_user(each->getLocation())) continue;
    auto* function = dyn_cast<FunctionDecl>(each);
    const bool threaded =
        function && from.words.threaded.contains(function->getLocation().getRawEncoding());
    if (!threaded) {
      check_names(from, *each);
      if (function) check_ordinary(from, *function);
      rule_checker(from, nullptr).TraverseDecl(each);
      continue;
    }
    check_names(from, *each);
    check_signature(from, *function);
    if (!function->doesThisDeclarationHaveABody()) continue;
    const function_shape& shape = shapes.emplace_back(shape_of(from, *function));
    check_shape(from, shape);
    rule_checker(from, &shape).TraverseStmt(function->getBody());
  }
  check_values(from, shapes);
}

}  // namespace terrane::compiler
