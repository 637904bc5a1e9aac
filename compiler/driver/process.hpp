// SPDX-License-Identifier: Apache-2.0
// process.hpp: runs another program and waits for it; replaces a file as a whole.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane::compiler {

/// Returns the exit code, or 128 + the signal that ended the program; an error if it could not be
/// started. said: if not null, receives what the program writes to stderr. Its stdout is ours.
result<int> run_process(const std::vector<std::string>& words, std::string* said = nullptr);

/// A file that is renamed to `path` when it is complete, and is removed otherwise.
class pending_file {
 public:
  explicit pending_file(std::string path);
  ~pending_file();
  pending_file(const pending_file&) = delete;
  pending_file& operator=(const pending_file&) = delete;

  /// The path to write to until then: in the same folder, with the same suffix.
  const std::string& meanwhile() const { return meanwhile_; }
  /// Renames the file. Returns "", or a sentence that says why it could not.
  std::string put_in_place();

 private:
  std::string path_, meanwhile_;
};

}  // namespace terrane::compiler
