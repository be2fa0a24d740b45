// core/nodes/measure/statistics.cpp: mean, variance, smallest and largest value of a volume, block by block.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/node/node_builder.h"
#include "gpu/operator/reduce.h"

namespace tl::measure_statistics_node {

struct Params {};

// Moments of the values so far, merged by the update of Chan, Golub and LeVeque (1979); 0-dim float64 tensors, so that
// gradients pass through.
struct State {
  int64_t count = 0, nans = 0;
  at::Tensor mean, squares;  // squares = sum of squared deviations from the mean
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  Unit unit = Unit::none;
};

Result<std::shared_ptr<State>> begin(const Params&, NodeRun& r) {
  auto state = std::make_shared<State>();
  state->unit = r.info<VolumeInfo>("volume").unit;
  return state;
}

Result<void> accumulate(const Params&, State& s, NodeRun& r) {
  const at::Tensor x = r.in<Volume>("volume").data.contiguous();
  const Extrema range = extrema(x.detach());
  s.nans += range.nans;
  if (!std::isnan(range.min)) {
    s.low = std::min(s.low, range.min);
    s.high = std::max(s.high, range.max);
  }
  const double n = static_cast<double>(x.numel());
  const at::Tensor mean = differentiable_mean(x);
  const at::Tensor squares = differentiable_variance(x) * n;
  if (s.count == 0) {
    s.mean = mean;
    s.squares = squares;
  } else {
    const double before = static_cast<double>(s.count);
    const at::Tensor step = mean - s.mean;
    s.mean = s.mean + step * (n / (before + n));
    s.squares = s.squares + squares + step * step * (before * n / (before + n));
  }
  s.count += x.numel();
  return ok();
}

Result<Findings> finish(const Params&, State& s, NodeRun& r) {
  if (s.nans > 0)
    r.message(LogLevel::warning, std::to_string(s.nans) + " values are NaN: mean and variance are NaN too");
  const auto constant = [](double v) { return at::scalar_tensor(v, at::kDouble); };
  Findings f;
  f.values["mean"] = Scalar{s.mean, s.unit};
  f.values["variance"] = Scalar{s.squares / static_cast<double>(s.count), Unit::none};
  f.values["minimum"] = Scalar{constant(s.low), s.unit};
  f.values["maximum"] = Scalar{constant(s.high), s.unit};
  return f;
}

void describe(NodeBuilder<Params>& n) {
  n.id("measure.statistics", 1).title("Statistics").category("Measure");
  n.role(NodeRole::statistics);
  n.summary("Computes mean, variance, minimum and maximum of a volume.");
  n.description(
      "Reads the volume block by block and computes numbers for linked parameters, for the record of a run, or as the "
      "objective of learning. Sums are computed in double precision and in a fixed order. The variance is that of the "
      "population, in the square of the volume's unit.");
  n.synonyms({"mean", "variance", "minimum", "maximum", "objective"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Scalar>("mean", "Mean value.");
  n.output<Scalar>("variance", "Population variance.");
  n.output<Scalar>("minimum", "Smallest value; not differentiable.");
  n.output<Scalar>("maximum", "Largest value; not differentiable.");
  n.on_gpu();
  n.reduce<State>(begin, accumulate, finish);
}

}  // namespace tl::measure_statistics_node

TL_NODE(measure_statistics)
