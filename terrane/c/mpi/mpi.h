/* SPDX-License-Identifier: Apache-2.0
 * mpi.h: MPI programs in C whose ranks are members of a rope (docs/mpi-programs.md). `terrane
 * mpicc` is who finds this file as <mpi.h>; an MPI that is installed is not concerned.
 *
 * Method      Each call is a macro that adds the place where it stands, and names a function of
 *             talk/mpi/. So no symbol of an MPI is defined, and errors and reports name lines.
 * Invariants  Handles are numbers of the rank that made them: another rank's mean nothing to it.
 * Errors      A misuse ends the run with one sentence, R-300 to R-306. With MPI_ERRORS_RETURN, a
 *             wrong argument is returned as the class of its error.
 */
#ifndef TERRANE_C_MPI_H
#define TERRANE_C_MPI_H

#include <stddef.h>
#include <stdint.h>

#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define TERRANE_MPI 1

#ifdef __cplusplus
extern "C" {
#endif

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;
typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  size_t terrane_bytes;
} MPI_Status;
typedef void MPI_User_function(void* in, void* in_out, int* count, MPI_Datatype* type);

#define MPI_COMM_NULL 0
#define MPI_COMM_WORLD 1
#define MPI_COMM_SELF 2
#define MPI_REQUEST_NULL 0
#define MPI_OP_NULL 0
#define MPI_DATATYPE_NULL 0
#define MPI_INFO_NULL 0
#define MPI_ERRORS_ARE_FATAL 1
#define MPI_ERRORS_RETURN 2

#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_UNDEFINED (-32766)
#define MPI_IN_PLACE ((void*)-1)
#define MPI_BOTTOM ((void*)0)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_MAX_PROCESSOR_NAME 128
#define MPI_MAX_ERROR_STRING 128
#define MPI_MAX_LIBRARY_VERSION_STRING 64
#define MPI_BSEND_OVERHEAD 0

enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum {
  MPI_SUCCESS,
  MPI_ERR_BUFFER,
  MPI_ERR_COUNT,
  MPI_ERR_TYPE,
  MPI_ERR_TAG,
  MPI_ERR_COMM,
  MPI_ERR_RANK,
  MPI_ERR_REQUEST,
  MPI_ERR_ROOT,
  MPI_ERR_OP,
  MPI_ERR_ARG,
  MPI_ERR_TRUNCATE,
  MPI_ERR_OTHER,
  MPI_ERR_LASTCODE
};

/* A basic type: its number, and the bytes of an element. Others are numbered from 0x1000000 on. */
#define TERRANE_MPI_BASIC(number, size) ((MPI_Datatype)(0x100000 | (int)(size) << 8 | (number)))
#define MPI_BYTE TERRANE_MPI_BASIC(0, 1)
#define MPI_PACKED MPI_BYTE
#define MPI_CHAR TERRANE_MPI_BASIC(1, 1)
#define MPI_SIGNED_CHAR TERRANE_MPI_BASIC(2, 1)
#define MPI_UNSIGNED_CHAR TERRANE_MPI_BASIC(3, 1)
#define MPI_SHORT TERRANE_MPI_BASIC(4, sizeof(short))
#define MPI_UNSIGNED_SHORT TERRANE_MPI_BASIC(5, sizeof(short))
#define MPI_INT TERRANE_MPI_BASIC(6, sizeof(int))
#define MPI_UNSIGNED TERRANE_MPI_BASIC(7, sizeof(int))
#define MPI_LONG TERRANE_MPI_BASIC(8, sizeof(long))
#define MPI_UNSIGNED_LONG TERRANE_MPI_BASIC(9, sizeof(long))
#define MPI_LONG_LONG TERRANE_MPI_BASIC(10, sizeof(long long))
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG TERRANE_MPI_BASIC(11, sizeof(long long))
#define MPI_FLOAT TERRANE_MPI_BASIC(12, sizeof(float))
#define MPI_DOUBLE TERRANE_MPI_BASIC(13, sizeof(double))
#define MPI_LONG_DOUBLE TERRANE_MPI_BASIC(14, sizeof(long double))
#define MPI_C_BOOL TERRANE_MPI_BASIC(15, 1)
#define MPI_WCHAR TERRANE_MPI_BASIC(16, sizeof(wchar_t))
#define MPI_C_FLOAT_COMPLEX TERRANE_MPI_BASIC(17, 2 * sizeof(float))
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_C_DOUBLE_COMPLEX TERRANE_MPI_BASIC(18, 2 * sizeof(double))
#define MPI_INT8_T MPI_SIGNED_CHAR
#define MPI_UINT8_T MPI_UNSIGNED_CHAR
#define MPI_INT16_T MPI_SHORT
#define MPI_UINT16_T MPI_UNSIGNED_SHORT
#define MPI_INT32_T MPI_INT
#define MPI_UINT32_T MPI_UNSIGNED
#define MPI_INT64_T MPI_LONG
#define MPI_UINT64_T MPI_UNSIGNED_LONG
#define MPI_AINT MPI_LONG
#define MPI_OFFSET MPI_LONG
#define MPI_COUNT MPI_LONG
/* A value and a number beside it, as in struct { double value; int index; }. */
#define MPI_2INT TERRANE_MPI_BASIC(32, 2 * sizeof(int))
#define MPI_SHORT_INT TERRANE_MPI_BASIC(33, 2 * sizeof(int))
#define MPI_LONG_INT TERRANE_MPI_BASIC(34, 2 * sizeof(long))
#define MPI_FLOAT_INT TERRANE_MPI_BASIC(35, 2 * sizeof(float))
#define MPI_DOUBLE_INT TERRANE_MPI_BASIC(36, 2 * sizeof(double))
#define MPI_LONG_DOUBLE_INT TERRANE_MPI_BASIC(37, 2 * sizeof(long double))

enum {
  MPI_MAX = 1,
  MPI_MIN,
  MPI_SUM,
  MPI_PROD,
  MPI_LAND,
  MPI_BAND,
  MPI_LOR,
  MPI_BOR,
  MPI_LXOR,
  MPI_BXOR,
  MPI_MAXLOC,
  MPI_MINLOC
};

#include "terrane/c/mpi/calls.h"

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_MPI_H */
