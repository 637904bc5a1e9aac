// SPDX-License-Identifier: Apache-2.0
// mpi_waits.cpp: waits and tests of MPI programs, for one request and for many.
#include <algorithm>
#include <utility>

#include "terrane/talk/mpi/mpi_requests.hpp"

namespace terrane {

namespace {

bool is_pending(const mpi_request* one) { return one && one->is_active && !one->is_done; }

void note_done(mpi_request& one, const status& how) {
  one.is_done = true;
  one.result = how;
}

}  // namespace

mpi_requests::mpi_requests(mpi_call& call, int count, MPI_Request* numbers)
    : call_(call), numbers_(numbers, static_cast<std::size_t>(std::max(count, 0))) {
  call.check_count(count);
  for (const MPI_Request each : numbers_)
    all_.push_back(each == MPI_REQUEST_NULL ? nullptr : &call.one(each));
}

bool mpi_requests::has_active() const {
  return std::ranges::any_of(all_, [](const mpi_request* each) { return each && each->is_active; });
}

void mpi_requests::wait_for_all() {
  std::vector<request> these;
  std::vector<mpi_request*> whose;
  for (mpi_request* const each : all_)
    if (is_pending(each)) {
      these.push_back(std::move(each->its));
      whose.push_back(each);
    }
  if (these.empty()) return;
  const std::vector<status> results = wait_all(these);
  for (std::size_t i = 0; i < whose.size(); ++i) note_done(*whose[i], results[i]);
}

void mpi_requests::wait_for_any() {
  look();
  if (!has_active() || first_done() >= 0) return;
  std::vector<request> these;
  std::vector<mpi_request*> whose;
  for (mpi_request* const each : all_)
    if (is_pending(each)) {
      these.push_back(std::move(each->its));
      whose.push_back(each);
    }
  status how;
  const auto which = wait_any(these, &how);
  for (std::size_t i = 0; i < whose.size(); ++i) whose[i]->its = std::move(these[i]);
  note_done(*whose[which.value()], how);
}

void mpi_requests::look() {
  for (mpi_request* const each : all_)
    if (is_pending(each))
      if (const auto how = each->its.test()) note_done(*each, *how);
}

bool mpi_requests::are_done() const { return std::ranges::none_of(all_, is_pending); }

int mpi_requests::first_done() const {
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (all_[i] && all_[i]->is_active && all_[i]->is_done) return static_cast<int>(i);
  return -1;
}

void mpi_requests::tell(int which, MPI_Status* result) {
  const auto at = static_cast<std::size_t>(which);
  if (!all_[at] || !all_[at]->is_active) return mpi_tell_nothing(result);
  mpi_request& one = *all_[at];
  if (one.what == mpi_request::receives) {
    one.incoming.settle(one.result.bytes);
    mpi_tell(result, *call_.me.comms.find(one.comm), one.result);
  } else {
    mpi_tell_nothing(result);
  }
  one.is_active = false;
  one.packed.clear();
  if (one.is_persistent) return;
  one = {};
  call_.me.free_.push_back(std::exchange(numbers_[at], MPI_REQUEST_NULL));
  all_[at] = nullptr;
}

}  // namespace terrane

using namespace terrane;

namespace {

MPI_Status* of(MPI_Status* statuses, int which) { return statuses ? statuses + which : nullptr; }

/// A program that asks again and again lets the ranks beside this one run.
void let_others_run(bool found) {
  if (!found) this_thread::yield();
}

int tell_all_done(mpi_requests& these, int count, int* indices, MPI_Status* statuses) {
  int done = 0;
  for (int next = these.first_done(); next >= 0 && done < count; next = these.first_done()) {
    indices[done] = next;
    these.tell(next, of(statuses, done++));
  }
  return done;
}

}  // namespace

int terrane_mpi_wait(const char* file, int line, MPI_Request* request, MPI_Status* status) {
  return mpi_answer("MPI_Wait", file, line, [&](mpi_call& call) {
    mpi_requests its(call, 1, request);
    its.wait_for_all();
    its.tell(0, status);
  });
}

int terrane_mpi_waitall(const char* file, int line, int count, MPI_Request* requests,
                        MPI_Status* statuses) {
  return mpi_answer("MPI_Waitall", file, line, [&](mpi_call& call) {
    mpi_requests these(call, count, requests);
    these.wait_for_all();
    for (int i = 0; i < count; ++i) these.tell(i, of(statuses, i));
  });
}

int terrane_mpi_waitany(const char* file, int line, int count, MPI_Request* requests, int* index,
                        MPI_Status* status) {
  return mpi_answer("MPI_Waitany", file, line, [&](mpi_call& call) {
    mpi_requests these(call, count, requests);
    these.wait_for_any();
    *index = these.first_done();
    if (*index >= 0) return these.tell(*index, status);
    *index = MPI_UNDEFINED;
    mpi_tell_nothing(status);
  });
}

int terrane_mpi_waitsome(const char* file, int line, int count, MPI_Request* requests, int* done,
                         int* indices, MPI_Status* statuses) {
  return mpi_answer("MPI_Waitsome", file, line, [&](mpi_call& call) {
    mpi_requests these(call, count, requests);
    these.wait_for_any();
    *done = these.has_active() ? tell_all_done(these, count, indices, statuses) : MPI_UNDEFINED;
  });
}

int terrane_mpi_test(const char* file, int line, MPI_Request* request, int* flag,
                     MPI_Status* status) {
  return mpi_answer("MPI_Test", file, line, [&](mpi_call& call) {
    mpi_requests its(call, 1, request);
    its.look();
    *flag = its.are_done();
    if (*flag) its.tell(0, status);
    let_others_run(*flag);
  });
}

int terrane_mpi_testall(const char* file, int line, int count, MPI_Request* requests, int* flag,
                        MPI_Status* statuses) {
  return mpi_answer("MPI_Testall", file, line, [&](mpi_call& call) {
    mpi_requests these(call, count, requests);
    these.look();
    *flag = these.are_done();
    for (int i = 0; *flag && i < count; ++i) these.tell(i, of(statuses, i));
    let_others_run(*flag);
  });
}

int terrane_mpi_testany(const char* file, int line, int count, MPI_Request* requests, int* index,
                        int* flag, MPI_Status* status) {
  return mpi_answer("MPI_Testany", file, line, [&](mpi_call& call) {
    mpi_requests these(call, count, requests);
    these.look();
    *index = these.first_done();
    *flag = *index >= 0 || !these.has_active();
    if (*index >= 0) return these.tell(*index, status);
    *index = MPI_UNDEFINED;
    if (*flag) mpi_tell_nothing(status);
    let_others_run(*flag);
  });
}

int terrane_mpi_testsome(const char* file, int line, int count, MPI_Request* requests, int* done,
                         int* indices, MPI_Status* statuses) {
  return mpi_answer("MPI_Testsome", file, line, [&](mpi_call& call) {
    mpi_requests these(call, count, requests);
    these.look();
    *done = these.has_active() ? tell_all_done(these, count, indices, statuses) : MPI_UNDEFINED;
    let_others_run(*done != 0);
  });
}

int terrane_mpi_request_free(const char* file, int line, MPI_Request* request) {
  return mpi_answer("MPI_Request_free", file, line, [&](mpi_call& call) {
    mpi_request& one = call.one(*request);
    if (one.is_active && one.what != mpi_request::sends)
      call.refuse(MPI_ERR_REQUEST, run_time_error::request_misused,
                  "frees a receive or collective that is under way: wait for it");
    one.is_dropped = true;
    *request = MPI_REQUEST_NULL;
  });
}
