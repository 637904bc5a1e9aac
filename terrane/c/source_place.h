/* SPDX-License-Identifier: Apache-2.0
 * source_place.h: where the program is, for whoever has to say what went wrong there.
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
  const char* function; /* as C calls it: of the fiber N of f, f__N */
} terrane_source_place;

/* What this processor is doing for the program just now; null most of the time. Told where an
 * operation leaves the inline path. */
extern __thread const terrane_source_place* terrane_doing
    __attribute__((tls_model(TERRANE_TLS_MODEL)));

#ifdef __cplusplus
}
#endif

#endif
