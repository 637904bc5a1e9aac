// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/mpi/mpi_line.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "terrane/base/code_layout.hpp"
#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"

namespace terrane {

mpi_line::mpi_line(const terrane_mpi_table& mpi, node_id number, std::vector<node_facts> facts,
                   std::unique_ptr<moving_stacks> stacks)
    : mpi_(mpi), number_(number), facts_(std::move(facts)), stacks_(std::move(stacks)) {}

result<std::unique_ptr<mpi_line>> mpi_line::join(const terrane_mpi_table& mpi,
                                                 terrane_carrier_handle communicator,
                                                 node_facts mine,
                                                 std::unique_ptr<moving_stacks> stacks) {
  mine.image = executable_start();
  mine.layout = code_layout();
  mine.stacks = stacks->base();
  const auto ranks = static_cast<std::size_t>(mpi.size(communicator));
  const node_facts::block block = mine.encode();
  std::vector<unsigned char> all(ranks * block.size());
  if (mpi.gather(communicator, block.data(), block.size(), all.data()) != 0)
    return error{fmt::format("{} could not tell the ranks who they are", mpi.messages.library)};
  std::vector<node_facts> facts;
  for (std::size_t n = 0; n < ranks; ++n) {
    auto its = node_facts::decode(std::span<const unsigned char, node_facts::block_bytes>(
        all.data() + n * node_facts::block_bytes, node_facts::block_bytes));
    if (!its) return error{fmt::format("rank {} says nothing that can be read", n)};
    facts.push_back(std::move(*its));
    if (facts[n].build != facts[0].build || facts[n].version != facts[0].version)
      return error{fmt::format(
          "rank {} on {} runs another program than rank 0 on {}: start the same file on both", n,
          facts[n].host, facts[0].host)};
  }
  return std::unique_ptr<mpi_line>(new mpi_line(mpi, static_cast<node_id>(mpi.rank(communicator)),
                                                std::move(facts), std::move(stacks)));
}

void mpi_line::report(node_id about, const std::string& how) {
  std::fprintf(stderr,
               "terrane: node %u (process %u) on %s lost touch: its connection to node %u on %s "
               "%s; the run was ended\n",
               number_, facts_[number_].process, facts_[number_].host.c_str(), about,
               facts_[about].host.c_str(), how.c_str());
  mpi_.abort(exit_node_lost);
  std::_Exit(exit_node_lost);
}

}  // namespace terrane
