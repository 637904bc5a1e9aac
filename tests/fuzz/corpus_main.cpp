// SPDX-License-Identifier: Apache-2.0
// corpus_main.cpp: runs a fuzz target without a fuzzer: on the files of a folder, and on damaged
// copies of them.
//
//   frames_corpus FOLDER COPIES
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

void run(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::string damaged(std::string text, std::mt19937& random) {
  for (unsigned i = 1 + random() % 4; i > 0; --i) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 4) {
      case 0: text.insert(at, 1 + random() % 8, static_cast<char>(random())); break;
      case 1: text.erase(at, random() % 8); break;
      case 2: text.insert(at, text.substr(at, random() % 64)); break;
      default:
        if (!text.empty()) text[at] = static_cast<char>(random());
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::string> texts{""};
  for (const auto& each : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(each.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::mt19937 random(1);
  const long copies = std::atol(argv[2]);
  for (const std::string& text : texts) run(text);
  for (long i = 0; i < copies; ++i) run(damaged(texts[random() % texts.size()], random));
  std::printf("%zu texts and %ld damaged ones\n", texts.size() - 1, copies);
  return texts.size() > 1 ? 0 : 1;
}
