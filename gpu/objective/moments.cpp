// Scores the consistency of views by their masses and centres of mass: a linear operator, and the deviation from those
// of one object.
#include "gpu/objective/moments.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

constexpr int64_t edge_pixels = 2;  // number of pixels that count as the edge of the field

// [view, row, col] -> [3, view] float64: the sum, and the sums weighted by column and by height from the centre [px].
class ViewMoments final : public LinearOperator {
 public:
  ViewMoments(std::vector<int64_t> shape, at::ScalarType type) : shape_(std::move(shape)), type_(type) {}
  [[nodiscard]] std::string name() const override { return "moments of the views"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {3, shape_[0]}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, shape_, name());
    require_cpu(x, name());
    at::Tensor sums = at::empty({3, shape_[0]}, at::kDouble);
    if (type_ == at::kFloat)
      collect(x.const_data_ptr<float>(), sums.mutable_data_ptr<double>());
    else
      collect(x.const_data_ptr<double>(), sums.mutable_data_ptr<double>());
    return sums;
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    const at::Tensor col = at::arange(shape_[2], at::kDouble) - 0.5 * static_cast<double>(shape_[2] - 1);
    const at::Tensor height = 0.5 * static_cast<double>(shape_[1] - 1) - at::arange(shape_[1], at::kDouble);
    const auto per_view = [&](int64_t n) { return y[n].view({-1, 1, 1}); };
    return (per_view(0) + per_view(1) * col + per_view(2) * height.view({1, -1, 1})).to(type_).contiguous();
  }

 private:
  template <class T>
  void collect(const T* data, double* sums) const {
    const int64_t views = shape_[0], rows = shape_[1], cols = shape_[2];
    ops::parallel_for(0, views, grain(rows * cols), [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v) {
        double mass = 0, across = 0, along = 0;
        for (int64_t r = 0; r < rows; ++r) {
          const T* line = data + (v * rows + r) * cols;
          double sum = 0, first = 0;
          for (int64_t c = 0; c < cols; ++c) {
            sum += static_cast<double>(line[c]);
            first += static_cast<double>(line[c]) * (static_cast<double>(c) - 0.5 * static_cast<double>(cols - 1));
          }
          mass += sum;
          across += first;
          along += sum * (0.5 * static_cast<double>(rows - 1) - static_cast<double>(r));
        }
        sums[v] = mass;
        sums[views + v] = across;
        sums[2 * views + v] = along;
      }
    });
  }

  std::vector<int64_t> shape_;
  at::ScalarType type_;
};

at::Tensor mean_square(const at::Tensor& x) {
  return differentiable_sum_of_squares(x) / static_cast<double>(x.numel());
}

// Orthonormal basis [2, view] of cos t and sin t; fewer columns if the views do not distinguish the two.
std::vector<at::Tensor> circle(const at::Tensor& cosine, const at::Tensor& sine) {
  std::vector<at::Tensor> basis;
  for (at::Tensor part : {cosine, sine}) {
    for (const at::Tensor& b : basis) part = part - inner_product(part, b) * b;
    const double size = std::sqrt(total_of_squares(part));
    if (size > 1e-6) basis.push_back(part / size);
  }
  return basis;
}

}  // namespace

at::Tensor moment_consistency(const at::Tensor& projections, const at::Tensor& vectors, const DetectorShape& detector,
                              const MomentWeights& weights) {
  TL_CHECK(projections.dim() == 3 && vectors.dim() == 2 && vectors.size(0) == projections.size(0) &&
               vectors.size(1) == 12 && vectors.scalar_type() == at::kDouble,
           "moments of [view, row, col] with vectors [view, 12]");
  const auto op = std::make_shared<ViewMoments>(projections.sizes().vec(), projections.scalar_type());
  const at::Tensor sums = tl::apply(op, projections.contiguous());
  const at::Tensor mass = sums[0], col = sums[1] / mass, height = sums[2] / mass;
  const auto component = [&](int64_t part, int64_t axis) { return vectors.select(1, 3 * part + axis); };
  // Centres of mass in the object's frame [mm]: detector + col u + height v.
  const auto centre = [&](int64_t axis) {
    return component(1, axis) + col * component(2, axis) + height * component(3, axis);
  };
  const at::Tensor length = (component(0, 0).square() + component(0, 1).square()).sqrt();
  const at::Tensor cosine = component(0, 1) / length, sine = -component(0, 0) / length;
  at::Tensor across = centre(0) * cosine + centre(1) * sine;
  const at::Tensor plain_cosine = cosine.detach().contiguous(), plain_sine = sine.detach().contiguous();
  for (const at::Tensor& b : circle(plain_cosine, plain_sine)) across = across - differentiable_sum(across * b) * b;
  const at::Tensor mean = differentiable_mean(mass);
  return weights.mass * differentiable_variance(mass) / (mean * mean) +
         weights.across * mean_square(across / detector.pitch_u) +
         weights.along * differentiable_variance((centre(2) / detector.pitch_v).contiguous());
}

