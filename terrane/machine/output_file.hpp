// SPDX-License-Identifier: Apache-2.0
// output_file.hpp: a file that a run writes at its end, and opens at its start to see that it can.
//
// Invariants  The old contents stay until the new text is complete. If the file is our own stdout
//             or stderr (such as /dev/stdout), it is not truncated: the text follows what was
//             printed.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "terrane/base/result.hpp"

namespace terrane {

/// True if both descriptors refer to the same file.
bool same_file(int left, int right);

class output_file {
 public:
  /// Opens the file, and creates it if it does not exist.
  static result<output_file> open(const std::string& path);
  output_file(output_file&& from) noexcept
      : path_(std::move(from.path_)),
        descriptor_(std::exchange(from.descriptor_, -1)),
        follows_(from.follows_) {}
  output_file& operator=(output_file&&) = delete;
  ~output_file();

  /// Replaces the contents of the file by `text`.
  result<void> replace(std::string_view text);

 private:
  output_file(std::string path, int descriptor, bool follows)
      : path_(std::move(path)), descriptor_(descriptor), follows_(follows) {}

  std::string path_;
  int descriptor_;
  bool follows_;  // it is our stdout or stderr
};

}  // namespace terrane
