// Corrects by a double flat field: subtracts or divides out the fine structure of the mean view; composed of torch
// operations.
#include "gpu/correction/flats/double_flat.h"

#include <ATen/ATen.h>

#include <cmath>

#include "gpu/correction/sinograms.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

at::Tensor blurred_along(const at::Tensor& image, int64_t dim, double sigma) {
  const int64_t n = image.size(dim), reach = double_flat_reach(sigma);
  std::vector<double> weights;
  double sum = 0;
  for (int64_t k = -reach; k <= reach; ++k) {
    const double t = static_cast<double>(k) / sigma;
    weights.push_back(std::exp(-0.5 * t * t));
    sum += weights.back();
  }
  at::Tensor out;
  for (int64_t k = -reach; k <= reach; ++k) {
    std::vector<int64_t> from;
    from.reserve(static_cast<std::size_t>(n));
    for (int64_t i = 0; i < n; ++i) from.push_back(mirrored_index(i + k, n));
    const at::Tensor part = image.index_select(dim, at::tensor(from, at::kLong).to(image.device())) *
                            (weights[static_cast<std::size_t>(k + reach)] / sum);
    out = out.defined() ? out + part : part;
  }
  return out;
}

}  // namespace

int64_t double_flat_reach(double sigma) { return static_cast<int64_t>(std::ceil(4 * sigma)); }

at::Tensor gaussian_blurred(const at::Tensor& image, double sigma) {
  return blurred_along(blurred_along(image, 0, sigma), 1, sigma);
}

Result<at::Tensor> double_flat(const at::Tensor& projections, const DoubleFlatSpec& spec) {
  const std::string where = "double flat-field";
  TL_TRY(check_projections_on_any_device(projections, where));
  if (!(spec.sigma >= 0.3) || spec.sigma > 1000) return invalid("sigma must be 0.3 to 1000 pixels", where);
  if (projections.numel() == 0) return projections;
  const at::Tensor mean = projections.to(at::kDouble).mean(at::IntArrayRef{0});
  const at::Tensor smooth = gaussian_blurred(mean, spec.sigma);
  if (spec.model == StripeModel::offset) return projections - (mean - smooth).to(projections.scalar_type());
  const at::Tensor good = mean.detach().gt(0).logical_and(smooth.detach().gt(0)), one = at::ones_like(mean);
  return projections * (at::where(good, smooth, one) / at::where(good, mean, one)).to(projections.scalar_type());
}

}  // namespace tl::ops
