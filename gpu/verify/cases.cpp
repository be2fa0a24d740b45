// Lists the operators, scans and grids that verification runs on.
#include "gpu/verify/cases.h"

#include <ATen/ATen.h>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/correction/stripes/fourier_wavelet.h"
#include "gpu/correction/view_resampling.h"
#include "gpu/filtering/fourier_volume/fourier_projector.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/image/total_variation/total_variation.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"

namespace tl::verify {
namespace {

constexpr int64_t case_views = 7;
constexpr DetectorShape case_detector{14, 19, 0.6, 0.7};

Orbit orbit(Beam beam) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(case_views, 2 * pi, 0.13);
  o.axis = 0.37;
  if (beam == Beam::cone) {
    o.source_to_axis = 45;
    o.axis_to_detector = 20;
  }
  return o;
}

ScanGeometry make(const Orbit& o) { return ScanGeometry::from_orbit(o, case_detector).or_throw(); }

// Changes every vector of every view by a few tenths of a pixel or a few hundredths of its length.
ScanGeometry jittered(const ScanGeometry& g) {
  std::vector<double> vectors = g.vectors();
  const Philox random{11, 0};
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const std::size_t part = i % 12 / 3;
    const double size = part == 0 && g.is_parallel() ? 0.03 : part < 2 ? 0.4 : 0.03;
    vectors[i] += size * random.normal(i);
  }
  return ScanGeometry::from_vectors(g.beam(), g.detector(), vectors).or_throw();
}

}  // namespace

std::vector<ScanCase> scan_cases() {
  const VolumeGrid box{9, 12, 10, {0.21, -0.32, 0.13}, {0.7, 0, 0}, {0, 0.8, 0}, {0, 0, 0.6}};
  const VolumeGrid cube = VolumeGrid::cubic(8, 11, 11, 0.65);
  const Vec3 along{1, 0.4, 0.2}, across = cross(Vec3{0.3, 0.1, 1}, along);
  const VolumeGrid plane = VolumeGrid::plane(13, 12, 0.6, {0.3, -0.2, 0.1}, along, across);
  Orbit tilted = orbit(Beam::parallel);
  tilted.tilt = 0.04;
  Orbit offset = orbit(Beam::cone);
  offset.tilt = -0.03;
  offset.source_shift_u = 1.7;
  offset.source_shift_v = -0.9;
  for (int64_t i = 0; i < case_views; ++i) {
    offset.shift_u.push_back(0.4 * std::sin(1.7 * static_cast<double>(i)));
    offset.shift_v.push_back(0.3 * std::cos(2.3 * static_cast<double>(i)));
  }
  const ScanGeometry plain = make(orbit(Beam::parallel)), cone = make(orbit(Beam::cone));
  const ScanGeometry lamino =
      ScanGeometry::laminography(equidistant_angles(case_views, 2 * pi, 0.13), case_detector, 0.5, 0.37).or_throw();
  return {{"parallel", plain, cube},
          {"parallel, box voxels", plain, box},
          {"parallel, tilted", make(tilted), box},
          {"cone", cone, cube},
          {"cone, offset and tilted", make(offset), box},
          {"laminography", lamino, box},
          {"jittered parallel", jittered(plain), box},
          {"jittered cone", jittered(cone), box},
          {"parallel, oblique plane", plain, plane},
          {"cone, oblique plane", make(offset), plane}};
}

