// Gridding of filtered views, two slices at a time.
#include "gpu/ops/gridrec.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/launch.h"
#include "gpu/ops/fft_size.h"
#include "gpu/ops/gridrec_math.h"
#include "gpu/ops/operator_checks.h"
#include "gpu/ops/ramp_filter.h"
#include "gpu/ops/view_weights.h"

namespace tl::ops {
namespace {

// The function of bandwidth C in Legendre polynomials of even degree, and its eigenvalue.
constexpr double bandwidth = 7, eigenvalue = 0.99998546;
constexpr std::array<double, 11> legendre = {57.67616,    -89.31343,    41.67596,   -10.53599,
                                             1.662374,    -0.1780527,   0.01372983, -7.963169e-4,
                                             3.593372e-5, -1.295941e-6, 3.817796e-8};
constexpr double half_width = bandwidth / pi;  // of the kernel, in samples of the Fourier plane
constexpr int most_taps = 5;                   // samples that a kernel reaches at most
constexpr int table_steps = 2048;              // per sample of the plane, linearly interpolated

struct Plan {
  int64_t cols = 0, views = 0, length = 0, width = 0;
  std::vector<double> cosine, sine;
  std::vector<GridView> directions;
  at::Tensor factor;  // [view, length] complex: filter, weight of the view, shift of the origin
  std::vector<double> kernel_values;
  at::Tensor correction;                      // [width] what the kernel's transform is divided by, per axis
  at::Tensor directions_there, kernel_there;  // copies on the device of functors

