// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/refusal.hpp"

namespace terrane {

namespace {

struct wording_of {
  const char* name;
  const char* words;
};

constexpr std::array<wording_of, refusals> wordings{{
    {"none", "was accepted"},
    {"not_terrane", "is no node of terrane"},
    {"other_version", "speaks another version of the handshake: the builds differ"},
    {"out_of_turn", "sent a message of the handshake that was not the next one"},
    {"other_job", "belongs to another run"},
    {"no_such_node", "has a number that no node of this run has"},
    {"not_for_this_node", "wanted another node of this run"},
    {"not_that_node", "is another node than the one that was called"},
    {"reflected", "sent our own bytes back"},
    {"replayed", "sent a hello that was used before"},
    {"wrong_proof", "could not prove that it knows this run's secret"},
    {"bad_facts", "described itself in a way that cannot be read"},
    {"other_build", "runs another executable"},
    {"other_format", "speaks another version of the wire format"},
    {"second_claim", "says it is a node that is connected already"},
    {"crossed", "called while it was called, and that other connection is used"},
    {"turned_away", "refused us"},
    {"closed", "closed the connection amid the handshake"},
    {"late", "took too long over the handshake"},
    {"too_many", "called while too many others had not yet proved who they are"},
}};

}  // namespace

const char* name_of(refusal why) { return wordings[static_cast<std::size_t>(why)].name; }
const char* words_for(refusal why) { return wordings[static_cast<std::size_t>(why)].words; }

}  // namespace terrane
