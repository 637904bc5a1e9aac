// SPDX-License-Identifier: Apache-2.0
// mpi_messages.cpp: sends, receives and probes of MPI programs that wait.
#include <cstring>

#include "terrane/talk/mpi/mpi_call.hpp"

using namespace terrane;

namespace {

void send_now(mpi_call& call, const void* data, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, send_form how) {
  mpi_communicator& of = call.comm(comm);
  call.check_count(count);
  const mpi_outgoing what(data, count, call.type(type));
  send_bytes(call.with(of, to, tag), what.bytes(), what.element(), how, call.where);
}

}  // namespace

int terrane_mpi_send(const char* file, int line, const void* data, int count, MPI_Datatype type,
                     int to, int tag, MPI_Comm comm) {
  return mpi_answer("MPI_Send", file, line, [&](mpi_call& call) {
    send_now(call, data, count, type, to, tag, comm, send_form::usual);
  });
}

int terrane_mpi_rsend(const char* file, int line, const void* data, int count, MPI_Datatype type,
                      int to, int tag, MPI_Comm comm) {
  return mpi_answer("MPI_Rsend", file, line, [&](mpi_call& call) {
    send_now(call, data, count, type, to, tag, comm, send_form::usual);
  });
}

int terrane_mpi_ssend(const char* file, int line, const void* data, int count, MPI_Datatype type,
                      int to, int tag, MPI_Comm comm) {
  return mpi_answer("MPI_Ssend", file, line, [&](mpi_call& call) {
    send_now(call, data, count, type, to, tag, comm, send_form::until_received);
  });
}

int terrane_mpi_recv(const char* file, int line, void* into, int count, MPI_Datatype type, int from,
                     int tag, MPI_Comm comm, MPI_Status* status) {
  return mpi_answer("MPI_Recv", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    call.check_count(count);
    mpi_incoming coming(into, count, call.type(type));
    const terrane::status how = receive_bytes(call.from(of, from, tag), coming.room(), call.where);
    coming.settle(how.bytes);
    mpi_tell(status, of, how);
  });
}

int terrane_mpi_sendrecv(const char* file, int line, const void* data, int count, MPI_Datatype type,
                         int to, int tag, void* into, int into_count, MPI_Datatype into_type,
                         int from, int into_tag, MPI_Comm comm, MPI_Status* status) {
  return mpi_answer("MPI_Sendrecv", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    call.check_count(count);
    call.check_count(into_count);
    mpi_incoming coming(into, into_count, call.type(into_type));
    const correspondence source = call.from(of, from, into_tag);
    const correspondence target = call.with(of, to, tag);
    const mpi_outgoing what(data, count, call.type(type));
    request its = begin_receive(source, coming.room(), call.where);
    send_bytes(target, what.bytes(), what.element(), send_form::usual, call.where);
    const terrane::status how = its.wait();
    coming.settle(how.bytes);
    mpi_tell(status, of, how);
  });
}

int terrane_mpi_sendrecv_replace(const char* file, int line, void* data, int count,
                                 MPI_Datatype type, int to, int tag, int from, int into_tag,
                                 MPI_Comm comm, MPI_Status* status) {
  return mpi_answer("MPI_Sendrecv_replace", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    call.check_count(count);
    const mpi_type& its_type = call.type(type);
    const correspondence source = call.from(of, from, into_tag);
    const correspondence target = call.with(of, to, tag);
    const mpi_outgoing what(data, count, its_type);
    const auto* const first = static_cast<const unsigned char*>(what.bytes().data);
    const std::vector<unsigned char> copy(first, first + what.bytes().size);
    mpi_incoming coming(data, count, its_type);
    request its = begin_receive(source, coming.room(), call.where);
    send_bytes(target, {copy.data(), copy.size()}, what.element(), send_form::usual, call.where);
    const terrane::status how = its.wait();
    coming.settle(how.bytes);
    mpi_tell(status, of, how);
  });
}

int terrane_mpi_probe(const char* file, int line, int from, int tag, MPI_Comm comm,
                      MPI_Status* status) {
  return mpi_answer("MPI_Probe", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    mpi_tell(status, of, probe_for(call.from(of, from, tag), call.where));
  });
}

int terrane_mpi_iprobe(const char* file, int line, int from, int tag, MPI_Comm comm, int* flag,
                       MPI_Status* status) {
  return mpi_answer("MPI_Iprobe", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    const auto found = probe_now(call.from(of, from, tag), call.where);
    *flag = found.has_value();
    if (found) return mpi_tell(status, of, *found);
    this_thread::yield();  // programs ask again and again: the ranks beside this one are to run
  });
}
