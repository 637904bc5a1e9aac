// SPDX-License-Identifier: Apache-2.0
// mpi_shares.cpp: the collectives of MPI programs that share data out and bring them together.
//
// Method      barrier, bcast and allgather are the rope's. The others send a message for each pair,
//             under a name of the rope's that no other message has.
#include <cstring>
#include <utility>

#include "terrane/talk/mpi/mpi_requests.hpp"

using namespace terrane;

namespace {

/// A share of an array: so many elements, from the place on.
struct share {
  void* start;
  int count;
  const mpi_type* type;
};

share share_at(const void* array, std::ptrdiff_t place, int count, const mpi_type& type) {
  return {const_cast<char*>(static_cast<const char*>(array)) + place * type.extent, count, &type};
}

/// Sends and receives of one collective, which end together.
class exchange {
 public:
  exchange(mpi_call& call, mpi_communicator& of) : call_(call), of_(of) {}
  void send(int to, const share& what) {
    mpi_outgoing out(what.start, what.count, *what.type);
    const bytes_view bytes = out.bytes();
    kept_.push_back(out.take_packed());
    sends_.push_back(
        begin_send(call_.privately(of_, to), bytes, out.element(), send_form::usual, call_.where));
  }
  void receive(int from, const share& into) {
    rooms_.emplace_back(into.start, into.count, *into.type);
    receives_.push_back(
        begin_receive(call_.privately(of_, from), rooms_.back().room(), call_.where));
  }
  /// This rank's own share, which takes no message. Before the receives begin, so that a refusal
  /// leaves nothing under way.
  void copy(const share& what, const share& into) {
    const std::size_t bytes = what.type->bytes_of(what.count);
    const std::size_t room = into.type->bytes_of(into.count);
    if (bytes > room)
      call_.refuse(MPI_ERR_TRUNCATE, run_time_error::message_too_long,
                   "gives this rank itself " + std::to_string(bytes) + " bytes, and room for " +
                       std::to_string(room));
    const mpi_outgoing out(what.start, what.count, *what.type);
    mpi_unpack(static_cast<const unsigned char*>(out.bytes().data), out.bytes().size, into.start,
               *into.type);
  }
  void end() {
    const std::vector<status> came = wait_all(receives_);
    for (std::size_t i = 0; i < came.size(); ++i) rooms_[i].settle(came[i].bytes);
    wait_all(sends_);
  }

