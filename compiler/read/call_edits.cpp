// SPDX-License-Identifier: Apache-2.0
// call_edits.cpp: the editor's part for operations, and for TOKEN and INVOKE.
#include "compiler/read/editor.hpp"
#include "compiler/read/operations.hpp"

#include <algorithm>

namespace terrane::compiler {

using namespace clang;

// TO_APTR(N.a) -> TO_APTR(frame, N, 0, int)
void editor::edit_argument(const CallExpr& call, const FieldDecl& field) {
  const auto* member = cast<MemberExpr>(
      cast<UnaryOperator>(call.getArg(0)->IgnoreParenImpCasts())->getSubExpr()->IgnoreParens());
  const token_range named = tokens_.over(member->getSourceRange());
  for (token_index i = named.begin; i < named.end; ++i) to_.edits[i] = {"", "", ""};
  if (named.empty()) return;
  to_.edits[named.begin].instead =
      written_->frame + ", " + variable_under(member->getBase())->getName().str() + ", " +
      std::to_string(field.getFieldIndex() - 1) + ", " + declare(from_, field.getType(), "");
}

/// The bytes of room at that place, as a C expression; "": not known at compile time. For an
/// element: the rest of its array.
std::string editor::room_at(const Expr& place) const {
  const auto bytes_of = [&](QualType type) {
    return static_cast<std::int64_t>(from_.tree().getTypeSizeInChars(type).getQuantity());
  };
  const Expr* to = place.IgnoreParenCasts();
  const auto* of = dyn_cast<UnaryOperator>(to);
  if (of && of->getOpcode() == UO_AddrOf) to = of->getSubExpr()->IgnoreParens();
  const auto* element = dyn_cast<ArraySubscriptExpr>(to);
  const bool addressed = of && of->getOpcode() == UO_AddrOf;
  const Expr* array = addressed && element ? element->getBase()->IgnoreParenImpCasts() : nullptr;
  if (!array || !array->getType()->isArrayType()) {
    if (!addressed && !to->getType()->isArrayType()) return "";
    if (has_size(to->getType())) return std::to_string(bytes_of(to->getType()));
    const std::string name = local_name(*to);
    return name.empty() ? "" : "sizeof " + name;
  }
  const bool known = has_size(array->getType());
  const std::int64_t all = known ? bytes_of(array->getType()) : 0, each = bytes_of(to->getType());
  if (const auto index = element->getIdx()->getIntegerConstantExpr(from_.tree()); index && known)
    return std::to_string(std::max<std::int64_t>(0, all - index->getExtValue() * each));
  const std::string name = local_name(*array);
  return !name.empty() ? "TERRANE_ROOM_IN(" + name + ")" : known ? std::to_string(all) : "";
}

/// The C expression for a variable of this activation or function; "" for everything else.
std::string editor::local_name(const Expr& lvalue) const {
  const auto* name = dyn_cast<DeclRefExpr>(&lvalue);
  const auto* variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (!variable || !variable->hasLocalStorage()) return "";
  if (const auto found = arrays.find(variable); found != arrays.end()) return found->second;
  const bool field = shape_ && shape_->in_frame.contains(variable) &&
                     !(in_init && shape_->saved.contains(variable));
  return (field ? written_->frame + "->" : std::string()) + variable->getName().str();
}

// RETRIEVE_ITEM(m, &x) -> TERRANE_RETRIEVE_ITEM(m, &x, 4)
void editor::edit_retrieve(const CallExpr& call) {
  const std::string room = room_at(*call.getArg(1));
  if (room.empty()) return;
  replace(call.getBeginLoc(), "TERRANE_RETRIEVE_ITEM");
  insert_after(call.getArg(1)->getEndLoc(), ", " + room);
}

bool editor::TraverseCallExpr(CallExpr* call) {
  const llvm::StringRef name = called(call);
  if (name == "END_FIBER" && in_init) {
    replace(call->getBeginLoc(), "goto terrane_ended");
    early_end = true;
    return true;
  }
  if (name == "TO_APTR" && shape_ && call->getNumArgs() == 1) {
    if (const FieldDecl* field = fiber_argument(call->getArg(0))) edit_argument(*call, *field);
    return true;
  }
  const bool takes_slot = name == "INIT_SYNC" || name == "INCR_SYNC" || name == "BIND_SLOT";
  if (takes_slot && shape_ && call->getNumArgs() > 0) {
    const Expr* slot = call->getArg(0)->IgnoreParenImpCasts();
    insert_before(slot->getBeginLoc(), written_->frame + ", &" + written_->frame + "->");
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(slot)) edit_slot_index(*element);
    unsigned next = 1;
    if (name == "BIND_SLOT" && call->getNumArgs() > 1) {
      if (const auto* fiber = variable_under(call->getArg(1)))
        replace(call->getArg(1)->getBeginLoc(),
                "&terrane_fiber_" + written_->name + "__" + fiber->getName().str());
      next = 2;
    }
    for (; next < call->getNumArgs(); ++next) TraverseStmt(call->getArg(next));
    return true;
  }
  if (name == "RETRIEVE_ITEM" && call->getNumArgs() == 2) edit_retrieve(*call);
  if (name == "GET_SYNC" && call->getNumArgs() > 1 && !is_handle(call->getArg(1)->getType())) {
    insert_before(call->getArg(1)->getBeginLoc(), "TO_GLOBAL(&");
    insert_after(call->getArg(1)->getEndLoc(), ")");
  }
  return RecursiveASTVisitor::TraverseCallExpr(call);
}

