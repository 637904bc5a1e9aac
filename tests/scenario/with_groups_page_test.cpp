// SPDX-License-Identifier: Apache-2.0
// with_groups_page_test.cpp: the examples of docs/task-groups.md, as they stand there, and what
// each of them must come to.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terrane/thread/pipeline.hpp"
#include "terrane/thread/task_graph.hpp"
#include "terrane/thread/task_group.hpp"
#include "tests/support/thread_program.hpp"

namespace groups_page {
namespace {

using namespace terrane;

struct tree {
  long value = 0;
  std::vector<std::unique_ptr<tree>> children;
};

void visit(const tree& at, task_group& group, atomic<long>& sum) {
  sum.fetch_add(at.value, memory_order_relaxed);
  for (const auto& child : at.children) group.run([&] { visit(*child, group, sum); });
}

long sum_of(const tree& root) {
  atomic<long> sum{0};
  task_group group;
  visit(root, group, sum);
  group.wait();  // for the tasks of the tasks, too
  return sum.load(memory_order_relaxed);
}

std::string compressed(std::string line) {
  std::erase(line, ' ');
  return line;
}

std::string compressed_lines(const std::vector<std::string>& lines) {
  std::size_t next = 0;
  std::string all;
  pipeline(8, serial_in_order([&]() -> std::optional<std::string> {
             if (next == lines.size()) return std::nullopt;  // the end
             return lines[next++];
           }),
           parallel([](std::string line) { return compressed(std::move(line)); }),
           serial_in_order([&](const std::string& line) { all += line; }));
  return all;
}

long built_twice() {
  long made = 0, product = 0;
  task_graph graph;
  const auto left = graph.add([&] { made += 3; });
  const auto right =
      graph.add([&] { product = made * 2; }, {left});  // begins when `left` has ended
  const auto last = graph.add([&] { product += made; });
  graph.precede(right, last);
  graph.run();
  graph.run();  // as often as you like
  return product;
}

}  // namespace
}  // namespace groups_page

namespace terrane {
namespace {

class groups_page_test : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, groups_page_test, small_machines(), machine_name);

TEST_P(groups_page_test, says_what_is_true) {
  expect([](faults& wrong) {
    groups_page::tree root;
    for (long i = 1; i <= 10; ++i) {
      auto child = std::make_unique<groups_page::tree>();
      child->value = i;
      child->children.push_back(std::make_unique<groups_page::tree>());
      child->children[0]->value = 100 * i;
      root.children.push_back(std::move(child));
    }
    wrong.unless(groups_page::sum_of(root) == 55 + 5500);
    wrong.unless(groups_page::compressed_lines({"a b", " c", "d e f"}) == "abcdef");
    wrong.unless(groups_page::built_twice() == 12 + 6);
  });
}

}  // namespace
}  // namespace terrane
