// Differences and total-variation steps, one row of voxels at a time.
#include "gpu/ops/total_variation.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <vector>

#include "gpu/ops/grain.h"
#include "gpu/ops/operator_checks.h"

namespace tl::ops {
namespace {

struct Shape {
  int64_t nz, ny, nx;
  [[nodiscard]] int64_t count() const { return nz * ny * nx; }
  [[nodiscard]] int64_t plane() const { return ny * nx; }
};

Shape shape_of(const at::Tensor& x) { return {x.size(0), x.size(1), x.size(2)}; }

// One row of a volume with the next rows along y and z: the row itself where there is none, so that differences are 0.
template <class T>
struct Row {
  const T *at, *next_y, *next_z;
};

template <class T>
Row<T> row_of(const T* x, const Shape& s, int64_t row) {
  const T* at = x + row * s.nx;
  return {at, row % s.ny + 1 < s.ny ? at + s.nx : at, row / s.ny + 1 < s.nz ? at + s.plane() : at};
}

template <class T>
struct Weights {
  T z, y, x;
  explicit Weights(const DifferenceWeights& w)
      : z(static_cast<T>(w[0])), y(static_cast<T>(w[1])), x(static_cast<T>(w[2])) {}
};

// body(i, gz, gy, gx) for every voxel of a row. Arrays of a step are the same or apart, so no pass waits for another
// one.
template <class T, class Body>
void for_differences(const Row<T>& r, int64_t nx, const Weights<T>& w, const Body& body) {
#pragma GCC ivdep
  for (int64_t i = 0; i + 1 < nx; ++i)
    body(i, (r.next_z[i] - r.at[i]) * w.z, (r.next_y[i] - r.at[i]) * w.y, (r.at[i + 1] - r.at[i]) * w.x);
  const int64_t last = nx - 1;
  body(last, (r.next_z[last] - r.at[last]) * w.z, (r.next_y[last] - r.at[last]) * w.y, T(0));
}

template <class Function>
void for_rows(const Shape& s, const Function& function) {
  at::parallel_for(0, s.nz * s.ny, grain(8 * s.nx), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) function(row);
  });
}

enum class Inertia { none, kept };

template <Inertia inertia, class T>
void dual_step(const Shape& s, T* p, T* r, const T* x, const Weights<T>& w, T step, T radius, T momentum) {
  const int64_t n = s.count();
  for_rows(s, [&](int64_t row) {
    T *pz = p + row * s.nx, *py = pz + n, *px = py + n;
    T *rz = r + row * s.nx, *ry = rz + n, *rx = ry + n;
    for_differences(row_of(x, s, row), s.nx, w, [=](int64_t i, T gz, T gy, T gx) {
      const T z = rz[i] + step * gz, y = ry[i] + step * gy, u = rx[i] + step * gx;
      const T size = std::sqrt(z * z + y * y + u * u);
      const T factor = radius / (size > radius ? size : radius);
      if constexpr (inertia == Inertia::kept) {
        rz[i] = z * factor + momentum * (z * factor - pz[i]);
        ry[i] = y * factor + momentum * (y * factor - py[i]);
        rx[i] = u * factor + momentum * (u * factor - px[i]);
      }
      pz[i] = z * factor;
      py[i] = y * factor;
      px[i] = u * factor;
    });
  });
}

// Transposed differences of one row: what comes in from the voxel before minus what this voxel's difference takes. The
// component of the last voxel of a direction belongs to no difference.
template <class T, class Body>
void for_transposed(const T* p, const Shape& s, int64_t row, const Weights<T>& w, const Body& body) {
  const int64_t n = s.count(), k = row / s.ny, j = row % s.ny;
  const T *pz = p + row * s.nx, *py = pz + n, *px = py + n;
  const T here_z = k + 1 < s.nz ? w.z : T(0), before_z = k > 0 ? w.z : T(0);
  const T here_y = j + 1 < s.ny ? w.y : T(0), before_y = j > 0 ? w.y : T(0);
  const T *last_z = k > 0 ? pz - s.plane() : pz, *last_y = j > 0 ? py - s.nx : py;
  const auto across = [=](int64_t i) {
    return before_z * last_z[i] - here_z * pz[i] + before_y * last_y[i] - here_y * py[i];
  };
  if (s.nx == 1) return body(0, across(0));
  body(0, across(0) - w.x * px[0]);
#pragma GCC ivdep
  for (int64_t i = 1; i + 1 < s.nx; ++i) body(i, across(i) + w.x * (px[i - 1] - px[i]));
  body(s.nx - 1, across(s.nx - 1) + w.x * px[s.nx - 2]);
}

template <class T>
void primal_step(const Shape& s, T* v, const T* p, const Weights<T>& w, T step, T low) {
  for_rows(s, [&](int64_t row) {
    T* out = v + row * s.nx;
    for_transposed(p, s, row, w, [=](int64_t i, T transposed) {
      const T value = out[i] - step * transposed;
      out[i] = value > low ? value : low;
    });
  });
}

