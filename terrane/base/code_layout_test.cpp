// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/code_layout.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace terrane {
namespace {

TEST(code_layout, is_a_forked_childs_too) {
  const std::uint64_t mine = code_layout();
  EXPECT_EQ(mine, code_layout());
  const pid_t child = fork();
  if (child == 0) _exit(code_layout() == mine ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(code_layout, changes_with_a_library_that_comes_in_addition) {
  const std::uint64_t before = code_layout();
  void* const library = dlopen("libutil.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) GTEST_SKIP() << dlerror();
  const std::uint64_t with = code_layout();
  dlclose(library);
  EXPECT_NE(before, with);
}

}  // namespace
}  // namespace terrane
