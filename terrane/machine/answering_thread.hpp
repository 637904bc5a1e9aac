// SPDX-License-Identifier: Apache-2.0
// answering_thread.hpp: a thread that answers who connects to a socket, one after another.
//
// Limits      Who neither asks nor reads within two seconds is cut off, and so is everybody when
//             the answering ends: a run never waits for who asks it.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace terrane {

class answering_thread {
 public:
  /// listener: listens; is closed at the end. answer: reads the question from the socket it is
  /// given and returns all that is to be sent. Throws std::system_error if there is no thread.
  answering_thread(int listener, std::function<std::string(int)> answer);
  ~answering_thread();
  answering_thread(const answering_thread&) = delete;
  answering_thread& operator=(const answering_thread&) = delete;

 private:
  void serve();
  /// False: the answering has ended.
  bool begin(int asker);
  void end();

  const int listener_;
  const std::function<std::string(int)> answer_;
  std::mutex lock_;
  int asker_ = -1;     // under lock_
  bool over_ = false;  // under lock_
  std::thread thread_;
};

}  // namespace terrane
