// SPDX-License-Identifier: Apache-2.0
// ancestry.hpp: a walk over statements and expressions that knows the parents of each.
#pragma once

#include <vector>

#include "clang/AST/RecursiveASTVisitor.h"

namespace terrane::compiler {

/// Visitor: the derived class, as with Clang's own visitors.
template <class Visitor>
class ancestry : public clang::RecursiveASTVisitor<Visitor> {
 public:
  bool dataTraverseStmtPre(clang::Stmt* statement) {
    path_.push_back(statement);
    return true;
  }
  bool dataTraverseStmtPost(clang::Stmt*) {
    path_.pop_back();
    return true;
  }

 protected:
  /// The parent of the visited statement; null at the top.
  const clang::Stmt* parent() const { return path_.size() > 1 ? path_[path_.size() - 2] : nullptr; }

  std::vector<const clang::Stmt*> path_;  // from the top to the visited one
};

}  // namespace terrane::compiler
