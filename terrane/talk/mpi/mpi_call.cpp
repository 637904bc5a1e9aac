// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mpi/mpi_call.hpp"

#include "terrane/talk/letter_errors.hpp"

namespace terrane {

namespace {

mpi_rank& calling_rank(const char* name, const call_place& where) {
  mpi_rank* const me = mpi_rank::here();
  if (!me)
    fail(run_time_error::not_a_member,
         "%s at %s is called where no rank of an MPI program runs: only main, and what it calls, "
         "may call MPI",
         name, short_place(where).c_str());
  if (!me->is_begun || me->is_ended)
    fail(run_time_error::not_a_member, "rank %d calls %s at %s %s", me->world().rank, name,
         short_place(where).c_str(), me->is_ended ? "after MPI_Finalize" : "before MPI_Init");
  return *me;
}

}  // namespace

mpi_call::mpi_call(const char* called, const char* file, int line)
    : name(called),
      where(file, static_cast<std::uint32_t>(line)),
      me(calling_rank(called, where)),
      returns_errors_(me.world().returns_errors) {}

void mpi_call::refuse(int error_class, run_time_error code, const std::string& why) const {
  if (returns_errors_) throw mpi_refusal{error_class};
  fail(code, "%s of rank %d at %s %s", name, me.world().rank, short_place(where).c_str(),
       why.c_str());
}

mpi_communicator& mpi_call::comm(MPI_Comm number) {
  mpi_communicator* const found = me.comms.find(number);
  if (!found || !found->is_live)
    refuse(MPI_ERR_COMM, run_time_error::not_a_member,
           number == MPI_COMM_NULL
               ? "names MPI_COMM_NULL"
               : "names communicator " + std::to_string(number) + ", which this rank has not");
  returns_errors_ = found->returns_errors;
  return *found;
}

const mpi_type& mpi_call::type(MPI_Datatype number) {
  if (const mpi_type* const basic = mpi_basic_type(number)) return *basic;
  if (const mpi_type* const found = me.types.find(number)) return *found;
  refuse(MPI_ERR_TYPE, run_time_error::message_out_of_range,
         "names type " + std::to_string(number) + ", which this rank has not");
}

mpi_request& mpi_call::one(MPI_Request number) {
  if (mpi_request* const found = me.find_request(number)) return *found;
  refuse(MPI_ERR_REQUEST, run_time_error::request_misused,
         "names request " + std::to_string(number) + ", which this rank has not");
}

void mpi_call::check_count(int count) const {
  if (count < 0)
    refuse(MPI_ERR_COUNT, run_time_error::message_out_of_range,
           "has the count " + std::to_string(count) + ": counts are 0 or more");
}

void mpi_call::check_tag(int tag, bool may_be_any) const {
  if (tag < (may_be_any ? MPI_ANY_TAG : 0))
    refuse(MPI_ERR_TAG, run_time_error::message_out_of_range,
           "has the tag " + std::to_string(tag) +
               ": tags go from 0 to 2147483647, and MPI_ANY_TAG is for receives");
}

void mpi_call::check_rank(const mpi_communicator& of, int rank) const {
  if (rank >= 0 && rank < of.size) return;
  refuse(MPI_ERR_RANK, run_time_error::message_out_of_range,
         "names rank " + std::to_string(rank) + " of a communicator of " + std::to_string(of.size) +
             ": ranks go from 0 to " + std::to_string(of.size - 1));
}

void mpi_call::check_root(const mpi_communicator& of, int root) const {
  if (root < 0 || root >= of.size)
    refuse(MPI_ERR_ROOT, run_time_error::message_out_of_range,
           "has the root " + std::to_string(root) + " of a communicator of " +
               std::to_string(of.size) + ": ranks go from 0 to " + std::to_string(of.size - 1));
}

correspondence mpi_call::with(const mpi_communicator& of, int rank, int tag) const {
  check_tag(tag, false);
  if (rank == MPI_PROC_NULL) return {no_thread, tag};
  check_rank(of, rank);
  return {of.its.id_of(rank), tag, of.its.name()};
}

correspondence mpi_call::from(const mpi_communicator& of, int rank, int tag) const {
  check_tag(tag, true);
  if (rank == MPI_PROC_NULL) return {no_thread, tag};
  if (rank == MPI_ANY_SOURCE) return {any_source, tag, of.its.name()};
  check_rank(of, rank);
  return {of.its.id_of(rank), tag, of.its.name()};
}

correspondence mpi_call::privately(const mpi_communicator& of, int rank) const {
  return {of.its.id_of(rank), 0, of.its.name() | TERRANE_NAME_SLOTS};
}

void mpi_tell(MPI_Status* status, const mpi_communicator& of, const terrane::status& how) {
  if (how.source == no_thread) return mpi_tell_nothing(status, MPI_PROC_NULL);
  if (!status) return;
  status->MPI_SOURCE = of.its.rank_of(how.source);
  status->MPI_TAG = how.tag;
  status->MPI_ERROR = MPI_SUCCESS;
  status->terrane_bytes = how.bytes;
}

void mpi_tell_nothing(MPI_Status* status, int source) {
  if (status) *status = {source, MPI_ANY_TAG, MPI_SUCCESS, 0};
}

}  // namespace terrane
