// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/function.hpp"

#include <algorithm>

#include "clang/Lex/Lexer.h"

namespace terrane::compiler {

using namespace clang;

namespace {

std::vector<parameter> parameters_of(const parsed& from, const FunctionDecl& function) {
  std::vector<parameter> all;
  for (const ParmVarDecl* each : function.parameters()) {
    parameter made;
    made.name = each->getName().str();
    if (made.name.empty()) made.name = "a" + std::to_string(all.size());
    made.declaration = declare(from, each->getType(), made.name);
    made.type = declare(from, each->getType().getCanonicalType(), "");
    made.function_value = is_function_value(each->getType());
    made.local_pointer =
        is_local_pointer(each->getType()) && !made.function_value && function.getName() != "MAIN";
    all.push_back(std::move(made));
  }
  return all;
}

class function_builder {
 public:
  function_builder(const parsed& from, const token_map& tokens, editor& edits, unit& to,
                   const function_shape& shape, std::vector<token_range>& apart)
      : from_(from), tokens_(tokens), edits_(edits), to_(to), shape_(shape), apart_(apart) {}

  threaded_function run() {
    made_.name = shape_.function->getName().str();
    made_.where = place_of(from_, to_, shape_.function->getLocation());
    made_.is_static = shape_.function->getStorageClass() == SC_Static;
    made_.is_main = shape_.is_main();
    made_.frame = name_for_frame();
    made_.parameters = parameters_of(from_, *shape_.function);
    for (std::size_t i = 0; i < made_.parameters.size(); ++i) {
      const ParmVarDecl* each = shape_.function->getParamDecl(i);
      made_.parameters[i].in_frame = shape_.in_frame.contains(each);
      made_.parameters[i].saved = shape_.saved.contains(each);
    }
    for (const fiber_shape& each : shape_.fibers) add_fiber(each);
    choose_hold();
    edits_.enter(&shape_, &made_);
    edits_.in_init = true;
    name_variable_arrays();
    move_to_file_scope();
    edits_.early_end = false;
    for (const Stmt* each : shape_.init) add_init(each);
    made_.early_end = edits_.early_end;
    edits_.in_init = false;
    for (const fiber_shape& each : shape_.fibers) edit_fiber(each);
    edits_.enter(nullptr, nullptr);
    return std::move(made_);
  }

 private:
  token_range over(SourceRange range) {
    const token_range found = tokens_.over(range);
    apart_.push_back(found);
    return found;
  }

  /// A name for the frame: `frame`, with underscores added if the function uses that name.
  std::string name_for_frame() const {
    std::string name = "frame";
    const token_range all = tokens_.over(shape_.function->getSourceRange());
    const auto taken = [&] {
      for (token_index i = all.begin; i < all.end; ++i)
        if (to_.tokens[i].text == name) return true;
      const auto* macro = from_.sema.getPreprocessor().getIdentifierInfo(name);
      return macro->hadMacroDefinition();
    };
    while (taken()) name += "_";
    return name;
  }

  void add_fiber(const fiber_shape& each) {
    fiber one;
    one.name = each.slot->getName().str();
    one.where = place_of(from_, to_, each.slot->getLocation());
    if (each.count) one.count = over(each.count->getSourceRange());
    if (each.reset) one.reset = over(each.reset->getSourceRange());
    for (const Expr* number : {each.count, each.reset})
      one.counts_known &= !number || number->getIntegerConstantExpr(from_.tree()).has_value();
    if (each.priority)
      if (const auto value = each.priority->getIntegerConstantExpr(from_.tree()))
        one.priority = static_cast<int>(value->getExtValue());
    one.body = over(each.body->getSourceRange());
    const auto* arguments = each.slot->getType()->getAsRecordDecl();
    if (arguments && arguments->getName() != "SLOT")
      for (const FieldDecl* field : arguments->fields())
        if (field->getFieldIndex() > 0)
          one.parameters.push_back({field->getName().str(),
                                    declare(from_, field->getType(), field->getName().str()), ""});
    made_.fibers.push_back(std::move(one));
  }

  void edit_fiber(const fiber_shape& each) {
    edits_.in_count = true;
    if (each.count) edits_.TraverseStmt(const_cast<Expr*>(each.count));
    if (each.reset) edits_.TraverseStmt(const_cast<Expr*>(each.reset));
    edits_.in_count = false;
    edits_.TraverseStmt(const_cast<CompoundStmt*>(each.body));
  }

