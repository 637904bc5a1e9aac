/* SPDX-License-Identifier: Apache-2.0
 * api.h: includes the parts of the C ABI that are not on the hot path, for terrane.h.
 */
#ifndef TERRANE_C_API_H
#define TERRANE_C_API_H

#include "terrane/c/events.h"
#include "terrane/c/mailbox.h"
#include "terrane/c/node_data.h"
#include "terrane/c/objects.h"
#include "terrane/c/operations.h"

#endif /* TERRANE_C_API_H */
