// SPDX-License-Identifier: Apache-2.0
// shape.hpp: what a threaded function's tree says: its initial fiber, fibers, slots, variables.
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
  /// Variables of the outermost level and parameters: of the activation, not of a fiber.
  std::unordered_set<const clang::VarDecl*> shared;
  /// Those of them that must live in the frame: used by other fibers than the initial one, or
  /// their address is taken. The rest are plain variables of the initial fiber.
  std::unordered_set<const clang::VarDecl*> in_frame;
  /// Parameters whose address is taken by none: plain variables of the initial fiber even if other
  /// fibers use them, who find them in the frame once it has ended.
  std::unordered_set<const clang::VarDecl*> saved;

  bool is_main() const { return function->getName() == "MAIN"; }
};

/// A FIBER's head, if the statement is one.
std::optional<fiber_shape> as_fiber(const clang::Stmt*);
/// The name of the operation or mark that is called, or "".
llvm::StringRef called(const clang::Expr*);
bool is_handle(clang::QualType);
bool is_local_pointer(clang::QualType);
bool is_function_value(clang::QualType);  // TFUNC
bool is_slot(clang::QualType);
bool has_size(clang::QualType);           // known now: neither open nor in error
bool is_slot_place(clang::QualType);      // SPTR
bool is_argument_place(clang::QualType);  // APTR
/// Of `&fiber.argument`, in a function that has such a fiber: the argument; else null.
const clang::FieldDecl* fiber_argument(const clang::Expr*);
/// The variable that an lvalue is, or is a part of; null behind a pointer.
const clang::VarDecl* variable_under(const clang::Expr*);

/// Reports what is wrong with the arrangement.
function_shape shape_of(const parsed&, const clang::FunctionDecl&);

/// A variable of which each node has its own copy.
bool per_node(const parsed&, const clang::VarDecl&);
/// A GLOBAL_VAR: one for all nodes, on node 0.
bool per_machine(const parsed&, const clang::VarDecl&);
/// The first variable of either kind in it: its address is not the same on every node.
const clang::VarDecl* moving_variable_in(const parsed&, const clang::Stmt&);

}  // namespace terrane::compiler
