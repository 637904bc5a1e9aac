// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/rules.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/faults.hpp"
#include "compiler/read/messages.hpp"
#include "compiler/read/operation_rules.hpp"
#include "compiler/read/shape.hpp"
#include "compiler/read/signature_rules.hpp"

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
class rule_checker : public RecursiveASTVisitor<rule_checker> {
 public:
  rule_checker(const parsed& from, const function_shape* shape) : from_(from), shape_(shape) {}

  bool dataTraverseStmtPre(Stmt* statement) {
    above_.push_back(statement);
    return true;
  }
  bool dataTraverseStmtPost(Stmt*) {
    above_.pop_back();
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

  bool VisitDeclRefExpr(DeclRefExpr* name) {
    const auto* function = dyn_cast<FunctionDecl>(name->getDecl());
    if (!function || !function->hasAttr<OverloadableAttr>() ||
        !find_operation(function->getName().str()))
      return true;
    for (std::size_t i = above_.size() - 1; i-- > 0;) {
      if (isa<ImplicitCastExpr, ParenExpr>(above_[i])) continue;
      const auto* call = dyn_cast<CallExpr>(above_[i]);
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
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp()) refuse_handle_target(operation->getSubExpr());
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
        << "a cast from '" + spell_handles(from.getAsString()) + "' to '" +
               spell_handles(to.getAsString()) + "'"
        << cast->getSourceRange();
    return true;
  }

 private:
  static bool is_mark(const Expr* left) {
    const llvm::StringRef name = called(left);
    return name == "TOKEN" || name == "INVOKE";
  }
  bool is_start(const CallExpr* call) const {
    if (above_.size() < 2) return false;
    const auto* comma = dyn_cast<BinaryOperator>(above_[above_.size() - 2]);
    return comma && comma->getOpcode() == BO_Comma && comma->getRHS() == call &&
           is_mark(comma->getLHS());
  }

  bool check_start(const CallExpr& start) {
    const auto* comma = cast<BinaryOperator>(above_[above_.size() - 2]);
    const auto* mark = cast<CallExpr>(comma->getLHS()->IgnoreParenImpCasts());
    for (const Expr* node : mark->arguments())
      if (!node->getType()->isIntegerType())
        report(from_.faults(), node->getExprLoc(), fault::operation_argument_kind)
            << "argument 1" << "INVOKE" << "an integer, the number of a processor"
            << spell_handles(node->getType().getAsString());
    const auto* function = start.getDirectCallee();
    if (function && function->isImplicit()) return true;  // Clang has said that it is not declared
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
    return true;
  }

  /// TERMINATE and its like belong into a threaded function and are statements.
  void check_place(const operation& what, const CallExpr& call) {
    if (what.of_frame && !shape_) {
      report(from_.faults(), call.getBeginLoc(), fault::outside_threaded)
          << std::string(what.name)
          << "it is about the activation that runs; pass an SPTR to functions that are called";
      return;
    }
    const bool ends = what.name == "TERMINATE" || what.name == "END_FIBER";
    if (ends && above_.size() > 1 && isa<Expr>(above_[above_.size() - 2]) &&
        !isa<StmtExpr>(above_[above_.size() - 2]))
      report(from_.faults(), call.getBeginLoc(), fault::misplaced_word)
          << std::string(what.name) + " is a statement"
          << "write 'if (...) " + std::string(what.name) + ";'";
    if (!shape_) return;
    if (what.name == "TO_GLOBAL" && call.getNumArgs() == 1)
      check_life(call.getArg(0)->IgnoreParenImpCasts(), true);
    if (what.name == "GET_SYNC" && call.getNumArgs() == 3 && !is_handle(call.getArg(1)->getType()))
      check_life(call.getArg(1), false);
  }

  /// A variable of one fiber's own is gone when an answer comes.
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
  std::vector<const Stmt*> above_;
};

/// Labels and gotos, and which fiber each is in.
class jump_finder : public RecursiveASTVisitor<jump_finder> {
 public:
  int fiber = -1;
  std::unordered_map<const LabelDecl*, int> labels;
  std::vector<std::pair<const GotoStmt*, int>> jumps;
  bool VisitLabelStmt(LabelStmt* label) {
    labels[label->getDecl()] = fiber;
    return true;
  }
  bool VisitGotoStmt(GotoStmt* jump) {
    jumps.emplace_back(jump, fiber);
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
  for (const auto& [jump, fiber] : finder.jumps)
    if (const auto found = finder.labels.find(jump->getLabel());
        found != finder.labels.end() && found->second != fiber)
      report(from.faults(), jump->getGotoLoc(), fault::jump_across_fibers)
          << "goto " + jump->getLabel()->getName().str();
}

/// Finds a variable in an expression that `wanted` does not allow.
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
          << (each == fiber.count ? "count" : "reset") << name
          << static_cast<int>(value->getExtValue());
    if (each && !each->getType()->isIntegerType())
      report(from.faults(), each->getExprLoc(), fault::operation_argument_kind)
          << (each == fiber.count ? "the count" : "the reset") << "fiber '" + name.str() + "'"
          << "an integer" << spell_handles(each->getType().getAsString());
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

}  // namespace

void check_rules(const parsed& from) {
  for (Decl* each : from.tree().getTranslationUnitDecl()->decls()) {
    if (each->isImplicit() || !from.of_user(each->getLocation())) continue;
    auto* function = dyn_cast<FunctionDecl>(each);
    const bool threaded =
        function && from.words.threaded.contains(function->getLocation().getRawEncoding());
    if (!threaded) {
      if (function) check_ordinary(from, *function);
      rule_checker(from, nullptr).TraverseDecl(each);
      continue;
    }
    check_signature(from, *function);
    if (!function->doesThisDeclarationHaveABody()) continue;
    const function_shape shape = shape_of(from, *function);
    for (const fiber_shape& fiber : shape.fibers) check_fiber(from, fiber);
    check_variables(from, shape);
    check_jumps(from, shape);
    rule_checker(from, &shape).TraverseStmt(function->getBody());
  }
}

}  // namespace terrane::compiler
