// Smooths or sharpens slices or the volume by a separable Gaussian: x and y within each slice, then z in strips of
// rows, with little extra memory.
#include "gpu/image/gaussian_filter.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/device/grain.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/neighbourhood_math.h"
#include "gpu/image/weigh_lines.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

// Filters along the first axis of [n, width] lines with distance `stride`, into lines with distance `stride_out`.
template <class T>
void along_lines(const T* from, int64_t n, int64_t width, int64_t stride, const std::vector<T>& k, T* to,
                 int64_t stride_out) {
  const auto reach = static_cast<int64_t>(k.size()) - 1;
  std::vector<const T*> lines(static_cast<std::size_t>(2 * reach + 1));
  for (int64_t y = 0; y < n; ++y) {
    for (int64_t i = -reach; i <= reach; ++i)
      lines[static_cast<std::size_t>(i + reach)] = from + mirrored_index(y + i, n) * stride;
    weigh_lines(lines.data(), k, width, to + y * stride_out);
  }
}

class GaussianFilter final : public LinearOperator {
 public:
  // out = scale_x x + scale_g G x
  GaussianFilter(GaussianSpec spec, std::string name, double scale_x, double scale_g)
      : spec_(std::move(spec)), name_(std::move(name)), scale_x_(scale_x), scale_g_(scale_g) {
    for (std::size_t a = 0; a < 3; ++a) kernels_[a] = gaussian_kernel(spec_.sigma[a], spec_.truncate);
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {spec_.nz, spec_.ny, spec_.nx}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return domain(); }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, domain(), name_);
    if (runs_functors(x, name_)) return x.scalar_type() == at::kFloat ? on_device<float>(x) : on_device<double>(x);
    return x.scalar_type() == at::kFloat ? run<float>(x) : run<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override { return apply(y); }

 private:
  template <class T>
  [[nodiscard]] at::Tensor run(const at::Tensor& x) const {
    at::Tensor out = at::empty_like(x);
    const T* from = x.const_data_ptr<T>();
    T* to = out.mutable_data_ptr<T>();
    std::array<std::vector<T>, 3> k;
    for (std::size_t a = 0; a < 3; ++a) k[a].assign(kernels_[a].begin(), kernels_[a].end());
    const int64_t area = spec_.ny * spec_.nx, voxels = static_cast<int64_t>(k[1].size() + k[2].size()) * area;
    ops::parallel_for(0, spec_.nz, grain(voxels), [&](int64_t first, int64_t last) {
      std::vector<T> rows(static_cast<std::size_t>(area));
      for (int64_t z = first; z < last; ++z) {
        spec_.cancel.check();
        along_x(from + z * area, k[2], rows.data());
        along_lines(rows.data(), spec_.ny, spec_.nx, spec_.nx, k[1], to + z * area, spec_.nx);
      }
    });
    if (k[0].size() > 1) along_z(to, k[0]);
    if (scale_x_ != 0 || scale_g_ != 1) {
      out.mul_(scale_g_).add_(x.detach(), scale_x_);
    }
    return out;
  }

  template <class T>
  [[nodiscard]] at::Tensor on_device(const at::Tensor& x) const {
    const std::array<int64_t, 3> n = {spec_.nz, spec_.ny, spec_.nx}, stride = {spec_.ny * spec_.nx, spec_.nx, 1};
    at::Tensor from = x.detach();
    for (const std::size_t a : {2, 1, 0}) {
      if (kernels_[a].size() < 2) continue;
      spec_.cancel.check();
      const at::Tensor kernel = at::tensor(at::ArrayRef<double>(kernels_[a]), at::kDouble).to(from.options());
      at::Tensor to = at::empty_like(from);
      launch(x.device(),
             SmoothAlong<T>{from.const_data_ptr<T>(), kernel.const_data_ptr<T>(),
                            static_cast<int64_t>(kernels_[a].size()) - 1, n[a], stride[a], to.mutable_data_ptr<T>()},
             x.numel());
      from = to;
    }
    return scale_x_ == 0 && scale_g_ == 1 ? from.clone() : from * scale_g_ + x.detach() * scale_x_;
  }

  template <class T>
  void along_x(const T* slice, const std::vector<T>& k, T* to) const {
    const auto reach = static_cast<int64_t>(k.size()) - 1;
    std::vector<T> line(static_cast<std::size_t>(spec_.nx + 2 * reach));
    std::vector<const T*> lines(static_cast<std::size_t>(2 * reach + 1));
    for (int64_t i = 0; i <= 2 * reach; ++i) lines[static_cast<std::size_t>(i)] = line.data() + i;
    for (int64_t y = 0; y < spec_.ny; ++y) {
      const T* row = slice + y * spec_.nx;
      std::copy(row, row + spec_.nx, line.data() + reach);
      for (int64_t i = 1; i <= reach; ++i) {
        line[static_cast<std::size_t>(reach - i)] = row[mirrored_index(-i, spec_.nx)];
        line[static_cast<std::size_t>(reach + spec_.nx - 1 + i)] = row[mirrored_index(spec_.nx - 1 + i, spec_.nx)];
      }
      weigh_lines(lines.data(), k, spec_.nx, to + y * spec_.nx);
    }
  }

  // In place: one row of all slices at a time is filtered through a buffer.
  template <class T>
  void along_z(T* volume, const std::vector<T>& k) const {
    const int64_t area = spec_.ny * spec_.nx;
    ops::parallel_for(0, spec_.ny, grain(static_cast<int64_t>(k.size()) * spec_.nz * spec_.nx),
                      [&](int64_t first, int64_t last) {
                        std::vector<T> sheet(static_cast<std::size_t>(spec_.nz * spec_.nx));
                        for (int64_t y = first; y < last; ++y) {
                          spec_.cancel.check();
                          T* row = volume + y * spec_.nx;
                          for (int64_t z = 0; z < spec_.nz; ++z)
                            std::copy(row + z * area, row + z * area + spec_.nx, sheet.data() + z * spec_.nx);
                          along_lines(sheet.data(), spec_.nz, spec_.nx, spec_.nx, k, row, area);
                        }
                      });
  }

  GaussianSpec spec_;
  std::string name_;
  double scale_x_, scale_g_;
  std::array<std::vector<double>, 3> kernels_;
};

