// Registers the test cases of a program and runs those named on its command line.
#include "tests/support/test_case.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace tl::test {
namespace {

using Run = int (*)(int argc, char** argv);

std::map<std::string, Run>& cases() {
  static std::map<std::string, Run> all;
  return all;
}

}  // namespace

TestCase::TestCase(const char* file, Run run) { cases().emplace(std::filesystem::path(file).stem().string(), run); }

int run_test_cases(int argc, char** argv) {
  const auto named = argc > 1 ? cases().find(argv[1]) : cases().end();
  if (named != cases().end()) {
    argv[1] = argv[0];
    return named->second(argc - 1, argv + 1);
  }
  if (cases().size() == 1) return cases().begin()->second(argc, argv);
  if (argc > 1) {
    std::fprintf(stderr, "%s: there is no test case %s. There are:", argv[0], argv[1]);
    for (const auto& [name, run] : cases()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  int failed = 0;
  for (const auto& [name, run] : cases()) failed += run(argc, argv);
  return failed;
}

}  // namespace tl::test
