// SPDX-License-Identifier: Apache-2.0
// handshake.cpp: the steps of both sides.
//
// Why it holds  Let K be the key, which members of the job alone have and use only here.
//   Fresh       Each proof covers the nonce that its receiver drew for this connection, so no proof
//               of another connection fits: a replay fails as `wrong_proof` at the latest.
//   Direction   Each message has a name of its own in its proof. So nothing that one side sends is
//               ever taken for what the other side should send: a reflection fails.
//   Who         A proof covers both numbers, and a member proves its own number only. A member is
//               trusted not to lie about it: the secret is the job's, not the node's.
//   What        A verdict's proof covers the facts of both sides, so both know that the other has
//               read the same.
#include "terrane/transport/tcp/handshake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "terrane/base/check.hpp"
#include "terrane/transport/tcp/byte_order.hpp"
#include "terrane/transport/tcp/random_bytes.hpp"

namespace terrane {

namespace {

// A head: magic 8, version 2, kind 1, zero 5, job 16, from 4, to 4, nonce 32.
constexpr std::array<unsigned char, 8> magic{'t', 'e', 'r', 'r', 'a', 'n', 'e', '\n'};
constexpr std::size_t version_at = 8, kind_at = 10, zero_at = 11, job_at = 16, from_at = 32,
                      to_at = 36, nonce_at = 40;
constexpr unsigned char hello_kind = 1, challenge_kind = 2;
static_assert(nonce_at + sizeof(hash_bytes) == handshake::head_bytes);

const char* const challenge_name = "terrane handshake 1: challenge";
const char* const proof_name = "terrane handshake 1: proof";
const char* const verdict_name = "terrane handshake 1: verdict";

std::string name_of_node(node_id number, const std::string& host) {
  const std::string name =
      number == launcher_node ? "the launcher" : fmt::format("node {}", number);
  return host.empty() ? name : fmt::format("{} on {}", name, host);
}

/// A sentence must not say that a stranger is a node.
std::string name_of_stranger(node_id number) {
  if (number == handshake::nobody) return "the other side";
  return fmt::format("the other side, {} as it says,", name_of_node(number, ""));
}

}  // namespace

identity::identity(node_id number, const job_secret& secret, node_facts about, bool secured)
    : self(number),
      job(secret.job()),
      key(secret.key_for("terrane handshake")),
      facts(std::move(about)),
      tls(secured ? std::make_unique<tls_setup>(secret) : nullptr) {}

hash_bytes handshake::fresh_nonce() {
  hash_bytes nonce;
  TERRANE_CHECK(fill_with_random(nonce));  // the secret came from there, too
  return nonce;
}

handshake handshake::call(const identity& mine, admissions& admitted, node_id peer,
                          const hash_bytes& nonce) {
  handshake made(mine, admitted, nonce);
  made.peer_ = peer;
  made.send_head(hello_kind, 0);
  made.expect(step::awaits_challenge, challenge_bytes);
  return made;
}

handshake handshake::answer(const identity& mine, admissions& admitted, const hash_bytes& nonce) {
  handshake made(mine, admitted, nonce);
  made.expect(step::awaits_hello, hello_bytes);
  return made;
}

// --- bytes ---

void handshake::sent(std::size_t bytes) {
  TERRANE_CHECK(bytes <= out_.size() - sent_);
  sent_ += bytes;
}

std::size_t handshake::take(std::span<const unsigned char> bytes) {
  std::size_t taken = 0;
  while (step_ != step::over && taken < bytes.size()) {
    const std::size_t part = std::min(awaited_ - have_, bytes.size() - taken);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(taken), part,
                in_.begin() + static_cast<std::ptrdiff_t>(have_));
    have_ += part;
    taken += part;
    // Strangers are recognised by their first bytes: they may never send a whole message.
    const bool first = step_ == step::awaits_hello || step_ == step::awaits_challenge;
    if (first &&
        !std::equal(magic.begin(), magic.begin() + std::min(have_, magic.size()), in_.begin()))
      refuse(refusal::not_terrane);
    else if (have_ == awaited_)
      switch (step_) {
        case step::awaits_hello: take_hello(); break;
        case step::awaits_challenge: take_challenge(); break;
        case step::awaits_proof: take_proof(); break;
        case step::awaits_verdict: take_verdict(); break;
        case step::over: break;
      }
  }
  return taken;
}

