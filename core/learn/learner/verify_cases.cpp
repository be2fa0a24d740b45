// Learns delta and beta of a simulated box from its phase contrast, and compares them with the truth and with their
// verdicts.
#include "core/learn/learner/verify_cases.h"

#include <algorithm>
#include <cmath>

#include "core/learn/learner/learner.h"
#include "core/learn/learning.h"
#include "core/learn/phase_box.h"

namespace tl::learn {
namespace {

// Bars of acceptance A3.
constexpr double ratio_bar = 0.1, delta_bar = 0.03, beta_bar = 0.1, max_sigmas = 3, max_evaluations = 25;

Learned learned(const PhaseBox& box, const CancelToken& cancel) {
  RunOptions options;
  options.memory = int64_t{2} << 30;
  options.cancel = cancel;
  Executor executor(Registry::all(), options);
  const Graph graph = phase_pipeline(box, Registry::all());
  return learn(executor, Registry::all(), graph, settings_of(graph).or_throw()).or_throw();
}

double of_descent(const Learned& l) {
  for (const PhaseTime& t : l.phase_times)
    if (t.phase == "descent") return static_cast<double>(t.evaluations);
  return HUGE_VAL;
}

double true_ratio() { return phase_truth().delta / phase_truth().beta; }

class Rows {
 public:
  explicit Rows(const PhaseBox& box)
      : place_("box of CaCO3, " + std::to_string(box.size) + "^3, noise of " +
               std::to_string(std::lround(100 * box.noise)) + " %") {}
  void add(const char* id, const char* what, double value, double bound) {
    table_.push_back({id, what, place_, "float32", value, bound, value <= bound});
  }
  [[nodiscard]] const CheckTable& table() const { return table_; }

 private:
  std::string place_;
  CheckTable table_;
};

CheckTable transmissions_as_they_are(PhaseBox box, const CancelToken& cancel) {
  box.scale = "absolute";
  const Learned l = learned(box, cancel);
  const PhaseFinding f = phase_finding(l);
  Rows rows(box);
  rows.add("A3 ratio", "delta over beta, relative error", std::abs(f.ratio / true_ratio() - 1), ratio_bar);
  rows.add("A3 delta", "delta, relative error", std::abs(f.delta - 1), delta_bar);
  rows.add("A3 beta", "beta, relative error", std::abs(f.beta - 1), beta_bar);
  rows.add("A3 verdicts", "values that are not resolved",
           static_cast<double>((f.trust_delta != Trust::resolved) + (f.trust_beta != Trust::resolved)), 0);
  rows.add("A3 evaluations", "evaluations of the descent", of_descent(l), max_evaluations);
  return rows.table();
}

CheckTable pattern_alone(PhaseBox box, const CancelToken& cancel) {
  box.scale = "scaled";
  const Learned l = learned(box, cancel);
  const PhaseFinding f = phase_finding(l);
  Rows rows(box);
  rows.add("A3 verdicts", "values of a scaled pattern that are resolved",
           static_cast<double>((f.trust_delta == Trust::resolved) + (f.trust_beta == Trust::resolved)), 0);
  const auto known = std::find_if(l.combinations.begin(), l.combinations.end(), [](const auto& c) { return c.known; });
  const double sigma = known == l.combinations.end() ? 0 : known->uncertainty;
  rows.add("A3 combination", "ln delta - ln beta of a scaled pattern, error in sigmas",
           sigma > 0 ? std::abs(std::log(f.ratio / true_ratio())) / sigma : HUGE_VAL, max_sigmas);
  // With few pixels, the pattern hardly determines the levels of delta and beta, and noise changes the path of the
  // descent.
  if (box.size >= 96)
    rows.add("A3 evaluations", "evaluations of the descent of a scaled pattern", of_descent(l), max_evaluations);
  return rows.table();
}

}  // namespace

CheckTable verify_cases(VerifySize size, const CancelToken& cancel) {
  CheckTable table;
  if (size != VerifySize::full) return table;
  PhaseBox quiet;
  quiet.noise = 0.02;
  PhaseBox large;
  large.size = 96;
  for (const CheckTable& part : {transmissions_as_they_are(quiet, cancel), pattern_alone(PhaseBox(), cancel),
                                 transmissions_as_they_are(large, cancel), pattern_alone(large, cancel)})
    table.insert(table.end(), part.begin(), part.end());
  return table;
}

}  // namespace tl::learn
