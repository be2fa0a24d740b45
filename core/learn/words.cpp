// Names the choices and verdicts of learning, in files and for people.
#include <algorithm>

#include "core/base/text.h"
#include "core/learn/learning_types.h"
#include "core/values/enum_rows.h"

namespace tl::learn {
namespace {

constexpr NamedValue<Method> method_names[] = {
    {Method::automatic, "automatic"}, {Method::newton, "newton"}, {Method::sgd, "sgd"},
    {Method::nesterov, "nesterov"},   {Method::adam, "adam"},     {Method::lbfgs, "lbfgs"},
};
static_assert(has_rows_up_to(method_names, Method::lbfgs));

struct ReasonRow {
  StopReason value;
  std::string_view name, words;
};
constexpr ReasonRow stop_reason_rows[] = {
    {StopReason::none, "none", "not begun"},
    {StopReason::converged, "converged", "converged: the next step is below the tolerance"},
    {StopReason::plateau, "plateau", "no new best for as many iterations as the patience allows"},
    {StopReason::iterations, "iterations", "the limit of iterations"},
    {StopReason::time, "time", "the limit of time"},
    {StopReason::stopped, "stopped", "stopped by hand"},
    {StopReason::bound, "bound", "at the bounds: the loss still falls beyond them"},
    {StopReason::flat, "flat", "the objective does not depend on the parameters"},
};

struct TrustRow {
  Trust value;
  std::string_view name;
  Verdict verdict;
};
constexpr TrustRow trust_rows[] = {
    {Trust::none, "none", Verdict::none},       {Trust::resolved, "resolved", Verdict::resolved},
    {Trust::railed, "railed", Verdict::railed}, {Trust::ambiguous, "ambiguous", Verdict::ambiguous},
    {Trust::flat, "flat", Verdict::flat},       {Trust::not_identifiable, "not identifiable", Verdict::flat},
};
static_assert(has_rows_up_to(trust_rows, Trust::not_identifiable));

}  // namespace

std::string_view to_string(Scale scale) { return scale == Scale::linear ? "linear" : "logarithmic"; }

std::string_view to_string(Method method) { return enum_row(method_names, method).name; }
std::string_view to_string(StopReason reason) { return enum_row(stop_reason_rows, reason).name; }
std::string words(StopReason reason) { return std::string(enum_row(stop_reason_rows, reason).words); }
std::string_view to_string(Trust trust) { return enum_row(trust_rows, trust).name; }
Verdict verdict_of(Trust trust) { return enum_row(trust_rows, trust).verdict; }

std::string_view to_string(Derivative derivative) {
  switch (derivative) {
    case Derivative::forward: return "forward";
    case Derivative::backward: return "backward";
    case Derivative::differences: return "differences";
  }
  return "backward";
}

std::string words(const PhaseTime& time) {
  std::string line = formatted("%s %.3f s", time.phase.c_str(), time.seconds);
  if (time.evaluations == 0) return line;
  const auto each = [&](double seconds) { return 1e3 * seconds / static_cast<double>(time.evaluations); };
  line += formatted(": %lld evaluations of %.1f ms", static_cast<long long>(time.evaluations), each(time.seconds));
  for (std::size_t i = 0; i < time.nodes.size(); ++i)
    line += (i == 0 ? " (" : ", ") + time.nodes[i].first + formatted(" %.1f ms", each(time.nodes[i].second)) +
            (i + 1 == time.nodes.size() ? ")" : "");
  return line;
}

Trust Learned::trust() const {
  Trust worst = Trust::none;
  bool judged = !found.empty();
  for (const Found& f : found) {
    worst = std::max(worst, f.trust);
    judged = judged && f.trust != Trust::none;
  }
  return worst == Trust::resolved && !judged ? Trust::none : worst;
}

}  // namespace tl::learn
