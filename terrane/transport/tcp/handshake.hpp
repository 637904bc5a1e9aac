// SPDX-License-Identifier: Apache-2.0
// handshake.hpp: what two processes say before they talk: who they are, and the proof of it.
//
// Purpose     Neither side interprets anything but this before it knows that the other side knows
//             the job's secret, is the node it says it is, and means this connection.
// Protocol    Four messages, each of one fixed size; docs/security.md has them byte by byte.
//               hello      caller -> callee   job, both numbers, a fresh nonce
//               challenge  callee -> caller   the same, its own nonce; a proof
//               proof      caller -> callee   its facts; a proof
//               verdict    callee -> caller   its facts, accepted or the reason; a proof
//             A proof is HMAC-SHA-256, under a key derived from the secret, of the message's name
//             (so also of its direction), everything said before and the rest of the message. Both
//             nonces are in it, so a proof is good for one connection only; both numbers and the
//             job are in it, so it is good for one pair of nodes, in one direction.
// No I/O      Bytes go in and come out. Sockets, deadlines and how many may be under way are up to
//             the caller, who tells of an end that it saw (`give_up`).
// Threads     One at a time, `admissions` included.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/keyed_hash.hpp"
#include "terrane/core/place.hpp"
#include "terrane/transport/tcp/admissions.hpp"
#include "terrane/transport/tcp/job_secret.hpp"
#include "terrane/transport/tcp/node_facts.hpp"
#include "terrane/transport/tcp/refusal.hpp"
#include "terrane/transport/tcp/tls_session.hpp"

namespace terrane {

/// Who this process is in its run: made once, used by all its handshakes.
struct identity {
  /// secured: all connections use TLS, on both sides.
  identity(node_id self, const job_secret& secret, node_facts facts, bool secured = false);
  identity(const identity&) = delete;
  identity& operator=(const identity&) = delete;
  ~identity() { wipe(key); }

  const node_id self;
  const job_id job;
  hash_bytes key;  // of proofs
  const node_facts facts;
  const std::unique_ptr<const tls_setup> tls;  // null: without
};

class handshake {
 public:
  static constexpr std::uint16_t version = 1;
  static constexpr std::size_t head_bytes = 72;  // of a hello, and of a challenge
  static constexpr std::size_t hello_bytes = head_bytes;
  static constexpr std::size_t challenge_bytes = head_bytes + sizeof(hash_bytes);
  static constexpr std::size_t proof_bytes = node_facts::block_bytes + sizeof(hash_bytes);
  static constexpr std::size_t verdict_bytes = 8 + proof_bytes;

  enum class state { running, done, refused };

  /// This node calls `peer`. `admitted.begin_call` has said that it may.
  static handshake call(const identity& mine, admissions& admitted, node_id peer,
                        const hash_bytes& nonce = fresh_nonce());
  /// Somebody calls this node.
  static handshake answer(const identity& mine, admissions& admitted,
                          const hash_bytes& nonce = fresh_nonce());

  /// From the kernel's source of random numbers.
  static hash_bytes fresh_nonce();

  /// What is to be written now, in any number of parts: `sent` says how far that has come. There
  /// may be something after the end too: a verdict.
  std::span<const unsigned char> to_send() const { return std::span(out_).subspan(sent_); }
  void sent(std::size_t bytes);

  /// Takes bytes as they arrive, in any parts. Returns how many: what is behind them belongs to
  /// whoever speaks after the handshake. Takes nothing after the end.
  std::size_t take(std::span<const unsigned char> bytes);

  /// The connection ended (`closed`), or the caller lost patience (`late`, `too_many`).
  void give_up(refusal why);

  state now() const { return state_; }
  /// Why; `none` unless refused. turned_away: `why_turned_away` has the other side's reason.
  refusal why() const { return why_; }
  refusal why_turned_away() const { return why_turned_away_; }
  /// Who the other side is: what it has proved, or, before that, what it says; `nobody` if nothing.
  node_id peer() const { return peer_; }
  static constexpr node_id nobody = 0xfffffffe;
  /// The other side's facts; empty before it has proved who it is.
  const node_facts& peer_facts() const { return peer_facts_; }
  /// One sentence on a refusal, such as "node 3 on host b runs another executable (...)".
  std::string sentence() const;

 private:
  enum class step { awaits_hello, awaits_challenge, awaits_proof, awaits_verdict, over };
  handshake(const identity& mine, admissions& admitted, const hash_bytes& nonce)
      : mine_(mine), admitted_(admitted), nonce_(nonce) {}

  void send_head(unsigned char kind, std::size_t body_bytes);
  refusal check_head(unsigned char kind, node_id& from, node_id& to) const;
  void take_hello();
  void take_challenge();
  void take_proof();
  void take_verdict();
  hash_bytes proof_of(const char* message, std::span<const unsigned char> body) const;
  bool proves(const char* message, std::span<const unsigned char> with_proof) const;
  void append_proof(const char* message, std::size_t body_from);
  refusal read_facts(const unsigned char* block);
  void expect(step next, std::size_t bytes);
  void refuse(refusal why);
  void finish();

  const identity& mine_;
  admissions& admitted_;
  hash_bytes nonce_, peer_nonce_{};
  step step_ = step::over;
  state state_ = state::running;
  refusal why_ = refusal::none, why_turned_away_ = refusal::none;
  node_id peer_ = nobody;
  bool proven_ = false;  // that the other side knows the secret
  node_facts peer_facts_;
  std::vector<unsigned char> said_;  // all messages so far, without proofs of their own
  std::vector<unsigned char> out_;
  std::size_t sent_ = 0;
  std::array<unsigned char, verdict_bytes> in_{};
  std::size_t have_ = 0, awaited_ = 0;
};

}  // namespace terrane
