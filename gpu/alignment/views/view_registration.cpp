// Registers measured views to predicted ones by least squares of the differences.
#include "gpu/alignment/views/view_registration.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

using Image = std::vector<double>;

struct ImageSize {
  int64_t rows = 0, cols = 0;
  [[nodiscard]] int64_t count() const { return rows * cols; }
};

// (1 2 1) / 4 along both axes; the outermost pixels are repeated.
void smooth_image(Image& image, const ImageSize& size, Image& line) {
  const auto along = [&](int64_t lines, int64_t line_step, int64_t length, int64_t step) {
    if (length < 2) return;
    for (int64_t l = 0; l < lines; ++l) {
      double* x = image.data() + l * line_step;
      for (int64_t i = 0; i < length; ++i) line[static_cast<std::size_t>(i)] = x[i * step];
      for (int64_t i = 0; i < length; ++i) {
        const auto at = [&](int64_t k) {
          return line[static_cast<std::size_t>(std::clamp<int64_t>(k, 0, length - 1))];
        };
        x[i * step] = 0.25 * (at(i - 1) + 2 * at(i) + at(i + 1));
      }
    }
  };
  along(size.rows, size.cols, size.cols, 1);
  along(size.cols, 1, size.rows, size.cols);
}

// Central differences along +u and along +v; rows run along -v.
void image_slopes(const Image& image, const ImageSize& size, Image& along_u, Image& along_v) {
  for (int64_t r = 0; r < size.rows; ++r)
    for (int64_t c = 0; c < size.cols; ++c) {
      const auto at = [&](int64_t row, int64_t col) {
        return image[static_cast<std::size_t>(std::clamp<int64_t>(row, 0, size.rows - 1) * size.cols +
                                              std::clamp<int64_t>(col, 0, size.cols - 1))];
      };
      const auto i = static_cast<std::size_t>(r * size.cols + c);
      along_u[i] = 0.5 * (at(r, c + 1) - at(r, c - 1));
      along_v[i] = 0.5 * (at(r - 1, c) - at(r + 1, c));
    }
}

// The derivative of the image to a change of the view, from its slopes along +u and +v.
double change_slope(ViewChange kind, double x, double y, double along_u, double along_v, double aspect) {
  switch (kind) {
    case ViewChange::shift_u: return -along_u;
    case ViewChange::shift_v: return -along_v;
    case ViewChange::roll: return -y * aspect * along_u + x / aspect * along_v;
    case ViewChange::magnification: return -x * along_u - y * along_v;
    case ViewChange::angle: break;
  }
  return 0;
}

// Solves A x = b for a symmetric, positive matrix by Cholesky, and gives the diagonal of A^-1 M A^-1. Unknowns whose
// pivot is rounding are left out: x = 0, infinite variance.
void solve_normal(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& m,
                  std::size_t n, double* x, double* variance) {
  constexpr double rounding = 1e-6;
  std::vector<double> l(n * n, 0.0);
  std::vector<bool> kept(n, true);
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = a[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= l[j * n + k] * l[j * n + k];
    kept[j] = pivot > rounding * a[j * n + j] && a[j * n + j] > 0;
    if (!kept[j]) continue;
    l[j * n + j] = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = sum / l[j * n + j];
    }
  }
  const auto solve = [&](std::vector<double> y) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) y[i] -= l[i * n + k] * y[k];
      y[i] = kept[i] ? y[i] / l[i * n + i] : 0;
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) y[i] -= l[k * n + i] * y[k];
      y[i] = kept[i] ? y[i] / l[i * n + i] : 0;
    }
    return y;
  };
  const std::vector<double> solution = solve(b);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = solution[i];
    variance[i] = std::numeric_limits<double>::infinity();
    if (!kept[i]) continue;
    std::vector<double> unit(n, 0.0);
    unit[i] = 1;
    const std::vector<double> row = solve(unit);
    variance[i] = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q) variance[i] += row[p] * m[p * n + q] * row[q];
  }
}

