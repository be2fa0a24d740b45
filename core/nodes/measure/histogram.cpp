// core/nodes/measure/histogram.cpp: how often each value occurs in a volume, and its percentiles.
#include "gpu/image/histogram.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"

namespace tl::measure_histogram_node {

struct Params {
  int64_t bins = 256;
  std::optional<double> low, high;
  double percent_low = 0.005, percent_high = 0.995;  // shares
};

struct State {
  ops::Histogram all;
  std::vector<int64_t> within;  // between low and high
};

bool has_range(const Params& p) { return p.low && p.high; }

Result<void> check(const Params& p, const Infos&) {
  if (p.low.has_value() != p.high.has_value())
    return invalid("the range needs a lower and an upper end", p.low ? "high" : "low",
                   "Give both, or neither for the range of the values");
  if (has_range(p) && !(*p.low < *p.high)) return invalid("low must be smaller than high", "low");
  if (!(p.percent_low < p.percent_high)) return invalid("the lower percentile must be the smaller one", "percent_low");
  return ok();
}

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun&) {
  auto state = std::make_shared<State>();
  if (has_range(p)) state->within.assign(static_cast<std::size_t>(p.bins), 0);
  return state;
}

Result<void> accumulate(const Params& p, State& s, NodeRun& r) {
  const at::Tensor& values = r.in<Volume>("volume").data;
  s.all.add(values);
  if (has_range(p)) {
    const std::vector<int64_t> more = ops::count_in_bins(values, *p.low, *p.high, p.bins);
    for (std::size_t i = 0; i < more.size(); ++i) s.within[i] += more[i];
  }
  return ok();
}

Table table_of(const Params& p, const State& s, Unit unit) {
  std::vector<double> value, count;
  if (has_range(p)) {
    const double width = (*p.high - *p.low) / static_cast<double>(p.bins);
    for (std::size_t i = 0; i < s.within.size(); ++i) value.push_back(*p.low + (static_cast<double>(i) + 0.5) * width);
    count.assign(s.within.begin(), s.within.end());
  } else {
    const ops::Histogram::Curve curve = s.all.curve(p.bins);
    value = curve.value;
    count.assign(curve.count.begin(), curve.count.end());
  }
  return Table{{{"value", unit, value}, {"count", Unit::none, count}}};
}

Result<Findings> finish(const Params& p, State& s, NodeRun& r) {
  const Unit unit = r.info<VolumeInfo>("volume").unit;
  if (s.all.not_finite() > 0)
    r.message(LogLevel::warning, std::to_string(s.all.not_finite()) + " values are not finite and left out");
  if (s.all.count() == 0)
    return invalid("no value is finite", "volume", "Check the result of the node before this one");
  // Percentiles are exact to one bin; to 0 if all values are equal.
  const double blur = s.all.maximum() > s.all.minimum() ? s.all.bin_width() : 0;
  const auto percentile = [&](double share) {
    return Scalar{at::scalar_tensor(s.all.percentile(100 * share), at::kDouble), unit, blur};
  };
  Findings f;
  f.values["histogram"] = table_of(p, s, unit);
  f.values["low"] = percentile(p.percent_low);
  f.values["median"] = percentile(0.5);
  f.values["high"] = percentile(p.percent_high);
  return f;
}

void describe(NodeBuilder<Params>& n) {
  n.id("measure.histogram", 1).title("Histogram").category("Measure");
  n.not_differentiable("counts are integers");
  n.summary("Counts how often each value occurs in a volume, and computes percentiles.");
  n.description(
      "Reads the volume once, block by block. Counts are exact and the same for any blocks and threads; percentiles "
      "are exact to a hundred-thousandth of the range between the smallest and the largest value. The percentiles can "
      "set parameters: link 'low' and 'high' to the parameters of the node that writes integers. Without a range, the "
      "edges of the bins are round binary numbers, and the number of bins is an upper limit. Values that are not "
      "finite are left out.");
  n.synonyms({"percentile", "median", "quantile", "grey values", "window"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Table>("histogram", "Middle of each bin and the number of voxels in it.");
  n.output<Scalar>("low", "Lower percentile.");
  n.output<Scalar>("median", "Median: half of the voxels are below.");
  n.output<Scalar>("high", "Upper percentile.");
  n.param("bins", "Bins", &Params::bins).range(2, 1 << 20).help("Number of bins of the table.");
  n.advanced_param("low", "From", &Params::low)
      .range(-1e30, 1e30)
      .automatic("the smallest value")
      .help("Lower end of the table; the percentiles are of all values.");
  n.advanced_param("high", "To", &Params::high)
      .range(-1e30, 1e30)
      .automatic("the largest value")
      .help("Upper end of the table.");
  n.param("percent_low", "Lower percentile", &Params::percent_low)
      .range(0, 100, Unit::percent)
      .help("Share of the voxels below the output 'low'.");
  n.param("percent_high", "Upper percentile", &Params::percent_high)
      .range(0, 100, Unit::percent)
      .help("Share of the voxels below the output 'high'.");
  n.on_gpu();
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace tl::measure_histogram_node

TL_NODE(measure_histogram)
