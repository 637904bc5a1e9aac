// SPDX-License-Identifier: Apache-2.0
// tree.cpp: objects that own one another, summed by tasks.
// prints: sum 32767

#include <cstdio>
#include <memory>

#include "terrane/threads.hpp"

using namespace terrane;

struct branch {
  long value;
  std::unique_ptr<branch> left, right;
};

std::unique_ptr<branch> grow(int depth) {
  if (depth == 0) return nullptr;
  auto left = spawn<grow>(depth - 1);  // a future may return what it owns
  auto right = grow(depth - 1);
  return std::make_unique<branch>(branch{1, left.join(), std::move(right)});
}

long sum(const branch* at) {
  if (!at) return 0;
  auto left = spawn([at] { return sum(at->left.get()); });
  const long right = sum(at->right.get());
  return left.join() + right + at->value;
}

int example(int, char**) {
  const auto root = grow(15);
  std::printf("sum %ld\n", sum(root.get()));
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
