// How far a verdict on the rotation axis can be trusted: random scans, most of them outside the easy case, per finder
// and for what `reconstruct` does of itself. Resolved and more than 3 sigma wrong must not happen in more than 1 of
// 200. Twice: what each finder says of itself, and with the checks of gpu/axis/checks.h; the default alone is the
// Fourier wedge or, in a fan, opposite rays. scans=N of each kind (15), first=N begins at another seed, kind=NAME and
// finder=NAME pick one, detail=1 lists each.
#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "gpu/axis/automatic.h"
#include "gpu/axis/conjugate_rays.h"
#include "gpu/axis/image.h"
#include "gpu/axis/moments.h"
#include "gpu/axis/overlap.h"
#include "gpu/axis/phase_correlation.h"
#include "gpu/axis/vo.h"
#include "gpu/axis/wedge.h"
#include "tests/bench/bench.h"
#include "tests/support/learn/axis_trials.h"

using namespace tl;
using ops::AxisResult;
using test::AxisTrial;

namespace {

constexpr double close_enough = 0.5;  // [px] a value that helps
constexpr const char* by_default = "default";

using Checking = ops::AxisChecking;

template <class P>
P with(Checking checking) {
  P p;
  p.search.checking = checking;
  return p;
}

AxisResult by_rays(const AxisTrial& t, Checking checking) {
  auto p = with<ops::ConjugateRaysParams>(checking);
  p.fan_per_column = t.fan_per_column;
  return ops::axis_conjugate_rays(t.absorption, t.angles, p);
}

AxisResult by_wedge(const AxisTrial& t, Checking checking) {
  return ops::axis_wedge(t.absorption, t.angles, with<ops::WedgeParams>(checking));
}

AxisResult by_image(const AxisTrial& t, Checking checking, ops::ImageScore score) {
  auto p = with<ops::ImageScoreParams>(checking);
  p.score = score;
  return ops::axis_image(t.absorption, t.angles, p);
}

AxisResult by_overlap(const AxisTrial& t, Checking checking) {
  ops::OverlapParams p;
  p.checking = checking;
  return ops::axis_overlap(t.absorption, t.angles, p);
}

AxisResult chosen(const AxisTrial& t, Checking checking) {
  if (checking == Checking::off) return t.fan_per_column > 0 ? by_rays(t, checking) : by_wedge(t, checking);
  return ops::axis_automatic(t.absorption, t.angles, {{}, t.fan_per_column}).found;
}

enum class Serves { parallel, full_turns, all };
struct Finder {
  const char* name;
  Serves serves;
  std::function<AxisResult(const AxisTrial&, Checking)> find;
};

const std::vector<Finder>& finders() {
  static const std::vector<Finder> all = {
      {by_default, Serves::all, chosen},
      {"wedge", Serves::parallel, by_wedge},
      {"Vo", Serves::parallel,
       [](const AxisTrial& t, Checking c) { return ops::axis_vo(t.absorption, t.angles, with<ops::VoParams>(c)); }},
      {"phase correlation", Serves::parallel,
       [](const AxisTrial& t, Checking c) {
         return ops::axis_phase_correlation(t.absorption, t.angles, with<ops::PhaseCorrelationParams>(c));
       }},
      {"moments", Serves::parallel,
       [](const AxisTrial& t, Checking c) {
         return ops::axis_moments(t.absorption, t.angles, with<ops::MomentParams>(c)).found;
       }},
      {"entropy", Serves::parallel,
       [](const AxisTrial& t, Checking c) { return by_image(t, c, ops::ImageScore::entropy); }},
      {"negativity", Serves::parallel,
       [](const AxisTrial& t, Checking c) { return by_image(t, c, ops::ImageScore::negativity); }},
      {"overlap", Serves::full_turns, by_overlap},
      {"opposite rays", Serves::full_turns, by_rays},
  };
  return all;
}

bool serves(const Finder& f, const AxisTrial& t) {
  if (f.serves == Serves::all) return true;
  if (f.serves == Serves::full_turns)
    return t.full_turn() && (t.fan_per_column == 0 || std::string(f.name) != "overlap");
  return t.fan_per_column == 0;
}

struct Outcome {
  bool asked = false, resolved = false, ambiguous = false;
  double error = 0, sigma = 0, seconds = 0;
  std::string words;
  [[nodiscard]] bool wrong(bool has_axis) const { return resolved && (!has_axis || std::abs(error) > 3 * sigma); }
  [[nodiscard]] bool right(bool has_axis) const {
    return resolved && !wrong(has_axis) && std::abs(error) <= close_enough;
  }
};

Outcome outcome(const Finder& f, const AxisTrial& t, Checking checking) {
  Outcome o;
  o.asked = true;
  const auto begin = std::chrono::steady_clock::now();
  try {
    const AxisResult r = f.find(t, checking);
    o.resolved = r.verdict == ops::AxisVerdict::resolved;
    o.ambiguous = r.verdict == ops::AxisVerdict::ambiguous;
    o.error = r.axis - t.axis;
    o.sigma = r.uncertainty;
    o.words = r.explanation;
  } catch (const Failure& refused) {
    o.words = refused.error().message();
  }
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return o;
}

struct Count {
  int64_t asked = 0, resolved = 0, wrong = 0, right = 0, solvable = 0, right_of_solvable = 0;
  int64_t ambiguous = 0, covered = 0;  // of the ambiguous ones: the truth lies within three sigmas
  double worst = 0, seconds = 0;

