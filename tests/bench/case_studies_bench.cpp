// Case studies end to end against what was published (R. Schoonhoven, "On the optimization of imaging pipelines", 2024,
// chapter 3): what is found, how sure, in how many evaluations and seconds. case=A3 and the like picks one; further
// arguments are those of its file.
#include "tests/bench/cases/case_studies.h"

using namespace tl;

namespace {

struct Case {
  const char* name;
  void (*run)(bench::Arguments& arguments);
};

constexpr Case cases[] = {{"A3", bench::phase_case},
                          {"A5", bench::beam_hardening_case},
                          {"A6", bench::tv_network_case},
                          {"together", bench::together_case}};

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const std::string wanted = arguments.text("case");
  for (const Case& c : cases) {
    if (wanted != c.name) continue;
    c.run(arguments);
    return 0;
  }
  std::string names;
  for (const Case& c : cases) names += std::string(names.empty() ? "" : ", ") + c.name;
  bench::stop("say which case: case=, one of " + names);
}