bool editor::TraverseBinaryOperator(BinaryOperator* comma) {
  const llvm::StringRef mark = called(comma->getLHS());
  if (comma->getOpcode() != BO_Comma || (mark != "TOKEN" && mark != "INVOKE"))
    return RecursiveASTVisitor::TraverseBinaryOperator(comma);
  auto* start = dyn_cast<CallExpr>(comma->getRHS()->IgnoreParenImpCasts());
  if (!start) return true;
  edit_start(*cast<CallExpr>(comma->getLHS()->IgnoreParenImpCasts()), *start);
  return true;
}

// TOKEN(f, a) -> f__token(a)   INVOKE(i, f, a) -> f__invoke(i, a)
void editor::edit_start(const CallExpr& mark, CallExpr& start) {
  const bool on_a_node = called(&mark) == "INVOKE";
  for (unsigned i = 0; i < mark.getNumArgs(); ++i) TraverseStmt(const_cast<Expr*>(mark.getArg(i)));
  for (unsigned i = 0; i < start.getNumArgs(); ++i) TraverseStmt(start.getArg(i));
  const token_index word = tokens_.at(mark.getBeginLoc());
  if (word == token_map::none) return;
  const auto* function = start.getDirectCallee();
  if (!function) return edit_value_start(start, on_a_node, word);
  const token_range name = tokens_.over(start.getCallee()->getSourceRange());
  if (name.empty()) return;
  to_.edits[word].instead = function->getName().str() + (on_a_node ? "__invoke" : "__token");
  if (on_a_node) to_.edits[word + 1].after = " TERRANE_AT,";
  for (token_index i = name.begin; i < name.end; ++i) drop(i);
  if (start.getNumArgs() > 0)
    drop(name.end);  // the comma after it
  else if (on_a_node)
    drop(name.begin - 1);  // the comma before it
}

/// The function is known only at run time: the call describes the types of its arguments, and the
/// runtime compares them with the function's parameters.
void editor::edit_value_start(const CallExpr& start, bool on_a_node, token_index word) {
  std::string fields, described;
  for (unsigned i = 0; i < start.getNumArgs(); ++i) {
    const Expr* value = start.getArg(i);
    const QualType type = value->getType().getUnqualifiedType();
    std::string name = "a";
    name += std::to_string(i);
    // In the form in which the function's own arguments are sent.
    const auto convert = [&](const char* conversion) {
      insert_before(value->getBeginLoc(), std::string(conversion) + "(");
      insert_after(value->getEndLoc(), ")");
    };
    if (is_function_value(type)) {
      fields += "uint64_t " + name + "; ";
      convert("terrane_value_entry");
    } else if (is_local_pointer(type)) {
      fields += "terrane_global " + name + "; ";
      convert("terrane_to_global");
    } else {
      fields += declare(from_, type, name) + "; ";
    }
    described += (i ? ", " : "") + declare(from_, type.getCanonicalType(), "");
  }
  to_.edits[word].instead = on_a_node ? "TERRANE_INVOKE_VALUE" : "TERRANE_TOKEN_VALUE";
  const_cast<editor*>(this)->TraverseStmt(const_cast<Expr*>(start.getCallee()));
  insert_after(start.getCallee()->getEndLoc(), ", struct { " + fields + "}, \"" + described + "\"");
}

}  // namespace terrane::compiler