// What one thread needs for a view.
struct RegistrationBuffers {
  Image predicted, difference, along_u, along_v, line, magnitudes;
  std::vector<Image> slopes;
  std::vector<double> weights;
};

template <class T>
void load_image(const T* from, Image& to, int64_t count) {
  to.assign(from, from + count);
}

// Sum of the weights after Huber's, and the mean square of the differences before them.
struct WeighedDifferences {
  double weight = 0, squares = 0, robust_squares = 0;
};

WeighedDifferences weigh_differences(RegistrationBuffers& b) {
  WeighedDifferences sums;
  b.magnitudes.clear();
  double plain = 0;
  for (std::size_t i = 0; i < b.difference.size(); ++i) {
    if (!(b.weights[i] > 0)) continue;
    b.magnitudes.push_back(std::abs(b.difference[i]));
    plain += b.weights[i];
    sums.squares += b.weights[i] * b.difference[i] * b.difference[i];
  }
  if (b.magnitudes.empty()) return sums;
  sums.squares /= plain;
  const auto middle = b.magnitudes.begin() + static_cast<std::ptrdiff_t>(b.magnitudes.size() / 2);
  std::nth_element(b.magnitudes.begin(), middle, b.magnitudes.end());
  constexpr double sigma_of_median = 1.4826, usual = 2.5;
  const double limit = usual * sigma_of_median * *middle;
  for (std::size_t i = 0; i < b.difference.size(); ++i) {
    const double size = std::abs(b.difference[i]);
    if (limit > 0 && size > limit) b.weights[i] *= limit / size;
    sums.weight += b.weights[i];
    sums.robust_squares += b.weights[i] * b.difference[i] * b.difference[i];
  }
  sums.robust_squares /= sums.weight;
  return sums;
}

// Whether the pixels that count are equal: empty, dead or saturated.
bool is_constant(const RegistrationBuffers& b) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < b.difference.size(); ++i) {
    if (!(b.weights[i] > 0)) continue;
    low = std::min(low, b.difference[i]);
    high = std::max(high, b.difference[i]);
  }
  return !(high > low);
}

template <class T>
void register_view(const ViewRegistrationTask& task, int64_t view, const ImageSize& size, RegistrationBuffers& b,
                   ViewRegistration& out) {
  const std::size_t kinds = task.changes.size();
  const int64_t count = size.count(), first = view * count;
  const auto start = [&](const at::Tensor& x) { return x.const_data_ptr<T>() + first; };
  load_image(start(task.predicted), b.predicted, count);
  load_image(start(task.measured), b.difference, count);
  b.weights.assign(static_cast<std::size_t>(count), 1.0);
  if (task.weights.defined()) load_image(start(task.weights), b.weights, count);
  if (is_constant(b)) return;
  smooth_image(b.predicted, size, b.line);
  smooth_image(b.difference, size, b.line);
  for (std::size_t i = 0; i < b.difference.size(); ++i) b.difference[i] -= b.predicted[i];
  image_slopes(b.predicted, size, b.along_u, b.along_v);
  const WeighedDifferences sums = weigh_differences(b);
  out.error[static_cast<std::size_t>(view)] = std::sqrt(sums.squares);
  for (std::size_t k = 0; k < kinds; ++k) {
    Image& slope = b.slopes[k];
    if (task.changes[k] == ViewChange::angle) {
      load_image(start(task.angle_slope), slope, count);
      smooth_image(slope, size, b.line);
      continue;
    }
    for (int64_t r = 0; r < size.rows; ++r)
      for (int64_t c = 0; c < size.cols; ++c) {
        const auto i = static_cast<std::size_t>(r * size.cols + c);
        slope[i] = change_slope(task.changes[k], static_cast<double>(c) - 0.5 * static_cast<double>(size.cols - 1),
                                0.5 * static_cast<double>(size.rows - 1) - static_cast<double>(r), b.along_u[i],
                                b.along_v[i], task.aspect);
      }
  }
  std::vector<double> normal(kinds * kinds, 0.0), right(kinds, 0.0), noise(kinds * kinds, 0.0);
  const auto products = [&](std::vector<double>& sums_of_products, bool weighted) {
    for (std::size_t p = 0; p < kinds; ++p)
      for (std::size_t q = 0; q <= p; ++q) {
        double sum = 0;
        for (std::size_t i = 0; i < b.weights.size(); ++i)
          sum += (weighted ? b.weights[i] : 1) * b.slopes[p][i] * b.slopes[q][i];
        sums_of_products[p * kinds + q] = sums_of_products[q * kinds + p] = sum;
      }
  };
  products(normal, true);
  for (std::size_t p = 0; p < kinds; ++p) {
    Image& slope = b.slopes[p];
    for (std::size_t i = 0; i < slope.size(); ++i) {
      slope[i] *= b.weights[i];
      right[p] += slope[i] * b.difference[i];
    }
    smooth_image(slope, size, b.line);
  }
  // Noise of single pixels is (3/8)^2 of its variance after the smoothing, which acts on the slopes as on the noise.
  products(noise, false);
  constexpr double kept_by_smoothing = 0.375;
  const double pixel_variance =
      sums.robust_squares / ((size.rows > 1 ? kept_by_smoothing : 1) * (size.cols > 1 ? kept_by_smoothing : 1));
  for (double& x : noise) x *= pixel_variance;
  double* variance = out.sigma.data() + static_cast<std::size_t>(view) * kinds;
  solve_normal(normal, right, noise, kinds, out.change.data() + static_cast<std::size_t>(view) * kinds, variance);
  for (std::size_t p = 0; p < kinds; ++p) variance[p] = std::sqrt(variance[p]);
}

