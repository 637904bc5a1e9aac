/* SPDX-License-Identifier: Apache-2.0
 * massivethreads.c: the rows of terrane.cpp that MassiveThreads has, on one worker. */
#include <myth/myth.h>

#include "bench/threads/rows.h"

static myth_mutex_t lock;
static myth_cond_t changed[2];
static int turn;
static long ran;

static void* nothing(void* unused) {
  ++ran;
  return unused;
}
static void null_thread(long count) {
  for (long i = 0; i < count; ++i) myth_join(myth_create(nothing, NULL), NULL);
}
static long each;
static void pair(long count, void* (*work)(void*)) {
  each = count / 2;
  myth_thread_t one = myth_create(work, (void*)0), other = myth_create(work, (void*)1);
  myth_join(one, NULL);
  myth_join(other, NULL);
}
static void* yields(void* unused) {
  for (long i = 0; i < each; ++i) myth_yield();
  return unused;
}
static void context_switch(long count) { pair(count, yields); }
static void uncontested(long count) {
  for (long i = 0; i < count; ++i) {
    myth_mutex_lock(&lock);
    myth_mutex_unlock(&lock);
  }
}
static void* ping(void* number) {
  const long mine = (long)number;
  myth_mutex_lock(&lock);
  for (long i = 0; i < each; ++i) {
    while (turn != mine) myth_cond_wait(&changed[mine], &lock);
    turn = (int)(1 - mine);
    myth_cond_signal(&changed[1 - mine]);
  }
  myth_mutex_unlock(&lock);
  return NULL;
}
static void ping_pong(long count) { pair(count, ping); }

int main(int argc, char** argv) {
  const int rounds = row_rounds(argc, argv);
  if (rounds == 0) return 2;
  myth_mutex_init(&lock, NULL);
  myth_cond_init(&changed[0], NULL);
  myth_cond_init(&changed[1], NULL);
  row("null thread", rounds, null_thread);
  if (ran != (long)rounds * row_operations) return 1;
  row("context switch", rounds, context_switch);
  row("uncontested mutex", rounds, uncontested);
  row("mutex ping-pong", rounds, ping_pong);
  return 0;
}
