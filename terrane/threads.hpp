// SPDX-License-Identifier: Apache-2.0
// threads.hpp: all that ordinary blocking code uses, in addition to terrane.hpp: futures and what
// is built on them, threads, the objects they wait with, and their moves.
//
// Why apart    It doubles what a compiler reads. A program that uses only fibers should not pay for
//              that in compile time (docs/futures-and-threads.md).
#pragma once

#include "terrane/terrane.hpp"
#include "terrane/thread/alt.hpp"
#include "terrane/thread/blocking.hpp"
#include "terrane/thread/cancel_scope.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/global_ptr.hpp"
#include "terrane/thread/hand_off.hpp"
#include "terrane/thread/handlers.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/thread/meeting.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/par.hpp"
#include "terrane/thread/parallel.hpp"
#include "terrane/thread/permits.hpp"
#include "terrane/thread/shared_mutex.hpp"
#include "terrane/thread/thread.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_id.hpp"
#include "terrane/thread/wait_outside.hpp"
