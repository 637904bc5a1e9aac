/* SPDX-License-Identifier: Apache-2.0
 * api.h: includes the other parts of the C ABI, for terrane.h.
 */
#ifndef TERRANE_C_API_H
#define TERRANE_C_API_H

#include "terrane/c/activations.h"
#include "terrane/c/events.h"
#include "terrane/c/mailbox.h"
#include "terrane/c/node_data.h"
#include "terrane/c/objects.h"
#include "terrane/c/operations.h"

#endif /* TERRANE_C_API_H */
