// SPDX-License-Identifier: Apache-2.0
// mpi_reductions.cpp: the collectives of MPI programs that combine values.
//
// Method      A predefined operation is one of the rope's: values are combined where they meet, in
//             an order that depends on the number of ranks alone. An operation of the program's own
//             is called by each rank, on the values of all, in the order of ranks from the last on.
#include <cstring>

#include "terrane/talk/mpi/mpi_operations.hpp"
#include "terrane/talk/mpi/mpi_requests.hpp"
#include "terrane/talk/rope_functions.hpp"

using namespace terrane;

namespace {

struct reduced {
  mpi_communicator& of;
  const mpi_type& type;
  std::size_t bytes;
  mpi_combination how;
  const mpi_operation* own;
  const void* data;  // of this rank
};

reduced prepare(mpi_call& call, const void* data, const void* into, int count, MPI_Datatype type,
                MPI_Op op, MPI_Comm comm) {
  mpi_communicator& of = call.comm(comm);
  call.check_count(count);
  const mpi_type& its = call.type(type);
  reduced all{of,
              its,
              its.bytes_of(count),
              mpi_combination_of(op, type),
              call.me.operations.find(op),
              data == MPI_IN_PLACE ? into : data};
  if (!all.how.combine && !all.own)
    call.refuse(MPI_ERR_OP, run_time_error::message_out_of_range,
                "names operation " + std::to_string(op) + ", which is not for that type");
  if (all.own && !its.is_plain)
    call.refuse(MPI_ERR_TYPE, run_time_error::message_out_of_range,
                "reduces elements with gaps by an operation of its own: give it whole ones");
  return all;
}

/// What an operation of the program's own makes of the values of the ranks from `first` to `last`.
void combine_by_own(const reduced& all, int count, MPI_Datatype type,
                    std::vector<unsigned char>& values, int first, int last, void* into) {
  unsigned char* const start = values.data();
  for (int rank = last - 1; rank >= first; --rank)
    all.own->function(start + static_cast<std::size_t>(rank) * all.bytes,
                      start + static_cast<std::size_t>(last) * all.bytes, &count, &type);
  if (all.bytes != 0)
    std::memcpy(into, start + static_cast<std::size_t>(last) * all.bytes, all.bytes);
}

/// What all ranks have, one behind the other.
std::vector<unsigned char> values_of_all(mpi_call& call, const reduced& all) {
  std::vector<unsigned char> values(all.bytes * static_cast<std::size_t>(all.of.size));
  all.of.its.together(
      {collective::all_to_all_members, collective::no_root, all.bytes, values.size(), 0},
      {all.data, all.bytes}, {values.data(), values.size()}, call.where);
  return values;
}

collective reduction_of(const reduced& all, std::uint32_t root) {
  return {collective::reduction, root, all.bytes, all.bytes,
          distance_of(reinterpret_cast<const void*>(all.how.combine))};
}

void scan_by(mpi_call& call, const reduced& all, decide_function how, void* into) {
  // A rank without bytes takes part, too: what it brings has a place.
  static constexpr unsigned char nothing = 0;
  const bytes_view mine{all.bytes != 0 ? all.data : &nothing, all.bytes};
  if (how) return all.of.its.decide(how, mine, {into, all.bytes}, call.where);
}

}  // namespace

int terrane_mpi_reduce(const char* file, int line, const void* data, void* into, int count,
                       MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return mpi_answer("MPI_Reduce", file, line, [&](mpi_call& call) {
    const reduced all = prepare(call, data, into, count, type, op, comm);
    call.check_root(all.of, root);
    const bool is_mine = all.of.rank == root;
    if (all.own) {
      std::vector<unsigned char> values = values_of_all(call, all);
      if (is_mine) combine_by_own(all, count, type, values, 0, all.of.size - 1, into);
    } else {
      all.of.its.together(reduction_of(all, static_cast<std::uint32_t>(root)),
                          {all.data, all.bytes}, {is_mine ? into : nullptr, all.bytes}, call.where);
    }
  });
}

int terrane_mpi_allreduce(const char* file, int line, const void* data, void* into, int count,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return mpi_answer("MPI_Allreduce", file, line, [&](mpi_call& call) {
    const reduced all = prepare(call, data, into, count, type, op, comm);
    if (all.own) {
      std::vector<unsigned char> values = values_of_all(call, all);
      combine_by_own(all, count, type, values, 0, all.of.size - 1, into);
    } else {
      all.of.its.together(reduction_of(all, collective::no_root), {all.data, all.bytes},
                          {into, all.bytes}, call.where);
    }
  });
}

int terrane_mpi_iallreduce(const char* file, int line, const void* data, void* into, int count,
                           MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Iallreduce", file, line, [&](mpi_call& call) {
    const reduced all = prepare(call, data, into, count, type, op, comm);
    if (all.own)
      call.refuse(MPI_ERR_OP, run_time_error::message_out_of_range,
                  "has an operation of the program's own: use MPI_Allreduce for it");
    mpi_request& one = call.me.new_request(request);
    one.what = mpi_request::collects;
    one.comm = comm;
    one.its = all.of.its.begin_together(reduction_of(all, collective::no_root),
                                        {all.data, all.bytes}, {into, all.bytes}, call.where);
  });
}

int terrane_mpi_scan(const char* file, int line, const void* data, void* into, int count,
                     MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return mpi_answer("MPI_Scan", file, line, [&](mpi_call& call) {
    const reduced all = prepare(call, data, into, count, type, op, comm);
    if (!all.own) return scan_by(call, all, all.how.scan, into);
    std::vector<unsigned char> values = values_of_all(call, all);
    combine_by_own(all, count, type, values, 0, all.of.rank, into);
  });
}

int terrane_mpi_exscan(const char* file, int line, const void* data, void* into, int count,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return mpi_answer("MPI_Exscan", file, line, [&](mpi_call& call) {
    const reduced all = prepare(call, data, into, count, type, op, comm);
    if (!all.own) {
      std::vector<unsigned char> before(all.bytes);
      scan_by(call, all, all.how.exscan, before.data());
      if (all.of.rank != 0 && all.bytes != 0) std::memcpy(into, before.data(), all.bytes);
      return;
    }
    std::vector<unsigned char> values = values_of_all(call, all);
    if (all.of.rank != 0) combine_by_own(all, count, type, values, 0, all.of.rank - 1, into);
  });
}

int terrane_mpi_op_create(const char* file, int line, MPI_User_function* function, int /*commutes*/,
                          MPI_Op* made) {
  return mpi_answer("MPI_Op_create", file, line,
                    [&](mpi_call& call) { *made = call.me.operations.add({function}); });
}

int terrane_mpi_op_free(const char* file, int line, MPI_Op* op) {
  return mpi_answer("MPI_Op_free", file, line, [&](mpi_call&) { *op = MPI_OP_NULL; });
}
