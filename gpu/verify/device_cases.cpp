// Lists the functions and operators that verification runs on every device.
#include "gpu/verify/device_cases.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/correction/crop_bin.h"
#include "gpu/correction/flats/beam_intensity.h"
#include "gpu/correction/flats/double_flat.h"
#include "gpu/correction/flats/flat_field.h"
#include "gpu/correction/fourier_shift.h"
#include "gpu/correction/grey_values.h"
#include "gpu/correction/minus_log.h"
#include "gpu/correction/stripes/filtering.h"
#include "gpu/correction/stripes/fitting.h"
#include "gpu/correction/stripes/fourier_wavelet.h"
#include "gpu/correction/stripes/sorting.h"
#include "gpu/correction/zingers.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/gridrec.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/image/bilateral_filter.h"
#include "gpu/image/circular_mask.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/image/histogram.h"
#include "gpu/image/median_filter.h"
#include "gpu/image/non_local_means.h"
#include "gpu/image/total_variation/total_variation.h"
#include "gpu/operator/reduce.h"
#include "gpu/phase/paganin.h"
#include "gpu/phase/phase_retrieval.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/projection/redundancy.h"
#include "gpu/projection/view_weights.h"
#include "gpu/solve/cgls.h"
#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/em.h"
#include "gpu/solve/fista_tv.h"
#include "gpu/solve/sirt.h"
#include "gpu/stitching/stitching.h"
#include "gpu/verify/cases.h"

