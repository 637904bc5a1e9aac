// SPDX-License-Identifier: Apache-2.0
// chant.hpp: threads that talk: messages by name and tag, calls of other nodes, ropes
// (docs/chant.md).
//
// Why apart    Programs whose threads share memory or channels should not pay for it in compile
//              time.
#pragma once

#include "terrane/talk/peer_lost.hpp"
#include "terrane/talk/remote_call.hpp"
#include "terrane/talk/returning_thread.hpp"
#include "terrane/talk/rope.hpp"
#include "terrane/talk/send_recv.hpp"
#include "terrane/threads.hpp"
