/* SPDX-License-Identifier: Apache-2.0
 * threaded_c_objects.h: the library objects under the names that Threaded-C gives them. SPTR is
 * a terrane_slot_ref; TERRANE_C_GLOBAL makes a terrane_global of a T *GLOBAL, and is the identity
 * where the program is plain C.
 *
 * Source  docs/objects.md.
 */
#ifndef TERRANE_C_THREADED_C_OBJECTS_H
#define TERRANE_C_THREADED_C_OBJECTS_H

#include "terrane/c/objects.h"

#ifndef TERRANE_C_GLOBAL
#define TERRANE_C_GLOBAL(place) (place)
#endif
#ifndef TERRANE_C_SLOT /* in Threaded-C, of the name of a slot its place */
#define TERRANE_C_SLOT(slot) (slot)
#endif
#ifndef TERRANE_C_PLACED /* notes for a message where the program is; in plain C nowhere */
#define TERRANE_C_PLACED(call) (call)
#endif

typedef terrane_lock LOCK;
#define INIT_LOCK(lock, ready) TERRANE_C_PLACED(terrane_lock_new(lock, TERRANE_C_SLOT(ready)))
#define LOCK_SYNC(lock, got) TERRANE_C_PLACED(terrane_lock_take(lock, TERRANE_C_SLOT(got)))
#define UNLOCK(lock) TERRANE_C_PLACED(terrane_lock_give(lock))
#define FREE_LOCK(lock) TERRANE_C_PLACED(terrane_lock_free(lock))

typedef terrane_semaphore SEM;
#define INIT_SEM(semaphore, permits, ready) \
  TERRANE_C_PLACED(terrane_semaphore_new(semaphore, permits, TERRANE_C_SLOT(ready)))
#define P_SYNC(semaphore, got) \
  TERRANE_C_PLACED(terrane_semaphore_take(semaphore, TERRANE_C_SLOT(got)))
#define V(semaphore) TERRANE_C_PLACED(terrane_semaphore_give(semaphore))
#define FREE_SEM(semaphore) TERRANE_C_PLACED(terrane_semaphore_free(semaphore))

typedef terrane_istruct IS;
#define I_ALLOC(made, elements, element_bytes, ready) \
  TERRANE_C_PLACED(terrane_istruct_new(made, elements, element_bytes, TERRANE_C_SLOT(ready)))
#define I_READ_SYNC(from, index, to, done) \
  TERRANE_C_PLACED(terrane_istruct_read(from, index, TERRANE_C_GLOBAL(to), TERRANE_C_SLOT(done)))
#define I_WRITE(to, index, value) TERRANE_C_PLACED(terrane_istruct_write(to, index, value))
#define FREE_IS(freed) TERRANE_C_PLACED(terrane_istruct_free(freed))

typedef terrane_mstruct MS;
#define M_ALLOC(made, elements, element_bytes, ready) \
  TERRANE_C_PLACED(terrane_mstruct_new(made, elements, element_bytes, TERRANE_C_SLOT(ready)))
#define M_TAKE_SYNC(from, index, to, done) \
  TERRANE_C_PLACED(terrane_mstruct_take(from, index, TERRANE_C_GLOBAL(to), TERRANE_C_SLOT(done)))
#define M_PUT(to, index, value) TERRANE_C_PLACED(terrane_mstruct_put(to, index, value))
#define FREE_MS(freed) TERRANE_C_PLACED(terrane_mstruct_free(freed))

typedef terrane_channel CHAN;
#define CHAN_NEW(channel, capacity, ready) \
  TERRANE_C_PLACED(terrane_channel_new(channel, capacity, TERRANE_C_SLOT(ready)))
#define CH_SEND_SYNC(channel, item, bytes, sent) \
  TERRANE_C_PLACED(terrane_channel_send(channel, item, bytes, TERRANE_C_SLOT(sent)))
#define CH_RECV_SYNC(channel, to, most, length, done)                                  \
  TERRANE_C_PLACED(terrane_channel_receive(channel, TERRANE_C_GLOBAL(to), (int)(most), \
                                           TERRANE_C_GLOBAL(length), TERRANE_C_SLOT(done)))
#define FREE_CHAN(channel) TERRANE_C_PLACED(terrane_channel_free(channel))

typedef terrane_bichannel BICHAN;
#define BICHAN_NEW(channels, capacity, ready) \
  TERRANE_C_PLACED(terrane_bichannel_new(channels, capacity, TERRANE_C_SLOT(ready)))
#define FREE_BICHAN(channels) TERRANE_C_PLACED(terrane_bichannel_free(channels))

typedef terrane_reduction RED;
#define RED_NEW(made, operation, type, n, result, done)                                      \
  TERRANE_C_PLACED(terrane_reduction_new(made, operation, type, n, TERRANE_C_GLOBAL(result), \
                                         TERRANE_C_SLOT(done)))
#define RED_NEW_FUNCTION(made, function, bytes, n, result, done)            \
  TERRANE_C_PLACED(terrane_reduction_new_function(made, function, bytes, n, \
                                                  TERRANE_C_GLOBAL(result), TERRANE_C_SLOT(done)))
#define RED_PUT(to, value) TERRANE_C_PLACED(terrane_reduction_put(to, value))
#define FREE_RED(freed) TERRANE_C_PLACED(terrane_reduction_free(freed))

typedef terrane_barrier BARRIER;
#define BAR_NEW(barrier, n, ready) \
  TERRANE_C_PLACED(terrane_barrier_new(barrier, n, TERRANE_C_SLOT(ready)))
#define BAR_SYNC(barrier, go) TERRANE_C_PLACED(terrane_barrier_wait(barrier, TERRANE_C_SLOT(go)))
#define FREE_BARRIER(barrier) TERRANE_C_PLACED(terrane_barrier_free(barrier))

#endif /* TERRANE_C_THREADED_C_OBJECTS_H */
