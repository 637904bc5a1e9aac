// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>

#include "terrane/balance/table.hpp"
#include "terrane/core/balancer.hpp"

namespace terrane {

namespace {

/// A check for CLI11 (an empty string means right): a whole number in a range.
std::function<std::string(const std::string&)> whole_number(std::int64_t least, std::int64_t most) {
  return [least, most](const std::string& text) -> std::string {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= least &&
        number <= most)
      return "";
    return "needs a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
           ", not '" + text + "'";
  };
}

std::function<std::string(const std::string&)> one_of(std::vector<std::string> names) {
  return [names = std::move(names)](const std::string& text) -> std::string {
    if (std::find(names.begin(), names.end(), text) != names.end()) return "";
    std::string all;
    for (const auto& each : names) all += (all.empty() ? "" : ", ") + each;
    return "takes one of " + all + ", not '" + text + "'";
  };
}

result<void> read_statistics(const std::string& text, run_options& options) {
  const std::string form = text.substr(0, text.find('='));
  if (form.size() < text.size()) options.statistics_file = text.substr(form.size() + 1);
  const bool file_given = form.size() < text.size();
  if (form == "json" && (!file_given || !options.statistics_file.empty()))
    options.statistics = statistics_form::json;
  else if (form == "text" && !file_given)
    options.statistics = statistics_form::text;
  else if (form == "none" && !file_given)
    options.statistics = statistics_form::none;
  else
    return error{"--stats takes text, json, json=FILE or none, not '" + text + "'"};
  return {};
}

/// "--nodes: needs ..." as CLI11 has it, in one line without its colon.
std::string one_sentence(std::string text) {
  if (const auto at = text.find(": needs"); at != text.npos) text.erase(at, 1);
  if (const auto at = text.find(": takes"); at != text.npos) text.erase(at, 1);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + " (see --help)";
}

}  // namespace

result<parsed_options> parse_options(const std::vector<std::string>& words,
                                     const run_options& defaults, const std::string& usage) {
  parsed_options parsed{defaults, {}, ""};
  run_options& options = parsed.options;
  std::string statistics, enough, pinning;
  CLI::App parser{usage};
  parser.set_help_flag("-h,--help", "print this and exit");
  parser.prefix_command();
  parser
      .add_option("--nodes", options.nodes, "nodes: share-nothing groups of processors (default 1)")
      ->check(whole_number(1, local_processors_max))
      ->type_name("N");
  parser
      .add_option("--processors", options.processors,
                  "processors of each node (default: the cores this run may use, shared out)")
      ->check(whole_number(1, local_processors_max))
      ->type_name("P");
  parser.add_option("--world", options.world, "how nodes reach each other: local (default)")
      ->check(one_of({"local"}))
      ->type_name("WORLD");
  parser
      .add_option("--balancer", options.balancer,
                  "NAME or NAME:PARAMETER=NUMBER,... (default rand; see terrane balancers)")
      ->type_name("NAME");
  parser.add_option("--seed", options.seed, "of all random choices (default 1)")
      ->check(whole_number(0, INT64_MAX))
      ->type_name("S");
  parser
      .add_option("--stats", statistics,
                  "text, json (last line of stderr), json=FILE or none: what to print at the end")
      ->type_name("FORM");
  parser
      .add_option(
          "--enough", enough,
          "tokens a processor keeps queued before it runs further ones at once, or 'all' to "
          "queue every one (default: the balancer's choice)")
      ->type_name("N");
  parser.add_option("--pinning", pinning, "auto (default), on or off: bind processors to cores")
      ->check(one_of({"auto", "on", "off"}))
      ->type_name("WHEN");
  parser
      .add_option("--frame-memory", options.frame_memory_mib,
                  "MiB of frames a processor may use (default and most: 4096)")
      ->check(whole_number(1, 4096))
      ->type_name("MIB");
  parser.add_flag("--quiet", options.quiet, "no progress and no notices on stderr");

  std::vector<std::string> reversed(words.rbegin(),
                                    words.rend());  // CLI11 takes them from the back
  try {
    parser.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    parsed.help = parser.help();
    return parsed;
  } catch (const CLI::ParseError& problem) { return error{one_sentence(problem.what())}; }
  parsed.rest = parser.remaining();
  if (!parsed.rest.empty() && parsed.rest.front() == "--")
    parsed.rest.erase(parsed.rest.begin());
  else if (!parsed.rest.empty() && parsed.rest.front().starts_with("--"))
    return error{"there is no option " + parsed.rest.front() + " (see --help)"};
  if (!statistics.empty())
    if (auto read = read_statistics(statistics, options); !read) return error{read.problem()};
  if (!pinning.empty()) options.pinning = parse_pinning_option(pinning).value();
  if (enough == "all")
    options.enough = node_view::enough_all;
  else if (!enough.empty()) {
    if (const auto wrong = whole_number(0, 1'000'000)(enough); !wrong.empty())
      return error{"--enough " + wrong + ", and not 'all'"};
    options.enough = std::stoi(enough);
  }
  if (auto policy = choose_balancer(options.balancer); !policy) return error{policy.problem()};
  return parsed;
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace terrane
