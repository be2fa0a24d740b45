// Computes forward differences of a volume and steps of total-variation methods, one row of voxels at a time.
#include "gpu/image/total_variation/total_variation.h"

#include <ATen/ATen.h>

#include <cmath>

#include "gpu/device/grain.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/total_variation/total_variation_lines.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

VoxelShape shape_of(const at::Tensor& x) { return {x.size(0), x.size(1), x.size(2)}; }

template <class T>
AxisWeights<T> weights_of(const DifferenceWeights& w) {
  return {static_cast<T>(w[0]), static_cast<T>(w[1]), static_cast<T>(w[2])};
}

// Calls body(i, differences) for every voxel of a row. Arrays of a step are identical or disjoint, so that iterations
// are independent.
template <class T, class Body>
void for_differences(const DifferenceRow<T>& r, int64_t nx, const AxisWeights<T>& w, const Body& body) {
#pragma GCC ivdep
  for (int64_t i = 0; i + 1 < nx; ++i) body(i, r.differences(i, w));
  body(nx - 1, r.differences_at_row_end(nx - 1, w));
}

template <class Function>
void for_rows(const VoxelShape& s, const Function& function) {
  ops::parallel_for(0, s.nz * s.ny, grain(8 * s.nx), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) function(row);
  });
}

template <class T>
void dual_step(const VoxelShape& s, T* p, T* r, const T* x, const DualStep<T>& step) {
  const int64_t n = s.count(), rows = s.nz * s.ny;
  const TvLines<T> lines = tv_lines<T>();
  for_rows(s, [&](int64_t row) {
    T *pz = p + row * s.nx, *rz = r + row * s.nx;
    const AxisTriple<T*> out{pz, pz + n, pz + 2 * n}, from{rz, rz + n, rz + 2 * n};
    lines.dual({DifferenceRow<T>(x, s, row),
                row + 1 < rows ? RowEnd::readable : RowEnd::closed,
                {from.z, from.y, from.x},
                out,
                p == r ? AxisTriple<T*>{} : from},
               s.nx, step);
  });
}

// Calls body(i, value) for the transposed differences of one row.
template <class T, class Body>
void for_transposed(const TransposedRow<T>& r, const Body& body) {
  if (r.nx == 1) return body(0, r.across(0));
  body(0, r.first());
#pragma GCC ivdep
  for (int64_t i = 1; i + 1 < r.nx; ++i) body(i, r.inner(i));
  body(r.nx - 1, r.last());
}

template <class T>
void primal_step(const VoxelShape& s, T* v, const T* p, const AxisWeights<T>& w, T step, T low) {
  const TvLines<T> lines = tv_lines<T>();
  for_rows(s, [&](int64_t row) {
    T* line = v + row * s.nx;
    lines.primal(TransposedRow<T>(p, s, row, w), line, line, step, low);
  });
}

class Gradient final : public LinearOperator {
 public:
  Gradient(const VoxelShape& shape, const DifferenceWeights& weights) : shape_(shape), weights_(weights) {}
  [[nodiscard]] std::string name() const override { return "gradient"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {shape_.nz, shape_.ny, shape_.nx}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {3, shape_.nz, shape_.ny, shape_.nx}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, domain(), "gradient");
    const bool device = runs_functors(x, name());
    at::Tensor out = at::empty(range(), x.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gradient", [&] {
      const auto* in = x.const_data_ptr<scalar_t>();
      auto* z = out.mutable_data_ptr<scalar_t>();
      const auto w = weights_of<scalar_t>(weights_);
      if (device) return launch(x.device(), GradientVoxel<scalar_t>{shape_, w, in, z}, shape_.count());
      const int64_t n = shape_.count();
      for_rows(shape_, [&](int64_t row) {
        scalar_t* to = z + row * shape_.nx;
        for_differences(DifferenceRow<scalar_t>(in, shape_, row), shape_.nx, w,
                        [=](int64_t i, const AxisTriple<scalar_t>& g) {
                          to[i] = g.z;
                          to[i + n] = g.y;
                          to[i + 2 * n] = g.x;
                        });
      });
    });
    return out;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& p) const override {
    require_tensor(p, range(), "gradient adjoint");
    const bool device = runs_functors(p, name());
    at::Tensor out = at::empty(domain(), p.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "gradient_adjoint", [&] {
      const auto* in = p.const_data_ptr<scalar_t>();
      auto* to = out.mutable_data_ptr<scalar_t>();
      const auto w = weights_of<scalar_t>(weights_);
      if (device) return launch(p.device(), GradientTransposedVoxel<scalar_t>{shape_, w, in, to}, shape_.count());
      for_rows(shape_, [&](int64_t row) {
        scalar_t* line = to + row * shape_.nx;
        for_transposed(TransposedRow<scalar_t>(in, shape_, row, w),
                       [=](int64_t i, scalar_t value) { line[i] = value; });
      });
    });
    return out;
  }

 private:
  VoxelShape shape_;
  DifferenceWeights weights_;
};

}  // namespace

