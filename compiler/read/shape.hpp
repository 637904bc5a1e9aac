// SPDX-License-Identifier: Apache-2.0
// shape.hpp: finds the initial fiber, fibers, slots and variables in a threaded function's tree.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

struct fiber_shape {
  const clang::VarDecl* slot = nullptr;
  const clang::IfStmt* head = nullptr;
  const clang::Expr* count = nullptr;  // null: unarmed
  const clang::Expr* reset = nullptr;
  const clang::Expr* priority = nullptr;
  const clang::CompoundStmt* body = nullptr;
};

struct function_shape {
  const clang::FunctionDecl* function = nullptr;
  std::vector<const clang::Stmt*> init;  // in order; also declarations between fibers
  std::vector<const clang::DeclStmt*> between_fibers;
  std::vector<fiber_shape> fibers;
  /// Parameters and variables of the outermost level: they belong to the activation, not a fiber.
  std::unordered_set<const clang::VarDecl*> shared;
  /// The shared variables that must live in the frame: a fiber other than the initial one uses
  /// them, or their address is taken. The rest are plain variables of the initial fiber.
  std::unordered_set<const clang::VarDecl*> in_frame;
  /// Parameters whose address is never taken: plain variables of the initial fiber even if other
  /// fibers use them. These find them in the frame after the initial fiber has ended.
  std::unordered_set<const clang::VarDecl*> saved;

  bool is_main() const { return function->getName() == "MAIN"; }
};

/// A FIBER's head, if the statement is one.
std::optional<fiber_shape> as_fiber(const clang::Stmt*);
/// The name of the called operation or mark, or "".
llvm::StringRef called(const clang::Expr*);
bool is_handle(clang::QualType);
bool is_local_pointer(clang::QualType);
bool is_function_value(clang::QualType);  // TFUNC
bool is_slot(clang::QualType);
bool has_size(clang::QualType);           // known at compile time, and the type has no errors
bool is_slot_place(clang::QualType);      // SPTR
bool is_argument_place(clang::QualType);  // APTR
/// The argument in `&fiber.argument`, if the function has such a fiber; else null.
const clang::FieldDecl* fiber_argument(const clang::Expr*);
/// The variable that an lvalue is or is part of; null if it is reached through a pointer.
const clang::VarDecl* variable_under(const clang::Expr*);

/// The shape of the function. Reports errors in the arrangement of its fibers and variables.
function_shape shape_of(const parsed&, const clang::FunctionDecl&);

/// True for a variable of which each node has its own copy.
bool per_node(const parsed&, const clang::VarDecl&);
/// True for a GLOBAL_VAR: one for all nodes, on node 0.
bool per_machine(const parsed&, const clang::VarDecl&);
/// The first variable of either kind in the statement: its address differs between nodes.
const clang::VarDecl* moving_variable_in(const parsed&, const clang::Stmt&);

}  // namespace terrane::compiler
