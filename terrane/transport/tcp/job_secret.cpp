// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/job_secret.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "terrane/base/openssl.hpp"
#include "terrane/transport/tcp/random_bytes.hpp"

namespace terrane {

namespace {

constexpr std::size_t page_bytes = 4096;  // the kernel rounds up

/// The value of a digit; -1 for anything else.
int value_of(unsigned char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

void job_secret::give_back::operator()(unsigned char* page) const {
  wipe({page, bytes});
  munmap(page, page_bytes);
}

result<job_secret> job_secret::empty() {
  if (!openssl_problem().empty()) return error{"world tcp needs OpenSSL: " + openssl_problem()};
  void* const page =
      mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return error{fmt::format("there is no memory for the job's secret: {}", std::strerror(errno))};
  mlock(page, page_bytes);  // may be refused: then it may be swapped out, as the rest of memory
  madvise(page, page_bytes, MADV_DONTDUMP);
  return job_secret(static_cast<unsigned char*>(page));
}

result<job_secret> job_secret::mint() {
  auto made = empty();
  if (!made) return made;
  if (!fill_with_random(made.value().mine()))
    return error{fmt::format("the kernel gives no random numbers for the job's secret: {}",
                             std::strerror(errno))};
  return made;
}

result<job_secret> job_secret::read_from(int descriptor) {
  line text;
  for (std::size_t have = 0; have < line_bytes;) {
    const auto rest = text.text().subspan(have);
    const ssize_t got = read(descriptor, rest.data(), rest.size());
    if (got > 0) {
      have += static_cast<std::size_t>(got);
    } else if (got == 0) {
      return error{
          fmt::format("the job's secret did not arrive: standard input ended after {} of "
                      "{} bytes; terrane starts nodes by itself, nobody else does",
                      have, line_bytes)};
    } else if (errno != EINTR) {
      return error{fmt::format("the job's secret could not be read from standard input: {}",
                               std::strerror(errno))};
    }
  }
  return of_line(text);
}

result<job_secret> job_secret::of_line(line& from) {
  auto made = empty();
  if (!made) return made;
  const auto text = from.text();
  bool right = text[2 * bytes] == '\n', zero = true;
  for (std::size_t i = 0; i < bytes; ++i) {
    const int high = value_of(text[2 * i]), low = value_of(text[2 * i + 1]);
    right = right && high >= 0 && low >= 0;
    zero = zero && high == 0 && low == 0;
    made.value().mine()[i] = static_cast<unsigned char>(high * 16 + low);
  }
  wipe(text);
  if (!right || zero)
    return error{
        fmt::format("what stands first on standard input is no secret of a job ({} "
                    "hexadecimal digits and a line break); terrane starts nodes by "
                    "itself, nobody else does",
                    2 * bytes)};
  return made;
}

void job_secret::write(line& into) const {
  const auto text = into.text();
  for (std::size_t i = 0; i < bytes; ++i) {
    text[2 * i] = static_cast<unsigned char>("0123456789abcdef"[page_.get()[i] >> 4]);
    text[2 * i + 1] = static_cast<unsigned char>("0123456789abcdef"[page_.get()[i] & 15]);
  }
  text[2 * bytes] = '\n';
}

hash_bytes job_secret::key_for(const char* purpose) const {
  return keyed_hash({page_.get(), bytes},
                    {reinterpret_cast<const unsigned char*>(purpose), std::strlen(purpose)});
}

job_id job_secret::job() const {
  const hash_bytes all = key_for("terrane job id");
  job_id id;
  std::copy_n(all.begin(), id.size(), id.begin());
  return id;
}

std::uint64_t job_secret::guard_word() const {
  const hash_bytes all = key_for("terrane guard word of stacks");
  std::uint64_t word;
  std::memcpy(&word, all.data(), sizeof word);
  return word & ~std::uint64_t{0xff};
}

}  // namespace terrane
