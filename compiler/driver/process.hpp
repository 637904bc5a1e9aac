// SPDX-License-Identifier: Apache-2.0
// process.hpp: runs another program and waits for it.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane::compiler {

/// The exit code, 128 + the signal if one ended it; an error if it could not be started.
/// said: what it wrote to stderr goes there instead, if not null. Its stdout is ours.
result<int> run_process(const std::vector<std::string>& words, std::string* said = nullptr);

/// A file that becomes `path` when it is complete, and is gone otherwise.
class pending_file {
 public:
  explicit pending_file(std::string path);
  ~pending_file();
  pending_file(const pending_file&) = delete;
  pending_file& operator=(const pending_file&) = delete;

  /// Where to write meanwhile: in the same folder, with the same suffix.
  const std::string& meanwhile() const { return meanwhile_; }
  /// The sentence that says why it could not be put in place, or "".
  std::string put_in_place();

 private:
  std::string path_, meanwhile_;
};

}  // namespace terrane::compiler
