// SPDX-License-Identifier: Apache-2.0
// handshake_refusals_test.cpp: what is no node of the run, or was changed on the way, is refused,
// each for its own reason, which is counted.
#include <gtest/gtest.h>

#include <algorithm>

#include "terrane/transport/tcp/byte_order.hpp"
#include "terrane/transport/tcp/two_sides_test.hpp"

namespace terrane {
namespace {

// --- one message is changed on the way ---

constexpr int hello = 0, challenge = 1, proof = 2, verdict = 3;

struct changed_message {
  const char* name;
  int message;
  std::function<void(wire_bytes&)> change;
  refusal why;
};

std::function<void(wire_bytes&)> flips(std::size_t at, unsigned char bits = 1) {
  return [=](wire_bytes& bytes) { bytes.at(at) ^= bits; };
}
std::function<void(wire_bytes&)> sets_number(std::size_t at, std::uint32_t number) {
  return [=](wire_bytes& bytes) { put_number(&bytes.at(at), number); };
}
std::function<void(wire_bytes&)> becomes(const std::string& text) {
  return [=](wire_bytes& bytes) { bytes.assign(text.begin(), text.end()); };
}

// Where a head has what; see docs/security.md.
constexpr std::size_t version_at = 8, kind_at = 10, job_at = 16, from_at = 32, to_at = 36,
                      nonce_at = 40, end_of_head = 72;

const std::vector<changed_message> changed_messages{
    {"a_web_browser_calls", hello, becomes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
     refusal::not_terrane},
    {"a_tls_client_calls", hello, becomes(std::string("\x16\x03\x01\x02\x00\x01\x00", 7)),
     refusal::not_terrane},
    {"an_ssh_client_calls", hello, becomes("SSH-2.0-OpenSSH_9.2\r\n"), refusal::not_terrane},
    {"zeros_come", hello, becomes(std::string(72, '\0')), refusal::not_terrane},
    {"one_wrong_byte_comes", hello, becomes("x"), refusal::not_terrane},
    {"the_first_byte_is_flipped", hello, flips(0), refusal::not_terrane},
    {"the_last_byte_of_the_mark_is_flipped", hello, flips(7), refusal::not_terrane},
    {"a_web_server_answers", challenge, becomes("HTTP/1.1 400 Bad Request\r\n"),
     refusal::not_terrane},
    {"a_newer_version_calls", hello, flips(version_at, 3), refusal::other_version},
    {"an_older_version_answers", challenge, flips(version_at, 1), refusal::other_version},
    {"the_versions_high_byte_is_set", hello, flips(version_at + 1, 0x80), refusal::other_version},
    {"a_hello_has_the_kind_of_a_challenge", hello, flips(kind_at, 3), refusal::out_of_turn},
    {"a_hello_has_no_kind", hello, flips(kind_at, 1), refusal::out_of_turn},
    {"a_hello_has_bits_that_mean_nothing", hello, flips(kind_at + 1), refusal::out_of_turn},
    {"a_hello_has_other_bits_that_mean_nothing", hello, flips(job_at - 1, 0x80),
     refusal::out_of_turn},
    {"a_challenge_has_the_kind_of_a_hello", challenge, flips(kind_at, 3), refusal::out_of_turn},
    {"another_job_calls", hello, flips(job_at), refusal::other_job},
    {"another_job_answers", challenge, flips(job_at + 15, 0x40), refusal::other_job},
    {"the_first_number_behind_the_last_node_calls", hello, sets_number(from_at, 4),
     refusal::no_such_node},
    {"a_number_far_behind_the_last_node_calls", hello, sets_number(from_at, 0x7fffffff),
     refusal::no_such_node},
    {"the_number_of_nobody_calls", hello, sets_number(from_at, handshake::nobody),
     refusal::no_such_node},
    {"a_node_is_called_that_is_another", hello, sets_number(to_at, 3), refusal::not_for_this_node},
    {"a_node_is_called_that_does_not_exist", hello, sets_number(to_at, 77),
     refusal::not_for_this_node},
    {"the_answer_is_for_another_node", challenge, sets_number(to_at, 0),
     refusal::not_for_this_node},
    {"another_node_answers", challenge, sets_number(from_at, 3), refusal::not_that_node},
    {"the_launcher_answers_for_a_node", challenge, sets_number(from_at, launcher_node),
     refusal::not_that_node},
    {"a_caller_has_the_callees_number", hello, sets_number(from_at, 2), refusal::reflected},
    {"an_answer_has_the_callers_number", challenge, sets_number(from_at, 1), refusal::reflected},
    {"a_caller_takes_another_nodes_number", hello, sets_number(from_at, 0),
     refusal::not_for_this_node},  // noticed by the caller, whose number the answer lacks
    {"the_callers_nonce_is_flipped", hello, flips(nonce_at), refusal::wrong_proof},
    {"the_callees_nonce_is_flipped", challenge, flips(nonce_at + 31), refusal::wrong_proof},
    {"the_first_byte_of_the_callees_proof_is_flipped", challenge, flips(end_of_head),
     refusal::wrong_proof},
    {"the_last_bit_of_the_callees_proof_is_flipped", challenge,
     flips(handshake::challenge_bytes - 1, 0x80), refusal::wrong_proof},
    {"the_callees_proof_is_zero", challenge,
     [](wire_bytes& bytes) { std::fill(bytes.begin() + end_of_head, bytes.end(), 0); },
     refusal::wrong_proof},
    {"the_callers_facts_are_flipped", proof, flips(3), refusal::wrong_proof},
    {"unused_room_of_the_callers_facts_is_flipped", proof, flips(node_facts::block_bytes - 1),
     refusal::wrong_proof},
    {"the_first_byte_of_the_callers_proof_is_flipped", proof, flips(node_facts::block_bytes),
     refusal::wrong_proof},
    {"the_last_bit_of_the_callers_proof_is_flipped", proof, flips(handshake::proof_bytes - 1, 0x80),
     refusal::wrong_proof},
    {"the_callers_proof_is_zero", proof,
     [](wire_bytes& bytes) { std::fill(bytes.begin(), bytes.end(), 0); }, refusal::wrong_proof},
    {"a_verdict_is_turned_into_a_refusal", verdict, flips(0, 13), refusal::wrong_proof},
    {"bits_of_the_verdict_that_mean_nothing_are_flipped", verdict, flips(7), refusal::wrong_proof},
    {"the_callees_facts_are_flipped", verdict, flips(8 + 70), refusal::wrong_proof},
    {"the_proof_of_the_verdict_is_flipped", verdict, flips(handshake::verdict_bytes - 1),
     refusal::wrong_proof},
};

void PrintTo(const changed_message& of, std::ostream* to) { *to << of.name; }

class changed_on_the_way : public testing::TestWithParam<changed_message> {};

TEST_P(changed_on_the_way, is_refused_for_its_reason_and_counted) {
  if (!openssl_problem().empty()) GTEST_SKIP() << openssl_problem();
  const changed_message& is = GetParam();
  two_sides both;
  handshake caller = both.one.calls(2), callee = both.two.answers();
  talk(caller, callee, [&](int message, wire_bytes& bytes) {
    if (message == is.message) is.change(bytes);
  });
  const auto counted = [&](refusal why) {
    return both.one.admitted.refused().of(why) + both.two.admitted.refused().of(why);
  };
  EXPECT_EQ(counted(is.why), 1u);
  EXPECT_EQ(both.one.admitted.refused().faults() + both.two.admitted.refused().faults(), 1u);
  // Whoever has the last word cannot know that it does not arrive.
  EXPECT_NE(caller.now(), handshake::state::done);
  EXPECT_EQ(callee.now() == handshake::state::done, is.message == verdict);
  const bool noticed_by_caller = both.one.admitted.refused().faults() == 1;
  const handshake& noticed = noticed_by_caller ? caller : callee;
  EXPECT_EQ(noticed.why(), is.why);
  EXPECT_NE(noticed.sentence().find(words_for(is.why)), std::string::npos) << noticed.sentence();
  EXPECT_TRUE(noticed.to_send().empty()) << "a stranger was answered";
}

INSTANTIATE_TEST_SUITE_P(messages, changed_on_the_way, testing::ValuesIn(changed_messages),
                         [](const auto& row) { return std::string(row.param.name); });

// --- whole attacks ---

class attacks : public testing::Test {
 protected:
  void SetUp() override {
    if (!openssl_problem().empty()) GTEST_SKIP() << openssl_problem();
  }
};

TEST_F(attacks, every_single_flipped_bit_of_every_message_is_noticed) {
  const std::size_t sizes[] = {handshake::hello_bytes, handshake::challenge_bytes,
                               handshake::proof_bytes, handshake::verdict_bytes};
  two_sides both;
  for (int which = 0; which < 4; ++which)
    for (std::size_t bit = 0; bit < 8 * sizes[which]; ++bit) {
      side one(1, both.secret, facts_on("a")), two(2, both.secret, facts_on("b"));
      handshake caller = one.calls(2), callee = two.answers();
      talk(caller, callee, [&](int message, wire_bytes& bytes) {
        ASSERT_EQ(bytes.size(), sizes[message]);
        if (message == which) bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
      });
      ASSERT_NE(caller.now(), handshake::state::done) << which << " " << bit;
      ASSERT_EQ(one.admitted.refused().faults() + two.admitted.refused().faults(), 1u)
          << which << " " << bit;
    }
}

TEST_F(attacks, one_that_does_not_know_the_secret_gets_nowhere) {
  two_sides both;
  // It knows everything that travels: the job's name, the numbers, the facts.
  identity stranger(1, job_secret::mint().value(), facts_on("a"));
  const_cast<job_id&>(stranger.job) = both.secret.job();
  admissions its(1, 4);
  its.begin_call(2);
  handshake caller = handshake::call(stranger, its, 2), callee = both.two.answers();
  wire_bytes bytes = all_of(caller);
  callee.take(bytes);
  bytes = all_of(callee);
  caller.take(bytes);
  EXPECT_EQ(caller.why(), refusal::wrong_proof) << "the callee proves itself, too";
  callee.take(wire_bytes(handshake::proof_bytes, 0x5a));
  EXPECT_EQ(callee.why(), refusal::wrong_proof);
  EXPECT_TRUE(callee.to_send().empty());
  EXPECT_FALSE(both.two.admitted.is_connected(1));
  EXPECT_EQ(callee.sentence(),
            "the other side, node 1 as it says, could not prove that it knows this run's secret");
}

TEST_F(attacks, a_recorded_conversation_cannot_be_played_again) {
  two_sides both;
  handshake caller = both.one.calls(2), callee = both.two.answers();
  std::vector<wire_bytes> recorded;
  talk(caller, callee, [&](int, wire_bytes& bytes) { recorded.push_back(bytes); });
  ASSERT_EQ(callee.now(), handshake::state::done);

  handshake again = both.two.answers();  // its first message was used before
  again.take(recorded[hello]);
  EXPECT_EQ(again.why(), refusal::replayed);
  EXPECT_TRUE(again.to_send().empty());

  side anew(2, both.secret, facts_on("b"));  // a callee without memory: the nonce is another
  handshake forgets = anew.answers();
  forgets.take(recorded[hello]);
  all_of(forgets);
  forgets.take(recorded[proof]);
  EXPECT_EQ(forgets.why(), refusal::wrong_proof);

  side calls_again(1, both.secret, facts_on("a"));  // and to a caller, a recorded answer
  handshake deceived = calls_again.calls(2);
  deceived.take(recorded[challenge]);
  EXPECT_EQ(deceived.why(), refusal::wrong_proof);
}

TEST_F(attacks, a_recorded_verdict_does_not_end_another_conversation) {
  two_sides both;
  handshake caller = both.one.calls(2), callee = both.two.answers();
  wire_bytes recorded;
  talk(caller, callee, [&](int message, wire_bytes& bytes) {
    if (message == verdict) recorded = bytes;
  });
  side one(1, both.secret, facts_on("a")), two(2, both.secret, facts_on("b"));
  handshake calls = one.calls(2), answers = two.answers();
  talk(calls, answers, [&](int message, wire_bytes& bytes) {
    if (message == verdict) bytes = recorded;
  });
  EXPECT_EQ(calls.why(), refusal::wrong_proof);
}

TEST_F(attacks, two_conversations_at_once_do_not_help_each_other) {
  two_sides both;  // the proofs of two calls of the same pair are exchanged
  side one(1, both.secret, facts_on("a")), two(2, both.secret, facts_on("b"));
  handshake first = both.one.calls(2), at_first = both.two.answers();
  handshake second = one.calls(2), at_second = two.answers();
  at_first.take(all_of(first));
  at_second.take(all_of(second));
  first.take(all_of(at_first));
  second.take(all_of(at_second));
  at_first.take(all_of(second));
  at_second.take(all_of(first));
  EXPECT_EQ(at_first.why(), refusal::wrong_proof);
  EXPECT_EQ(at_second.why(), refusal::wrong_proof);
}

TEST_F(attacks, a_callers_own_bytes_prove_nothing_to_it) {
  two_sides both;
  handshake caller = both.one.calls(2);
  const wire_bytes own = all_of(caller);
  caller.take(own);
  caller.take(wire_bytes(handshake::challenge_bytes - own.size()));
  EXPECT_EQ(caller.why(), refusal::reflected);

  handshake at_itself = both.one.answers();  // its call, sent back to its own listener
  at_itself.take(own);
  EXPECT_EQ(at_itself.why(), refusal::reflected);
}

TEST_F(attacks, a_callees_challenge_is_no_answer_for_its_own_call) {
  // Both are calling. Whoever is between them turns what 2 says as a callee into what a callee
  // should say to 2.
  two_sides both;
  handshake of_two = both.two.calls(1), at_two = both.two.answers(), of_one = both.one.calls(2);
  at_two.take(all_of(of_one));
  of_two.take(all_of(at_two));
  EXPECT_EQ(of_two.why(), refusal::reflected);
}

TEST_F(attacks, one_node_comes_once) {
  two_sides both;
  handshake caller = both.one.calls(2), callee = both.two.answers();
  talk(caller, callee);
  side twin(1, both.secret, facts_on("c"));
  handshake calls = twin.calls(2), answers = both.two.answers();
  talk(calls, answers);
  EXPECT_EQ(answers.why(), refusal::second_claim);
  EXPECT_EQ(answers.sentence(), "node 1 on c says it is a node that is connected already");
  EXPECT_EQ(calls.why(), refusal::turned_away);
  EXPECT_EQ(calls.why_turned_away(), refusal::second_claim);
  EXPECT_EQ(calls.sentence(),
            "node 2 on b refused us: for it, node 1 on c says it is a node that is connected "
            "already");
}

TEST_F(attacks, a_node_that_crosses_twice_is_refused_as_a_second_one) {
  two_sides both;
  handshake of_one = both.one.calls(2);
  for (const refusal why : {refusal::crossed, refusal::second_claim}) {
    side two(2, both.secret, facts_on("b"));
    handshake of_two = two.calls(1), at_one = both.one.answers();
    talk(of_two, at_one);
    EXPECT_EQ(at_one.why(), why);
  }
}

TEST_F(attacks, another_executable_is_refused_by_both_with_both_ids_and_hosts) {
  two_sides both;
  node_facts other = facts_on("c");
  other.build = "ffff";
  side three(3, both.secret, other);
  handshake caller = three.calls(2), callee = both.two.answers();
  talk(caller, callee);
  EXPECT_EQ(callee.why(), refusal::other_build);
  EXPECT_EQ(caller.why(), refusal::other_build);
  EXPECT_EQ(callee.sentence(),
            "node 3 on c runs another executable (ffff there, "
            "0123456789abcdef0123456789abcdef01234567 on b here): start the same file everywhere");
  EXPECT_NE(caller.sentence().find("node 2 on b runs another executable"), std::string::npos);
  EXPECT_FALSE(both.two.admitted.is_connected(3));
}

TEST_F(attacks, another_wire_format_is_refused) {
  two_sides both;
  node_facts other = facts_on("c");
  other.version = 8;
  side three(3, both.secret, other);
  handshake caller = three.calls(2), callee = both.two.answers();
  talk(caller, callee);
  EXPECT_EQ(callee.why(), refusal::other_format);
  EXPECT_NE(callee.sentence().find("8 there, 7 on b here"), std::string::npos);
}

TEST_F(attacks, whoever_ends_or_waits_is_counted) {
  for (const refusal why : {refusal::closed, refusal::late, refusal::too_many}) {
    two_sides both;
    handshake callee = both.two.answers();
    callee.give_up(why);
    EXPECT_EQ(callee.why(), why);
    callee.give_up(refusal::closed);
    EXPECT_EQ(callee.why(), why) << "the first reason stands";
    EXPECT_EQ(both.two.admitted.refused().of(why), 1u);
    EXPECT_EQ(callee.take(wire_bytes(10)), 0u);
  }
}

TEST_F(attacks, a_line_that_is_no_secret_is_refused) {
  const job_secret secret = job_secret::mint().value();
  const auto refused = [](job_secret::line& text) {
    const auto read = job_secret::of_line(text);
    return !read && read.problem().find("is no secret of a job") != std::string::npos;
  };
  for (const std::size_t at : {0u, 31u, 63u})
    for (const char wrong : {'g', 'A', ' ', '\n', '\0', 'x', '-'}) {
      job_secret::line text;
      secret.write(text);
      text.text()[at] = static_cast<unsigned char>(wrong);
      EXPECT_TRUE(refused(text)) << at << " " << wrong;
    }
  job_secret::line no_end, zero;
  secret.write(no_end);
  no_end.text()[64] = '0';
  EXPECT_TRUE(refused(no_end));
  std::fill_n(zero.text().begin(), 64, '0');
  zero.text()[64] = '\n';
  EXPECT_TRUE(refused(zero));
}

// --- facts ---

TEST(node_facts, what_is_encoded_is_decoded) {
  EXPECT_EQ(node_facts::decode(facts_on("a").encode()), facts_on("a"));
  EXPECT_EQ(node_facts::decode(node_facts{}.encode()), node_facts{});
  node_facts full = facts_on(std::string(255, 'h'));
  full.build = std::string(64, 'b');
  full.address = std::string(63, 'a');
  EXPECT_EQ(node_facts::decode(full.encode()), full);
}

TEST(node_facts, long_or_strange_texts_are_cut_and_marked_when_written) {
  node_facts facts = facts_on(std::string(300, 'h'));
  facts.address = "a\nb\x1b[2J";
  const auto read = node_facts::decode(facts.encode());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->host, std::string(255, 'h'));
  EXPECT_EQ(read->address, "a?b?[2J");
}

TEST(node_facts, lengths_beyond_their_room_control_letters_and_unused_bits_are_refused) {
  constexpr std::size_t build_size = 0, host_size = 65, address_size = host_size + 256;
  const auto refused = [](std::size_t at, unsigned char byte) {
    auto block = facts_on("a").encode();
    block[at] = byte;
    return !node_facts::decode(block);
  };
  EXPECT_TRUE(refused(build_size, 65));
  EXPECT_TRUE(refused(build_size, 255));
  EXPECT_TRUE(refused(address_size, 64));
  EXPECT_TRUE(refused(address_size, 255));
  EXPECT_TRUE(refused(host_size, 255)) << "the room behind the text is zero, which does not print";
  EXPECT_TRUE(refused(host_size, 0)) << "unused room must be zero";
  EXPECT_TRUE(refused(build_size + 1, '\n'));
  EXPECT_TRUE(refused(build_size + 1, 0x1b));
  EXPECT_TRUE(refused(build_size + 1, 0x80));
  EXPECT_TRUE(refused(build_size + 64, 'x')) << "unused room must be zero";
  EXPECT_TRUE(refused(node_facts::block_bytes - 1, 1));
}

}  // namespace
}  // namespace terrane