namespace tl::verify {
namespace {

constexpr int64_t few_views = 11, rows = 6, cols = 24;
const std::vector<int64_t> scan_shape = {few_views, rows, cols};
const std::vector<int64_t> volume_shape = {5, 12, 14};
constexpr DetectorShape small_detector{rows, cols, 0.5, 0.5};

ScanGeometry parallel_scan() {
  return ScanGeometry::parallel(equidistant_angles(few_views, pi, 0.2), small_detector, 0.4).or_throw();
}
ScanGeometry cone_scan() {
  return ScanGeometry::cone(equidistant_angles(few_views, 2 * pi, 0.2), small_detector, 60, 25, 0.4).or_throw();
}
VolumeGrid grid() { return {5, 12, 14, {}, {0.6, 0, 0}, {0, 0.6, 0}, {0, 0, 0.6}}; }

// Flats in two groups with a dead pixel, two adjacent dead pixels at an edge, and a dead row.
at::Tensor flat_fielded(const at::Tensor& x, bool logarithm) {
  ops::FlatFieldSpec spec;
  at::Tensor flats = 2 + gaussian({4, rows, cols}, 3, 5).abs();
  for (int64_t n = 0; n < 4; ++n) {
    flats[n][2][7] = 0;
    flats[n][3].narrow(0, cols - 2, 2).fill_(-1);
    flats[n][4].fill_(0);
  }
  spec.flats = flats.to(x.options());
  spec.darks = (0.05 * gaussian({2, rows, cols}, 4, 5).abs()).to(x.options());
  spec.change = ops::FlatChange::interpolate;
  spec.flat_positions = {0, 1, 9, 10};
  if (logarithm) spec.logarithm = ops::MinusLogSpec{};
  const ops::FlatFieldResult out = ops::flat_field(x, spec).or_throw();
  return logarithm ? out.logarithm.absorption : out.transmission;
}

at::Tensor scalar(double value) { return at::scalar_tensor(value, at::TensorOptions(at::kDouble)); }

void add_corrections(std::vector<DeviceCase>& all) {
  const auto add = [&](const char* name, auto run) { all.push_back({name, scan_shape, run}); };
  add("flat field", [](const at::Tensor& x) { return flat_fielded(x, false); });
  add("flat field and logarithm", [](const at::Tensor& x) { return flat_fielded(x, true); });
  add("minus log", [](const at::Tensor& x) { return ops::minus_log(x, {0.3}).or_throw().absorption; });
  add("crop", [](const at::Tensor& x) { return ops::crop(x, {{2, 9}, {1, 5}, {3, 20}}).or_throw(); });
  add("bin", [](const at::Tensor& x) { return ops::bin(x, {2, 3, 4}).or_throw(); });
  add("stripe sorting", [](const at::Tensor& x) { return ops::remove_stripes_by_sorting(x, {5, {}}).or_throw(); });
  add("double flat", [](const at::Tensor& x) {
    ops::DoubleFlatSpec spec;
    spec.sigma = 1.5;
    return ops::double_flat(x, spec).or_throw();
  });
  add("beam intensity", [](const at::Tensor& x) {
    ops::BeamIntensitySpec spec;
    spec.left = 2;
    spec.right = 3;
    return ops::normalise_beam(x, spec).or_throw().projections;
  });
  add("redundancy weights", [](const at::Tensor& x) {
    const ScanGeometry g =
        ScanGeometry::cone(equidistant_angles(few_views, 1.3 * pi, 0.2), small_detector, 60, 25, 0).or_throw();
    return x * ops::redundancy_weights(g, ops::Redundancy::smooth).or_throw().to(x.options());
  });
  add("beam hardening", [](const at::Tensor& x) {
    return ops::polynomial_absorption(x, at::tensor({1.0, 0.2, -0.03}, at::kDouble)).or_throw();
  });
  add("grey calibration", [](const at::Tensor& x) {
    return ops::calibrate_two_points(x, {scalar(0.2), scalar(0.7), scalar(0), scalar(3)}).or_throw();
  });
  for (const ops::OutlierSide side : {ops::OutlierSide::brighter, ops::OutlierSide::darker, ops::OutlierSide::both})
    add(side == ops::OutlierSide::brighter ? "zingers, brighter"
        : side == ops::OutlierSide::darker ? "zingers, darker"
                                           : "zingers, absolute",
        [side](const at::Tensor& x) {
          ops::ZingersSpec spec;
          spec.size = side == ops::OutlierSide::darker ? 5 : 3;
          spec.side = side;
          if (side == ops::OutlierSide::both) spec.scale = ops::OutlierScale::absolute;
          return ops::remove_zingers(x, spec).or_throw().projections;
        });
  add("stripe filtering", [](const at::Tensor& x) {
    return ops::remove_stripes_by_filtering(x, {2, 5, {}}).or_throw();
  });
  for (const ops::StripeModel model : {ops::StripeModel::offset, ops::StripeModel::gain})
    add(model == ops::StripeModel::offset ? "stripe fitting, offset" : "stripe fitting, gain",
        [model](const at::Tensor& x) {
          return ops::remove_stripes_by_fitting(x, {2, 3, model, {}}).or_throw();
        });
  add("Fourier-wavelet stripes, all rows", [](const at::Tensor& x) {
    return ops::remove_stripes_by_fourier_wavelet(x, {3, 4, 1.5, {}}).or_throw();
  });
  add("full turn to half turn", [](const at::Tensor& x) {
    const ops::HalfTurnPlan plan = ops::plan_half_turn(equidistant_angles(few_views, 2 * pi, 0), cols, 3.3).or_throw();
    return ops::stitch_half_turn(x, plan, 3.3).or_throw();
  });
  add("vertical stitching", [](const at::Tensor& x) { return ops::stitch_rows(x, x.flip({1}), 3).or_throw(); });
  add("rescaling to integers", [](const at::Tensor& x) { return ops::quantise(x, 0.2, 0.9, 8).or_throw().numbers; });
}

void add_filters(std::vector<DeviceCase>& all) {
  const auto add = [&](const char* name, auto run) { all.push_back({name, scan_shape, run}); };
  for (const ops::ShiftAlong along : {ops::ShiftAlong::cols, ops::ShiftAlong::rows})
    add(along == ops::ShiftAlong::cols ? "Fourier shift, columns" : "Fourier shift, rows",
        [along](const at::Tensor& x) {
          const at::Tensor shift = at::linspace(-1.3, 2.1, few_views, at::kDouble);
          return ops::fourier_shift(x, shift, {along, ops::LineExtension::edge}).or_throw();
        });
  for (const ops::PaganinForm form : {ops::PaganinForm::continuous, ops::PaganinForm::generalised})
    add(form == ops::PaganinForm::continuous ? "Paganin" : "Paganin, generalised", [form](const at::Tensor& x) {
      ops::PaganinSpec spec;
      spec.energy = 25;
      spec.plane = {100, 0.001, 0.0012};
      spec.form = form;
      return ops::paganin(x, 150.0, spec).or_throw();
    });
  add("Farago", [](const at::Tensor& x) {
    ops::FaragoSpec spec;
    spec.pixel_u = spec.pixel_v = 0.001;
    return ops::farago(x, scalar(80), scalar(1e-7), spec).or_throw();
  });
  add("contrast transfer", [](const at::Tensor& x) {
    ops::CtfSpec spec;
    spec.pixel_u = spec.pixel_v = 0.001;
    return ops::contrast_transfer(x, scalar(80), scalar(1e-7), spec).or_throw();
  });
  add("gridrec", [](const at::Tensor& x) {
    ops::GridrecSpec spec;
    spec.geometry = parallel_scan();
    spec.width = cols - 3;
    return ops::gridrec(x, spec).or_throw();
  });
  add("FBP", [](const at::Tensor& x) {
    ops::RampFilterSpec ramp;
    ramp.views = few_views;
    ramp.rows = rows;
    ramp.cols = cols;
    ramp.pitch = small_detector.pitch_u;
    return make_back_projector({parallel_scan(), grid()})
        .or_throw()
        ->apply(ops::make_ramp_filter(ramp).or_throw()->apply(x));
  });
}

void add_volumes(std::vector<DeviceCase>& all) {
  const auto add = [&](const char* name, auto run) { all.push_back({name, volume_shape, run}); };
  add("median, box", [](const at::Tensor& x) { return ops::median_filter(x, {}).or_throw(); });
  add("median, slices", [](const at::Tensor& x) {
    ops::MedianSpec spec;
    spec.reach = {0, 2, 3};
    return ops::median_filter(x, spec).or_throw();
  });
  add("bilateral", [](const at::Tensor& x) {
    ops::BilateralSpec spec;
    spec.reach = {1, 2, 3};
    spec.sigma_value = 0.2;
    return ops::bilateral_filter(x, spec).or_throw();
  });
  add("non-local means", [](const at::Tensor& x) {
    ops::NonLocalMeansSpec spec;
    spec.search = {1, 3, 2};
    spec.patch = {1, 1, 2};
    spec.noise = 0.1;
    spec.strength = 0.2;
    return ops::non_local_means(x, spec).or_throw();
  });
  all.push_back({"histogram", volume_shape,
                 [](const at::Tensor& x) {
                   at::Tensor values = x.clone();
                   values.view(-1).narrow(0, 3, 1).fill_(NAN);
                   values.view(-1).narrow(0, 9, 1).fill_(INFINITY);
                   ops::Histogram counts;
                   counts.add(values);
                   counts.add(values * 3 - 1);
                   std::vector<double> found = {counts.percentile(2), counts.percentile(50), counts.percentile(99),
                                                static_cast<double>(counts.not_finite())};
                   for (const int64_t n : counts.curve(40).count) found.push_back(static_cast<double>(n));
                   for (const int64_t n : ops::count_in_bins(values, 0.2, 0.8, 17))
                     found.push_back(static_cast<double>(n));
                   return at::tensor(found, at::kDouble);
                 },
                 0});  // counts are exact
  add("circular mask", [](const at::Tensor& x) {
    ops::CircularMaskSpec spec{.whole = grid(), .radius = 0.8, .soft_edge = 2};
    return ops::masked(x, ops::circular_weights(grid(), spec, x.scalar_type()).or_throw(), -0.5);
  });
  add("total variation steps", [](const at::Tensor& x) {
    at::Tensor p = at::zeros({3, x.size(0), x.size(1), x.size(2)}, x.options()), r = p.clone(), v = x.clone();
    for (int n = 0; n < 3; ++n) {
      ops::tv_dual_step(p, r, v, {0.7, 0.9, 1}, 0.2, 0.15, 0.4);
      ops::tv_primal_step(v, p, {0.7, 0.9, 1}, 0.3, 0.2);
    }
    ops::tv_dual_step(p, p, v, {0.7, 0.9, 1}, 0.2, 0.15, 0);
    return at::cat({p, r, v.unsqueeze(0)});
  });
  add("sums", [](const at::Tensor& x) {
    const Moments m = moments(x);
    const Extrema e = extrema(x);
    return at::tensor(
        {total(x), total_of_squares(x), m.mean, m.variance, e.min, e.max, ops::total_variation(x, {0.7, 0.9, 1})},
        at::kDouble);
  });
}

void add_solvers(std::vector<DeviceCase>& all) {
  const auto equations = [](const at::Tensor& x) {
    return solve::Equations{make_projector({cone_scan(), grid()}).or_throw(), x};
  };
  const auto add = [&](const char* name, auto run) { all.push_back({name, scan_shape, run, 1e-4}); };
  add("SIRT, 3 iterations", [=](const at::Tensor& x) {
    const solve::Sirt solver({equations(x)}, {});
    solve::SirtState state = solver.start({});
    solver.run(state, {3});
    return state.x;
  });
  add("ML-EM, 3 iterations", [=](const at::Tensor& x) {
    const solve::Em solver({equations(x)});
    solve::EmState state = solver.start({});
    solver.run(state, {3});
    return state.x;
  });
  add("CGLS, 3 iterations", [=](const at::Tensor& x) {
    const solve::Cgls solver(equations(x));
    solve::CglsState state = solver.start({});
    solver.run(state, {3});
    return state.x;
  });
  add("Chambolle-Pock TV, 3 iterations", [=](const at::Tensor& x) {
    const solve::ChambollePock solver(equations(x), {0.01, solve::Sign::non_negative});
    solve::ChambollePockState state = solver.start({}, 0);
    solver.run(state, {3});
    return state.x;
  });
  add("FISTA-TV, 3 iterations", [=](const at::Tensor& x) {
    const solve::FistaTv solver(equations(x), {{0.01, solve::Sign::non_negative}, 4});
    solve::FistaState state = solver.start({}, 0);
    solver.run(state, {3});
    return state.x;
  });
}

}  // namespace

std::vector<DeviceCase> device_cases() {
  std::vector<DeviceCase> all;
  add_corrections(all);
  add_filters(all);
  add_volumes(all);
  add_solvers(all);
  return all;
}

std::vector<DeviceOperatorCase> device_operator_cases() {
  const ops::ViewWeights weights = ops::view_weights(cone_scan()).or_throw();
  ops::GaussianSpec wide;
  wide.nz = 3;
  wide.ny = 4;
  wide.nx = 9;
  wide.sigma = {2.5, 0, 1.7};  // so large that the kernel extends beyond the mirror image of the whole line
  return {{"FDK weights, cone", ops::make_fdk_weights(cone_scan(), weights.weights).or_throw()},
          {"FDK weights, parallel", ops::make_fdk_weights(parallel_scan(), weights.weights).or_throw()},
          {"Gaussian filter, wide", ops::make_gaussian_filter(wide).or_throw()}};
}

}  // namespace tl::verify
