// Types of learning: its settings, its progress and its results. Free of tensors and of graphs, so that the studio can
// include it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/node/params.h"
#include "core/values/infos.h"

namespace tl::learn {

// Whether steps are equal in the value or in its logarithm (which keeps it positive).
enum class Scale { linear, logarithmic };
// newton: trust region; curvature comes from differences of gradients; for up to some dozens of unknowns. automatic:
// newton for so many, L-BFGS for more. The other four are LibTorch's.
enum class Method { automatic, newton, sgd, nesterov, adam, lbfgs };
// Why a descent ended. converged: the last step was below the tolerance; plateau: no new best value for `patience`
// iterations.
enum class StopReason { none, converged, plateau, iterations, time, stopped, bound, flat };
// The verdict on a value. not_identifiable: the data determine only a combination with other parameters, or the known
// systematic errors exceed the statistical uncertainty.
enum class Trust { none, resolved, railed, ambiguous, flat, not_identifiable };
// How the derivative with respect to a parameter is computed. differences: central differences, if a node between the
// parameter and the objective is not differentiable.
enum class Derivative { forward, backward, differences };
std::string_view to_string(Scale scale);
std::string_view to_string(Method method);
std::string_view to_string(StopReason reason);
std::string_view to_string(Trust trust);
std::string_view to_string(Derivative derivative);
std::string words(StopReason reason);  // as text: "converged: the last step was below the tolerance"
Verdict verdict_of(Trust trust);       // not_identifiable counts as flat
// Whether the data determine the number: its verdict is neither flat nor not identifiable.
constexpr bool is_determined(Trust trust) { return trust != Trust::flat && trust != Trust::not_identifiable; }

// A parameter to learn. A number without a unit is in the unit of the parameter's declaration.
struct Target {
  std::string node, name;
  Scale scale = Scale::linear;
  std::optional<Number> start;      // absent: the value in the pipeline, or the node's value for "auto"
  std::optional<Number> low, high;  // bounds; absent: the declared range
  std::optional<Number> reach;      // search range of the survey around the start; absent: from the geometry
  // The natural step, half of which is Adam's first step at rate 1; on the logarithmic scale a share of the value.
  // Absent: from geometry or start, of arrays from the curvature.
  std::optional<Number> step;
  friend bool operator==(const Target&, const Target&) = default;
};

// A scalar output; smaller is better.
struct ObjectivePort {
  std::string node, port;
  friend bool operator==(const ObjectivePort&, const ObjectivePort&) = default;
};

struct StopRules {
  int64_t iterations = 100;
  int64_t patience = 20;    // iterations without a new best value; for subsets, without a better mean
  double tolerance = 0.01;  // converged: a step shorter than this, in natural steps (about a pixel for geometry)
  double seconds = 0;       // 0 = no limit
  friend bool operator==(const StopRules&, const StopRules&) = default;
};

// Fractions of the data that an iteration evaluates, another part each time; 1 = all.
struct Subsets {
  double views = 1, rows = 1;
  [[nodiscard]] bool all() const { return !(views < 1 || rows < 1); }
  friend bool operator==(const Subsets&, const Subsets&) = default;
};

// Detector rows, or slices, that are not used for steps. The objective on them is evaluated at intervals, and the
// values with its smallest value are the result.
struct HeldOut {
  int64_t first = 0, rows = 0;  // detector rows, or slices of a volume counted from the last one; rows = 0: none
  int64_t every = 0;            // iterations between evaluations; 0: about as many as use all other rows once
  friend bool operator==(const HeldOut&, const HeldOut&) = default;
};

// Whether a survey on coarse data searches for other optima within `reach` before the descent.
enum class Survey { coarse, none };
// Whether the uncertainty is estimated at the end (two more evaluations per unknown).
enum class Errors { sandwich, none };

struct Settings {
  std::vector<Target> targets;
  ObjectivePort objective;
  std::vector<ObjectivePort> fallback_objectives;  // tried in order if the scan violates assumptions of `objective`
  Method method = Method::automatic;
  double rate = 1;  // step size of SGD, Nesterov and Adam, in normalised steps; 1 suits every unit
  StopRules stop;
  Subsets subsets;
  HeldOut held_out;
  int64_t restarts = 0;  // further descents, from points drawn within reach
  Survey survey = Survey::coarse;
  Errors errors = Errors::sandwich;
  uint64_t seed = 1;
  friend bool operator==(const Settings&, const Settings&) = default;
};

// The value of a target at an iteration: numbers in `unit`; one, one per view, or all elements of an array.
struct TargetValue {
  std::string node, name;
  Unit unit = Unit::none;
  std::vector<double> value;        // empty for arrays in a history, to save memory
  std::vector<int64_t> shape = {};  // shape of an array; empty for numbers and lists
  double size = 0;                  // root mean square of `value`: plotted for lists and arrays
};

// An objective's value at a point, whether or not the descent accepted that point.
struct Evaluated {
  enum class Data { all, part } data = Data::all;  // part: coarse data or subsets, whose losses are not comparable
  double loss = 0;
  std::vector<TargetValue> values;  // single numbers only
};

// After every iteration, and once after the uncertainties were estimated.
struct Progress {
  enum class Phase { survey, descent, errors } phase = Phase::descent;
  int64_t descent = 0;    // 0 = the first descent, then the restarts
  int64_t iteration = 0;  // within this descent; 0 = the start
  int64_t evaluations = 0;
  double loss = 0, best = 0;
  std::vector<TargetValue> values;
  double seconds = 0;
  std::vector<Evaluated> evaluated = {};  // evaluations since the last Progress; empty in a history
  std::optional<double> held_out = {};    // objective on held-out rows, if it was evaluated
};

struct Found {
  std::string node, name;
  Unit unit = Unit::none;
  std::vector<double> start, value;
  std::vector<double> uncertainty;  // one sigma; empty = not known
  Trust trust = Trust::none;
  Derivative derivative = Derivative::backward;
  std::string explanation;          // one sentence behind the verdict
  std::vector<int64_t> shape = {};  // shape of an array; empty for numbers and lists
};

// Uncertainty of a linear combination of correlated parameters: sum of weight * (value - found value); on logarithmic
// scales, of their natural logarithms.
struct Combination {
  struct Term {
    std::size_t found = 0;  // index into Result::found
    std::size_t entry = 0;  // of its list
    double weight = 0;      // weight per unit of the parameter, or of its logarithm
    bool logarithm = false;
  };
  std::vector<Term> terms;
  double uncertainty = 0;  // one sigma of the sum
  bool known = true;       // false: the data do not determine this combination, or the model is doubtful
  std::string text;        // "axis - 0.31 source_shift_u is known to 0.012"
};

// Time of one phase of learning: reading the data, survey, descent, verdict.
struct PhaseTime {
  std::string phase;
  double seconds = 0;
  int64_t evaluations = 0;
  std::vector<std::pair<std::string, double>>
      nodes;  // seconds inside each node; the rest is backward passes, noise and planning
};
std::string words(const PhaseTime& spent);  // "descent 0.42 s: 6 evaluations of 70 ms (objective 69 ms, axis 0.1 ms)"

struct Learned {
  ObjectivePort objective;  // the objective that was used: Settings::objective or one of its fallbacks
  std::vector<Found> found;
  std::vector<Combination> combinations;  // only where parameters are correlated
  double condition = 0;                   // condition number of the curvature in natural steps; 0 = not known
  double first_loss = 0, loss = 0;
  std::optional<double> held_out;  // objective on the held-out rows
  StopReason reason = StopReason::none;
  int64_t iterations = 0, evaluations = 0;  // iterations of the best descent; evaluations of all descents
  double seconds = 0, seconds_descent = 0;
  std::vector<PhaseTime> phase_times;
  std::vector<Progress> history;      // of all descents
  [[nodiscard]] Trust trust() const;  // the worst verdict of all parameters; none if one of them has no verdict
};

// A parameter of a graph that can be learned.
struct Candidate {
  std::string node, name;
  Unit unit = Unit::none;
  bool per_view = false;
  bool driven = false;  // a link sets it, so that it cannot be learned
  Derivative derivative = Derivative::backward;
};
// A user's command to a running job. finish: end with the best value so far, and its uncertainty.
enum class LearnCommand { go_on, pause, finish };
struct Hooks {
  std::function<void(const Progress&)> progress;  // after every iteration
  std::function<LearnCommand()> command;          // polled between evaluations; repeatedly while it returns `pause`
};

// The objective as a function of one or two parameters around a centre (row by row, the first one varies fastest).
struct LandscapeRequest {
  // checked: the slope at the centre is also computed in float64, which takes about as long again.
  enum class Slope { none, checked };
  Settings settings;                         // uses objective, subsets, bounds; other targets keep their start values
  std::array<std::size_t, 2> targets{0, 0};  // equal = one parameter alone
  std::array<Number, 2> half_width;
  int64_t points = 21;  // per parameter
  Slope slope = Slope::checked;
};
struct Landscape {
  std::array<std::vector<double>, 2> at;  // sample positions in declared units; the second list is for two parameters
  std::vector<double> loss;
  double seconds = 0;
};

// Analytic gradients compared with central differences, for each target at its start.
struct GradientCheck {
  struct Row {
    std::string node, name;
    std::size_t entry = 0;
    double gradient = 0, difference = 0;  // per unit of the declaration
    double value = 0;                     // the value at which the slope was checked, in that unit
  };
  std::vector<Row> rows;
  double loss = 0;   // there
  double worst = 0;  // largest deviation relative to the largest gradient
};

}  // namespace tl::learn
