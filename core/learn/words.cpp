// Names the choices and verdicts of learning, in files and for people.
#include <algorithm>
#include <cstdio>

#include "core/learn/learning_types.h"

namespace tl::learn {

std::string_view to_string(Scale scale) { return scale == Scale::linear ? "linear" : "logarithmic"; }

std::string_view to_string(Method method) {
  switch (method) {
    case Method::automatic:
      return "automatic";
    case Method::newton:
      return "newton";
    case Method::sgd:
      return "sgd";
    case Method::nesterov:
      return "nesterov";
    case Method::adam:
      return "adam";
    case Method::lbfgs:
      return "lbfgs";
  }
  return "automatic";
}

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "none";
    case StopReason::converged:
      return "converged";
    case StopReason::plateau:
      return "plateau";
    case StopReason::iterations:
      return "iterations";
    case StopReason::time:
      return "time";
    case StopReason::stopped:
      return "stopped";
    case StopReason::bound:
      return "bound";
    case StopReason::flat:
      return "flat";
  }
  return "none";
}

std::string words(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "not begun";
    case StopReason::converged:
      return "converged: the next step is below the tolerance";
    case StopReason::plateau:
      return "no new best for as many iterations as the patience allows";
    case StopReason::iterations:
      return "the limit of iterations";
    case StopReason::time:
      return "the limit of time";
    case StopReason::stopped:
      return "stopped by hand";
    case StopReason::bound:
      return "at the bounds: the loss still falls beyond them";
    case StopReason::flat:
      return "the objective does not depend on the parameters";
  }
  return "";
}

std::string_view to_string(Trust trust) {
  switch (trust) {
    case Trust::none:
      return "none";
    case Trust::resolved:
      return "resolved";
    case Trust::railed:
      return "railed";
    case Trust::ambiguous:
      return "ambiguous";
    case Trust::flat:
      return "flat";
    case Trust::not_identifiable:
      return "not identifiable";
  }
  return "none";
}

Verdict verdict_of(Trust trust) {
  switch (trust) {
    case Trust::none:
      return Verdict::none;
    case Trust::resolved:
      return Verdict::resolved;
    case Trust::railed:
      return Verdict::railed;
    case Trust::ambiguous:
      return Verdict::ambiguous;
    case Trust::flat:
    case Trust::not_identifiable:
      return Verdict::flat;
  }
  return Verdict::none;
}

std::string_view to_string(Derivative derivative) {
  switch (derivative) {
    case Derivative::forward:
      return "forward";
    case Derivative::backward:
      return "backward";
    case Derivative::differences:
      return "differences";
  }
  return "backward";
}

std::string words(const PhaseTime& time) {
  char text[96];
  std::snprintf(text, sizeof text, "%s %.3f s", time.phase.c_str(), time.seconds);
  std::string line = text;
  if (time.evaluations == 0) return line;
  const auto each = [&](double seconds) { return 1e3 * seconds / static_cast<double>(time.evaluations); };
  std::snprintf(text, sizeof text, ": %lld evaluations of %.1f ms", static_cast<long long>(time.evaluations),
                each(time.seconds));
  line += text;
  for (std::size_t i = 0; i < time.nodes.size(); ++i) {
    std::snprintf(text, sizeof text, "%.1f ms", each(time.nodes[i].second));
    line += (i == 0 ? " (" : ", ") + time.nodes[i].first + " " + text + (i + 1 == time.nodes.size() ? ")" : "");
  }
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
