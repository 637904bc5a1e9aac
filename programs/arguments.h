/* SPDX-License-Identifier: Apache-2.0
 * arguments.h: a program's own arguments: whole numbers, in the order of its usage line. For C and
 * Threaded-C; arguments.hpp is the same for C++.
 *
 *   argument_reader given = { argc, argv };
 *   int n = read_number( &given, "N", 33, 0, 90 );
 *   if (!arguments_complete( &given )) TERMINATE;
 *
 * Errors  For the first wrong argument one sentence on stderr, which names program, argument and
 *         range, and exit code 2.
 */
#ifndef TERRANE_PROGRAMS_ARGUMENTS_H
#define TERRANE_PROGRAMS_ARGUMENTS_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

void terrane_set_exit_code(int code); /* terrane.h */

typedef struct argument_reader {
  int argc; /* as MAIN got them */
  char** argv;
  int read;       /* arguments read so far */
  bool wrong;     /* one was refused */
  char names[64]; /* of the arguments, for the usage */
} argument_reader;

/* Starts the error message and makes the run fail. Returns the stream to write it to. */
static inline FILE* refuse_argument(argument_reader* given) {
  const char* path = given->argc > 0 ? given->argv[0] : "program";
  const char* slash = strrchr(path, '/');
  terrane_set_exit_code(2);
  given->wrong = true;
  fprintf(stderr, "%s: ", slash ? slash + 1 : path);
  return stderr;
}

/* True if the whole text is a number as from_chars of C++ reads it: no blanks, no plus. */
static inline bool is_whole_number(const char* text, long* value) {
  char* end;
  if (*text != '-' && (*text < '0' || *text > '9')) return false;
  errno = 0;
  *value = strtol(text, &end, 10);
  return end != text && *end == '\0' && errno == 0;
}

/* The next argument; `otherwise` if there is none, or an earlier one was wrong. */
static inline int read_number(argument_reader* given, const char* name, int otherwise, int least,
                              int most) {
  const size_t used = strlen(given->names);
  snprintf(given->names + used, sizeof given->names - used, "%s%s", used ? " " : "", name);
  if (given->wrong || given->read + 1 >= given->argc) return otherwise;
  const char* text = given->argv[++given->read];
  long value;
  if (is_whole_number(text, &value) && value >= least && value <= most) return (int)value;
  fprintf(refuse_argument(given), "%s must be a whole number from %d to %d, not '%s'\n", name,
          least, most, text);
  return otherwise;
}

/* True if all were right and none is left over. Otherwise MAIN must end. */
static inline bool arguments_complete(argument_reader* given) {
  if (!given->wrong && given->read + 1 < given->argc)
    fprintf(refuse_argument(given), "'%s' is one argument too many: it takes %s\n",
            given->argv[given->read + 1], *given->names ? given->names : "none");
  return !given->wrong;
}

/* True if there are none. Otherwise MAIN is to end. */
static inline bool takes_no_arguments(int argc, char** argv) {
  argument_reader given = {argc, argv, 0, false, ""};
  return arguments_complete(&given);
}

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_PROGRAMS_ARGUMENTS_H */
