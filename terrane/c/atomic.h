/* SPDX-License-Identifier: Apache-2.0
 * atomic.h: the only header through which plain C fields are used as atomics.
 *
 * Purpose  The fields of terrane_processor that other threads may read or raise are plain, because
 *          C and C++ share their layout. Code that uses them as atomics does so with these macros;
 *          model checkers redefine the macros. All other code uses base/atomic.hpp.
 */
#ifndef TERRANE_C_ATOMIC_H
#define TERRANE_C_ATOMIC_H

#ifndef TERRANE_LOAD_RELAXED
#define TERRANE_LOAD_RELAXED(field) __atomic_load_n(field, __ATOMIC_RELAXED)
#define TERRANE_STORE_RELAXED(field, value) __atomic_store_n(field, value, __ATOMIC_RELAXED)
#define TERRANE_STORE_SEQ_CST(field, value) __atomic_store_n(field, value, __ATOMIC_SEQ_CST)
#endif

#endif /* TERRANE_C_ATOMIC_H */
