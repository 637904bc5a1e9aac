// SPDX-License-Identifier: Apache-2.0
// thread_mail.hpp: what the steps of a thread's life tell those who carry messages between threads
// (talk/post_office.hpp).
//
// Invariants  What concerns a thread is called for threads that have letters (thread_heap.hpp), on
//             the thread's processor.
#pragma once

#include <memory>

namespace terrane {

class thread_block;

class thread_mail {
 public:
  /// What thread_block::block is told by a thread that waits for another's message.
  static const char a_letter[];
  /// That of the calling processor.
  static std::unique_ptr<thread_mail> make();

  virtual ~thread_mail() = default;
  /// True if the thread cannot leave this node: data are being copied from or to its memory, or
  /// will be.
  virtual bool holds(const thread_block& one) = 0;
  /// The thread leaves this processor. Called in the loop, while it does not run.
  virtual void leaves(thread_block& one) = 0;
  /// It does not, after all.
  virtual void stays(thread_block& one) = 0;
  /// The thread has arrived at this processor.
  virtual void comes(thread_block& one) = 0;
  /// The thread ends. Called in the thread, which may wait meanwhile.
  virtual void ended(thread_block& running) = 0;
  /// The world tells of a lost node, in a new round (core/losses.hpp).
  virtual void look_for_lost() = 0;
  /// What a waiting thread waits for, in the words of reports. Valid until the next call.
  virtual const char* describe_wait(const thread_block& waits) = 0;
};

}  // namespace terrane