  [[nodiscard]] GridKernel kernel() const { return {kernel_values.data(), table_steps, half_width}; }
};

// Signed frequency of an FFT index.
double frequency(int64_t k, int64_t length) { return static_cast<double>(k < length - k ? k : k - length); }

Result<Plan> make_plan(const GridrecSpec& spec, const at::Tensor& projections) {
  const at::ScalarType type = projections.scalar_type();
  Plan p;
  const DetectorShape& d = spec.geometry.detector();
  const auto orbit = spec.geometry.orbit();
  TL_CHECK(orbit.has_value(), "gridrec of a scan that is not circular");
  TL_TRY(const ViewWeights weights, view_weights(spec.geometry));
  p.cols = d.cols;
  p.views = spec.geometry.views();
  p.length = fft_length(2 * d.cols);
  p.width = spec.width;
  const double shift_u = orbit->shift_u.empty() ? 0 : orbit->shift_u[0];
  const double axis_column = column_from_axis(orbit->axis + shift_u, d.cols);
  const double half_voxel = p.width % 2 == 0 ? 0.5 : 0;
  const std::vector<double> response = ramp_response(p.length, d.pitch_u, spec.window, spec.cutoff);
  p.factor = at::empty({p.views, p.length}, at::kComplexDouble);
  auto* factor = p.factor.mutable_data_ptr<c10::complex<double>>();
  for (int64_t i = 0; i < p.views; ++i) {
    const double angle = orbit->angles[static_cast<std::size_t>(i)], c = std::cos(angle), s = std::sin(angle);
    p.cosine.push_back(c);
    p.sine.push_back(s);
    const double turned = std::atan2(s, c), direction = turned < 0 ? turned + pi : turned;
    p.directions.push_back({direction < pi ? direction : 0, c, s, i});
    for (int64_t k = 0; k < p.length; ++k) {
      const double f = frequency(k, p.length);
      const double phase = 2 * pi * f * (axis_column + half_voxel * (c + s)) / static_cast<double>(p.length);
      // The highest frequency has no partner of the other sign, without which two slices would mix.
      const double gain = 2 * k == p.length ? 0 : response[static_cast<std::size_t>(std::min(k, p.length - k))];
      const double size = weights.weights[static_cast<std::size_t>(i)] * gain / static_cast<double>(p.length);
      factor[i * p.length + k] = {size * std::cos(phase), size * std::sin(phase)};
    }
  }
  p.factor = p.factor.to(projections.device(), type == at::kFloat ? at::kComplexFloat : at::kComplexDouble);
  std::sort(p.directions.begin(), p.directions.end(), [](const GridView& a, const GridView& b) {
    return a.angle < b.angle || (a.angle == b.angle && a.view < b.view);
  });
  const auto steps = static_cast<int64_t>(std::ceil(half_width * table_steps)) + 2;
  for (int64_t i = 0; i < steps; ++i)
    p.kernel_values.push_back(prolate(static_cast<double>(i) / table_steps / half_width));
  // The transform of psw(w / h) over |w| < h at x is h sqrt(2 pi lambda / C) psw(x / x_max), with x_max = length / 2.
  const double scale = half_width * std::sqrt(2 * pi * eigenvalue / bandwidth);
  p.correction = at::empty({p.width}, at::kDouble);
  const int64_t middle = p.width / 2;
  for (int64_t j = 0; j < p.width; ++j) {
    const auto x = static_cast<double>(j - middle);
    p.correction.mutable_data_ptr<double>()[j] = 1 / (scale * prolate(2 * x / static_cast<double>(p.length)));
  }
  p.correction = p.correction.to(projections.device(), type);
  return p;
}

// Kernel values at the taps around a position, and the first tap wrapped onto the plane.
struct KernelTaps {
  std::array<int64_t, most_taps> index;
  std::array<double, most_taps> weight;
};
KernelTaps kernel_taps(const Plan& p, double position) {
  KernelTaps s{};
  const auto first = static_cast<int64_t>(std::ceil(position - half_width));
  for (int t = 0; t < most_taps; ++t) {
    s.index.at(static_cast<std::size_t>(t)) = ((first + t) % p.length + p.length) % p.length;
    s.weight.at(static_cast<std::size_t>(t)) = p.kernel().at(static_cast<double>(first + t) - position);
  }
  return s;
}

// One complex plane from the spectra of its views [view, length]: positions in one order, so the bits are always equal.
template <class T>
at::Tensor plane_of(const Plan& p, const at::Tensor& spectra) {
  at::Tensor plane = at::zeros({p.length, p.length}, spectra.options());
  auto* out = plane.mutable_data_ptr<c10::complex<T>>();
  const auto* in = spectra.const_data_ptr<c10::complex<T>>();
  for (int64_t i = 0; i < p.views; ++i) {
    const double c = p.cosine[static_cast<std::size_t>(i)], s = p.sine[static_cast<std::size_t>(i)];
    for (int64_t k = 0; k < p.length; ++k) {
      const c10::complex<T> value = in[i * p.length + k];
      const double f = frequency(k, p.length);
      const KernelTaps x = kernel_taps(p, f * c), y = kernel_taps(p, f * s);
      for (std::size_t b = 0; b < most_taps; ++b) {
        c10::complex<T>* line = out + y.index[b] * p.length;
        const c10::complex<T> part = value * static_cast<T>(y.weight[b]);
        for (std::size_t a = 0; a < most_taps; ++a) line[x.index[a]] += part * static_cast<T>(x.weight[a]);
      }
    }
  }
  return plane;
}

// The same by functors, which gather what belongs to a point of the plane.
template <class T>
at::Tensor plane_on_device(const Plan& p, const at::Tensor& spectra) {
  at::Tensor plane = at::empty({p.length, p.length}, spectra.options());
  launch(spectra.device(),
         GridPoint<T>{reinterpret_cast<const T*>(spectra.const_data_ptr<c10::complex<T>>()),
                      table_data<GridView>(p.directions_there),
                      p.views,
                      p.length,
                      {table_data<double>(p.kernel_there), table_steps, half_width},
                      reinterpret_cast<T*>(plane.mutable_data_ptr<c10::complex<T>>())},
         plane.numel());
  return plane;
}

// The two slices [2, width, width] whose rows are the real and the imaginary part of [view, col].
template <class T>
at::Tensor slices_of(const Plan& p, const at::Tensor& rows) {
  const at::Tensor spectra = at::fft_fft(rows, p.length, 1).mul_(p.factor);
  const at::Tensor plane = p.directions_there.defined() ? plane_on_device<T>(p, spectra) : plane_of<T>(p, spectra);
  at::Tensor image = at::fft_ifft2(plane, {}, at::IntArrayRef{0, 1}, "forward");
  // Not normalised: the sum over frequencies is the value. Index 0 is the axis.
  image = at::roll(image, {p.width / 2, p.width / 2}, {0, 1}).narrow(0, 0, p.width).narrow(1, 0, p.width);
  image = image * p.correction.view({-1, 1}) * p.correction.view({1, -1});
  return at::stack({at::real(image), at::imag(image)});
}

template <class T>
at::Tensor reconstruct(const Plan& p, const at::Tensor& projections, const CancelToken& cancel) {
  const int64_t rows = projections.size(1), pairs = (rows + 1) / 2;
  at::Tensor volume = at::empty({rows, p.width, p.width}, projections.options());
  const auto some = [&](int64_t first, int64_t last) {
    const c10::NoGradGuard no_grad;
    for (int64_t pair = first; pair < last; ++pair) {
      cancel.check();
      const int64_t a = 2 * pair, b = std::min(a + 1, rows - 1);
      const at::Tensor both = at::complex(projections.select(1, a).contiguous(), projections.select(1, b).contiguous());
      const at::Tensor slices = slices_of<T>(p, both);
      volume[rows - 1 - a].copy_(slices[0]);
      if (b != a) volume[rows - 1 - b].copy_(slices[1]);
    }
  };
  if (p.directions_there.defined()) {
    some(0, pairs);
  } else {
    at::parallel_for(0, pairs, 1, some);
  }
  return volume;
}

}  // namespace

double prolate(double x) {
  if (std::abs(x) > 1) return 0;
  double sum = 0, before = 0, now = 1;  // P_{n-1}, P_n
  for (int n = 0; n <= 20; ++n) {
    if (n % 2 == 0) sum += legendre.at(static_cast<std::size_t>(n / 2)) * now;
    const double next = ((2 * n + 1) * x * now - n * before) / (n + 1);
    before = now;
    now = next;
  }
  return sum;
}

Result<at::Tensor> gridrec(const at::Tensor& projections, const GridrecSpec& spec) {
  const DetectorShape& d = spec.geometry.detector();
  const std::string where = "gridrec";
  if (!spec.geometry.is_parallel() || !spec.geometry.is_plain_circular())
    return invalid("gridrec needs a parallel beam and an upright axis", where, "Use FBP");
  require_tensor(projections, {spec.geometry.views(), d.rows, d.cols}, where);
  TL_TRY(check_device(projections, where));
  if (spec.width < 1 || spec.width > d.cols)
    return invalid("slices of " + std::to_string(spec.width) + " voxels from " + std::to_string(d.cols) + " columns",
                   where, "Choose at most the number of columns");
  if (!(spec.cutoff > 0) || spec.cutoff > 1)
    return invalid("the cutoff is " + std::to_string(spec.cutoff) + " of the Nyquist frequency", where,
                   "Choose a value above 0 and at most 1");
  TL_TRY(Plan plan, make_plan(spec, projections));
  if (runs_functors(projections, where)) {
    plan.directions_there = device_table(plan.directions, projections.device());
    plan.kernel_there = device_table(plan.kernel_values, projections.device());
  }
  return projections.scalar_type() == at::kFloat ? reconstruct<float>(plan, projections, spec.cancel)
                                                 : reconstruct<double>(plan, projections, spec.cancel);
}

}  // namespace tl::ops
