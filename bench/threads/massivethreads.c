/* SPDX-License-Identifier: Apache-2.0
 * massivethreads.c: the rows of terrane.cpp that MassiveThreads has, on one worker. */
#include <myth/myth.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/report.h"

enum { many = 1000000, rounds_max = 99 };
static int rounds = 7;
static myth_mutex_t lock;
static myth_cond_t changed[2];
static int turn;
static long ran;

static int ascending(const void* one, const void* other) {
  const double a = *(const double*)one, b = *(const double*)other;
  return a < b ? -1 : a > b;
}
static void row(const char* operation, void (*body)(long)) {
  double ns[rounds_max];
  for (int i = 0; i < rounds; ++i) {
    const double start = bench_now();
    body(many);
    ns[i] = (bench_now() - start) * 1e9 / many;
  }
  qsort(ns, (size_t)rounds, sizeof *ns, ascending);
  printf("%s,%.2f\n", operation, ns[rounds / 2]);
}

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
  if (argc > 1) rounds = atoi(argv[1]);
  if (rounds < 1 || rounds > rounds_max) return 2;
  myth_mutex_init(&lock, NULL);
  myth_cond_init(&changed[0], NULL);
  myth_cond_init(&changed[1], NULL);
  row("null thread", null_thread);
  if (ran != (long)rounds * many) return 1;
  row("context switch", context_switch);
  row("uncontested mutex", uncontested);
  row("mutex ping-pong", ping_pong);
  return 0;
}