class Gradient final : public LinearOperator {
 public:
  Gradient(const Shape& shape, const DifferenceWeights& weights) : shape_(shape), weights_(weights) {}
  [[nodiscard]] std::string name() const override { return "gradient"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {shape_.nz, shape_.ny, shape_.nx}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {3, shape_.nz, shape_.ny, shape_.nx}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, domain(), "gradient");
    require_cpu(x, "gradient");
    at::Tensor out = at::empty(range(), x.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gradient", [&] {
      const auto* in = x.const_data_ptr<scalar_t>();
      auto* z = out.mutable_data_ptr<scalar_t>();
      const Weights<scalar_t> w(weights_);
      const int64_t n = shape_.count();
      for_rows(shape_, [&](int64_t row) {
        scalar_t* to = z + row * shape_.nx;
        for_differences(row_of(in, shape_, row), shape_.nx, w, [=](int64_t i, scalar_t gz, scalar_t gy, scalar_t gx) {
          to[i] = gz;
          to[i + n] = gy;
          to[i + 2 * n] = gx;
        });
      });
    });
    return out;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& p) const override {
    require_tensor(p, range(), "gradient adjoint");
    require_cpu(p, "gradient adjoint");
    at::Tensor out = at::empty(domain(), p.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "gradient_adjoint", [&] {
      const auto* in = p.const_data_ptr<scalar_t>();
      auto* to = out.mutable_data_ptr<scalar_t>();
      const Weights<scalar_t> w(weights_);
      for_rows(shape_, [&](int64_t row) {
        scalar_t* line = to + row * shape_.nx;
        for_transposed(in, shape_, row, w, [=](int64_t i, scalar_t value) { line[i] = value; });
      });
    });
    return out;
  }

 private:
  Shape shape_;
  DifferenceWeights weights_;
};

}  // namespace

Result<OperatorPtr> make_gradient(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights) {
  for (const int64_t n : shape)
    if (n < 1 || n > (int64_t{1} << 31)) return invalid("cannot take differences of an empty volume", "gradient");
  for (const double w : weights)
    if (!(w >= 0) || !std::isfinite(w))
      return invalid("a weight of the differences is not a number from 0", "gradient");
  return OperatorPtr(std::make_shared<Gradient>(Shape{shape[0], shape[1], shape[2]}, weights));
}

double gradient_norm(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights) {
  double squares = 0;
  for (std::size_t d = 0; d < 3; ++d) squares += shape.at(d) > 1 ? 4 * weights.at(d) * weights.at(d) : 0;
  return std::sqrt(squares);
}

double total_variation(const at::Tensor& x, const DifferenceWeights& weights) {
  TL_CHECK(x.dim() == 3 && x.is_contiguous(), "total variation of something else than a volume");
  const Shape s = shape_of(x);
  std::vector<double> sums(static_cast<std::size_t>(s.nz * s.ny), 0.0);  // of each row, joined in their order
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "total_variation", [&] {
    const auto* in = x.const_data_ptr<scalar_t>();
    const Weights<scalar_t> w(weights);
    for_rows(s, [&](int64_t row) {
      double sum = 0;
      for_differences(row_of(in, s, row), s.nx, w, [&](int64_t, scalar_t gz, scalar_t gy, scalar_t gx) {
        sum += static_cast<double>(std::sqrt(gz * gz + gy * gy + gx * gx));
      });
      sums[static_cast<std::size_t>(row)] = sum;
    });
  });
  double all = 0;
  for (const double sum : sums) all += sum;
  return all;
}

void tv_dual_step(at::Tensor& p, at::Tensor& r, const at::Tensor& x, const DifferenceWeights& weights, double step,
                  double radius, double momentum) {
  TL_CHECK(p.is_contiguous() && r.is_contiguous() && x.is_contiguous() && p.numel() == 3 * x.numel() &&
               r.sizes() == p.sizes() && p.scalar_type() == x.scalar_type() && r.scalar_type() == x.scalar_type(),
           "arrays of a total-variation step that do not fit");
  TL_CHECK(momentum == 0 || !p.is_alias_of(r), "a step with momentum needs two arrays");
  if (!(radius > 0)) {
    p.zero_();
    r.zero_();
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "tv_dual_step", [&] {
    const auto go = p.is_alias_of(r) ? dual_step<Inertia::none, scalar_t> : dual_step<Inertia::kept, scalar_t>;
    go(shape_of(x), p.mutable_data_ptr<scalar_t>(), r.mutable_data_ptr<scalar_t>(), x.const_data_ptr<scalar_t>(),
       Weights<scalar_t>(weights), static_cast<scalar_t>(step), static_cast<scalar_t>(radius),
       static_cast<scalar_t>(momentum));
  });
}

void tv_primal_step(at::Tensor& v, const at::Tensor& p, const DifferenceWeights& weights, double step, double low) {
  TL_CHECK(v.is_contiguous() && p.is_contiguous() && p.numel() == 3 * v.numel() && p.scalar_type() == v.scalar_type(),
           "arrays of a total-variation step that do not fit");
  AT_DISPATCH_FLOATING_TYPES(v.scalar_type(), "tv_primal_step", [&] {
    primal_step(shape_of(v), v.mutable_data_ptr<scalar_t>(), p.const_data_ptr<scalar_t>(), Weights<scalar_t>(weights),
                static_cast<scalar_t>(step), static_cast<scalar_t>(low));
  });
}

}  // namespace tl::ops