template <class T>
void register_all(const ViewRegistrationTask& task, const ImageSize& size, ViewRegistration& out) {
  parallel_for(0, task.measured.size(0), 1, [&](int64_t begin, int64_t end) {
    RegistrationBuffers b;
    const auto count = static_cast<std::size_t>(size.count());
    for (Image* image : {&b.along_u, &b.along_v}) image->resize(count);
    b.line.resize(static_cast<std::size_t>(std::max(size.rows, size.cols)));
    b.slopes.assign(task.changes.size(), Image(count));
    for (int64_t view = begin; view < end; ++view) {
      if (task.cancel.cancelled()) return;
      register_view<T>(task, view, size, b, out);
    }
  });
  task.cancel.check();
}

}  // namespace

ViewRegistration register_views(const ViewRegistrationTask& task) {
  constexpr auto where = "registration of views";
  if (task.measured.dim() != 3) throw Failure(invalid("views are [view, row, col]", where));
  const std::vector<int64_t> shape = task.measured.sizes().vec();
  const bool with_angle = std::find(task.changes.begin(), task.changes.end(), ViewChange::angle) != task.changes.end();
  ViewRegistrationTask own = task;
  for (at::Tensor* x : {&own.measured, &own.predicted, &own.weights, &own.angle_slope}) {
    if (!x->defined()) continue;
    if (x->sizes().vec() != shape || x->scalar_type() != task.measured.scalar_type() || !x->device().is_cpu())
      throw Failure(invalid("the images of a registration differ in shape, type or device", where));
    *x = x->contiguous();
  }
  if (!own.predicted.defined() || own.angle_slope.defined() != with_angle)
    throw Failure(invalid("an image of the registration is missing", where));
  ViewRegistration out;
  const auto views = static_cast<std::size_t>(shape[0]);
  out.change.assign(views * task.changes.size(), 0.0);
  out.sigma.assign(views * task.changes.size(), std::numeric_limits<double>::infinity());
  out.error.assign(views, 0.0);
  const ImageSize size{shape[1], shape[2]};
  if (task.measured.scalar_type() == at::kDouble) {
    register_all<double>(own, size, out);
  } else if (task.measured.scalar_type() == at::kFloat) {
    register_all<float>(own, size, out);
  } else {
    throw Failure(invalid("views are float32 or float64", where));
  }
  return out;
}

}  // namespace tl::ops