void handshake::expect(step next, std::size_t bytes) {
  step_ = next;
  awaited_ = bytes;
  have_ = 0;
}

void handshake::refuse(refusal why) {
  why_ = why;
  state_ = state::refused;
  step_ = step::over;
  admitted_.refused().count(why);
}

void handshake::give_up(refusal why) {
  if (state_ == state::running) refuse(why);
}

void handshake::finish() {
  state_ = state::done;
  step_ = step::over;
}

// --- heads ---

/// Sends a head, and leaves room for what follows it.
void handshake::send_head(unsigned char kind, std::size_t body_bytes) {
  const std::size_t begin = out_.size();
  out_.resize(begin + head_bytes + body_bytes);
  unsigned char* const head = out_.data() + begin;
  std::copy(magic.begin(), magic.end(), head);
  put_number(head + version_at, version);
  head[kind_at] = kind;
  std::copy(mine_.job.begin(), mine_.job.end(), head + job_at);
  put_number(head + from_at, mine_.self);
  put_number(head + to_at, peer_);
  std::copy(nonce_.begin(), nonce_.end(), head + nonce_at);
  said_.insert(said_.end(), head, head + head_bytes);
}

/// What is wrong with the head that arrived, as far as it needs no proof.
refusal handshake::check_head(unsigned char kind, node_id& from, node_id& to) const {
  const unsigned char* const head = in_.data();
  if (get_number<std::uint16_t>(head + version_at) != version) return refusal::other_version;
  from = get_number<std::uint32_t>(head + from_at);
  to = get_number<std::uint32_t>(head + to_at);
  const bool ours = std::equal(nonce_.begin(), nonce_.end(), head + nonce_at);
  const bool zeros = std::all_of(head + zero_at, head + job_at, [](auto byte) { return !byte; });
  if (!std::equal(mine_.job.begin(), mine_.job.end(), head + job_at)) return refusal::other_job;
  if (from == mine_.self || ours) return refusal::reflected;
  if (head[kind_at] != kind || !zeros) return refusal::out_of_turn;
  if (!admitted_.is_of_run(from)) return refusal::no_such_node;
  if (to != mine_.self) return refusal::not_for_this_node;
  return refusal::none;
}

// --- proofs ---

hash_bytes handshake::proof_of(const char* message, std::span<const unsigned char> body) const {
  std::vector<unsigned char> all(message, message + std::strlen(message) + 1);
  all.insert(all.end(), said_.begin(), said_.end());
  all.insert(all.end(), body.begin(), body.end());
  return keyed_hash(mine_.key, all);
}

bool handshake::proves(const char* message, std::span<const unsigned char> with_proof) const {
  const std::size_t body_bytes = with_proof.size() - sizeof(hash_bytes);
  return equal_in_constant_time(proof_of(message, with_proof.first(body_bytes)),
                                with_proof.subspan(body_bytes));
}

/// Ends a message whose body begins there in `out_`.
void handshake::append_proof(const char* message, std::size_t body_from) {
  const auto body = std::span(out_).subspan(body_from);
  const hash_bytes proof = proof_of(message, body);
  said_.insert(said_.end(), body.begin(), body.end());
  out_.insert(out_.end(), proof.begin(), proof.end());
}

/// Reads and judges the facts of one that has proved who it is.
refusal handshake::read_facts(const unsigned char* block) {
  auto facts = node_facts::decode(
      std::span<const unsigned char, node_facts::block_bytes>(block, node_facts::block_bytes));
  if (!facts) return refusal::bad_facts;
  peer_facts_ = *std::move(facts);
  if (peer_facts_.build != mine_.facts.build) return refusal::other_build;
  if (peer_facts_.version != mine_.facts.version) return refusal::other_format;
  return refusal::none;
}

// --- the steps ---

