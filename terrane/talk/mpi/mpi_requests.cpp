// SPDX-License-Identifier: Apache-2.0
// mpi_requests.cpp: how requests of MPI programs begin.
#include "terrane/talk/mpi/mpi_requests.hpp"

#include <utility>

namespace terrane {

void begin_mpi_send(mpi_call& call, mpi_request& one, const void* data, int count,
                    MPI_Datatype type, send_form how) {
  mpi_communicator& of = call.comm(one.comm);
  mpi_outgoing what(data, count, call.type(type));
  const bytes_view bytes = what.bytes();
  one.packed = what.take_packed();
  one.its = begin_send(call.with(of, one.peer, one.tag), bytes, what.element(), how, call.where);
}

void begin_mpi_receive(mpi_call& call, mpi_request& one, void* into, int count, MPI_Datatype type) {
  mpi_communicator& of = call.comm(one.comm);
  one.incoming = mpi_incoming(into, count, call.type(type));
  one.its = begin_receive(call.from(of, one.peer, one.tag), one.incoming.room(), call.where);
}

namespace {

/// Refuses what cannot be, before a number is given to it.
mpi_request& new_one(mpi_call& call, mpi_request::kind what, int count, MPI_Datatype type, int peer,
                     int tag, MPI_Comm comm, MPI_Request* number) {
  mpi_communicator& of = call.comm(comm);
  call.check_count(count);
  call.type(type);
  if (what == mpi_request::sends)
    call.with(of, peer, tag);
  else
    call.from(of, peer, tag);
  mpi_request& one = call.me.new_request(number);
  one.what = what;
  one.comm = comm;
  one.peer = peer;
  one.tag = tag;
  return one;
}

}  // namespace

}  // namespace terrane

using namespace terrane;

int terrane_mpi_isend(const char* file, int line, const void* data, int count, MPI_Datatype type,
                      int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Isend", file, line, [&](mpi_call& call) {
    mpi_request& one = new_one(call, mpi_request::sends, count, type, to, tag, comm, request);
    begin_mpi_send(call, one, data, count, type, send_form::usual);
  });
}

int terrane_mpi_issend(const char* file, int line, const void* data, int count, MPI_Datatype type,
                       int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Issend", file, line, [&](mpi_call& call) {
    mpi_request& one = new_one(call, mpi_request::sends, count, type, to, tag, comm, request);
    begin_mpi_send(call, one, data, count, type, send_form::until_received);
  });
}

int terrane_mpi_irecv(const char* file, int line, void* into, int count, MPI_Datatype type,
                      int from, int tag, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Irecv", file, line, [&](mpi_call& call) {
    mpi_request& one = new_one(call, mpi_request::receives, count, type, from, tag, comm, request);
    begin_mpi_receive(call, one, into, count, type);
  });
}

/// The bytes are copied, and the request is nobody's: buffers that were attached are not needed.
int terrane_mpi_bsend(const char* file, int line, const void* data, int count, MPI_Datatype type,
                      int to, int tag, MPI_Comm comm) {
  return mpi_answer("MPI_Bsend", file, line, [&](mpi_call& call) {
    MPI_Request number;
    mpi_request& one = new_one(call, mpi_request::sends, count, type, to, tag, comm, &number);
    const mpi_outgoing what(data, count, call.type(type));
    const auto* const first = static_cast<const unsigned char*>(what.bytes().data);
    one.packed.assign(first, first + what.bytes().size);
    one.its =
        begin_send(call.with(call.comm(comm), to, tag), {one.packed.data(), one.packed.size()},
                   what.element(), send_form::usual, call.where);
    one.is_dropped = true;
  });
}

int terrane_mpi_buffer_attach(const char* file, int line, void* buffer, int size) {
  return mpi_answer("MPI_Buffer_attach", file, line, [&](mpi_call& call) {
    call.me.attached = buffer;
    call.me.attached_bytes = size;
  });
}

int terrane_mpi_buffer_detach(const char* file, int line, void* buffer, int* size) {
  return mpi_answer("MPI_Buffer_detach", file, line, [&](mpi_call& call) {
    call.me.wait_for_dropped();
    *static_cast<void**>(buffer) = std::exchange(call.me.attached, nullptr);
    *size = std::exchange(call.me.attached_bytes, 0);
  });
}

// --- those that begin again and again ---

namespace {

void keep_for_later(mpi_request& one, const void* data, int count, MPI_Datatype type) {
  one.is_persistent = true;
  one.is_active = false;
  one.data = const_cast<void*>(data);
  one.count = count;
  one.type = type;
}

void start(mpi_call& call, MPI_Request number) {
  mpi_request& one = call.one(number);
  if (!one.is_persistent || one.is_active)
    call.refuse(MPI_ERR_REQUEST, run_time_error::request_misused,
                one.is_persistent ? "starts a request that is under way"
                                  : "starts a request that was not made by an _init call");
  one.is_active = true;
  one.is_done = false;
  if (one.what == mpi_request::sends)
    begin_mpi_send(call, one, one.data, one.count, one.type, send_form::usual);
  else
    begin_mpi_receive(call, one, one.data, one.count, one.type);
}

}  // namespace

int terrane_mpi_send_init(const char* file, int line, const void* data, int count,
                          MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Send_init", file, line, [&](mpi_call& call) {
    keep_for_later(new_one(call, mpi_request::sends, count, type, to, tag, comm, request), data,
                   count, type);
  });
}

int terrane_mpi_recv_init(const char* file, int line, void* into, int count, MPI_Datatype type,
                          int from, int tag, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Recv_init", file, line, [&](mpi_call& call) {
    keep_for_later(new_one(call, mpi_request::receives, count, type, from, tag, comm, request),
                   into, count, type);
  });
}

int terrane_mpi_start(const char* file, int line, MPI_Request* request) {
  return mpi_answer("MPI_Start", file, line, [&](mpi_call& call) { start(call, *request); });
}

int terrane_mpi_startall(const char* file, int line, int count, MPI_Request* requests) {
  return mpi_answer("MPI_Startall", file, line, [&](mpi_call& call) {
    for (int i = 0; i < count; ++i) start(call, requests[i]);
  });
}
