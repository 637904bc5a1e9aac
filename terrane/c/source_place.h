/* SPDX-License-Identifier: Apache-2.0
 * source_place.h: where the program is, so that a report can name the line that failed.
 */
#ifndef TERRANE_C_SOURCE_PLACE_H
#define TERRANE_C_SOURCE_PLACE_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrane_source_place {
  const char* file;
  uint32_t line;
  const char* function; /* the name in C: f__N for the fiber N of f */
} terrane_source_place;

/* The place in the program that this processor executes now; null most of the time. It is set where
 * an operation leaves the inline path. */
extern __thread const terrane_source_place* terrane_doing
    __attribute__((tls_model(TERRANE_TLS_MODEL)));

#ifdef __cplusplus
}
#endif

#endif
