// SPDX-License-Identifier: Apache-2.0
// terrane_c.c: fib in EARTH style through the C ABI: what a compiler of Threaded-C would emit.
#include "bench/fib/known.h"
#include "bench/report.h"
#include "terrane/terrane.h"

/* THREADED fib(int n, long *GLOBAL result, SPTR done) */
struct fib_args {
  int n;
  terrane_global result;
  terrane_slot_ref done;
};
struct fib {
  terrane_frame head;
  terrane_slot ready; /* FIBER READY <* 2 *> */
  struct fib_args args;
  long r1, r2;
};

static void fib_run(terrane_processor* here, const void* args);
static terrane_step fib_ready(terrane_frame* frame);
static const terrane_function fib_function;
static const terrane_fiber fib_ready_fiber = {
    fib_ready, &fib_function, "READY", __FILE__, __LINE__, TERRANE_PRIORITY_DEFAULT, false};
static const terrane_fiber* const fib_fibers[] = {&fib_ready_fiber, 0};
static const terrane_function fib_function = {"fib",
                                              __FILE__,
                                              __LINE__,
                                              TERRANE_FRAME_CLASS(sizeof(struct fib)),
                                              sizeof(struct fib),
                                              sizeof(struct fib_args),
                                              fib_run,
                                              0,
                                              fib_fibers,
                                              0};

TERRANE_REGISTER(fib_function)

static void fib_activate(terrane_processor* here, int n, terrane_global result,
                         terrane_slot_ref done);

/* TOKEN(fib, n, result, done) */
TERRANE_HOT void fib_token(terrane_processor* here, int n, terrane_global result,
                           terrane_slot_ref done) {
  if (terrane_spawn_inline(here)) {
    fib_activate(here, n, result, done);
  } else {
    struct fib_args* args = (struct fib_args*)terrane_token_push(here, &fib_function);
    args->n = n;
    args->result = result;
    args->done = done;
  }
}

TERRANE_HOT terrane_step fib_init(terrane_processor* here, struct fib* frame, int n,
                                  terrane_global result, terrane_slot_ref done) {
  frame->args.result = result;
  frame->args.done = done;
  fib_token(here, n - 1, terrane_place_on(here->number, &frame->r1),
            terrane_ref(&frame->head, &frame->ready));
  fib_token(here, n - 2, terrane_place_on(here->number, &frame->r2),
            terrane_ref(&frame->head, &frame->ready));
  return terrane_give_up_hold(&frame->ready);
}

static __attribute__((noinline)) void fib_begin(terrane_processor* here, int n,
                                                terrane_global result, terrane_slot_ref done) {
  struct fib* frame =
      (struct fib*)terrane_frame_new(here, &fib_function, TERRANE_FRAME_CLASS(sizeof(struct fib)));
  frame->ready.count = 2 + 1; /* one held by the initial fiber */
  frame->ready.reset = 2;
  frame->ready.fiber = &fib_ready_fiber;
  terrane_proceed_to(here, &frame->head, fib_init(here, frame, n, result, done), &fib_function,
                     &frame->ready, fib_ready);
}

/* An answer at once, and the end: no frame is needed. A function of its own, so that it saves no
 * registers for the rest. */
static __attribute__((noinline)) void fib_activate(terrane_processor* here, int n,
                                                   terrane_global result, terrane_slot_ref done) {
  const long one = 1;
  if (n <= 1)
    terrane_put(&one, sizeof one, result, done);
  else
    fib_begin(here, n, result, done);
}

static void fib_run(terrane_processor* here, const void* raw) {
  const struct fib_args* args = (const struct fib_args*)raw;
  fib_activate(here, args->n, args->result, args->done);
}

static terrane_step fib_ready(terrane_frame* head) {
  struct fib* frame = (struct fib*)head;
  const long sum = frame->r1 + frame->r2;
  terrane_put(&sum, sizeof sum, frame->args.result, frame->args.done);
  return TERRANE_DONE;
}

/* THREADED MAIN(int argc, char **argv) */
struct root {
  terrane_frame head;
  terrane_slot warm, answer;
  struct bench_run about;
  double begun;
  long found;
};

static void root_run(terrane_processor* here, const void* args);
static terrane_step root_measure(terrane_frame* head);
static terrane_step root_report(terrane_frame* head);
static const terrane_function root_function;
static const terrane_fiber root_measure_fiber = {
    root_measure, &root_function, "MEASURE", __FILE__, __LINE__, TERRANE_PRIORITY_DEFAULT, false};
static const terrane_fiber root_report_fiber = {
    root_report, &root_function, "REPORT", __FILE__, __LINE__, TERRANE_PRIORITY_DEFAULT, false};
static const terrane_fiber* const root_fibers[] = {&root_measure_fiber, &root_report_fiber, 0};
static const terrane_function root_function = {"MAIN",
                                               __FILE__,
                                               __LINE__,
                                               TERRANE_FRAME_CLASS(sizeof(struct root)),
                                               sizeof(struct root),
                                               sizeof(terrane_root_args),
                                               root_run,
                                               terrane_root_ended,
                                               root_fibers,
                                               0};

static void root_run(terrane_processor* here, const void* raw) {
  const terrane_root_args* args = (const terrane_root_args*)raw;
  struct root* frame = (struct root*)terrane_frame_new(here, &root_function,
                                                       TERRANE_FRAME_CLASS(sizeof(struct root)));
  const terrane_slot warm = {1, {1}, &root_measure_fiber}, answer = {1, {1}, &root_report_fiber};
  char workers[16];
  snprintf(workers, sizeof workers, "%u", terrane_processors());
  char* words[] = {args->argv[0], workers, args->argc > 1 ? args->argv[1] : workers};
  frame->warm = warm;
  frame->answer = answer;
  frame->about = bench_arguments(args->argc + 1, words, "fib", "terrane_c", fib_n_max);
  fib_token(here, fib_n_warm, terrane_to_global(&frame->found),
            terrane_ref(&frame->head, &frame->warm));
  terrane_proceed(here, &frame->head, TERRANE_WAIT, &root_function);
}

static terrane_step root_measure(terrane_frame* head) {
  struct root* frame = (struct root*)head;
  frame->begun = bench_now();
  fib_token(terrane_owner_of_frame(head), frame->about.n, terrane_to_global(&frame->found),
            terrane_ref(head, &frame->answer));
  return TERRANE_WAIT;
}

static terrane_step root_report(terrane_frame* head) {
  struct root* frame = (struct root*)head;
  const double seconds = bench_now() - frame->begun;
  const struct bench_known known = fib_known(frame->about.n);
  bench_report(&frame->about, &known, (uint64_t)frame->found, seconds);
  return TERRANE_DONE;
}

int main(int argc, char** argv) { return terrane_run(argc, argv, &root_function); }
