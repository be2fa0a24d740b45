// Times the automatic removal of stripes from sinograms that have some, against FBP of the same sinograms.
//
// Twelve ellipses with the noise of `photons`; `share` percent of the pixels of every row are off by 4 %, others in
// every row. Wanted: at most 0.3 of FBP.
#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/correction/stripes/summary.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

at::Tensor striped_rows(const ScanGeometry& g, int64_t rows, double photons, double share) {
  const int64_t views = g.views(), cols = g.detector().cols;
  const auto half = 0.45 * static_cast<double>(cols);
  at::Tensor lines = ops::phantom_projections(ops::random_ellipses(half, 12, 5), g, {at::kFloat, 1, {}});
  at::Tensor x = (lines * (2 / lines.max())).expand({views, rows, cols}).contiguous();
  const Philox random{9, 3};
  const double inverse = 1 / std::sqrt(photons);
  at::parallel_for(0, views, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first * rows * cols; i < last * rows * cols; ++i) {
      float& value = x.mutable_data_ptr<float>()[i];
      const auto pixel = static_cast<uint64_t>(i % (rows * cols));
      const double noise = random.normal(static_cast<uint64_t>(i)) * inverse * std::exp(0.5 * value);
      value += static_cast<float>(noise);
      if (random.uniform((uint64_t{1} << 40) + pixel) < share) value += pixel % 2 == 0 ? 0.04F : -0.04F;
    }
  });
  return x;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 512), rows = a.number("rows", 64);
  const auto photons = static_cast<double>(a.number("photons", 20000));
  const double share = 0.01 * std::stod(a.text("share", "3"));
  a.finish();
  const DetectorShape shape{rows, n, 1, 1};
  const auto angles = equidistant_angles(n, pi);
  const at::Tensor x = striped_rows(ScanGeometry::parallel(angles, {1, n, 1, 1}).or_throw(), rows, photons, share);
  const ScanGeometry g = ScanGeometry::parallel(angles, shape).or_throw();
  const ops::StripeRemovalSpec spec = ops::automatic_stripe_removal(n, ops::StripeModel::offset);
  int64_t columns = 0;
  const bench::Times stripes =
      bench::median_times(a.repeat(), [&] { columns = ops::remove_stripes(x, spec).or_throw().columns; });
  at::Tensor volume;
  const bench::Times fbp = bench::median_times(a.repeat(), [&] {
    ops::RampFilterSpec ramp;
    ramp.views = n;
    ramp.rows = rows;
    ramp.cols = n;
    ramp.pitch = 1;
    const OperatorPtr back =
        make_back_projector({g, VolumeGrid::cubic(rows, n, n, 1), DistanceWeight::none}).or_throw();
    volume = back->apply(ops::make_ramp_filter(ramp).or_throw()->apply(x));
  });
  const auto samples = static_cast<double>(x.numel());
  bench::report("FBP", fbp, samples);
  bench::report("automatic removal of stripes", stripes, samples,
                ", \"of_fbp\": " + std::to_string(stripes.processor / fbp.processor) + ", \"columns_per_row\": " +
                    std::to_string(static_cast<double>(columns) / static_cast<double>(rows)));
  return 0;
}
