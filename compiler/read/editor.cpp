// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/editor.hpp"

#include "compiler/read/operations.hpp"
#include "compiler/read/wording.hpp"

namespace terrane::compiler {

using namespace clang;

std::string declare(const parsed& from, QualType type, const std::string& name) {
  PrintingPolicy policy(from.tree().getLangOpts());
  policy.AnonymousTagLocations = false;
  policy.Bool = true;
  std::string text = name;
  type.removeLocalConst();
  std::string sugared = name;
  type.getAsStringInternal(sugared, policy);
  if (sugared.find("typeof") != std::string::npos) {
    type.getCanonicalType().getAsStringInternal(text, policy);
    sugared = text;
  }
  constexpr std::string_view mark = "__constant ";  // APTR
  for (std::size_t at; (at = sugared.find(mark)) != std::string::npos;)
    sugared.erase(at, mark.size());
  return spell_handles(sugared);
}

void editor::insert_before(SourceLocation where, const std::string& text) {
  const token_index at = tokens_.at(where);
  if (at == token_map::none) return;
  std::string& before = to_.edits[at].before;
  if (before.find(text) == std::string::npos)
    before = text + before;  // the tree may visit a token twice
}
void editor::insert_after(SourceLocation where, const std::string& text) {
  const token_index at = tokens_.at(where);
  if (at == token_map::none) return;
  std::string& after = to_.edits[at].after;
  if (after.find(text) == std::string::npos) after += text;
}
void editor::replace(SourceLocation where, const std::string& text) {
  const token_index at = tokens_.at(where);
  if (at != token_map::none) to_.edits[at].instead = text;
}
void editor::drop(token_index at) { to_.edits[at].instead = ""; }

void editor::rename(const NamedDecl* what, SourceLocation where) {
  const auto found = renamed.find(cast<NamedDecl>(what->getCanonicalDecl()));
  if (found != renamed.end()) replace(where, found->second);
}

bool editor::VisitTagDecl(TagDecl* tag) {
  if (const auto found = renamed.find(tag->getCanonicalDecl()); found != renamed.end()) {
    if (tag->getLocation() != tag->getBeginLoc() &&
        tokens_.at(tag->getLocation()) != token_map::none &&
        to_.tokens[tokens_.at(tag->getLocation())].text != "{")
      replace(tag->getLocation(), found->second);
    else
      insert_after(tag->getBeginLoc(), " " + found->second);  // the type had no name
  }
  return true;
}
bool editor::VisitTypedefNameDecl(TypedefNameDecl* name) {
  rename(name, name->getLocation());
  return true;
}
bool editor::VisitEnumConstantDecl(EnumConstantDecl* name) {
  rename(name, name->getLocation());
  return true;
}
bool editor::VisitTagTypeLoc(TagTypeLoc type) {
  if (!type.isDefinition()) rename(type.getDecl(), type.getNameLoc());
  return true;
}
bool editor::VisitTypedefTypeLoc(TypedefTypeLoc type) {
  rename(type.getTypedefNameDecl(), type.getNameLoc());
  return true;
}

void editor::place_on_nodes(const VarDecl& variable) {
  if (!per_node(from_, variable) ||
      variable.isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
    return;
  token_index at = tokens_.at(variable.getEndLoc());
  if (const Expr* init = variable.getInit()) {
    at = tokens_.at(init->getBeginLoc());
    while (at != token_map::none && at > 0 && to_.tokens[at].text != "=") --at;
    if (at != token_map::none) --at;
  }
  if (at == token_map::none) return;
  to_.edits[at].after += " TERRANE_NODE_DATA";
  if (!variable.getInit()) return;
  const auto found = renamed.find(variable.getCanonicalDecl());
  std::vector<placed_pointer> pointers;
  find_pointers(*variable.getInit(),
                found != renamed.end() ? found->second : variable.getName().str(), pointers);
  token_index end = tokens_.at(variable.getInit()->getEndLoc());
  for (int depth = 0; end != token_map::none && end < to_.tokens.size(); ++end) {
    const std::string& text = to_.tokens[end].text;
    depth += (text == "{" || text == "(") - (text == "}" || text == ")");
    if (depth <= 0 && text == ";") break;
  }
  if (end >= to_.tokens.size()) return;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    std::string& after = to_.edits[end].after;
    after += pointers[i].of_machine ? " TERRANE_MACHINE_POINTER(" : " TERRANE_NODE_POINTER(";
    after += std::to_string(at) + "_" + std::to_string(i) + ", " + pointers[i].name + ");";
  }
}

/// Finds the pointers in a node variable whose initial value is the address of a variable that may
/// lie elsewhere on another node.
void editor::find_pointers(const Expr& init, const std::string& name,
                           std::vector<placed_pointer>& found) const {
  const auto* list = dyn_cast<InitListExpr>(init.IgnoreImplicit());
  if (!list) {
    if (const VarDecl* variable = moving_variable_in(from_, init))
      found.push_back({name, per_machine(from_, *variable)});
    return;
  }
  if (const InitListExpr* meant = list->getSemanticForm()) list = meant;
  if (list->getType()->isArrayType()) {
    for (unsigned i = 0; i < list->getNumInits(); ++i)
      find_pointers(*list->getInit(i), name + "[" + std::to_string(i) + "]", found);
    return;
  }
  const auto* record = list->getType()->getAsRecordDecl();
  if (!record) {
    if (list->getNumInits() == 1) find_pointers(*list->getInit(0), name, found);
    return;
  }
  if (const FieldDecl* member = list->getInitializedFieldInUnion()) {
    if (list->getNumInits() == 1)
      find_pointers(*list->getInit(0), name + "." + member->getName().str(), found);
    return;
  }
  unsigned i = 0;
  for (const FieldDecl* field : record->fields())
    if (!field->isUnnamedBitField() && i < list->getNumInits())
      find_pointers(*list->getInit(i++),
                    field->getName().empty() ? name : name + "." + field->getName().str(), found);
}

/// True if the text names a local variable, which has no name outside the function.
bool editor::names_local(const Stmt& within) const {
  if (const auto* name = dyn_cast<DeclRefExpr>(&within))
    if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()))
      return variable->hasLocalStorage();
  for (const Stmt* child : within.children())
    if (child && names_local(*child)) return true;
  return false;
}

