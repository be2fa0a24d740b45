// Random scans with a known tilt, jitter or source distance, many of them difficult: for tests of the verdicts of
// learning.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/learn/axis_trials.h"
#include "tests/support/learn/cases.h"

namespace tl::test {

// One of the numbers, or lists, that a case learns: its error, and its reported uncertainty.
struct LearnedError {
  std::string what;
  double error = 0, sigma = 0;  // rms over a list
  double enough = 0;            // an error small enough to be useful, in its unit
  bool resolved = false;
  std::string explanation;
  [[nodiscard]] bool wrong() const { return resolved && !(error <= 3 * sigma); }
};

struct LearnTrial {
  LearnCase c;
  std::string recipe;                         // what was drawn, in words
  double axis = 0, tilt = 0, distance = 200;  // truth [px], [deg], [mm]
};

inline const std::vector<std::string>& learn_trial_subjects() {
  static const std::vector<std::string> all = {"tilt", "jitter", "source distance"};
  return all;
}
inline std::vector<std::string> learn_trial_kinds(const std::string& subject) {
  std::vector<std::string> all = {"easy", "truncated", "views", "photons"};
  if (subject == "tilt") all.emplace_back("leaning along the beam");
  return all;
}

inline LearnTrial learn_trial(const std::string& subject, const std::string& kind, uint64_t seed) {
  const auto place = [](const std::vector<std::string>& of, const std::string& name) {
    return static_cast<uint64_t>(std::find(of.begin(), of.end(), name) - of.begin());
  };
  axis_trials::Draw draw(seed,
                         1000 + 10 * place(learn_trial_subjects(), subject) + place(learn_trial_kinds(subject), kind));
  const bool truncated = kind == "truncated", few_views = kind == "views", few_photons = kind == "photons";
  const double photons = few_photons ? draw.decades(2e2, 1e4) : draw.decades(1e4, 1e5);
  const auto noise_seed = static_cast<int64_t>(seed) + 1;
  LearnTrial t;
  t.recipe = kind + ", " + std::to_string(static_cast<int64_t>(photons)) + " photons";
  const auto add_value = [&](const std::string& name, double value) {
    t.recipe += ", " + name + " " + std::to_string(value);
  };
  if (kind == "leaning along the beam") {
    LeaningScan s;
    s.axis = t.axis = draw(-6, 6);
    s.lean = draw(1.5, 5) * (draw.coin() ? 1 : -1);
    s.turn = draw.coin() ? 180 : 360;
    s.photons = photons;
    s.seed = noise_seed;
    t.c = leaning_case(s);
    add_value("axis", s.axis), add_value("lean", s.lean), add_value("turn", s.turn);
  } else if (subject == "tilt") {
    TiltScan s;
    s.axis = t.axis = draw(-6, 6);
    s.tilt = t.tilt = draw(-1.5, 1.5);
    s.photons = photons;
    s.seed = noise_seed;
    s.views = few_views ? std::llround(draw.decades(20, 80)) : 120;
    s.rays = 2;
    t.c = tilt_case(s);
    const double size = truncated ? draw(1.05, 1.6) : 0.8;
    t.c.graph.nodes["simulate"].params["size"] = Number{size, Unit::none};
    add_value("axis", s.axis), add_value("tilt", s.tilt), add_value("size", size),
        add_value("views", static_cast<double>(s.views));
  } else if (subject == "jitter") {
    JitterScan s;
    s.photons = photons;
    s.seed = noise_seed;
    s.views = few_views ? std::llround(draw.decades(8, 40)) : 60;
    s.jitter = draw(0, 4);
    s.drift = draw(-6, 6);
    const bool across = truncated && draw.coin();
    s.height = truncated && !across ? draw(0.55, 2) : 0.3;
    s.rays = 2;
    t.c = jitter_case(s);
    const double axis = across ? draw(15, 30) : draw(-3, 3);
    t.c.graph.nodes["scan"].params["axis"] = Number{axis, Unit::px};
    add_value("jitter", s.jitter), add_value("drift", s.drift), add_value("height", s.height), add_value("axis", axis);
    add_value("views", static_cast<double>(s.views));
  } else {
    ConeScan s;
    s.photons = photons;
    s.views = few_views ? std::llround(draw.decades(12, 30)) : 48;
    s.axis = t.axis = truncated ? (draw.coin() ? 1 : -1) * draw(4, 9) : draw(-1, 1);
    s.tilt = t.tilt = draw(-1, 1);
    s.start_distance = draw(185, 215);
    s.height = 0.7;
    s.rows = 32;
    s.cols = truncated ? 40 : 52;
    t.c = cone_case(s);
    t.c.graph.nodes["scan"].params["seed"] = noise_seed;
    add_value("axis", s.axis), add_value("tilt", s.tilt), add_value("start", s.start_distance);
    add_value("views", static_cast<double>(s.views));
  }
  return t;
}

// Those of the subject first.
inline std::vector<LearnedError> learned_errors(const std::string& subject, const LearnTrial& t,
                                                const learn::Learned& l) {
  const auto one = [&](const std::string& what, std::size_t n, double error, double enough) {
    const learn::Found& f = l.found.at(n);
    double squares = 0;
    for (const double s : f.uncertainty) squares += s * s;
    const double sigma = f.uncertainty.empty() ? 0 : std::sqrt(squares / static_cast<double>(f.uncertainty.size()));
    return LearnedError{what, std::abs(error), sigma, enough, f.trust == learn::Trust::resolved, f.explanation};
  };
  if (subject == "jitter") {
    const JitterErrors e = jitter_errors(t.c, l);
    return {one("shifts across", 0, e.across, 0.3), one("shifts along", 1, e.along, 0.3)};
  }
  const auto off = [&](std::size_t n, double truth) { return l.found.at(n).value.front() - truth; };
  if (subject == "tilt")
    return {one("tilt", 1, off(1, t.tilt), 0.2), one("axis with the tilt", 0, off(0, t.axis), 0.2)};
  return {one("source distance", 2, off(2, t.distance), 4), one("axis of the cone", 0, off(0, t.axis), 0.2),
          one("tilt of the cone", 1, off(1, t.tilt), 0.2)};
}

}  // namespace tl::test
