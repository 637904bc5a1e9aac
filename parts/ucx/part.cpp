// SPDX-License-Identifier: Apache-2.0
// part.cpp: UCX as a carrier (terrane/transport/ucx/ucx_table.h).
#include <cstdio>

#include "parts/ucx/node.hpp"

namespace terrane::ucx {

namespace {

void say(int error, char* text, std::size_t bytes) {
  std::snprintf(text, bytes, "%s", ucs_status_string(static_cast<ucs_status_t>(error)));
}

constexpr terrane_ucx_table table = {.version = TERRANE_UCX_TABLE_VERSION,
                                     .messages = {.library = "UCX",
                                                  .null_request = {0},
                                                  .takes_any_thread = [] { return 1; },
                                                  .say = say,
                                                  .send = send,
                                                  .receive = receive,
                                                  .test = test,
                                                  .test_any = test_any,
                                                  .cancel = cancel,
                                                  .lose = lose},
                                     .open = open,
                                     .connect = connect,
                                     .close = close,
                                     .list = list,
                                     .chosen = chosen};

}  // namespace

}  // namespace terrane::ucx

extern "C" terrane_part_function terrane_ucx_part;

const void* terrane_ucx_part() { return &terrane::ucx::table; }
