// Makes FDK cosine weights: a diagonal operator that computes them on the fly, and a differentiable tensor.
#include "gpu/filtering/fdk_weights.h"

#include <ATen/ATen.h>

#include <cmath>
#include <string>

#include "core/base/vec3.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/filtering/fdk_weights_math.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr double no_pitch = 1e-9;  // [rad] as in ScanGeometry::orbit()
constexpr double rounding = 1e-9;  // relative to the size of a pixel

Result<FdkView> prepare(const View& w, const DetectorShape& detector, double weight) {
  const Vec3 outward = cross(w.v, w.u), normal = (1 / norm(outward)) * outward;
  const double towards = dot(normal, w.detector - w.beam) < 0 ? -1 : 1;
  const double depth = towards * dot(normal, w.detector - w.beam);
  const Vec3 level = cross(towards * normal, {0, 0, 1});
  if (!(norm(level) > 1e-6)) return invalid("the detector is perpendicular to the rotation axis", "FDK weights");
  const Vec3 across = (1 / norm(level)) * level;
  const Vec3 facing = towards * normal;
  const Vec3 ahead = std::abs(normal.z) > no_pitch ? cross({0, 0, 1}, across) : facing;
  const double along_normal = -dot(facing, w.beam), to_axis = -dot(ahead, w.beam);
  if (!(to_axis > 0) || !(along_normal > 0))
    return invalid("the rotation axis is not between source and detector", "FDK weights", "Check the distances");
  // Vector from the source to pixel (0, 0).
  const Vec3 r0 = w.detector - w.beam - 0.5 * static_cast<double>(detector.cols - 1) * w.u +
                  0.5 * static_cast<double>(detector.rows - 1) * w.v;
  FdkView v{};
  const double stretch = norm(w.u) / detector.pitch_u;
  v.depth = depth * (to_axis / along_normal);
  v.square[0] = dot(r0, r0);
  v.square[1] = 2 * dot(r0, w.u);
  v.square[2] = -2 * dot(r0, w.v);
  v.square[3] = dot(w.u, w.u);
  v.square[4] = -2 * dot(w.u, w.v);
  v.square[5] = dot(w.v, w.v);
  v.across[0] = dot(r0, across);
  v.across[1] = dot(w.u, across);
  v.across[2] = -dot(w.v, across);
  v.ahead[0] = 1;
  if (std::abs(normal.z) > no_pitch) {
    v.ahead[0] = dot(r0, ahead) / depth;
    v.ahead[1] = dot(w.u, ahead) / depth;
    v.ahead[2] = -dot(w.v, ahead) / depth;
  }
  v.slope = dot(w.beam, across) / (to_axis * depth);
  v.weight = std::abs(stretch - 1) > rounding ? weight / stretch : weight;
  return v;
}

class FdkWeights final : public LinearOperator {
 public:
  FdkWeights(std::vector<int64_t> shape, Beam beam, std::vector<FdkView> views)
      : shape_(std::move(shape)), beam_(beam), views_(std::move(views)) {}

  [[nodiscard]] std::string name() const override { return "FDK weights"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return shape_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, shape_, name());
    if (runs_functors(x, name())) return x.scalar_type() == at::kFloat ? on_device<float>(x) : on_device<double>(x);
    return x.scalar_type() == at::kFloat ? multiply<float>(x) : multiply<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override { return apply(y); }

 private:
  template <class T>
  [[nodiscard]] at::Tensor multiply(const at::Tensor& x) const {
    at::Tensor out = at::empty_like(x);
    const T* source = x.const_data_ptr<T>();
    T* target = out.mutable_data_ptr<T>();
    const int64_t rows = shape_[1], cols = shape_[2];
    ops::parallel_for(0, shape_[0] * rows, 8, [&](int64_t first, int64_t last) {
      for (int64_t line = first; line < last; ++line) {
        const FdkView& v = views_[static_cast<std::size_t>(line / rows)];
        const auto row = static_cast<double>(line % rows);
        for (int64_t c = 0; c < cols; ++c) {
          const double w = beam_ == Beam::parallel ? v.weight : fdk_weight(v, row, static_cast<double>(c));
          target[line * cols + c] = static_cast<T>(w * static_cast<double>(source[line * cols + c]));
        }
      }
    });
    return out;
  }