 private:
  mpi_call& call_;
  mpi_communicator& of_;
  std::vector<request> sends_, receives_;
  std::vector<std::vector<unsigned char>> kept_;
  std::deque<mpi_incoming> rooms_;
};

/// Where the share of each rank lies: equally long ones, or as arrays say.
struct layout {
  const int *counts, *places;  // null: equal
  int count;
  int count_of(int rank) const { return counts ? counts[rank] : count; }
  std::ptrdiff_t place_of(int rank) const {
    return places ? places[rank] : std::ptrdiff_t{rank} * count;
  }
  share of(const void* array, int rank, const mpi_type& type) const {
    return share_at(array, place_of(rank), count_of(rank), type);
  }
};

void check_counts(const mpi_call& call, const mpi_communicator& of, const layout& laid) {
  for (int rank = 0; rank < of.size; ++rank) call.check_count(laid.count_of(rank));
}

void gather_at(mpi_call& call, const void* data, int count, MPI_Datatype type, void* into,
               const layout& laid, MPI_Datatype into_type, int root, MPI_Comm comm) {
  mpi_communicator& of = call.comm(comm);
  call.check_root(of, root);
  exchange all(call, of);
  if (of.rank != root) {
    call.check_count(count);
    all.send(root, share_at(data, 0, count, call.type(type)));
    return all.end();
  }
  check_counts(call, of, laid);
  const mpi_type& each = call.type(into_type);
  if (data != MPI_IN_PLACE) {
    call.check_count(count);
    all.copy(share_at(data, 0, count, call.type(type)), laid.of(into, root, each));
  }
  for (int rank = 0; rank < of.size; ++rank)
    if (rank != root) all.receive(rank, laid.of(into, rank, each));
  all.end();
}

void scatter_from(mpi_call& call, const void* data, const layout& laid, MPI_Datatype type,
                  void* into, int into_count, MPI_Datatype into_type, int root, MPI_Comm comm) {
  mpi_communicator& of = call.comm(comm);
  call.check_root(of, root);
  exchange all(call, of);
  if (of.rank != root) {
    call.check_count(into_count);
    all.receive(root, share_at(into, 0, into_count, call.type(into_type)));
    return all.end();
  }
  check_counts(call, of, laid);
  const mpi_type& each = call.type(type);
  if (into != MPI_IN_PLACE) {
    call.check_count(into_count);
    all.copy(laid.of(data, root, each), share_at(into, 0, into_count, call.type(into_type)));
  }
  for (int rank = 0; rank < of.size; ++rank)
    if (rank != root) all.send(rank, laid.of(data, rank, each));
  all.end();
}

void gather_everywhere(mpi_call& call, const void* data, int count, MPI_Datatype type, void* into,
                       const layout& laid, MPI_Datatype into_type, MPI_Comm comm) {
  mpi_communicator& of = call.comm(comm);
  check_counts(call, of, laid);
  if (data != MPI_IN_PLACE) call.check_count(count);
  const mpi_type& each = call.type(into_type);
  const share mine = data == MPI_IN_PLACE ? laid.of(into, of.rank, each)
                                          : share_at(data, 0, count, call.type(type));
  exchange all(call, of);
  if (data != MPI_IN_PLACE) all.copy(mine, laid.of(into, of.rank, each));
  // Each sends to those after it first, so that nobody is everybody's first.
  for (int step = 1; step < of.size; ++step) {
    const int from = (of.rank - step + of.size) % of.size;
    all.receive(from, laid.of(into, from, each));
  }
  for (int step = 1; step < of.size; ++step) all.send((of.rank + step) % of.size, mine);
  all.end();
}

void exchange_all(mpi_call& call, const void* data, const layout& laid, MPI_Datatype type,
                  void* into, const layout& into_laid, MPI_Datatype into_type, MPI_Comm comm) {
  mpi_communicator& of = call.comm(comm);
  check_counts(call, of, into_laid);
  if (data != MPI_IN_PLACE) check_counts(call, of, laid);
  const mpi_type& each = call.type(into_type);
  std::vector<std::vector<unsigned char>> own(
      data == MPI_IN_PLACE ? static_cast<std::size_t>(of.size) : 0);
  exchange all(call, of);
  if (data == MPI_IN_PLACE)  // what is sent is copied, since its place is received into
    for (int to = 0; to < of.size; ++to) {
      const share what = into_laid.of(into, to, each);
      const mpi_outgoing out(what.start, what.count, each);
      const auto* const first = static_cast<const unsigned char*>(out.bytes().data);
      own[static_cast<std::size_t>(to)].assign(first, first + out.bytes().size);
    }
  const auto sent_to = [&](int to) {
    if (data != MPI_IN_PLACE) return laid.of(data, to, call.type(type));
    auto& copy = own[static_cast<std::size_t>(to)];
    return share{copy.data(), static_cast<int>(copy.size()), mpi_basic_type(MPI_BYTE)};
  };
  if (data != MPI_IN_PLACE) all.copy(sent_to(of.rank), into_laid.of(into, of.rank, each));
  for (int step = 1; step < of.size; ++step) {
    const int from = (of.rank - step + of.size) % of.size;
    all.receive(from, into_laid.of(into, from, each));
  }
  for (int step = 1; step < of.size; ++step) {
    const int to = (of.rank + step) % of.size;
    all.send(to, sent_to(to));
  }
  all.end();
}

/// A bcast of elements with gaps is packed.
collective broadcast(std::size_t bytes, int root) {
  return {collective::broadcast, static_cast<std::uint32_t>(root), bytes, bytes, 0};
}

mpi_request& new_collective(mpi_call& call, MPI_Comm comm, MPI_Request* number) {
  mpi_request& one = call.me.new_request(number);
  one.what = mpi_request::collects;
  one.comm = comm;
  return one;
}

}  // namespace

int terrane_mpi_barrier(const char* file, int line, MPI_Comm comm) {
  return mpi_answer("MPI_Barrier", file, line,
                    [&](mpi_call& call) { call.comm(comm).its.barrier(call.where); });
}

int terrane_mpi_ibarrier(const char* file, int line, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Ibarrier", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    new_collective(call, comm, request).its = of.its.ibarrier(call.where);
  });
}

int terrane_mpi_bcast(const char* file, int line, void* data, int count, MPI_Datatype type,
                      int root, MPI_Comm comm) {
  return mpi_answer("MPI_Bcast", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    call.check_count(count);
    call.check_root(of, root);
    const mpi_type& each = call.type(type);
    if (of.rank == root) {
      const mpi_outgoing out(data, count, each);
      return of.its.together(broadcast(out.bytes().size, root), out.bytes(), {}, call.where);
    }
    mpi_incoming coming(data, count, each);
    const receive_room room = coming.room();
    of.its.together(broadcast(room.bytes, root), {}, room, call.where);
    coming.settle(room.bytes);
  });
}