namespace {

// For a line of pixels: the fraction of its mass per pixel within `edge` pixels of its ends, and its width (root mean
// square) [px].
struct Profile {
  double at_ends = 0, width = 0;
};
Profile profile_of(const at::Tensor& line, int64_t edge) {
  const int64_t n = line.size(0);
  const double mass = total(line);
  const at::Tensor x = at::arange(n, at::kDouble);
  const double centre = inner_product(line, x) / mass;
  const double wide = inner_product(line, (x - centre).square().contiguous()) / mass;
  const double ends = total(line.narrow(0, 0, edge).contiguous()) + total(line.narrow(0, n - edge, edge).contiguous());
  return {std::abs(ends / mass) / static_cast<double>(edge), std::sqrt(std::max(0.0, wide))};
}

double variance(const at::Tensor& x) { return moments(x.contiguous()).variance; }
double square(double x) { return x * x; }

// Centre of mass of every line of `lines` [view, pixel] from the middle [px], no further than its ends.
at::Tensor centres(const at::Tensor& lines) {
  const double half = 0.5 * static_cast<double>(lines.size(1));
  const at::Tensor x = at::arange(lines.size(1), at::kDouble) + (0.5 - half);
  return (lines.matmul(x) / lines.sum(1)).nan_to_num(half, half, -half).clamp(-half, half);
}

// Distance from the centre of all matter, across a direction, of matter that enters or leaves at the ends of that
// direction: root mean square over the views [px], the larger of both ends. `images` [view, along, across] float64.
double distance_at_ends(const at::Tensor& images, int64_t edge) {
  const at::Tensor whole = centres(images.sum(1));
  const auto of_end = [&](int64_t first) {
    return (centres(images.narrow(1, first, edge).sum(1)) - whole).square().mean().item<double>();
  };
  return std::sqrt(std::max(of_end(0), of_end(images.size(1) - edge)));
}

}  // namespace

MomentErrors moment_error_estimate(const at::Tensor& projections, const at::Tensor& vectors,
                                   const DetectorShape& detector, const MomentWeights& weights) {
  const at::Tensor data = projections.detach().to(at::kDouble), v = vectors.detach();
  const at::Tensor mass = data.sum(at::IntArrayRef{1, 2});
  const at::Tensor image = data.mean(0);
  const double mean = moments(mass).mean, missing = variance(mass) / (mean * mean);
  // Displacement of the views: that of their detectors, plus an unknown one of at least a pixel.
  const auto component = [&](int64_t part, int64_t axis) { return v.select(1, 3 * part + axis); };
  const at::Tensor wide = (component(2, 0).square() + component(2, 1).square()).sqrt();
  const at::Tensor sideways = (component(1, 0) * component(2, 0) + component(1, 1) * component(2, 1)) / wide;
  // If shifts along one direction cannot be determined, the views appear not to move along it: use the larger of the
  // two.
  const double moved = 1 + std::max(variance(sideways) / (detector.pitch_u * detector.pitch_u),
                                    variance(component(1, 2)) / (detector.pitch_v * detector.pitch_v));
  const int64_t edge_rows = std::min(detector.rows, edge_pixels), edge_cols = std::min(detector.cols, edge_pixels);
  const Profile rows = profile_of(image.sum(1).contiguous(), edge_rows),
                cols = profile_of(image.sum(0).contiguous(), edge_cols);
  const double half_rows = 0.5 * static_cast<double>(detector.rows),
               half_cols = 0.5 * static_cast<double>(detector.cols);
  // Matter that enters and leaves at the ends of rows and columns explains this part of the missing mass, at the
  // position indicated by the ends; for the rest, the worst case is assumed.
  const double by_rows = square(rows.at_ends) * moved, by_cols = square(cols.at_ends) * moved;
  const double rest = std::max(0.0, missing - by_rows - by_cols);
  MomentErrors errors;
  if (weights.across > 0)
    errors.across =
        rest * square(cols.width) + by_rows * square(distance_at_ends(data, edge_rows)) + by_cols * square(half_cols);
  if (weights.along > 0)
    errors.along = rest * square(half_rows) + by_rows * square(half_rows) +
                   by_cols * square(distance_at_ends(data.transpose(1, 2), edge_cols));
  return errors;
}

}  // namespace tl::ops
