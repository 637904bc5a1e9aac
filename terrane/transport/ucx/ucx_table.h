/* SPDX-License-Identifier: Apache-2.0
 * ucx_table.h: what the runtime uses of UCX, as a table of C functions (parts/ucx/part.cpp).
 */
#ifndef TERRANE_TRANSPORT_UCX_UCX_TABLE_H
#define TERRANE_TRANSPORT_UCX_UCX_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "terrane/transport/carried/carrier.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERRANE_UCX_TABLE_VERSION 1u
/* A terrane_part_function. */
#define TERRANE_UCX_PART_NAME "terrane_ucx_part"

/* A way to carry bytes: a transport of UCX and the device it uses, as UCX names them. */
typedef void terrane_ucx_told(void* to, const char* transport, const char* device);

struct terrane_ucx_table {
  uint32_t version;
  struct terrane_carrier messages; /* among the nodes of what `open` made */

  /* Makes node `me` of a run. address: what others need to reach it; it lives as long as the node
   * does. */
  int (*open)(int me, int nodes, terrane_carrier_handle* made, const void** address, size_t* bytes);
  int (*connect)(terrane_carrier_handle among, int to, const void* address, size_t bytes);
  /* Sends what is under way as far as the others take it, and ends the node. */
  void (*close)(terrane_carrier_handle among);

  /* Tells each way that this machine has. */
  int (*list)(void* to, terrane_ucx_told* told);
  /* Tells the ways that are taken from this node to that one, once they are connected. */
  int (*chosen)(terrane_carrier_handle among, int to_node, void* to, terrane_ucx_told* told);
};

#ifdef __cplusplus
}
#endif

#endif