  void add(const Outcome& o, bool has_axis, bool any_solves) {
    ++asked;
    resolved += o.resolved ? 1 : 0;
    wrong += o.wrong(has_axis) ? 1 : 0;
    right += o.right(has_axis) ? 1 : 0;
    solvable += any_solves ? 1 : 0;
    right_of_solvable += any_solves && o.right(has_axis) ? 1 : 0;
    if (o.ambiguous && has_axis) {
      ++ambiguous;
      covered += std::abs(o.error) <= 3 * o.sigma ? 1 : 0;
    }
    if (o.wrong(has_axis)) worst = std::max(worst, std::abs(o.error));
    seconds = std::max(seconds, o.seconds);
  }
  void print(const std::string& name) const {
    std::printf("| %s | %lld | %lld | %lld | %.1f | %lld | %lld of %lld | %lld of %lld | %.2f |\n", name.c_str(),
                static_cast<long long>(asked), static_cast<long long>(resolved), static_cast<long long>(wrong), worst,
                static_cast<long long>(right), static_cast<long long>(right_of_solvable),
                static_cast<long long>(solvable), static_cast<long long>(covered), static_cast<long long>(ambiguous),
                seconds);
  }
};

// Per finder, and of the default per kind of scan.
class Tables {
 public:
  explicit Tables(std::size_t finders) : total_(finders) {}
  void add(const std::string& kind, const std::vector<Outcome>& outcomes, bool has_axis, bool solvable) {
    for (std::size_t f = 0; f < outcomes.size(); ++f)
      if (outcomes[f].asked) total_[f].add(outcomes[f], has_axis, solvable);
    if (outcomes[0].asked) kinds_[kind].add(outcomes[0], has_axis, solvable);
  }
  void print() const {
    constexpr const char* head =
        " | scans | resolved | resolved and wrong | worst of these [px] | right | right of those that any solves | "
        "ambiguous and within three sigmas | longest [s] |\n|---|---|---|---|---|---|---|---|---|\n";
    std::printf("| finder%s", head);
    for (std::size_t f = 0; f < total_.size(); ++f)
      if (total_[f].asked > 0) total_[f].print(finders()[f].name);
    std::printf("\n| default, by kind%s", head);
    for (const auto& [kind, count] : kinds_) count.print(kind);
  }

 private:
  std::vector<Count> total_;
  std::map<std::string, Count> kinds_;
};

void report(const std::string& kind, int64_t scan, const Finder& f, const AxisTrial& t, const Outcome& before,
            const Outcome& after) {
  for (const Outcome* o : {&before, &after})
    std::fprintf(stderr, "%s %lld %s %s: axis %.2f error %.3f sigma %.3f %s%s, %.2f s. %s\n", kind.c_str(),
                 static_cast<long long>(scan), f.name, o == &before ? "alone" : "checked", t.axis, o->error, o->sigma,
                 o->resolved ? "resolved" : "not resolved", o->wrong(t.has_axis) ? " WRONG" : "", o->seconds,
                 o->words.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const int64_t scans = arguments.number("scans", 15), first = arguments.number("first", 0);
  const std::string only_kind = arguments.text("kind", "all"), only = arguments.text("finder", "all");
  const bool detail = arguments.number("detail", 0) != 0;
  arguments.finish();
  Tables alone(finders().size()), checked(finders().size());
  for (const std::string& kind : test::axis_trial_kinds()) {
    if (only_kind != "all" && only_kind != kind) continue;
    for (int64_t i = first; i < first + scans; ++i) {
      const AxisTrial trial = test::axis_trial(kind, static_cast<uint64_t>(i));
      std::vector<Outcome> before(finders().size()), after(finders().size());
      bool solvable = false;
      for (std::size_t f = 0; f < finders().size(); ++f) {
        const Finder& finder = finders()[f];
        if (!serves(finder, trial) || (only != "all" && only != finder.name)) continue;
        before[f] = outcome(finder, trial, Checking::off);
        after[f] = outcome(finder, trial, Checking::on);
        solvable = solvable || before[f].right(trial.has_axis) || after[f].right(trial.has_axis);
        if (detail) report(kind, i, finder, trial, before[f], after[f]);
      }
      alone.add(kind, before, trial.has_axis, solvable);
      checked.add(kind, after, trial.has_axis, solvable);
    }
  }
  std::printf("Without the checks:\n\n");
  alone.print();
  std::printf("\nWith them:\n\n");
  checked.print();
  return 0;
}