Result<void> check(const GaussianSpec& spec, const std::string& where) {
  if (spec.nz < 1 || spec.ny < 1 || spec.nx < 1) return invalid("the volume is empty", where);
  if (!(spec.truncate > 0) || spec.truncate > 20)
    return invalid("the kernel must end between 0 and 20 standard deviations", where);
  for (const double s : spec.sigma)
    if (!(s >= 0) || spec.truncate * s > static_cast<double>(largest_reach))
      return invalid("a standard deviation of " + std::to_string(s) + " voxels", where,
                     "Choose 0 (none) to " + std::to_string(largest_reach / 4) + " voxels");
  return ok();
}

}  // namespace

int64_t gaussian_reach(double sigma, double truncate) {
  return static_cast<int64_t>(std::floor(truncate * sigma + 0.5));
}

std::vector<double> gaussian_kernel(double sigma, double truncate) {
  std::vector<double> k = {1};
  double sum = 1;
  for (int64_t i = 1; i <= gaussian_reach(sigma, truncate); ++i) {
    const double x = static_cast<double>(i) / sigma;
    k.push_back(std::exp(-0.5 * x * x));
    sum += 2 * k.back();
  }
  for (double& v : k) v /= sum;
  return k;
}

Result<OperatorPtr> make_gaussian_filter(const GaussianSpec& spec) {
  TL_TRY(check(spec, "Gaussian filter"));
  return OperatorPtr(std::make_shared<GaussianFilter>(spec, "Gaussian filter", 0, 1));
}

Result<OperatorPtr> make_unsharp_mask(const GaussianSpec& spec, double amount) {
  TL_TRY(check(spec, "unsharp mask"));
  if (!std::isfinite(amount)) return invalid("the amount is not a number", "unsharp mask");
  return OperatorPtr(std::make_shared<GaussianFilter>(spec, "unsharp mask", 1 + amount, -amount));
}

}  // namespace tl::ops