void editor::write_instead(SourceRange range, const std::string& text) {
  const token_range all = tokens_.over(range);
  for (token_index i = all.begin; i < all.end; ++i) to_.edits[i] = {"", "", ""};
  if (!all.empty()) to_.edits[all.begin].instead = text;
}

bool editor::TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr* size) {
  Expr::EvalResult bytes;
  if (!at_file_scope || size->isArgumentType() || !names_local(*size->getArgumentExpr()) ||
      !size->EvaluateAsInt(bytes, from_.tree()))
    return RecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr(size);
  write_instead(size->getSourceRange(),
                "((size_t)" + std::to_string(bytes.Val.getInt().getZExtValue()) + ")");
  return true;
}

bool editor::TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc type) {
  if (!at_file_scope || !names_local(*type.getUnderlyingExpr()))
    return RecursiveASTVisitor::TraverseTypeOfExprTypeLoc(type);
  write_instead({type.getTypeofLoc(), type.getRParenLoc()},
                "__typeof__(" + declare(from_, type.getType().getCanonicalType(), "") + ")");
  return true;
}

/// An initial value that is the address of a variable is in the image, and is a constant there.
bool editor::TraverseVarDecl(VarDecl* variable) {
  rename(variable, variable->getLocation());
  place_on_nodes(*variable);
  const bool outer = in_image;
  in_image = !variable->hasLocalStorage();
  RecursiveASTVisitor::TraverseVarDecl(variable);
  in_image = outer;
  return true;
}