namespace {

// The filter depends on rows and columns only: one scan is enough.
OperatorPtr ramp(const ScanCase& s, ops::RowExtension extension) {
  if (s.name != "parallel") return nullptr;
  ops::RampFilterSpec spec;
  spec.views = s.geometry.views();
  spec.rows = s.geometry.detector().rows;
  spec.cols = s.geometry.detector().cols;
  spec.pitch = s.geometry.detector().pitch_u;
  spec.window = ops::RampWindow::hann;
  spec.extension = extension;
  return ops::make_ramp_filter(spec).or_throw();
}

OperatorPtr stripe_filter(const ScanCase& s) {
  if (s.name != "parallel") return nullptr;
  ops::FourierWaveletSpec spec;
  spec.levels = 3;
  return ops::make_fourier_wavelet(s.geometry.views(), s.geometry.detector().cols, spec).or_throw();
}

// Positions distributed over the image and slightly beyond.
OperatorPtr resampling(const ScanCase& s) {
  if (s.name != "parallel") return nullptr;
  const int64_t rows = s.geometry.detector().rows, cols = s.geometry.detector().cols;
  const at::Tensor row =
      0.5 * static_cast<double>(rows - 1) + 0.4 * static_cast<double>(rows) * gaussian({rows, cols}, 1, 8);
  const at::Tensor col =
      0.5 * static_cast<double>(cols - 1) + 0.4 * static_cast<double>(cols) * gaussian({rows, cols}, 1, 9);
  return ops::make_resampling({{s.geometry.views(), rows, cols}, row, col, ops::OutsideValue::zero, {}});
}

// Parallel beams, and volumes of more than a plane.
OperatorPtr fourier_slices(const ScanCase& s) {
  if (!s.geometry.is_parallel() || s.grid.nz < 2) return nullptr;
  ops::FourierSampling sampling;
  sampling.geometry = s.geometry;
  sampling.grid = s.grid;
  return ops::make_fourier_projector(sampling).or_throw();
}

// Volume filters depend on voxels only.
ops::GaussianSpec smoothing(const ScanCase& s) {
  ops::GaussianSpec spec;
  spec.nz = s.grid.nz;
  spec.ny = s.grid.ny;
  spec.nx = s.grid.nx;
  spec.sigma = {0.8, 1.3, 2.1};
  return spec;
}

}  // namespace

std::vector<OperatorCase> operator_cases() {
  const auto back = [](const ScanCase& s, DistanceWeight distance, KernelChoice kernel) {
    BackProjectorSpec spec{s.geometry, s.grid, distance};
    spec.kernel = kernel;
    return make_back_projector(std::move(spec)).or_throw();
  };
  return {
      {"projector",
       [](const ScanCase& s) {
         return make_projector({s.geometry, s.grid}).or_throw();
       }},
      {"projector, generic",
       [](const ScanCase& s) {
         ProjectorSpec spec{s.geometry, s.grid};
         spec.kernel = KernelChoice::generic;
         return make_projector(std::move(spec)).or_throw();
       }},
      {"back-projector", [back](const ScanCase& s) { return back(s, DistanceWeight::none, KernelChoice::fastest); }},
      {"back-projector, generic",
       [back](const ScanCase& s) { return back(s, DistanceWeight::none, KernelChoice::generic); }},
      {"back-projector, FDK",
       [back](const ScanCase& s) {
         return s.geometry.is_parallel() ? nullptr : back(s, DistanceWeight::fdk, KernelChoice::fastest);
       }},
      {"ramp filter", [](const ScanCase& s) { return ramp(s, ops::RowExtension::zero); }},
      {"ramp filter, edge", [](const ScanCase& s) { return ramp(s, ops::RowExtension::edge); }},
      {"Fourier slices", fourier_slices, false},
      {"Fourier-wavelet stripes", stripe_filter},
      {"resampling of views", resampling},
      {"ramp filter, smooth", [](const ScanCase& s) { return ramp(s, ops::RowExtension::smooth); }},
      {"gradient",
       [](const ScanCase& s) {
         return ops::make_gradient({s.grid.nz, s.grid.ny, s.grid.nx}, ops::DifferenceWeights{0.7, 0.9, 1}).or_throw();
       }},
      {"Gaussian filter",
       [](const ScanCase& s) {
         return s.name == "parallel, box voxels" ? ops::make_gaussian_filter(smoothing(s)).or_throw() : nullptr;
       }},
      {"unsharp mask", [](const ScanCase& s) {
         return s.name == "parallel, box voxels" ? ops::make_unsharp_mask(smoothing(s), 0.8).or_throw() : nullptr;
       }}};
}

void add_check(CheckTable& table, const CheckRow& row) {
  table.push_back(row);
  table.back().passed = row.value <= row.bound;  // fails for NaN
}

std::string type_name(at::ScalarType type) { return type == at::kFloat ? "float32" : "float64"; }

at::Tensor gaussian(const std::vector<int64_t>& shape, uint64_t seed, uint64_t stream) {
  at::Tensor t = at::empty(shape, at::kDouble);
  double* p = t.mutable_data_ptr<double>();
  const Philox random{seed, stream};
  for (int64_t i = 0; i < t.numel(); ++i) p[i] = random.normal(static_cast<uint64_t>(i));
  return t;
}

double exact_dot(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a.to(at::kDouble).contiguous(), y = b.to(at::kDouble).contiguous();
  const double *p = x.const_data_ptr<double>(), *q = y.const_data_ptr<double>();
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i) sum += p[i] * q[i];
  return sum;
}

}  // namespace tl::verify
