/* SPDX-License-Identifier: Apache-2.0
 * argobots.c: the rows of terrane.cpp that Argobots has, on one execution stream. */
#include <abt.h>

#include "bench/threads/rows.h"

static ABT_pool pool;
static ABT_mutex lock;
static ABT_cond changed[2];
static int turn;
static long ran;

static void nothing(void* unused) {
  (void)unused;
  ++ran;
}
static void null_thread(long count) {
  for (long i = 0; i < count; ++i) {
    ABT_thread one;
    ABT_thread_create(pool, nothing, NULL, ABT_THREAD_ATTR_NULL, &one);
    ABT_thread_free(&one);
  }
}
static long each;
static void pair(long count, void (*work)(void*)) {
  ABT_thread both[2];
  each = count / 2;
  for (long i = 0; i < 2; ++i)
    ABT_thread_create(pool, work, (void*)i, ABT_THREAD_ATTR_NULL, &both[i]);
  for (int i = 0; i < 2; ++i) ABT_thread_free(&both[i]);
}
static void yields(void* unused) {
  (void)unused;
  for (long i = 0; i < each; ++i) ABT_thread_yield();
}
static void context_switch(long count) { pair(count, yields); }
static void uncontested(long count) {
  for (long i = 0; i < count; ++i) {
    ABT_mutex_lock(lock);
    ABT_mutex_unlock(lock);
  }
}
static void ping(void* number) {
  const long mine = (long)number;
  ABT_mutex_lock(lock);
  for (long i = 0; i < each; ++i) {
    while (turn != mine) ABT_cond_wait(changed[mine], lock);
    turn = (int)(1 - mine);
    ABT_cond_signal(changed[1 - mine]);
  }
  ABT_mutex_unlock(lock);
}
static void ping_pong(long count) { pair(count, ping); }

int main(int argc, char** argv) {
  const int rounds = row_rounds(argc, argv);
  if (rounds == 0) return 2;
  ABT_init(argc, argv);
  ABT_xstream self;
  ABT_xstream_self(&self);
  ABT_xstream_get_main_pools(self, 1, &pool);
  ABT_mutex_create(&lock);
  ABT_cond_create(&changed[0]);
  ABT_cond_create(&changed[1]);
  row("null thread", rounds, null_thread);
  if (ran != (long)rounds * row_operations) return 1;
  row("context switch", rounds, context_switch);
  row("uncontested mutex", rounds, uncontested);
  row("mutex ping-pong", rounds, ping_pong);
  ABT_finalize();
  return 0;
}
