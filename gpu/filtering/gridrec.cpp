// Reconstructs by gridrec: grids the filtered views in Fourier space, two slices at a time.
#include "gpu/filtering/gridrec.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/units.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/device/parallel_parts.h"
#include "gpu/filtering/fft_size.h"
#include "gpu/filtering/gridrec_math.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/projection/view_weights.h"

namespace tl::ops {
namespace {

// The prolate spheroidal function of bandwidth C in Legendre polynomials of even degree, and its eigenvalue.
constexpr double bandwidth = 7, eigenvalue = 0.99998546;
constexpr std::array<double, 11> legendre = {57.67616,    -89.31343,    41.67596,   -10.53599,
                                             1.662374,    -0.1780527,   0.01372983, -7.963169e-4,
                                             3.593372e-5, -1.295941e-6, 3.817796e-8};
constexpr double half_width = bandwidth / pi;  // half width of the kernel, in samples of the Fourier plane
constexpr int max_taps = 5;                    // largest number of samples within the kernel
constexpr int table_steps = 2048;              // table entries per sample of the plane, interpolated linearly
constexpr int64_t lines_together = 32;         // number of views, lines or columns processed at a time by one thread
constexpr int64_t min_room = int64_t{1} << 22, share_for_room = 20;  // pair memory: bytes, or fraction of the data

struct Plan {
  int64_t cols = 0, views = 0, length = 0, width = 0;
  std::vector<double> cosine, sine;
  std::vector<GridView> directions;
  at::Tensor factor;  // [view, length] complex: product of filter, weight of the view, and shift of the origin
  std::vector<double> kernel_values;
  at::Tensor correction;                      // [width] factor per axis that divides by the kernel's transform
  at::Tensor directions_there, kernel_there;  // copies in device memory

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
  std::vector<double> weights = spec.view_weights;
  if (weights.empty()) {
    TL_TRY(ViewWeights angular, view_weights(spec.geometry));
    weights = std::move(angular.weights);
  }
  p.cols = d.cols;
  p.views = spec.geometry.views();
  p.length = fft_length(2 * d.cols);
  p.width = spec.width;
  const double shift_u = orbit->shift_u.empty() ? 0 : orbit->shift_u[0];
  const double axis_column = column_from_axis(orbit->axis + shift_u, d.cols);
  const double half_voxel = p.width % 2 == 0 ? 0.5 : 0;
  const std::vector<double> response = ramp_response(p.length, d.pitch_u, spec.window, spec.cutoff);
  p.factor = at::empty({p.views, p.length}, type == at::kFloat ? at::kComplexFloat : at::kComplexDouble);
  at::Tensor of_view = at::empty({p.length}, at::kComplexDouble);
  auto* factor = of_view.mutable_data_ptr<c10::complex<double>>();
  for (int64_t i = 0; i < p.views; ++i) {
    const double angle = orbit->angles[static_cast<std::size_t>(i)], c = std::cos(angle), s = std::sin(angle);
    p.cosine.push_back(c);
    p.sine.push_back(s);
    const double turned = std::atan2(s, c), direction = turned < 0 ? turned + pi : turned;
    p.directions.push_back({direction < pi ? direction : 0, c, s, i});
    for (int64_t k = 0; k < p.length; ++k) {
      const double f = frequency(k, p.length);
      const double phase = 2 * pi * f * (axis_column + half_voxel * (c + s)) / static_cast<double>(p.length);
      // The highest frequency has no counterpart of opposite sign and would mix the two slices.
      const double gain = 2 * k == p.length ? 0 : response[static_cast<std::size_t>(std::min(k, p.length - k))];
      const double size = weights[static_cast<std::size_t>(i)] * gain / static_cast<double>(p.length);
      factor[k] = {size * std::cos(phase), size * std::sin(phase)};
    }
    p.factor[i].copy_(of_view);
  }
  p.factor = p.factor.to(projections.device());
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

// Kernel values at the samples around a position.
struct KernelTaps {
  int64_t first;
  std::array<double, max_taps> weight;
};
KernelTaps kernel_taps(const GridKernel& kernel, double position) {
  KernelTaps taps{static_cast<int64_t>(std::ceil(position - half_width)), {}};
  for (std::size_t t = 0; t < max_taps; ++t)
    taps.weight[t] = kernel.at(static_cast<double>(taps.first + static_cast<int64_t>(t)) - position);
  return taps;
}

int64_t wrapped(int64_t i, int64_t n) {
  while (i < 0) i += n;
  while (i >= n) i -= n;
  return i;
}

// Range of frequencies whose samples, `step` lines apart, reach any line between `low` and `high`.
struct Frequencies {
  int64_t first, last;
};
Frequencies reaching(double low, double high, double step, int64_t length) {
  const int64_t highest = length / 2;
  const auto half = static_cast<double>(highest);
  const double size = std::abs(step), rounding = 1e-6;
  double from = (low - half_width) / size, to = (high + half_width) / size;
  if (step < 0) from = -std::exchange(to, -from);
  return {static_cast<int64_t>(std::ceil(std::clamp(from - rounding, -half, half))),
          static_cast<int64_t>(std::floor(std::clamp(to + rounding, -half - 1, half - 1)))};
}

// Adds the samples of all views [view, length] to lines [first, first + lines.size(0)) of the plane, in a fixed order
// for every point, so results are always bit-identical.
template <class T>
void spread(const Plan& p, const at::Tensor& spectra, int64_t first, const at::Tensor& lines) {
  auto* out = lines.mutable_data_ptr<c10::complex<T>>();
  const auto* in = spectra.const_data_ptr<c10::complex<T>>();
  const int64_t n = p.length, last = first + lines.size(0) - 1, turns = 1 + max_taps / n;
  const GridKernel kernel = p.kernel();
  for (int64_t i = 0; i < p.views; ++i) {
    const double c = p.cosine[static_cast<std::size_t>(i)], s = p.sine[static_cast<std::size_t>(i)];
    // The plane is periodic: samples beyond one edge are added at the opposite edge.
    for (int64_t turn = -turns; turn <= turns; ++turn) {
      const int64_t top = first - turn * n, bottom = last - turn * n;
      const Frequencies range = reaching(static_cast<double>(top), static_cast<double>(bottom), s, n);
      for (int64_t f = range.first; f <= range.last; ++f) {
        const c10::complex<T> value = in[i * n + (f < 0 ? f + n : f)];
        const KernelTaps x = kernel_taps(kernel, static_cast<double>(f) * c),
                         y = kernel_taps(kernel, static_cast<double>(f) * s);
        std::array<int64_t, max_taps> columns;
        for (std::size_t a = 0; a < max_taps; ++a) columns[a] = wrapped(x.first + static_cast<int64_t>(a), n);
        for (std::size_t b = 0; b < max_taps; ++b) {
          const int64_t line = y.first + static_cast<int64_t>(b);
          if (line < top || line > bottom) continue;
          c10::complex<T>* to = out + (line - top) * n;
          const c10::complex<T> part = value * static_cast<T>(y.weight[b]);
          for (std::size_t a = 0; a < max_taps; ++a) to[columns[a]] += part * static_cast<T>(x.weight[a]);
        }
      }
    }
  }
}

// Computes the whole plane on a device, with a gather for every point.
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

// Two rows [view, col] and their slices [y, x]; `next_slice` is undefined if the last row has no partner.
struct Pair {
  at::Tensor row, next_row, slice, next_slice;
};

at::Tensor spectra_of(const Plan& p, const Pair& pair, int64_t first, int64_t count) {
  const at::Tensor both = at::complex(pair.row.narrow(0, first, count), pair.next_row.narrow(0, first, count));
  return at::fft_fft(both, p.length, 1).mul_(p.factor.narrow(0, first, count));
}

// Not normalized: the value is the sum over frequencies. Moves index 0, the axis, to the middle.
at::Tensor transformed(const Plan& p, const at::Tensor& plane, int64_t dim) {
  const at::Tensor image = at::fft_ifft(plane, {}, dim, "forward");
  const int64_t before = p.width / 2;
  return at::cat({image.narrow(dim, p.length - before, before), image.narrow(dim, 0, p.width - before)}, dim);
}

void store(const Plan& p, const at::Tensor& image, int64_t first_column, const Pair& pair) {
  const int64_t count = image.size(1);
  const at::Tensor across = p.correction.narrow(0, first_column, count).view({1, -1});
  const at::Tensor corrected = image * p.correction.view({-1, 1}) * across;
  pair.slice.narrow(1, first_column, count).copy_(at::real(corrected));
  if (pair.next_slice.defined()) pair.next_slice.narrow(1, first_column, count).copy_(at::imag(corrected));
}

template <class T>
void on_device(const Plan& p, const Pair& pair) {
  const at::Tensor plane = plane_on_device<T>(p, spectra_of(p, pair, 0, p.views));
  store(p, transformed(p, transformed(p, plane, 1), 0), 0, pair);
}

// Calls work(first, count) for all blocks of [0, n), distributed dynamically over threads. The outer blocks, which
// contain the low frequencies of all views, come first.
template <class Work>
void in_blocks(int64_t n, const Work& work) {
  const int64_t blocks = (n + lines_together - 1) / lines_together;
  parallel_parts(blocks, 1, [&] {
    return [&](int64_t i, int64_t) {
      const int64_t first = (i % 2 == 0 ? i / 2 : blocks - 1 - i / 2) * lines_together;
      work(first, std::min(lines_together, n - first));
    };
  });
}

// Workspace on the CPU for one pair: the spectra [view, length], and the plane's lines restricted to the slice's
// columns.
struct PairWorkspace {
  at::Tensor spectra, lines;

