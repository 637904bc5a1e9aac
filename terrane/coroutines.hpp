// SPDX-License-Identifier: Apache-2.0
// coroutines.hpp: task<T> and what it can await (docs/coroutines.md).
//
// Why apart    <coroutine> and the shared state of futures cost time to compile; programs without
//              coroutines should not pay for them.
#pragma once

#include "terrane/talk/awaited_channel.hpp"
#include "terrane/thread/promise.hpp"
#include "terrane/thread/task.hpp"