  /// If the initial fiber hands out only one slot, it holds one count of it: the slot's fiber
  /// then follows without a turn through the ready queue, and nothing of this frame can run before
  /// it. Not done for a one-shot slot, which would not count again, nor where priorities decide the
  /// order.
  void choose_hold() {
    std::vector<token_range> ranges;
    ranges.reserve(shape_.init.size());
    for (const Stmt* each : shape_.init) ranges.push_back(tokens_.over(each->getSourceRange()));
    const auto handed_out = [&](const fiber& each) {
      return std::any_of(ranges.begin(), ranges.end(), [&](const token_range& range) {
        return std::any_of(to_.tokens.begin() + range.begin, to_.tokens.begin() + range.end,
                           [&](const token& one) { return one.text == each.name; });
      });
    };
    const fiber* only = nullptr;
    for (const fiber& each : made_.fibers) {
      if (each.priority != 4) return;
      if (!handed_out(each)) continue;
      if (only) return;
      only = &each;
    }
    if (only && only->count && !only->reset && only->parameters.empty()) made_.held = only->name;
  }

  // --- what moves to file scope ---

  bool name_is_free(const NamedDecl& what) const {
    const auto* name = what.getIdentifier();
    if (!name) return false;
    for (const auto& [other, written] : edits_.renamed)
      if (other != &what && written == name->getName()) return false;
    return from_.tree().getTranslationUnitDecl()->lookup(what.getDeclName()).empty();
  }
  void settle_name(const NamedDecl& what) {
    const auto* canonical = cast<NamedDecl>(what.getCanonicalDecl());
    std::string name = what.getIdentifier() ? what.getName().str() : "";
    if (!name_is_free(what)) {
      name = made_.name + "__" +
             (name.empty() ? "type" + std::to_string(edits_.renamed.size()) : name);
      const_cast<NamedDecl&>(what).setDeclName(&from_.tree().Idents.get(name));
    }
    edits_.renamed[canonical] = name;
  }

  void move_to_file_scope() {
    for (const Stmt* each : shape_.init) {
      const auto* statement = dyn_cast<DeclStmt>(each);
      if (!statement) continue;
      bool whole = false;
      for (const Decl* one : statement->decls()) {
        if (const auto* tag = dyn_cast<TagDecl>(one)) {
          if (!tag->getIdentifier() && tag->getTypedefNameForAnonDecl()) continue;
          settle_name(*tag);
          if (const auto* list = dyn_cast<EnumDecl>(tag))
            for (const EnumConstantDecl* constant : list->enumerators()) settle_name(*constant);
        } else if (const auto* name = dyn_cast<NamedDecl>(one);
                   isa<TypedefNameDecl>(one) || isa<FunctionDecl>(one) ||
                   (isa<VarDecl>(one) && !cast<VarDecl>(one)->hasLocalStorage())) {
          whole = true;
          if (!isa<FunctionDecl>(one) && !name->hasLinkage()) settle_name(*name);
        }
      }
      for (const Decl* one : statement->decls()) {
        if (const auto* tag = dyn_cast<TagDecl>(one)) {
          if (const auto* list = dyn_cast<EnumDecl>(tag); list && !tag->getIdentifier())
            for (const EnumConstantDecl* constant : list->enumerators()) settle_name(*constant);
          if (!whole) made_.file_scope.push_back({"", over(tag->getSourceRange()), ";"});
        }
        const bool moves = !isa<VarDecl>(one) || !cast<VarDecl>(one)->hasLocalStorage();
        edits_.at_file_scope = moves;
        edits_.TraverseDecl(const_cast<Decl*>(one));
        edits_.at_file_scope = false;
        if (moves) moved_.insert(one);
      }
      if (whole) made_.file_scope.push_back({"", over(statement->getSourceRange()), ""});
    }
  }

  // --- the initial fiber ---

  void add_init(const Stmt* each) {
    const auto* statement = dyn_cast<DeclStmt>(each);
    if (!statement) {
      edits_.TraverseStmt(const_cast<Stmt*>(each));
      token_range range = over(each->getSourceRange());
      if (range.end < to_.tokens.size() && to_.tokens[range.end].text == ";") ++range.end;
      if (!apart_.empty()) apart_.back() = range;
      made_.init.push_back({"", range, ""});
      return;
    }
    bool plain = true;
    for (const Decl* one : statement->decls())
      plain &= !moved_.contains(one) && isa<VarDecl>(one) &&
               !shape_.in_frame.contains(cast<VarDecl>(one));
    if (plain) {
      made_.init.push_back({"", over(statement->getSourceRange()), ""});
      return;
    }
    for (const Decl* one : statement->decls())
      if (const auto* variable = dyn_cast<VarDecl>(one); variable && variable->hasLocalStorage())
        add_field(*variable);
  }

  void add_field(const VarDecl& variable) {
    const std::string name = variable.getName().str();
    if (is_slot(from_.tree().getBaseElementType(variable.getType()))) {
      plain_slot one{name, place_of(from_, to_, variable.getLocation()), 0};
      if (const auto* array = from_.tree().getAsConstantArrayType(variable.getType()))
        one.elements = array->getZExtSize();
      made_.slots.push_back(one);
      return;
    }
    if (variable.getType()->isVariableArrayType()) return add_variable_array(variable);
    std::string declared = declare(from_, variable.getType(), name);
    if (variable.hasAttr<AlignedAttr>())
      declared += " __attribute__((aligned(" +
                  std::to_string(from_.tree().getDeclAlign(&variable).getQuantity()) + ")))";
    made_.fields.push_back(declared);
    if (variable.getInit()) add_initialiser(variable);
  }

