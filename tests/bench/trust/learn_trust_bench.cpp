// How far verdicts on a learned tilt, jitter and source distance can be trusted: random scans, most of them outside the
// easy case. Resolved and more than 3 sigma wrong must not happen in more than 1 of 200. scans=N of each kind (10),
// first=N begins at another seed, subject=NAME and kind=NAME pick one, detail=1 lists each.
#include "core/base/larger.h"
#include "tests/bench/bench.h"
#include "tests/support/learn/trials.h"

using namespace tl;

namespace {

struct Count {
  int64_t asked = 0, resolved = 0, wrong = 0, right = 0, near = 0;
  double worst = 0, seconds = 0;

  void add(const test::LearnedError& e, double took) {
    const bool close = e.error <= e.enough;
    ++asked;
    resolved += e.resolved ? 1 : 0;
    wrong += e.wrong() ? 1 : 0;
    right += e.resolved && !e.wrong() && close ? 1 : 0;
    near += close ? 1 : 0;
    if (e.wrong()) worst = larger_or_nan(worst, e.error);
    seconds = std::max(seconds, took);
  }
  void print(const std::string& name) const {
    std::printf("| %s | %lld | %lld | %lld | %.3f | %lld of %lld | %.1f |\n", name.c_str(),
                static_cast<long long>(asked), static_cast<long long>(resolved), static_cast<long long>(wrong), worst,
                static_cast<long long>(right), static_cast<long long>(near), seconds);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const int64_t scans = arguments.number("scans", 10), first = arguments.number("first", 0);
  const std::string only_subject = arguments.text("subject", "all"), only_kind = arguments.text("kind", "all");
  const bool detail = arguments.number("detail", 0) != 0;
  arguments.finish();
  std::printf(
      "| learned | scans | resolved | resolved and wrong | worst of these | resolved and right of the values that are "
      "near | longest [s] |\n|---|---|---|---|---|---|---|\n");
  for (const std::string& subject : test::learn_trial_subjects()) {
    if (only_subject != "all" && only_subject != subject) continue;
    std::map<std::string, Count> counts;
    for (const std::string& kind : test::learn_trial_kinds(subject)) {
      if (only_kind != "all" && only_kind != kind) continue;
      for (int64_t seed = first; seed < first + scans; ++seed) {
        const test::LearnTrial t = test::learn_trial(subject, kind, static_cast<uint64_t>(seed));
        Executor executor(test::registry(), {});
        const auto learned = learn::learn(executor, test::registry(), t.c.graph, t.c.settings);
        if (!learned.ok()) {
          if (detail)
            std::fprintf(stderr, "%s %s: %s\n", subject.c_str(), t.recipe.c_str(), learned.error().message().c_str());
          continue;
        }
        for (const test::LearnedError& e : test::learned_errors(subject, t, learned.value())) {
          counts[e.what].add(e, learned.value().seconds);
          counts[e.what + ", " + kind].add(e, learned.value().seconds);
          if (detail)
            std::fprintf(stderr, "%s %lld %s: error %.4f sigma %.4f %s%s. %s (%s)\n", subject.c_str(),
                         static_cast<long long>(seed), e.what.c_str(), e.error, e.sigma,
                         e.resolved ? "resolved" : "not resolved", e.wrong() ? " WRONG" : "", e.explanation.c_str(),
                         t.recipe.c_str());
        }
      }
    }
    for (const auto& [name, count] : counts) count.print(name);
    std::fflush(stdout);
  }
  return 0;
}
