// SPDX-License-Identifier: Apache-2.0
// lent_desk.hpp: what a processor knows of data that threads lend (lent.hpp): its own loans, and
// the copies of its node.
//
// Invariants  The loan lies at the owner's processor, its home, and knows every node that has asked
//             for it. Each node has one copy, made by the node's station; the node's other
//             processors get it from there, once, and share it under its lock.
// Versions    Each renewal gives the loan a higher number. A block comes with the number that the
//             loan had when the home copied it. A copy forgets all blocks when it hears of a
//             higher number, by a block or by a notice, and takes no block of a lower one.
// Argument    renew() returns when every node that had asked has answered its notice. A node that
//             asks later is served from what was written. A block that was under way when the
//             notice was answered has a lower number than the copy, and is asked for again. So
//             nothing that is read after renew() has returned was there before. models/lent.pml
//             checks this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "terrane/core/object.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

inline constexpr std::size_t lent_block_bytes = 1024;

/// What one node has of a loan.
struct lent_copy {
  struct block {
    std::unique_ptr<char[]> bytes;  // null: not here
    bool is_asked = false;
    std::vector<terrane_slot_ref> waits;  // threads of this node
  };
  node_lock inside;  // guards all that follows
  std::uint64_t version = 0;
  const char* in_place = nullptr;  // the owner's memory, if this process has it
  bool is_over = false;            // no longer lent
  std::vector<block> blocks;

  /// Forgets what is older than that version.
  void learn(std::uint64_t heard);
  /// Wakes who waits for that block.
  static void wake(block& one);
  void wake_all();
};

/// A loan, at home.
class lent_data final : public object {
 public:
  static constexpr char called[] = "lent data";
  lent_data(const void* data, std::size_t size, thread_block& of);
  static lent_data* find(terrane_slot_ref loan) {
    return static_cast<lent_data*>(find_object(kind_of<lent_data>::known(), loan));
  }
  void operate(const operation_request&) override {}  // asked by way of lent_desk

  const char* const at;
  const std::size_t bytes;
  std::uint64_t version = 1;
  std::vector<node_id> readers;  // nodes that have asked, each once
  lent_data* next;               // of the same thread
};

class lent_desk {
 public:
  static lent_desk& here();

  terrane_slot_ref lend(const void* data, std::size_t bytes, thread_block& owner);
  void read(terrane_slot_ref loan, std::size_t from, char* into, std::size_t bytes);
  void renew(terrane_slot_ref loan);
  static void end_all(thread_block& owner);

  // --- what arrives ---
  struct block_request {
    terrane_slot_ref loan;
    std::uint64_t block;
    processor_id from;
  };
  struct block_answer {
    terrane_slot_ref loan;
    std::uint64_t block, version;
    const char* in_place;
    bool is_over;
  };
  struct notice {
    terrane_slot_ref loan;
    std::uint64_t version;
    terrane_slot_ref told;
    bool is_over;
  };
  struct copy_request {
    terrane_slot_ref loan, told;
    std::shared_ptr<lent_copy>* into;  // in this process
  };
  void serve(const block_request& asked);
  void take(const block_answer& head, bytes_view block);
  void heed(const notice& heard);
  void share(const copy_request& asked);

 private:
  std::shared_ptr<lent_copy> copy_of(terrane_slot_ref loan, thread_block& me);
  std::shared_ptr<lent_copy>& keep(terrane_slot_ref loan);
  /// Drops the copies of what is no longer lent.
  void drop_ended();
  static void tell_readers(const lent_data& loan, bool is_over, thread_block& me);

  std::unordered_map<terrane_slot_ref, std::shared_ptr<lent_copy>> copies_;
};

}  // namespace terrane
