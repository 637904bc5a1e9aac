// SPDX-License-Identifier: Apache-2.0
// c_chant.cpp: terrane_chant.h, on the words of send_recv.hpp.
#include <algorithm>
#include <utility>
#include <vector>

#include "terrane/c/terrane_chant.h"
#include "terrane/talk/send_recv.hpp"

using namespace terrane;

namespace {

terrane_message_status in_c(const status& how) { return {how.source.name, how.tag, how.bytes}; }
call_place in_the_program() { return call_place::current(); }
terrane_request in_c(request&& one) { return {one.release()}; }
request taken(terrane_request* one) {
  void* const its = one->its;
  one->its = nullptr;
  return its ? request(*static_cast<transfer*>(its)) : request();
}
std::vector<request> taken(terrane_request* all, std::size_t count) {
  std::vector<request> these;
  for (std::size_t i = 0; i < count; ++i) these.push_back(taken(all + i));
  return these;
}

}  // namespace

terrane_thread terrane_self(void) { return this_thread::id().name; }

void terrane_send_to(terrane_thread to, int tag, const void* data, size_t bytes) {
  send_bytes({{to}, tag}, {data, bytes}, 0, send_form::usual, in_the_program());
}

void terrane_ssend_to(terrane_thread to, int tag, const void* data, size_t bytes) {
  send_bytes({{to}, tag}, {data, bytes}, 0, send_form::until_received, in_the_program());
}

terrane_message_status terrane_recv_from(terrane_thread from, int tag, void* into, size_t most) {
  return in_c(receive_bytes({{from}, tag}, {into, most, 0}, in_the_program()));
}

void* terrane_buffer_make(size_t bytes) { return message_buffer(bytes).release(); }

void terrane_buffer_free(void* buffer) {
  if (buffer) message_buffer::adopt(buffer, 1);
}

void terrane_send_buffer_to(terrane_thread to, int tag, void* buffer, size_t bytes) {
  send_buffer({{to}, tag}, message_buffer::adopt(buffer, bytes), send_form::usual,
              in_the_program());
}

void* terrane_recv_buffer_from(terrane_thread from, int tag, terrane_message_status* result) {
  message_buffer into;
  const status how = receive_bytes({{from}, tag}, receive_room::of(into), in_the_program());
  if (result) *result = in_c(how);
  return into.release();
}

terrane_request terrane_isend_to(terrane_thread to, int tag, const void* data, size_t bytes) {
  return in_c(begin_send({{to}, tag}, {data, bytes}, 0, send_form::usual, in_the_program()));
}

terrane_request terrane_irecv_from(terrane_thread from, int tag, void* into, size_t most) {
  return in_c(begin_receive({{from}, tag}, {into, most, 0}, in_the_program()));
}

terrane_message_status terrane_request_wait(terrane_request* one) {
  return in_c(taken(one).wait());
}

bool terrane_request_test(terrane_request* one, terrane_message_status* result) {
  request its = taken(one);
  const auto how = its.test();
  if (how && result) *result = in_c(*how);
  *one = in_c(std::move(its));
  return how.has_value();
}

void terrane_request_wait_all(terrane_request* all, size_t count) {
  std::vector<request> these = taken(all, count);
  wait_all(these);
}

size_t terrane_request_wait_any(terrane_request* any, size_t count,
                                terrane_message_status* result) {
  std::vector<request> these = taken(any, count);
  status how;
  const auto which = wait_any(these, &how);
  for (std::size_t i = 0; i < count; ++i) any[i] = in_c(std::move(these[i]));
  if (which && result) *result = in_c(how);
  return which.value_or(count);
}

size_t terrane_request_wait_some(terrane_request* some, size_t count, size_t* done) {
  std::vector<request> these = taken(some, count);
  const std::vector<std::size_t> which = wait_some(these);
  std::copy(which.begin(), which.end(), done);
  for (std::size_t i = 0; i < count; ++i) some[i] = in_c(std::move(these[i]));
  return which.size();
}

size_t terrane_request_test_any(terrane_request* any, size_t count,
                                terrane_message_status* result) {
  std::vector<request> these = taken(any, count);
  status how;
  const auto which = test_any(these, &how);
  for (std::size_t i = 0; i < count; ++i) any[i] = in_c(std::move(these[i]));
  if (which && result) *result = in_c(how);
  return which.value_or(count);
}

terrane_message_status terrane_sendrecv_with(terrane_thread to, int tag, const void* data,
                                             size_t bytes, terrane_thread from, int from_tag,
                                             void* into, size_t most) {
  request coming = begin_receive({{from}, from_tag}, {into, most, 0}, in_the_program());
  send_bytes({{to}, tag}, {data, bytes}, 0, send_form::usual, in_the_program());
  return in_c(coming.wait());
}

terrane_message_status terrane_probe_for(terrane_thread from, int tag) {
  return in_c(probe_for({{from}, tag}, in_the_program()));
}

bool terrane_iprobe_for(terrane_thread from, int tag, terrane_message_status* result) {
  const auto how = probe_now({{from}, tag}, in_the_program());
  if (how && result) *result = in_c(*how);
  return how.has_value();
}

terrane_found_message terrane_mprobe_for(terrane_thread from, int tag) {
  found_message found = find_message({{from}, tag}, in_the_program());
  const terrane_message_status what = in_c(found.what());
  return {found.release(), what};
}

terrane_message_status terrane_recv_found(terrane_found_message* found, void* into, size_t most) {
  auto* const its = static_cast<kept_letter*>(std::exchange(found->its, nullptr));
  found_message taken(its, {{found->what.source}, found->what.tag, found->what.bytes});
  return in_c(taken.receive({into, most, 0}, in_the_program()));
}

void terrane_cancel(terrane_thread who) { cancel({who}); }
