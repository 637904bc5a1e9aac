// SPDX-License-Identifier: Apache-2.0
// runtime.hpp: a machine as an object of a program whose main function is its own.
//
//   int main() {
//     terrane::runtime here;                                 // all processors of this computer
//     std::future<long> answer = here.submit(fib, 30);       // by any thread of the program
//     std::printf("%ld\n", answer.get());
//   }                                                        // waits for what was submitted
//
// Purpose     Programs that have threads of their own, or an event loop, and want to compute with
//             Terrane now and then. What is submitted runs in a thread of the machine, and may
//             spawn, block and do what threads do.
// Invariants  One machine exists at a time in a process, one after the other. It is one node of
//             this process (world local). The destructor waits until all that was submitted has
//             ended.
// Cost        submit: a lock, and the way to a sleeping processor, some microseconds.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace terrane {

class runtime {
 public:
  /// processors: 0 means all that this process may use. Throws std::logic_error if a runtime exists
  /// already, std::runtime_error if the machine cannot be made.
  explicit runtime(int processors = 0);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// Runs call(values...) in a thread of the machine. May be called by any thread of the process;
  /// one of the machine should not wait for the std::future, since its processor would wait too.
  template <class F, class... A>
  auto submit(F&& call, A&&... values)
      -> std::future<std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>> {
    using result = std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>;
    std::packaged_task<result()> whole(
        [call = std::decay_t<F>(std::forward<F>(call)),
         kept = std::tuple<std::decay_t<A>...>(std::forward<A>(values)...)]() mutable -> result {
          return std::apply(std::move(call), std::move(kept));
        });
    auto later = whole.get_future();
    add(std::make_unique<job_of<std::packaged_task<result()>>>(std::move(whole)));
    return later;
  }
  /// The same without a result, for event loops. An exception that leaves the call ends the run
  ///
  template <class F>
  void post(F&& call) {
    add(std::make_unique<job_of<std::decay_t<F>>>(std::forward<F>(call)));
  }
  int processors() const;

  /// A call that was submitted.
  class job {
   public:
    virtual ~job() = default;
    virtual void run() = 0;
  };

 private:
  template <class Call>
  class job_of final : public job {
   public:
    template <class F>
    explicit job_of(F&& call) : call_(std::forward<F>(call)) {}
    void run() override { call_(); }

   private:
    Call call_;
  };
  class inside;
  void add(std::unique_ptr<job> one);
  std::unique_ptr<inside> inside_;
};

}  // namespace terrane