  template <class T>
  [[nodiscard]] at::Tensor on_device(const at::Tensor& x) const {
    const at::Tensor table = device_table(views_, x.device());
    at::Tensor out = at::empty_like(x);
    launch(x.device(),
           FdkPixel<T>{table_data<FdkView>(table), shape_[1], shape_[2], beam_ == Beam::parallel ? 0 : 1,
                       x.const_data_ptr<T>(), out.mutable_data_ptr<T>()},
           x.numel());
    return out;
  }

  std::vector<int64_t> shape_;
  Beam beam_;
  std::vector<FdkView> views_;
};

at::Tensor dot3(const at::Tensor& a, const at::Tensor& b) { return (a * b).sum(-1, true); }

}  // namespace

Result<OperatorPtr> make_fdk_weights(const ScanGeometry& geometry, std::vector<double> view_weights) {
  const auto count = static_cast<std::size_t>(geometry.views());
  if (view_weights.empty()) view_weights.assign(count, 1.0);
  if (view_weights.size() != count)
    return invalid(std::to_string(view_weights.size()) + " view weights for " + std::to_string(count) + " views",
                   "FDK weights");
  std::vector<FdkView> views(count);
  for (std::size_t i = 0; i < count; ++i) {
    views[i].weight = view_weights[i];
    if (geometry.is_parallel()) continue;
    TL_TRY(views[i], prepare(geometry.view(static_cast<int64_t>(i)), geometry.detector(), view_weights[i]));
  }
  const DetectorShape& d = geometry.detector();
  return OperatorPtr(std::make_shared<FdkWeights>(std::vector<int64_t>{geometry.views(), d.rows, d.cols},
                                                  geometry.beam(), std::move(views)));
}

at::Tensor differentiable_fdk_weights(const at::Tensor& vectors, Beam beam, const DetectorShape& detector) {
  TL_CHECK(vectors.dim() == 2 && vectors.size(1) == 12 && vectors.scalar_type() == at::kDouble,
           "view vectors are [view, 12] float64");
  if (beam == Beam::parallel) return at::ones({vectors.size(0), detector.rows, detector.cols}, vectors.options());
  const auto part = [&](int64_t i) { return vectors.narrow(1, 3 * i, 3); };
  const at::Tensor source = part(0), centre = part(1), u = part(2), v = part(3);
  const at::Tensor outward = at::linalg_cross(v, u);
  // The sign of the normal is constant: it points towards the detector.
  const at::Tensor normal = outward / dot3(outward, outward).sqrt() * dot3(outward, centre - source).detach().sign();
  const at::Tensor depth = dot3(normal, centre - source), along_normal = -dot3(normal, source);
  const at::Tensor up = at::tensor({0.0, 0.0, 1.0}, vectors.options()).expand_as(normal);
  const at::Tensor level = at::linalg_cross(normal, up);
  const at::Tensor across = level / dot3(level, level).sqrt(), ahead = at::linalg_cross(up, across);
  const at::Tensor to_axis = -dot3(ahead, source), slope = dot3(source, across) / to_axis;
  const at::Tensor stretch = dot3(u, u).sqrt() / detector.pitch_u;
  const auto steps = [&](int64_t n) { return at::arange(n, vectors.options()) - 0.5 * static_cast<double>(n - 1); };
  const at::Tensor col = steps(detector.cols).view({1, 1, -1, 1}), row = steps(detector.rows).view({1, -1, 1, 1});
  const auto wide = [](const at::Tensor& t) { return t.view({t.size(0), 1, 1, t.size(1)}); };
  const at::Tensor ray = wide(centre - source) + col * wide(u) - row * wide(v);  // [view, row, col, 3]
  const at::Tensor tangent = dot3(ray, wide(across)) / dot3(ray, wide(ahead));
  const at::Tensor scale = depth * to_axis / (along_normal * stretch);
  return (wide(scale) / dot3(ray, ray).sqrt() * (1 - wide(slope) * tangent)).squeeze(-1);
}

}  // namespace tl::ops
