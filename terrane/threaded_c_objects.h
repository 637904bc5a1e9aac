/* SPDX-License-Identifier: Apache-2.0
 * threaded_c_objects.h: the library objects under the names that Threaded-C gives them. SPTR is
 * a terrane_slot_ref; TERRANE_C_GLOBAL makes a terrane_global of a T *GLOBAL, and is the identity
 * where the program is plain C.
 *
 * Source  spec: language section 9.
 */
#ifndef TERRANE_THREADED_C_OBJECTS_H
#define TERRANE_THREADED_C_OBJECTS_H

#include "terrane/terrane_objects.h"

#ifndef TERRANE_C_GLOBAL
#define TERRANE_C_GLOBAL(place) (place)
#endif

typedef terrane_lock LOCK;
#define INIT_LOCK(lock, ready) terrane_lock_new(lock, ready)
#define LOCK_SYNC(lock, got) terrane_lock_take(lock, got)
#define UNLOCK(lock) terrane_lock_give(lock)
#define FREE_LOCK(lock) terrane_lock_free(lock)

typedef terrane_semaphore SEM;
#define INIT_SEM(semaphore, permits, ready) terrane_semaphore_new(semaphore, permits, ready)
#define P_SYNC(semaphore, got) terrane_semaphore_take(semaphore, got)
#define V(semaphore) terrane_semaphore_give(semaphore)
#define FREE_SEM(semaphore) terrane_semaphore_free(semaphore)

typedef terrane_istruct IS;
#define I_ALLOC(made, elements, element_bytes, ready) \
  terrane_istruct_new(made, elements, element_bytes, ready)
#define I_READ_SYNC(from, index, to, done) \
  terrane_istruct_read(from, index, TERRANE_C_GLOBAL(to), done)
#define I_WRITE(to, index, value) terrane_istruct_write(to, index, value)
#define FREE_IS(freed) terrane_istruct_free(freed)

typedef terrane_mstruct MS;
#define M_ALLOC(made, elements, element_bytes, ready) \
  terrane_mstruct_new(made, elements, element_bytes, ready)
#define M_TAKE_SYNC(from, index, to, done) \
  terrane_mstruct_take(from, index, TERRANE_C_GLOBAL(to), done)
#define M_PUT(to, index, value) terrane_mstruct_put(to, index, value)
#define FREE_MS(freed) terrane_mstruct_free(freed)

typedef terrane_channel CHAN;
#define CHAN_NEW(channel, capacity, ready) terrane_channel_new(channel, capacity, ready)
#define CH_SEND_SYNC(channel, item, bytes, sent) terrane_channel_send(channel, item, bytes, sent)
#define CH_RECV_SYNC(channel, to, most, length, done)                                           \
  terrane_channel_receive(channel, TERRANE_C_GLOBAL(to), (int)(most), TERRANE_C_GLOBAL(length), \
                          done)
#define FREE_CHAN(channel) terrane_channel_free(channel)

typedef terrane_bichannel BICHAN;
#define BICHAN_NEW(channels, capacity, ready) terrane_bichannel_new(channels, capacity, ready)
#define FREE_BICHAN(channels) terrane_bichannel_free(channels)

typedef terrane_reduction RED;
#define RED_NEW(made, operation, type, n, result, done) \
  terrane_reduction_new(made, operation, type, n, TERRANE_C_GLOBAL(result), done)
#define RED_NEW_FUNCTION(made, function, bytes, n, result, done) \
  terrane_reduction_new_function(made, function, bytes, n, TERRANE_C_GLOBAL(result), done)
#define RED_PUT(to, value) terrane_reduction_put(to, value)
#define FREE_RED(freed) terrane_reduction_free(freed)

typedef terrane_barrier BARRIER;
#define BAR_NEW(barrier, n, ready) terrane_barrier_new(barrier, n, ready)
#define BAR_SYNC(barrier, go) terrane_barrier_wait(barrier, go)
#define FREE_BARRIER(barrier) terrane_barrier_free(barrier)

#endif /* TERRANE_THREADED_C_OBJECTS_H */