Result<OperatorPtr> make_gradient(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights) {
  for (const int64_t n : shape)
    if (n < 1 || n > (int64_t{1} << 31)) return invalid("cannot take differences of an empty volume", "gradient");
  for (const double w : weights)
    if (!(w >= 0) || !std::isfinite(w))
      return invalid("a weight of the differences is not a number from 0", "gradient");
  return OperatorPtr(std::make_shared<Gradient>(VoxelShape{shape[0], shape[1], shape[2]}, weights));
}

double gradient_norm(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights) {
  double squares = 0;
  for (std::size_t d = 0; d < 3; ++d) squares += shape.at(d) > 1 ? 4 * weights.at(d) * weights.at(d) : 0;
  return std::sqrt(squares);
}

double total_variation(const at::Tensor& x, const DifferenceWeights& weights) {
  TL_CHECK(x.dim() == 3 && x.is_contiguous(), "total variation of something else than a volume");
  const bool device = runs_functors(x, "total variation");
  const VoxelShape s = shape_of(x);
  const int64_t rows = s.nz * s.ny;
  at::Tensor sums = at::empty({rows}, x.options().dtype(at::kDouble).requires_grad(false));  // joined in order
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "total_variation", [&] {
    const VariationRow<scalar_t> line{s, weights_of<scalar_t>(weights), x.const_data_ptr<scalar_t>(),
                                      sums.mutable_data_ptr<double>()};
    if (device) return launch(x.device(), line, rows);
    for_rows(s, line);
  });
  const at::Tensor host = sums.cpu();
  double all = 0;
  for (int64_t row = 0; row < rows; ++row) all += host.const_data_ptr<double>()[row];
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
    const auto w = weights_of<scalar_t>(weights);
    if (runs_functors(x, "total-variation step"))
      return launch(
          x.device(),
          DualStepVoxel<scalar_t>{shape_of(x), w, p.mutable_data_ptr<scalar_t>(), r.mutable_data_ptr<scalar_t>(),
                                  x.const_data_ptr<scalar_t>(), static_cast<scalar_t>(step),
                                  static_cast<scalar_t>(radius), static_cast<scalar_t>(momentum)},
          x.numel());
    dual_step<scalar_t>(
        shape_of(x), p.mutable_data_ptr<scalar_t>(), r.mutable_data_ptr<scalar_t>(), x.const_data_ptr<scalar_t>(),
        {w, static_cast<scalar_t>(step), static_cast<scalar_t>(radius), static_cast<scalar_t>(momentum)});
  });
}

void tv_primal_step(at::Tensor& v, const at::Tensor& p, const DifferenceWeights& weights, double step, double low) {
  TL_CHECK(v.is_contiguous() && p.is_contiguous() && p.numel() == 3 * v.numel() && p.scalar_type() == v.scalar_type(),
           "arrays of a total-variation step that do not fit");
  AT_DISPATCH_FLOATING_TYPES(v.scalar_type(), "tv_primal_step", [&] {
    const auto w = weights_of<scalar_t>(weights);
    const auto length = static_cast<scalar_t>(step), least = static_cast<scalar_t>(low);
    auto* to = v.mutable_data_ptr<scalar_t>();
    const auto* from = p.const_data_ptr<scalar_t>();
    if (runs_functors(v, "total-variation step"))
      return launch(v.device(), PrimalStepVoxel<scalar_t>{shape_of(v), w, to, from, length, least}, v.numel());
    primal_step(shape_of(v), to, from, w, length, least);
  });
}

}  // namespace tl::ops
