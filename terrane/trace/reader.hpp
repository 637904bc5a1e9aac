// SPDX-License-Identifier: Apache-2.0
// reader.hpp: reads a trace file: which run it is, and its events, source by source or in order of
// time.
//
// Purpose     Knows the format (docs/trace-format.md) and nothing of the runtime: the table of
//             events is in the file. So it reads traces of other versions, and is what converters
//             and reports stand on.
// Damage      Every byte may be wrong. A chunk whose check sum differs is left out, and reading
//             goes on at the next mark; `problems` says so. What is left is consistent: numbers of
//             events and names that do not exist end a chunk. Memory grows with the file's size
//             alone.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/trace/clock_alignment.hpp"

namespace terrane {

struct byte_reader;

inline constexpr std::size_t trace_fields_max = 8;

struct trace_field {
  enum class kind { number, integer, node, processor, message, frame, function, fiber, text };
  kind is;
  std::string name, unit;
};

struct trace_event_type {
  std::string name, sentence;
  std::uint32_t of = 0;  // class
  std::vector<trace_field> fields;
};

/// What a name stands for.
struct trace_name {
  std::string name;      // of a fiber: function::fiber
  std::string function;  // of a fiber
  std::string file;
  std::uint32_t line = 0;
};

/// One event. `values` has a place for each field of its type: numbers, or indices of names.
struct trace_event {
  std::int64_t ns = 0;  // since the run began
  std::uint32_t type = 0;
  std::uint32_t source = 0;  // index into sources()
  std::array<std::uint64_t, trace_fields_max> values{};

  std::int64_t integer(std::size_t field) const { return static_cast<std::int64_t>(values[field]); }
};

/// What wrote events: a processor, a node's policy, or a process.
struct trace_source {
  enum class kind { processor, policy, process };
  kind is = kind::processor;
  std::uint32_t process = 0;
  std::uint32_t number = 0;  // of the processor, or of the node
  std::uint32_t node = 0;
  std::vector<std::uint64_t> dropped;  // by class
  std::uint64_t all_dropped() const;
  std::string title() const;
};

/// The run's identity, from the file's head. Texts are as the file has them: not to be trusted.
struct trace_run {
  std::string id, program, build, command, options, host, system, version, world, network, balancer,
      started;
  std::uint64_t seed = 0;
  std::uint32_t nodes = 1, processors = 1, cores = 0;  // processors of each node
  bool simulated = false;
};

class trace_file {
 public:
  /// An error: there is no such file, or it has no readable head.
  static result<std::unique_ptr<trace_file>> open(const std::string& path);
  /// The same for bytes in memory.
  static result<std::unique_ptr<trace_file>> read(std::string bytes);

  const trace_run& run() const { return run_; }
  const std::vector<trace_event_type>& types() const { return types_; }
  const std::vector<std::string>& classes() const { return classes_; }
  const std::vector<trace_source>& sources() const { return sources_; }
  /// JSON objects that say how the run ended: its statistics, an error, a lost node.
  const std::vector<std::string>& ends() const { return ends_; }
  /// What could not be read, a sentence each.
  const std::vector<std::string>& problems() const { return problems_; }
  std::uint64_t dropped() const;
  /// What is known of the clocks of a process on another host, whose times are shown as those of
  /// the launcher's clock.
  struct host_clock {
    std::uint32_t process;   // its first node
    std::int64_t offset_ns;  // of the launcher's clock, at the first exchange
    double drift;            // how much faster that goes
    std::int64_t error_ns;   // the most that times of its events may be wrong by
    std::int64_t moved_ns;   // so much later than by the exchanges alone, for its messages' sake
  };
  /// Empty: all processes have one clock.
  const std::vector<host_clock>& host_clocks() const { return host_clocks_; }
  /// What the clocks' readings contradict, a sentence each.
  const std::vector<std::string>& clock_doubts() const { return clock_doubts_; }
  /// The number of the type of that name; 0, which is no event, if the file has none.
  std::uint32_t type_of(std::string_view name) const;
  /// The name that a field of the kind function, fiber or text stands for.
  const trace_name& name_of(const trace_event& event, std::uint64_t value) const;
  /// The value of a field, as a report shows it.
  std::string text_of(const trace_event& event, std::size_t field) const;
  /// The event's sentence, with its values.
  std::string sentence_of(const trace_event& event) const;

  /// Visits the events of one source.
  class cursor {
   public:
    cursor(const trace_file& file, std::uint32_t source);
    bool next(trace_event& event);

   private:
    bool open_chunk();
    void set_time();
    bool read_fields(byte_reader& from, trace_event& event);
    const trace_file& file_;
    const std::uint32_t source_;
    std::size_t chunk_ = 0;
    std::string_view left_;
    std::uint64_t ticks_ = 0, frame_ = 0;
    std::int64_t ns_ = std::numeric_limits<std::int64_t>::min();
    std::size_t segment_ = 0;  // of the clock
  };
  /// Visits the events of all sources in order of time.
  class in_time {
   public:
    explicit in_time(const trace_file& file);
    bool next(trace_event& event);

   private:
    struct waiting {
      trace_event event;
      std::size_t of;
    };
    static bool later(const waiting& left, const waiting& right);
    std::vector<cursor> cursors_;
    std::vector<waiting> heap_;
  };

 private:
  struct clock_point {
    std::uint64_t ticks;
    std::int64_t ns;  // CLOCK_MONOTONIC
  };
  explicit trace_file(std::string bytes) : bytes_(std::move(bytes)) {}
  result<void> scan();
  result<void> read_head(std::string_view json);
  void read_names(std::uint32_t process, std::string_view bytes);
  void read_clock(std::uint32_t process, std::string_view bytes);
  void read_exchange(std::uint32_t process, std::string_view bytes);
  void align_clocks();
  void move_by_messages();
  std::int64_t launcher_time(std::uint32_t process, std::int64_t ns) const;
  void read_dropped(std::uint32_t source, std::string_view bytes);
  std::uint32_t source_at(std::uint32_t process, std::uint32_t number);
  std::int64_t time_of(std::uint32_t process, std::uint64_t ticks, std::size_t& segment) const;
  void complain(std::string sentence);

  const std::string bytes_;
  trace_run run_;
  std::vector<trace_event_type> types_;
  std::vector<std::string> classes_, messages_;
  std::vector<trace_source> sources_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> source_numbers_;
  std::vector<std::vector<std::string_view>> chunks_;                   // by source
  std::map<std::uint32_t, std::map<std::uint64_t, trace_name>> names_;  // by process
  std::map<std::uint32_t, std::vector<clock_point>> clocks_;            // by process
  std::map<std::uint32_t, std::vector<clock_exchange>> exchanges_;      // by process
  // by process on another host: its clock, and how much later than that its times are shown
  std::map<std::uint32_t, std::pair<clock_alignment, std::int64_t>> alignments_;
  std::vector<host_clock> host_clocks_;
  std::int64_t began_ = 0;                      // CLOCK_MONOTONIC of the launcher
  std::uint32_t began_by_ = ~std::uint32_t{0};  // the process that said so
  std::vector<std::string> ends_, problems_, clock_doubts_;
};

}  // namespace terrane
