/* SPDX-License-Identifier: Apache-2.0
 * calls.h: the calls of mpi.h: for each a function, and the macro of its name that says where it is
 * called.
 */
#ifndef TERRANE_C_MPI_CALLS_H
#define TERRANE_C_MPI_CALLS_H

#include "terrane/c/mpi/mpi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERRANE_MPI_PLACE const char *file, int line

/* --- Of the whole program --- */

int terrane_mpi_init(TERRANE_MPI_PLACE, int* argc, char*** argv);
int terrane_mpi_init_thread(TERRANE_MPI_PLACE, int* argc, char*** argv, int required,
                            int* provided);
int terrane_mpi_initialized(TERRANE_MPI_PLACE, int* flag);
int terrane_mpi_finalize(TERRANE_MPI_PLACE);
int terrane_mpi_finalized(TERRANE_MPI_PLACE, int* flag);
int terrane_mpi_query_thread(TERRANE_MPI_PLACE, int* provided);
int terrane_mpi_abort(TERRANE_MPI_PLACE, MPI_Comm comm, int code);
int terrane_mpi_get_processor_name(TERRANE_MPI_PLACE, char* name, int* length);
int terrane_mpi_get_version(TERRANE_MPI_PLACE, int* version, int* subversion);
int terrane_mpi_get_library_version(TERRANE_MPI_PLACE, char* text, int* length);
int terrane_mpi_error_string(TERRANE_MPI_PLACE, int code, char* text, int* length);
int terrane_mpi_error_class(TERRANE_MPI_PLACE, int code, int* error_class);

