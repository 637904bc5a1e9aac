// SPDX-License-Identifier: Apache-2.0
// plain.c: C that `terrane cc` compiles: its variables, too, exist once per node.
int from_c;
static int* counted = &from_c;

int visit(void) { return ++*counted; }
