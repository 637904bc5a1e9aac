// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mpi/mpi_program.hpp"

#include <cstdio>
#include <cstring>
#include <string>

#include "terrane/base/bounded_text.hpp"
#include "terrane/core/run_end.hpp"
#include "terrane/talk/mpi/mpi_call.hpp"
#include "terrane/talk/rope_functions.hpp"
#include "terrane/thread/migration.hpp"

namespace terrane {

namespace {

mpi_program the_program;
int exit_code_of_all = 0;  // rank 0 writes, on processor 0; its root reads when ranks have ended

/// A rank calls exit(): thrown through the frames of main.
struct rank_exits {
  int code;
};

struct rank_end {
  std::int32_t rank, code;
};
/// The lowest rank with a code counts.
void combine_ends(void* into, const void* value, std::size_t) {
  rank_end one, other;
  std::memcpy(&one, into, sizeof one);
  std::memcpy(&other, value, sizeof other);
  if (one.code == 0) std::memcpy(into, &other, sizeof other);
}

/// Arguments of a rank's own, which its main may change.
struct own_arguments {
  std::vector<std::string> words;
  std::vector<char*> pointers;

  own_arguments() : words(the_program.argv, the_program.argv + the_program.argc) {
    for (std::string& each : words) pointers.push_back(each.data());
    pointers.push_back(nullptr);
  }
};

int call_main() {
  own_arguments words;
  try {
    return the_program.main(static_cast<int>(words.words.size()), words.pointers.data());
  } catch (const rank_exits& how) { return how.code; }
}

void be_a_rank() {
  const this_thread::stay_here pinned;
  const rope world = this_rope();
  mpi_rank me(world);
  const int code = call_main() & 0xff;
  if (code != 0 && me.is_begun && !me.is_ended) {
    bounded_text text;
    text.add("rank %d ended with exit code %d before MPI_Finalize", me.world().rank, code);
    end_run(code, text.c_str());
  }
  me.wait_for_dropped();
  const rank_end mine{me.world().rank, code};
  rank_end first = mine;
  world.together({collective::reduction, collective::no_root, sizeof mine, sizeof mine,
                  distance_of(reinterpret_cast<const void*>(&combine_ends))},
                 {&mine, sizeof mine}, {&first, sizeof first}, call_place("the end of main", 0));
  if (mine.rank == 0) exit_code_of_all = first.code;
}

}  // namespace

void describe_mpi_program(const mpi_program& about) { the_program = about; }

int run_mpi_ranks(int, char**) {
  const std::uint32_t ranks = the_program.ranks != 0 ? the_program.ranks : terrane_processors();
  const thread_options how{.name = "rank",
                           .stack_bytes = the_program.stack_bytes,
                           .size_from = stack_from::message};  // more of it is told as --stack
  started_rope all = rope::create(ranks, rope_mapping::block(), how, [] { be_a_rank(); });
  all.join();
  return exit_code_of_all;
}

}  // namespace terrane

using namespace terrane;

void terrane_mpi_rank_exits(int code) {
  if (terrane_is_processor() && mpi_rank::here()) throw rank_exits{code};
}

// --- calls of the whole program ---

namespace {

/// For calls that may come at any time.
mpi_rank& rank_anywhere(const char* name) {
  if (mpi_rank* const me = terrane_is_processor() ? mpi_rank::here() : nullptr) return *me;
  fail(run_time_error::not_a_member, "%s is called where no rank of an MPI program runs", name);
}

int begin(const char* name, const char* file, int line) {
  mpi_rank& me = rank_anywhere(name);
  if (me.is_begun)
    fail(run_time_error::not_a_member, "rank %d calls %s at %s:%d a second time", me.world().rank,
         name, file, line);
  me.is_begun = true;
  return MPI_SUCCESS;
}

void write_text(char* text, int* length, std::size_t room, const std::string& what) {
  *length = std::snprintf(text, room, "%s", what.c_str());
}

}  // namespace

int terrane_mpi_init(const char* file, int line, int* /*argc*/, char*** /*argv*/) {
  return begin("MPI_Init", file, line);
}

int terrane_mpi_init_thread(const char* file, int line, int* /*argc*/, char*** /*argv*/,
                            int required, int* provided) {
  const int code = begin("MPI_Init_thread", file, line);
  // MPI is for the rank's own thread.
  *provided = required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_FUNNELED;
  rank_anywhere("MPI_Init_thread").thread_level = *provided;
  return code;
}

int terrane_mpi_query_thread(const char* file, int line, int* provided) {
  return mpi_answer("MPI_Query_thread", file, line,
                    [&](mpi_call& call) { *provided = call.me.thread_level; });
}

int terrane_mpi_initialized(const char*, int, int* flag) {
  *flag = rank_anywhere("MPI_Initialized").is_begun;
  return MPI_SUCCESS;
}

int terrane_mpi_finalized(const char*, int, int* flag) {
  *flag = rank_anywhere("MPI_Finalized").is_ended;
  return MPI_SUCCESS;
}

int terrane_mpi_finalize(const char* file, int line) {
  return mpi_answer("MPI_Finalize", file, line, [&](mpi_call& call) {
    call.me.wait_for_dropped();
    call.me.is_ended = true;
  });
}

int terrane_mpi_abort(const char* file, int line, MPI_Comm, int code) {
  bounded_text text;
  text.add("rank %d calls MPI_Abort with %d, at %s:%d", rank_anywhere("MPI_Abort").world().rank,
           code, file, line);
  end_run((code & 0xff) != 0 ? code & 0xff : 1, text.c_str());
}

double terrane_mpi_wtime(void) { return 1e-9 * static_cast<double>(terrane_now()); }

int terrane_mpi_get_processor_name(const char* file, int line, char* name, int* length) {
  return mpi_answer("MPI_Get_processor_name", file, line, [&](mpi_call&) {
    const std::uint32_t here = terrane_here->number;
    write_text(
        name, length, MPI_MAX_PROCESSOR_NAME,
        "node " + std::to_string(terrane_node_of(here)) + " processor " + std::to_string(here));
  });
}

int terrane_mpi_get_version(const char*, int, int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int terrane_mpi_get_library_version(const char*, int, char* text, int* length) {
  write_text(text, length, MPI_MAX_LIBRARY_VERSION_STRING, "Terrane " TERRANE_VERSION);
  return MPI_SUCCESS;
}

int terrane_mpi_error_string(const char*, int, int code, char* text, int* length) {
  static constexpr const char* texts[] = {
      "no error",     "wrong buffer",       "wrong count",    "wrong type",
      "wrong tag",    "wrong communicator", "wrong rank",     "wrong request",
      "wrong root",   "wrong operation",    "wrong argument", "message longer than its room",
      "another error"};
  const bool is_known = code >= 0 && code < MPI_ERR_LASTCODE;
  write_text(text, length, MPI_MAX_ERROR_STRING, is_known ? texts[code] : "no error of MPI");
  return MPI_SUCCESS;
}

int terrane_mpi_error_class(const char*, int, int code, int* error_class) {
  *error_class = code;
  return MPI_SUCCESS;
}