bool editor::VisitDeclRefExpr(DeclRefExpr* name) {
  const ValueDecl* what = name->getDecl();
  const SourceLocation where = name->getLocation();
  rename(what, where);
  if (const auto* function = dyn_cast<FunctionDecl>(what)) {
    if (from_.words.threaded.contains(function->getCanonicalDecl()->getLocation().getRawEncoding()))
      replace(where, "(&" + function->getName().str() + "__threaded)");
    return true;
  }
  const auto* variable = dyn_cast<VarDecl>(what);
  if (!variable) return true;
  const bool of_machine = per_machine(from_, *variable);
  if (of_machine || per_node(from_, *variable)) {
    if (in_image && !of_machine) return true;
    const auto found = renamed.find(variable->getCanonicalDecl());
    replace(where, (in_image     ? "TERRANE_MACHINE_CONSTANT("
                    : of_machine ? "TERRANE_MACHINE_VARIABLE("
                                 : "TERRANE_NODE_VARIABLE(") +
                       (found != renamed.end() ? found->second : variable->getName().str()) + ")");
    return true;
  }
  if (!shape_ || in_count) return true;
  if (is_slot(variable->getType())) {
    edit_slot(name);
  } else if (shape_->in_frame.contains(variable) &&
             !(in_init && shape_->saved.contains(variable))) {
    const std::string field = written_->frame + "->" + variable->getName().str();
    const auto found = arrays.find(variable);
    replace(where, found == arrays.end() ? field : found->second);
  }
  return true;
}

/// Writes the address of a slot, of `READY` or of `s[i]`.
void editor::edit_slot(const Expr* slot) {
  insert_before(slot->getBeginLoc(), "TERRANE_SLOT(" + written_->frame + ", ");
  insert_after(slot->getEndLoc(), ")");
}

bool editor::TraverseArraySubscriptExpr(ArraySubscriptExpr* element) {
  const VarDecl* array = variable_under(element);
  if (!array || !is_slot(element->getType()))
    return RecursiveASTVisitor::TraverseArraySubscriptExpr(element);
  edit_slot(element);
  edit_slot_index(*element);
  return true;
}

/// t[i] of an array of slots: an index that is not constant is checked against the array's length.
void editor::edit_slot_index(const ArraySubscriptExpr& element) {
  auto* index = const_cast<Expr*>(element.getIdx());
  TraverseStmt(index);
  const auto* array =
      from_.tree().getAsConstantArrayType(element.getBase()->IgnoreImpCasts()->getType());
  if (!array || index->getIntegerConstantExpr(from_.tree())) return;
  insert_before(index->getBeginLoc(), "TERRANE_SLOT_INDEX(");
  insert_after(index->getEndLoc(), ", " + std::to_string(array->getZExtSize()) + ")");
}

/// Writes &f as f.
bool editor::VisitUnaryOperator(UnaryOperator* operation) {
  const auto* name = dyn_cast<DeclRefExpr>(operation->getSubExpr()->IgnoreParens());
  const token_index at = tokens_.at(operation->getOperatorLoc());
  if (operation->getOpcode() == UO_AddrOf && name && at != token_map::none &&
      from_.words.threaded.contains(
          name->getDecl()->getCanonicalDecl()->getLocation().getRawEncoding()))
    drop(at);
  return true;
}

bool editor::VisitBinaryOperator(BinaryOperator* operation) {
  const bool ordered = operation->isRelationalOp() || operation->getOpcode() == BO_Sub;
  if (!ordered || !is_handle(operation->getLHS()->getType()) ||
      !is_handle(operation->getRHS()->getType()))
    return true;
  insert_before(operation->getBeginLoc(), "TERRANE_TOGETHER(");
  const token_index sign = tokens_.at(operation->getOperatorLoc());
  if (sign != token_map::none) to_.edits[sign].instead = ", " + to_.tokens[sign].text + ",";
  insert_after(operation->getEndLoc(), ")");
  return true;
}

}  // namespace terrane::compiler