  explicit PairWorkspace(const Plan& p)
      : spectra(at::empty({p.views, p.length}, p.factor.options())),
        lines(at::empty({p.length, p.width}, p.factor.options())) {}
};

// Each block of plane lines is transformed at once, and only the slice's columns are stored.
template <class T>
void on_processor(const Plan& p, const Pair& pair, const PairWorkspace& room) {
  in_blocks(p.views, [&](int64_t first, int64_t count) {
    room.spectra.narrow(0, first, count).copy_(spectra_of(p, pair, first, count));
  });
  in_blocks(p.length, [&](int64_t first, int64_t count) {
    const at::Tensor some = at::zeros({count, p.length}, room.lines.options());
    spread<T>(p, room.spectra, first, some);
    room.lines.narrow(0, first, count).copy_(transformed(p, some, 1));
  });
  in_blocks(p.width, [&](int64_t first, int64_t count) {
    store(p, transformed(p, room.lines.narrow(1, first, count), 0), first, pair);
  });
}

template <class T>
at::Tensor reconstruct(const Plan& p, const at::Tensor& projections, const CancelToken& cancel) {
  const int64_t rows = projections.size(1), pairs = (rows + 1) / 2;
  at::Tensor volume = at::empty({rows, p.width, p.width}, projections.options());
  const auto pair_of = [&](int64_t i) {
    const int64_t a = 2 * i;
    const bool alone = a + 1 == rows;
    return Pair{projections.select(1, a), projections.select(1, alone ? a : a + 1), volume[rows - 1 - a],
                alone ? at::Tensor() : volume[rows - 2 - a]};
  };
  if (p.directions_there.defined()) {
    for (int64_t i = 0; i < pairs; ++i) {
      cancel.check();
      on_device<T>(p, pair_of(i));
    }
    return volume;
  }
  const auto some = [&](int64_t first, int64_t last) {
    const PairWorkspace room(p);
    for (int64_t i = first; i < last; ++i) {
      cancel.check();
      on_processor<T>(p, pair_of(i), room);
    }
  };
  // One pair per thread needs less synchronization than one pair for all threads, but more memory.
  const int64_t threads = ops::threads_of_loop();
  const auto data = static_cast<int64_t>(projections.nbytes() + volume.nbytes());
  const int64_t room_each = (p.views + p.width) * p.length * p.factor.element_size();
  if (pairs >= threads && threads * room_each <= std::max(min_room, data / share_for_room))
    ops::parallel_for(0, pairs, 1, some);
  else
    some(0, pairs);
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
  if (!spec.view_weights.empty() && static_cast<int64_t>(spec.view_weights.size()) != spec.geometry.views())
    return invalid(std::to_string(spec.view_weights.size()) + " view weights for " +
                       std::to_string(spec.geometry.views()) + " views",
                   where);
  TL_TRY(Plan plan, make_plan(spec, projections));
  if (runs_functors(projections, where)) {
    plan.directions_there = device_table(plan.directions, projections.device());
    plan.kernel_there = device_table(plan.kernel_values, projections.device());
  }
  const at::Tensor plain = projections.detach();
  return plain.scalar_type() == at::kFloat ? reconstruct<float>(plan, plain, spec.cancel)
                                           : reconstruct<double>(plan, plain, spec.cancel);
}

}  // namespace tl::ops