void handshake::take_hello() {
  node_id to = nobody;
  refusal wrong = check_head(hello_kind, peer_, to);
  std::copy_n(in_.begin() + nonce_at, peer_nonce_.size(), peer_nonce_.begin());
  if (wrong == refusal::none && admitted_.was_used(peer_nonce_)) wrong = refusal::replayed;
  if (wrong != refusal::none) return refuse(wrong);
  said_.insert(said_.end(), in_.begin(), in_.begin() + hello_bytes);
  send_head(challenge_kind, 0);
  append_proof(challenge_name, out_.size());
  expect(step::awaits_proof, proof_bytes);
}

void handshake::take_challenge() {
  node_id from = nobody, to = nobody;
  const refusal wrong = check_head(challenge_kind, from, to);
  if (wrong != refusal::none) return refuse(wrong);
  if (from != peer_) return refuse(refusal::not_that_node);
  said_.insert(said_.end(), in_.begin(), in_.begin() + head_bytes);
  if (!proves(challenge_name, std::span(in_).subspan(head_bytes, sizeof(hash_bytes))))
    return refuse(refusal::wrong_proof);
  proven_ = true;
  const std::size_t begin = out_.size();
  const auto block = mine_.facts.encode();
  out_.insert(out_.end(), block.begin(), block.end());
  append_proof(proof_name, begin);
  expect(step::awaits_verdict, verdict_bytes);
}

void handshake::take_proof() {
  const auto message = std::span<const unsigned char>(in_).first(proof_bytes);
  if (!proves(proof_name, message)) return refuse(refusal::wrong_proof);
  proven_ = true;
  said_.insert(said_.end(), message.begin(), message.begin() + node_facts::block_bytes);
  refusal wrong = admitted_.was_used(peer_nonce_) ? refusal::replayed : refusal::none;
  if (wrong == refusal::none) wrong = read_facts(message.data());
  if (wrong == refusal::none) wrong = admitted_.admit(peer_);
  admitted_.use(peer_nonce_);
  const std::size_t begin = out_.size();
  out_.resize(begin + 8);
  out_[begin] = static_cast<unsigned char>(wrong);
  const auto block = mine_.facts.encode();
  out_.insert(out_.end(), block.begin(), block.end());
  append_proof(verdict_name, begin);
  if (wrong != refusal::none) return refuse(wrong);
  finish();
}

void handshake::take_verdict() {
  const auto message = std::span<const unsigned char>(in_).first(verdict_bytes);
  if (!proves(verdict_name, message)) return refuse(refusal::wrong_proof);
  const bool known =
      message[0] < refusals &&
      std::all_of(message.begin() + 1, message.begin() + 8, [](auto byte) { return !byte; });
  if (!known) return refuse(refusal::out_of_turn);
  const refusal wrong = read_facts(message.data() + 8);
  if (wrong != refusal::none) return refuse(wrong);
  why_turned_away_ = static_cast<refusal>(message[0]);
  if (why_turned_away_ == refusal::crossed) return refuse(refusal::crossed);
  if (why_turned_away_ != refusal::none) return refuse(refusal::turned_away);
  const refusal here = admitted_.called(peer_);
  if (here != refusal::none) return refuse(here);
  finish();
}

std::string handshake::sentence() const {
  const std::string who = proven_ ? name_of_node(peer_, peer_facts_.host) : name_of_stranger(peer_);
  const std::string said = fmt::format("{} {}", who, words_for(why_));
  if (why_ == refusal::other_build)
    return fmt::format("{} ({} there, {} on {} here): start the same file everywhere", said,
                       peer_facts_.build, mine_.facts.build, mine_.facts.host);
  if (why_ == refusal::other_format)
    return fmt::format("{} ({} there, {} on {} here): start the same file everywhere", said,
                       peer_facts_.version, mine_.facts.version, mine_.facts.host);
  if (why_ == refusal::turned_away)
    return fmt::format("{}: for it, {} {}", said, name_of_node(mine_.self, mine_.facts.host),
                       words_for(why_turned_away_));
  return said;
}

}  // namespace terrane
