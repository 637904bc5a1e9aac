// SPDX-License-Identifier: Apache-2.0
// text_sink.hpp: where what is made of a trace goes: a file, stdout or, in tests, a string.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"

namespace terrane {

/// Takes the next bytes. False: they could not be written, and the rest need not be made.
using text_sink = std::function<bool(std::string_view)>;

/// Makes a result of what a sink said.
inline result<void> could_not_write() { return error{"the output could not be written"}; }

/// The text as a JSON string, with its quotes. Bytes that are no UTF-8 become U+FFFD, and `<` is
/// escaped, so that the string may stand in a script of an HTML page.
std::string json_text(std::string_view text);

}  // namespace terrane