#define MPI_Init(...) terrane_mpi_init(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Init_thread(...) terrane_mpi_init_thread(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Initialized(...) terrane_mpi_initialized(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Finalize() terrane_mpi_finalize(__FILE__, __LINE__)
#define MPI_Finalized(...) terrane_mpi_finalized(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Query_thread(...) terrane_mpi_query_thread(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Abort(...) terrane_mpi_abort(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Get_processor_name(...) terrane_mpi_get_processor_name(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Get_version(...) terrane_mpi_get_version(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Get_library_version(...) \
  terrane_mpi_get_library_version(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Error_string(...) terrane_mpi_error_string(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Error_class(...) terrane_mpi_error_class(__FILE__, __LINE__, __VA_ARGS__)

/* --- Communicators --- */

int terrane_mpi_comm_rank(TERRANE_MPI_PLACE, MPI_Comm comm, int* rank);
int terrane_mpi_comm_size(TERRANE_MPI_PLACE, MPI_Comm comm, int* size);
int terrane_mpi_comm_split(TERRANE_MPI_PLACE, MPI_Comm comm, int color, int key, MPI_Comm* made);
int terrane_mpi_comm_dup(TERRANE_MPI_PLACE, MPI_Comm comm, MPI_Comm* made);
int terrane_mpi_comm_free(TERRANE_MPI_PLACE, MPI_Comm* comm);
int terrane_mpi_comm_compare(TERRANE_MPI_PLACE, MPI_Comm one, MPI_Comm other, int* result);
int terrane_mpi_comm_set_errhandler(TERRANE_MPI_PLACE, MPI_Comm comm, MPI_Errhandler handler);
int terrane_mpi_comm_get_errhandler(TERRANE_MPI_PLACE, MPI_Comm comm, MPI_Errhandler* handler);

#define MPI_Comm_rank(...) terrane_mpi_comm_rank(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Comm_size(...) terrane_mpi_comm_size(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Comm_split(...) terrane_mpi_comm_split(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Comm_dup(...) terrane_mpi_comm_dup(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Comm_free(...) terrane_mpi_comm_free(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Comm_compare(...) terrane_mpi_comm_compare(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Comm_set_errhandler(...) \
  terrane_mpi_comm_set_errhandler(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Comm_get_errhandler(...) \
  terrane_mpi_comm_get_errhandler(__FILE__, __LINE__, __VA_ARGS__)

/* --- Types --- */

int terrane_mpi_type_size(TERRANE_MPI_PLACE, MPI_Datatype type, int* size);
int terrane_mpi_type_get_extent(TERRANE_MPI_PLACE, MPI_Datatype type, MPI_Aint* low,
                                MPI_Aint* extent);
int terrane_mpi_type_contiguous(TERRANE_MPI_PLACE, int count, MPI_Datatype type,
                                MPI_Datatype* made);
int terrane_mpi_type_vector(TERRANE_MPI_PLACE, int count, int length, int stride, MPI_Datatype type,
                            MPI_Datatype* made);
int terrane_mpi_type_indexed(TERRANE_MPI_PLACE, int count, const int* lengths, const int* places,
                             MPI_Datatype type, MPI_Datatype* made);
int terrane_mpi_type_create_struct(TERRANE_MPI_PLACE, int count, const int* lengths,
                                   const MPI_Aint* places, const MPI_Datatype* types,
                                   MPI_Datatype* made);
int terrane_mpi_type_create_resized(TERRANE_MPI_PLACE, MPI_Datatype type, MPI_Aint low,
                                    MPI_Aint extent, MPI_Datatype* made);
int terrane_mpi_type_commit(TERRANE_MPI_PLACE, MPI_Datatype* type);
int terrane_mpi_type_free(TERRANE_MPI_PLACE, MPI_Datatype* type);
int terrane_mpi_get_address(TERRANE_MPI_PLACE, const void* place, MPI_Aint* address);
int terrane_mpi_op_create(TERRANE_MPI_PLACE, MPI_User_function* function, int commutes,
                          MPI_Op* made);
int terrane_mpi_op_free(TERRANE_MPI_PLACE, MPI_Op* op);

#define MPI_Type_size(...) terrane_mpi_type_size(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_get_extent(...) terrane_mpi_type_get_extent(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_contiguous(...) terrane_mpi_type_contiguous(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_vector(...) terrane_mpi_type_vector(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_indexed(...) terrane_mpi_type_indexed(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_create_struct(...) terrane_mpi_type_create_struct(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_create_resized(...) \
  terrane_mpi_type_create_resized(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_commit(...) terrane_mpi_type_commit(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Type_free(...) terrane_mpi_type_free(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Get_address(...) terrane_mpi_get_address(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Op_create(...) terrane_mpi_op_create(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Op_free(...) terrane_mpi_op_free(__FILE__, __LINE__, __VA_ARGS__)

/* --- Between two --- */

int terrane_mpi_send(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                     int tag, MPI_Comm comm);
int terrane_mpi_ssend(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                      int tag, MPI_Comm comm);
int terrane_mpi_rsend(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                      int tag, MPI_Comm comm);
int terrane_mpi_bsend(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                      int tag, MPI_Comm comm);
int terrane_mpi_buffer_attach(TERRANE_MPI_PLACE, void* buffer, int size);
int terrane_mpi_buffer_detach(TERRANE_MPI_PLACE, void* buffer, int* size);
int terrane_mpi_recv(TERRANE_MPI_PLACE, void* into, int count, MPI_Datatype type, int from, int tag,
                     MPI_Comm comm, MPI_Status* status);
int terrane_mpi_sendrecv(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                         int tag, void* into, int into_count, MPI_Datatype into_type, int from,
                         int into_tag, MPI_Comm comm, MPI_Status* status);
int terrane_mpi_sendrecv_replace(TERRANE_MPI_PLACE, void* data, int count, MPI_Datatype type,
                                 int to, int tag, int from, int into_tag, MPI_Comm comm,
                                 MPI_Status* status);
int terrane_mpi_isend(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                      int tag, MPI_Comm comm, MPI_Request* request);
int terrane_mpi_issend(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                       int tag, MPI_Comm comm, MPI_Request* request);
int terrane_mpi_irecv(TERRANE_MPI_PLACE, void* into, int count, MPI_Datatype type, int from,
                      int tag, MPI_Comm comm, MPI_Request* request);
int terrane_mpi_send_init(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type, int to,
                          int tag, MPI_Comm comm, MPI_Request* request);
int terrane_mpi_recv_init(TERRANE_MPI_PLACE, void* into, int count, MPI_Datatype type, int from,
                          int tag, MPI_Comm comm, MPI_Request* request);
int terrane_mpi_start(TERRANE_MPI_PLACE, MPI_Request* request);
int terrane_mpi_startall(TERRANE_MPI_PLACE, int count, MPI_Request* requests);
int terrane_mpi_probe(TERRANE_MPI_PLACE, int from, int tag, MPI_Comm comm, MPI_Status* status);
int terrane_mpi_iprobe(TERRANE_MPI_PLACE, int from, int tag, MPI_Comm comm, int* flag,
                       MPI_Status* status);
int terrane_mpi_get_count(TERRANE_MPI_PLACE, const MPI_Status* status, MPI_Datatype type,
                          int* count);

#define MPI_Send(...) terrane_mpi_send(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Ssend(...) terrane_mpi_ssend(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Rsend(...) terrane_mpi_rsend(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Bsend(...) terrane_mpi_bsend(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Buffer_attach(...) terrane_mpi_buffer_attach(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Buffer_detach(...) terrane_mpi_buffer_detach(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Recv(...) terrane_mpi_recv(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Sendrecv(...) terrane_mpi_sendrecv(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Sendrecv_replace(...) terrane_mpi_sendrecv_replace(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Isend(...) terrane_mpi_isend(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Issend(...) terrane_mpi_issend(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Irecv(...) terrane_mpi_irecv(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Send_init(...) terrane_mpi_send_init(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Recv_init(...) terrane_mpi_recv_init(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Start(...) terrane_mpi_start(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Startall(...) terrane_mpi_startall(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Probe(...) terrane_mpi_probe(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Iprobe(...) terrane_mpi_iprobe(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Get_count(...) terrane_mpi_get_count(__FILE__, __LINE__, __VA_ARGS__)

/* --- Requests --- */

int terrane_mpi_wait(TERRANE_MPI_PLACE, MPI_Request* request, MPI_Status* status);
int terrane_mpi_waitall(TERRANE_MPI_PLACE, int count, MPI_Request* requests, MPI_Status* statuses);
int terrane_mpi_waitany(TERRANE_MPI_PLACE, int count, MPI_Request* requests, int* index,
                        MPI_Status* status);
int terrane_mpi_waitsome(TERRANE_MPI_PLACE, int count, MPI_Request* requests, int* done,
                         int* indices, MPI_Status* statuses);
int terrane_mpi_test(TERRANE_MPI_PLACE, MPI_Request* request, int* flag, MPI_Status* status);
int terrane_mpi_testall(TERRANE_MPI_PLACE, int count, MPI_Request* requests, int* flag,
                        MPI_Status* statuses);
int terrane_mpi_testany(TERRANE_MPI_PLACE, int count, MPI_Request* requests, int* index, int* flag,
                        MPI_Status* status);
int terrane_mpi_testsome(TERRANE_MPI_PLACE, int count, MPI_Request* requests, int* done,
                         int* indices, MPI_Status* statuses);
int terrane_mpi_request_free(TERRANE_MPI_PLACE, MPI_Request* request);

#define MPI_Wait(...) terrane_mpi_wait(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Waitall(...) terrane_mpi_waitall(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Waitany(...) terrane_mpi_waitany(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Waitsome(...) terrane_mpi_waitsome(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Test(...) terrane_mpi_test(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Testall(...) terrane_mpi_testall(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Testany(...) terrane_mpi_testany(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Testsome(...) terrane_mpi_testsome(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Request_free(...) terrane_mpi_request_free(__FILE__, __LINE__, __VA_ARGS__)

/* --- Together --- */

int terrane_mpi_barrier(TERRANE_MPI_PLACE, MPI_Comm comm);
int terrane_mpi_bcast(TERRANE_MPI_PLACE, void* data, int count, MPI_Datatype type, int root,
                      MPI_Comm comm);
int terrane_mpi_reduce(TERRANE_MPI_PLACE, const void* data, void* into, int count,
                       MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int terrane_mpi_allreduce(TERRANE_MPI_PLACE, const void* data, void* into, int count,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int terrane_mpi_scan(TERRANE_MPI_PLACE, const void* data, void* into, int count, MPI_Datatype type,
                     MPI_Op op, MPI_Comm comm);
int terrane_mpi_exscan(TERRANE_MPI_PLACE, const void* data, void* into, int count,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int terrane_mpi_gather(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type,
                       void* into, int into_count, MPI_Datatype into_type, int root, MPI_Comm comm);
int terrane_mpi_gatherv(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type,
                        void* into, const int* counts, const int* places, MPI_Datatype into_type,
                        int root, MPI_Comm comm);
int terrane_mpi_scatter(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type,
                        void* into, int into_count, MPI_Datatype into_type, int root,
                        MPI_Comm comm);
int terrane_mpi_scatterv(TERRANE_MPI_PLACE, const void* data, const int* counts, const int* places,
                         MPI_Datatype type, void* into, int into_count, MPI_Datatype into_type,
                         int root, MPI_Comm comm);
int terrane_mpi_allgather(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type,
                          void* into, int into_count, MPI_Datatype into_type, MPI_Comm comm);
int terrane_mpi_allgatherv(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type,
                           void* into, const int* counts, const int* places, MPI_Datatype into_type,
                           MPI_Comm comm);
int terrane_mpi_alltoall(TERRANE_MPI_PLACE, const void* data, int count, MPI_Datatype type,
                         void* into, int into_count, MPI_Datatype into_type, MPI_Comm comm);
int terrane_mpi_alltoallv(TERRANE_MPI_PLACE, const void* data, const int* counts, const int* places,
                          MPI_Datatype type, void* into, const int* into_counts,
                          const int* into_places, MPI_Datatype into_type, MPI_Comm comm);
int terrane_mpi_ibarrier(TERRANE_MPI_PLACE, MPI_Comm comm, MPI_Request* request);
int terrane_mpi_ibcast(TERRANE_MPI_PLACE, void* data, int count, MPI_Datatype type, int root,
                       MPI_Comm comm, MPI_Request* request);
int terrane_mpi_iallreduce(TERRANE_MPI_PLACE, const void* data, void* into, int count,
                           MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request);

#define MPI_Barrier(...) terrane_mpi_barrier(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Bcast(...) terrane_mpi_bcast(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Reduce(...) terrane_mpi_reduce(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Allreduce(...) terrane_mpi_allreduce(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Scan(...) terrane_mpi_scan(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Exscan(...) terrane_mpi_exscan(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Gather(...) terrane_mpi_gather(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Gatherv(...) terrane_mpi_gatherv(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Scatter(...) terrane_mpi_scatter(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Scatterv(...) terrane_mpi_scatterv(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Allgather(...) terrane_mpi_allgather(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Allgatherv(...) terrane_mpi_allgatherv(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Alltoall(...) terrane_mpi_alltoall(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Alltoallv(...) terrane_mpi_alltoallv(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Ibarrier(...) terrane_mpi_ibarrier(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Ibcast(...) terrane_mpi_ibcast(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Iallreduce(...) terrane_mpi_iallreduce(__FILE__, __LINE__, __VA_ARGS__)

/* --- Grids --- */

int terrane_mpi_dims_create(TERRANE_MPI_PLACE, int ranks, int dimensions, int* sizes);
int terrane_mpi_cart_create(TERRANE_MPI_PLACE, MPI_Comm comm, int dimensions, const int* sizes,
                            const int* periods, int reorder, MPI_Comm* made);
int terrane_mpi_cart_coords(TERRANE_MPI_PLACE, MPI_Comm comm, int rank, int dimensions,
                            int* coordinates);
int terrane_mpi_cart_rank(TERRANE_MPI_PLACE, MPI_Comm comm, const int* coordinates, int* rank);
int terrane_mpi_cart_shift(TERRANE_MPI_PLACE, MPI_Comm comm, int direction, int distance, int* from,
                           int* to);

#define MPI_Dims_create(...) terrane_mpi_dims_create(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Cart_create(...) terrane_mpi_cart_create(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Cart_coords(...) terrane_mpi_cart_coords(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Cart_rank(...) terrane_mpi_cart_rank(__FILE__, __LINE__, __VA_ARGS__)
#define MPI_Cart_shift(...) terrane_mpi_cart_shift(__FILE__, __LINE__, __VA_ARGS__)

double terrane_mpi_wtime(void);
#define MPI_Wtime() terrane_mpi_wtime()
#define MPI_Wtick() 1e-9

/* --- for what mpicc links --- */

/* Runs a program whose ranks each call `main`. */
int terrane_mpi_run(int argc, char** argv, int (*main)(int, char**), size_t stack_bytes);
/* Ends the calling rank; outside of ranks it returns. */
void terrane_mpi_rank_exits(int code);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_MPI_CALLS_H */
