// SPDX-License-Identifier: Apache-2.0
// editor.hpp: which tokens of the user's text are written differently, and how.
//
//   r1               frame->r1                          a variable of the activation
//   READY            TERRANE_SLOT(frame, READY)         a slot, where its address is meant
//   hits             TERRANE_NODE_VARIABLE(hits)        a variable with a copy on each node
//   everywhere       TERRANE_MACHINE_VARIABLE(everywhere)  a GLOBAL_VAR, on node 0
//   TOKEN(f, a)      f__token(a)
//   p - q            TERRANE_TOGETHER(p, -, q)          handles, checked to name one node
#pragma once

#include <string>
#include <unordered_map>

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/model.hpp"
#include "compiler/read/pieces.hpp"
#include "compiler/read/shape.hpp"

namespace terrane::compiler {

class editor : public clang::RecursiveASTVisitor<editor> {
 public:
  editor(const parsed& from, const token_map& tokens, unit& to)
      : from_(from), tokens_(tokens), to_(to) {}

  /// Sets the function whose names are edited from here on. Null: outside threaded functions.
  void enter(const function_shape* shape, const threaded_function* written) {
    shape_ = shape;
    written_ = written;
  }
  bool in_init = false;        // in the initial fiber
  bool early_end = false;      // the initial fiber contained an END_FIBER
  bool in_image = false;       // in the initialiser of a variable that outlives functions
  bool in_count = false;       // in a slot's count, where parameters are plain variables
  bool at_file_scope = false;  // the text cannot name the function's variables there

  /// New names of what moved to file scope.
  std::unordered_map<const clang::NamedDecl*, std::string> renamed;
  /// The C expression of each variable-length array of the frame.
  std::unordered_map<const clang::VarDecl*, std::string> arrays;

  void insert_before(clang::SourceLocation, const std::string& text);
  void insert_after(clang::SourceLocation, const std::string& text);
  void replace(clang::SourceLocation, const std::string& text);
  /// Marks the variable as one that has a copy on each node.
  void place_on_nodes(const clang::VarDecl&);

  bool shouldVisitImplicitCode() const { return false; }
  bool VisitDeclRefExpr(clang::DeclRefExpr*);
  bool TraverseVarDecl(clang::VarDecl*);
  bool VisitTagDecl(clang::TagDecl*);
  bool VisitTypedefNameDecl(clang::TypedefNameDecl*);
  bool VisitEnumConstantDecl(clang::EnumConstantDecl*);
  bool VisitTagTypeLoc(clang::TagTypeLoc);
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc);
  bool VisitUnaryOperator(clang::UnaryOperator*);
  bool VisitBinaryOperator(clang::BinaryOperator*);
  bool TraverseCallExpr(clang::CallExpr*);
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*);
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc);
  bool TraverseBinaryOperator(clang::BinaryOperator*);
  bool TraverseArraySubscriptExpr(clang::ArraySubscriptExpr*);

 private:
  void rename(const clang::NamedDecl*, clang::SourceLocation);
  void edit_slot(const clang::Expr*);
  void edit_slot_index(const clang::ArraySubscriptExpr&);
  void edit_retrieve(const clang::CallExpr&);
  std::string room_at(const clang::Expr& place) const;
  std::string local_name(const clang::Expr& lvalue) const;
  void edit_start(const clang::CallExpr& mark, clang::CallExpr& start);
  void edit_argument(const clang::CallExpr&, const clang::FieldDecl&);
  void edit_value_start(const clang::CallExpr& start, bool on_a_node, token_index word);
  void drop(token_index);
  struct placed_pointer {
    std::string name;
    bool of_machine;  // points to a GLOBAL_VAR; else to a variable of each node
  };
  void find_pointers(const clang::Expr&, const std::string& name,
                     std::vector<placed_pointer>& found) const;
  bool names_local(const clang::Stmt&) const;
  void write_instead(clang::SourceRange, const std::string& text);

  const parsed& from_;
  const token_map& tokens_;
  unit& to_;
  const function_shape* shape_ = nullptr;
  const threaded_function* written_ = nullptr;
};

/// A declaration of `name` with that type, in the syntax of Threaded-C.
std::string declare(const parsed&, clang::QualType, const std::string& name);

}  // namespace terrane::compiler
