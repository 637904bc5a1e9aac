/* SPDX-License-Identifier: Apache-2.0
 * terrane_chant.h: messages between any two threads of the machine, in C.
 *
 * The words of talk/send_recv.hpp, with bytes in place of types; docs/chant.md teaches them. Tags
 * go from 0 to 2^31 - 1. Calls that may wait are for threads (R-281 in a fiber).
 * Errors     .
 */
#ifndef TERRANE_C_CHANT_H
#define TERRANE_C_CHANT_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of a thread; 0: nobody, with whom every message is over at once. */
typedef uint64_t terrane_thread;
#define TERRANE_ANY_SOURCE (~UINT64_C(0))
#define TERRANE_ANY_TAG (-1)

typedef struct terrane_message_status {
  terrane_thread source;
  int tag;
  size_t bytes;
} terrane_message_status;

/* A send or receive that is under way; zero: none. It belongs to the thread that began it. */
typedef struct terrane_request {
  void* its;
} terrane_request;

terrane_thread terrane_self(void);

/* Returns when the bytes may be overwritten; ssend: when they have been received. */
void terrane_send_to(terrane_thread to, int tag, const void* data, size_t bytes);
void terrane_ssend_to(terrane_thread to, int tag, const void* data, size_t bytes);
terrane_message_status terrane_recv_from(terrane_thread from, int tag, void* into, size_t most);
/* Memory that is sent by being given away (talk/message_buffer.hpp): make it, or receive it; then
 * send or free it. recv_buffer: of whatever size; null of a message of no bytes. */
void* terrane_buffer_make(size_t bytes);
void terrane_buffer_free(void* buffer);
void terrane_send_buffer_to(terrane_thread to, int tag, void* buffer, size_t bytes);
void* terrane_recv_buffer_from(terrane_thread from, int tag, terrane_message_status* result);
/* The memory stays as it is until the request is waited for. */
terrane_request terrane_isend_to(terrane_thread to, int tag, const void* data, size_t bytes);
terrane_request terrane_irecv_from(terrane_thread from, int tag, void* into, size_t most);
terrane_message_status terrane_request_wait(terrane_request* one);
/* Never blocks; true: it is done, and `result`, if it is not null, says how. */
bool terrane_request_test(terrane_request* one, terrane_message_status* result);
void terrane_request_wait_all(terrane_request* all, size_t count);
/* The number of one that was done; `count`: none was under way. */
size_t terrane_request_wait_any(terrane_request* any, size_t count, terrane_message_status* result);
/* The numbers of all that are done go to `done`, which has room for `count`: at least one; 0: none
 * was under way. */
size_t terrane_request_wait_some(terrane_request* some, size_t count, size_t* done);
/* Never blocks: the number of one that is done; `count`: none is. */
size_t terrane_request_test_any(terrane_request* any, size_t count, terrane_message_status* result);
/* Sends and receives; neither waits for the other. */
terrane_message_status terrane_sendrecv_with(terrane_thread to, int tag, const void* data,
                                             size_t bytes, terrane_thread from, int from_tag,
                                             void* into, size_t most);
/* Which message would be received; it stays. iprobe: false if none has come. */
terrane_message_status terrane_probe_for(terrane_thread from, int tag);
bool terrane_iprobe_for(terrane_thread from, int tag, terrane_message_status* result);
/* A message that was found and is this thread's alone: no other receive takes it. It is received by
 * terrane_recv_found; until then the thread stays on its node. */
typedef struct terrane_found_message {
  void* its;
  terrane_message_status what;
} terrane_found_message;
terrane_found_message terrane_mprobe_for(terrane_thread from, int tag);
terrane_message_status terrane_recv_found(terrane_found_message* found, void* into, size_t most);
/* The thread ends at its next receive, probe or checkpoint that would wait. */
void terrane_cancel(terrane_thread who);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_CHANT_H */