int terrane_mpi_ibcast(const char* file, int line, void* data, int count, MPI_Datatype type,
                       int root, MPI_Comm comm, MPI_Request* request) {
  return mpi_answer("MPI_Ibcast", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    call.check_count(count);
    call.check_root(of, root);
    const mpi_type& each = call.type(type);
    if (!each.is_plain)
      call.refuse(MPI_ERR_TYPE, run_time_error::message_out_of_range,
                  "has elements with gaps: use MPI_Bcast for them");
    const std::size_t bytes = each.bytes_of(count);
    const bool is_mine = of.rank == root;
    new_collective(call, comm, request).its = of.its.begin_together(
        broadcast(bytes, root), is_mine ? bytes_view{data, bytes} : bytes_view{},
        {is_mine ? nullptr : data, bytes}, call.where);
  });
}

int terrane_mpi_gather(const char* file, int line, const void* data, int count, MPI_Datatype type,
                       void* into, int into_count, MPI_Datatype into_type, int root,
                       MPI_Comm comm) {
  return mpi_answer("MPI_Gather", file, line, [&](mpi_call& call) {
    gather_at(call, data, count, type, into, {nullptr, nullptr, into_count}, into_type, root, comm);
  });
}

int terrane_mpi_gatherv(const char* file, int line, const void* data, int count, MPI_Datatype type,
                        void* into, const int* counts, const int* places, MPI_Datatype into_type,
                        int root, MPI_Comm comm) {
  return mpi_answer("MPI_Gatherv", file, line, [&](mpi_call& call) {
    gather_at(call, data, count, type, into, {counts, places, 0}, into_type, root, comm);
  });
}

int terrane_mpi_scatter(const char* file, int line, const void* data, int count, MPI_Datatype type,
                        void* into, int into_count, MPI_Datatype into_type, int root,
                        MPI_Comm comm) {
  return mpi_answer("MPI_Scatter", file, line, [&](mpi_call& call) {
    scatter_from(call, data, {nullptr, nullptr, count}, type, into, into_count, into_type, root,
                 comm);
  });
}

int terrane_mpi_scatterv(const char* file, int line, const void* data, const int* counts,
                         const int* places, MPI_Datatype type, void* into, int into_count,
                         MPI_Datatype into_type, int root, MPI_Comm comm) {
  return mpi_answer("MPI_Scatterv", file, line, [&](mpi_call& call) {
    scatter_from(call, data, {counts, places, 0}, type, into, into_count, into_type, root, comm);
  });
}

int terrane_mpi_allgather(const char* file, int line, const void* data, int count,
                          MPI_Datatype type, void* into, int into_count, MPI_Datatype into_type,
                          MPI_Comm comm) {
  return mpi_answer("MPI_Allgather", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    call.check_count(into_count);
    const mpi_type& each = call.type(into_type);
    const layout equal{nullptr, nullptr, into_count};
    if (data != MPI_IN_PLACE) call.check_count(count);
    // Packed where there are gaps: ranks may have other types, as long as the elements match.
    const share mine = data == MPI_IN_PLACE ? equal.of(into, of.rank, each)
                                            : share_at(data, 0, count, call.type(type));
    const mpi_outgoing out(mine.start, mine.count, *mine.type);
    if (const std::size_t bytes = each.bytes_of(into_count); out.bytes().size != bytes)
      call.refuse(MPI_ERR_TRUNCATE, run_time_error::message_too_long,
                  "gives " + std::to_string(out.bytes().size) + " bytes, and room for " +
                      std::to_string(bytes) + " of each rank: they are to be equal");
    mpi_incoming coming(into, std::ptrdiff_t{into_count} * of.size, each);
    const receive_room room = coming.room();
    of.its.together(
        {collective::all_to_all_members, collective::no_root, out.bytes().size, room.bytes, 0},
        out.bytes(), {room.start, room.bytes}, call.where);
    coming.settle(room.bytes);
  });
}

int terrane_mpi_allgatherv(const char* file, int line, const void* data, int count,
                           MPI_Datatype type, void* into, const int* counts, const int* places,
                           MPI_Datatype into_type, MPI_Comm comm) {
  return mpi_answer("MPI_Allgatherv", file, line, [&](mpi_call& call) {
    gather_everywhere(call, data, count, type, into, {counts, places, 0}, into_type, comm);
  });
}

int terrane_mpi_alltoall(const char* file, int line, const void* data, int count, MPI_Datatype type,
                         void* into, int into_count, MPI_Datatype into_type, MPI_Comm comm) {
  return mpi_answer("MPI_Alltoall", file, line, [&](mpi_call& call) {
    exchange_all(call, data, {nullptr, nullptr, count}, type, into, {nullptr, nullptr, into_count},
                 into_type, comm);
  });
}

int terrane_mpi_alltoallv(const char* file, int line, const void* data, const int* counts,
                          const int* places, MPI_Datatype type, void* into, const int* into_counts,
                          const int* into_places, MPI_Datatype into_type, MPI_Comm comm) {
  return mpi_answer("MPI_Alltoallv", file, line, [&](mpi_call& call) {
    exchange_all(call, data, {counts, places, 0}, type, into, {into_counts, into_places, 0},
                 into_type, comm);
  });
}