  /// True if the frame's field can be assigned. The frame leaves out a const of the declaration
  /// itself, but keeps one within a typedef or a struct.
  static bool assignable(QualType type) {
    type.removeLocalConst();
    const auto* record = type->getAs<RecordType>();
    return !type.isConstQualified() && !(record && record->hasConstFields());
  }

  void add_initialiser(const VarDecl& variable) {
    const std::string field = made_.frame + "->" + variable.getName().str();
    const Expr* init = variable.getInit();
    const QualType type = variable.getType();
    const std::string literal = "(" + declare(from_, type, "") + ")";
    const token_range range = over(init->getSourceRange());
    if (type->isArrayType()) {
      const bool braced = isa<InitListExpr>(init->IgnoreImplicit());
      made_.init.push_back(
          {"__builtin_memcpy((void*)" + field + ", " + literal + (braced ? "" : "{"), range,
           std::string(braced ? "" : "}") + ", sizeof " + field + ");"});
    } else if (!assignable(type)) {
      made_.init.push_back(
          {"__builtin_memcpy((void*)&" + field + ", (" + declare(from_, type, "[1]") + "){", range,
           "}, sizeof " + field + ");"});
    } else if (isa<InitListExpr>(init->IgnoreImplicit())) {
      made_.init.push_back({field + " = " + literal, range, ";"});
    } else {
      made_.init.push_back({field + " = ", range, ";"});
    }
  }

  // --- variable-length arrays: each has its own block, and the frame keeps its initial sizes ---

  static std::string size_field(const VarDecl& array, int which) {
    return "terrane_size_" + std::to_string(which) + "_" + array.getName().str();
  }
  static std::string block_field(const VarDecl& array) {
    return "terrane_block_" + array.getName().str();
  }

  /// `[frame->terrane_size_0_v][frame->terrane_size_1_v]`, and the element's type.
  std::pair<std::string, QualType> dimensions_of(const VarDecl& array) const {
    std::string dimensions;
    QualType element = array.getType();
    for (int which = 0; const auto* each = from_.tree().getAsArrayType(element); ++which) {
      dimensions += "[" + made_.frame + "->" + size_field(array, which) + "]";
      element = each->getElementType();
    }
    return {dimensions, element};
  }

  void name_variable_arrays() {
    for (const VarDecl* each : shape_.in_frame) {
      if (!each->getType()->isVariableArrayType()) continue;
      const auto [dimensions, element] = dimensions_of(*each);
      edits_.arrays[each] = "(*(" + declare(from_, element, "(*)" + dimensions) + ")" +
                            made_.frame + "->" + block_field(*each) + ")";
    }
  }

  void add_variable_array(const VarDecl& array) {
    const std::string frame = made_.frame + "->";
    QualType rest = array.getType();
    for (int which = 0; const auto* each = from_.tree().getAsArrayType(rest); ++which) {
      const std::string size = size_field(array, which);
      made_.fields.push_back("size_t " + size);
      if (const auto* variable = dyn_cast<VariableArrayType>(each))
        made_.init.push_back(
            {frame + size + " = ", over(variable->getSizeExpr()->getSourceRange()), ";"});
      else if (const auto* constant = dyn_cast<ConstantArrayType>(each))
        made_.init.push_back(
            {frame + size + " = " + std::to_string(constant->getZExtSize()) + ";", {}, ""});
      rest = each->getElementType();
    }
    const auto [dimensions, element] = dimensions_of(array);
    made_.fields.push_back("void *" + block_field(array));
    made_.arrays.push_back(block_field(array));
    made_.init.push_back({frame + block_field(array) + " = terrane_frame_block(sizeof(" +
                              declare(from_, element, dimensions) + "));",
                          {},
                          ""});
  }

  const parsed& from_;
  const token_map& tokens_;
  editor& edits_;
  unit& to_;
  const function_shape& shape_;
  std::vector<token_range>& apart_;
  std::unordered_set<const Decl*> moved_;
  threaded_function made_;
};

}  // namespace

threaded_declaration declaration_of(const parsed& from, const FunctionDecl& function) {
  const FunctionDecl* defined = function.getDefinition();  // its parameters have names
  return {function.getName().str(), function.getStorageClass() == SC_Static,
          function.getName() == "MAIN", parameters_of(from, defined ? *defined : function)};
}

threaded_function build_function(const parsed& from, const token_map& tokens, editor& edits,
                                 unit& to, const function_shape& shape,
                                 std::vector<token_range>& apart) {
  return function_builder(from, tokens, edits, to, shape, apart).run();
}

}  // namespace terrane::compiler
