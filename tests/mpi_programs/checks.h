/* SPDX-License-Identifier: Apache-2.0
 * checks.h: what the parts of every_call share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <mpi.h>
#include <stdio.h>

/* Counts in `wrong`, which each part has. */
#define CHECK(holds) \
  ((holds) ? (void)0 \
           : (void)(++wrong, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds)))

int check_between_two(int rank, int size);
int check_requests(int rank, int size);
int check_together(int rank, int size);
int check_communicators(int rank, int size);
int check_types(int rank, int size);

#endif
