// Registers volumes by ITK: levels from coarse to fine, then the covariance from the gradients of disjoint parts.
#include "core/itk/linear_registration.h"

#include <itkAffineTransform.h>
#include <itkCorrelationImageToImageMetricv4.h>
#include <itkEuler3DTransform.h>
#include <itkLinearInterpolateImageFunction.h>
#include <itkMattesMutualInformationImageToImageMetricv4.h>
#include <itkMeanSquaresImageToImageMetricv4.h>
#include <itkSimilarity3DTransform.h>
#include <itkTranslationTransform.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "core/itk/bfgs.h"
#include "core/itk/bridge.h"
#include "core/itk/linear_sigma.h"
#include "core/itk/volume_moments.h"

namespace tl::insight {
namespace {

using Metric = itk::ImageToImageMetricv4<Image, Image>;
using Transform = itk::Transform<double, 3, 3>;
using Matrices = itk::MatrixOffsetTransformBase<double, 3, 3>;

constexpr int64_t fewest_voxels = 16, fewest_of_all = 4;  // along an axis of a level; of the last one
constexpr double least_overlap = 0.2;                     // of a volume for which points of it can be chosen
constexpr int64_t bins = 50;                              // of the joint histogram, as in ITK's examples
constexpr int64_t most_points = int64_t{1} << 20;         // of mutual information, which takes one thread
constexpr const char* where = "registration";

// An evaluation of a metric takes seconds in large volumes: it can be cancelled at every voxel.
class CancellableInterpolation : public itk::LinearInterpolateImageFunction<Image, double> {
 public:
  using Self = CancellableInterpolation;
  using Superclass = itk::LinearInterpolateImageFunction<Image, double>;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);
  OutputType EvaluateAtContinuousIndex(const ContinuousIndexType& index) const override {
    check_cancelled();
    return Superclass::EvaluateAtContinuousIndex(index);
  }
};

Transform::Pointer transform_of(Motion motion) {
  switch (motion) {
    case Motion::translation: return itk::TranslationTransform<double, 3>::New().GetPointer();
    case Motion::rigid: return itk::Euler3DTransform<double>::New().GetPointer();
    case Motion::similarity: return itk::Similarity3DTransform<double>::New().GetPointer();
    case Motion::affine: break;
  }
  return itk::AffineTransform<double, 3>::New().GetPointer();
}

// The nearest transform of the kind to a map whose lengths are in voxels.
void set_start(Transform& transform, const LinearMap& start) {
  LinearMap used = start;
  itk::Vector<double, 3> shift;
  for (unsigned a = 0; a < 3; ++a) shift[a] = start[a];
  if (auto* t = dynamic_cast<itk::TranslationTransform<double, 3>*>(&transform)) {
    t->SetOffset(shift);
    return;
  }
  const bool stretches = dynamic_cast<itk::AffineTransform<double, 3>*>(&transform) != nullptr;
  if (!stretches) {
    const double scale = dynamic_cast<itk::Similarity3DTransform<double>*>(&transform) != nullptr
                             ? std::cbrt(start[6] * start[7] * start[8])
                             : 1.0;
    for (std::size_t i = 6; i < 12; ++i) used[i] = i < 9 ? scale : 0;
  }
  auto& matrices = dynamic_cast<Matrices&>(transform);
  const Matrix3 m = matrix_of(used);
  Matrices::MatrixType matrix;
  for (unsigned r = 0; r < 3; ++r)
    for (unsigned c = 0; c < 3; ++c) matrix(r, c) = m.m[3 * r + c];
  constexpr double rounding = 1e-6;
  if (auto* s = dynamic_cast<itk::Similarity3DTransform<double>*>(&transform))
    s->SetMatrix(matrix, rounding);
  else if (auto* e = dynamic_cast<itk::Euler3DTransform<double>*>(&transform))
    e->SetMatrix(matrix, rounding);
  else
    matrices.SetMatrix(matrix);
  matrices.SetTranslation(shift);
}

LinearMap map_in_voxels(const Transform& transform) {
  if (const auto* t = dynamic_cast<const itk::TranslationTransform<double, 3>*>(&transform)) {
    LinearMap map = no_motion;
    for (unsigned a = 0; a < 3; ++a) map[a] = t->GetOffset()[a];
    return map;
  }
  const auto& matrices = dynamic_cast<const Matrices&>(transform);
  Matrix3 m;
  for (unsigned r = 0; r < 3; ++r)
    for (unsigned c = 0; c < 3; ++c) m.m[3 * r + c] = matrices.GetMatrix()(r, c);
  return map_of(m, {matrices.GetTranslation()[0], matrices.GetTranslation()[1], matrices.GetTranslation()[2]});
}

// Voxels that a point at the typical distance from the centre moves, per unit of each parameter.
std::vector<double> voxels_per_unit(Motion motion, double radius) {
  switch (motion) {
    case Motion::translation: return {1, 1, 1};
    case Motion::rigid: return {radius, radius, radius, 1, 1, 1};
    case Motion::similarity: return {2 * radius, 2 * radius, 2 * radius, 1, 1, 1, radius};
    case Motion::affine: break;
  }
  std::vector<double> all(12, radius);
  for (std::size_t i = 9; i < 12; ++i) all[i] = 1;
  return all;
}

class Registration {
 public:
  Registration(const LinearRegistrationSpec& spec, const Call& call)
      : spec_(spec), call_(call), unit_(norm(spec.fixed.grid.step_x)), transform_(transform_of(spec.motion)) {
    const VolumeGrid& g = spec.fixed.grid;
    const Vec3 edge{static_cast<double>(g.nx) * norm(g.step_x), static_cast<double>(g.ny) * norm(g.step_y),
                    static_cast<double>(g.nz) * norm(g.step_z)};
    radius_ = std::max(1.0, norm(edge) / unit_ / std::sqrt(12.0));
    scales_ = voxels_per_unit(spec.motion, radius_);
    LinearMap start = spec.start;
    for (std::size_t i = 0; i < 3; ++i) start[i] /= unit_;
    set_start(*transform_, start);
  }

  Result<LinearRegistration> run() {
    const Moments of_fixed = moments_of(spec_.fixed), of_moving = moments_of(spec_.moving);
    for (const auto& [m, name] : {std::pair{of_fixed, "fixed"}, std::pair{of_moving, "moving"}})
      if (!std::isfinite(m.mean) || !(m.deviation > 0))
        return invalid(std::string("the ") + name +
                           (std::isfinite(m.mean) ? " volume has the same value everywhere"
                                                  : " volume has values that are not finite numbers"),
                       name, "Mask or replace them, for example by a circular mask");
    // The moments of the fixed volume for both: mean squares compare values.
    const Moments for_moving = spec_.agreement == Agreement::mean_squares ? of_fixed : of_moving;
    const std::vector<unsigned> levels = chosen_levels();
    const bool by_information = spec_.agreement == Agreement::mutual_information;
    Metric::Pointer metric;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      metric = metric_at(levels[i], of_fixed, for_moving);
      const auto progress = [&](double share) {
        if (call_.progress) call_.progress((static_cast<double>(i) + share) / static_cast<double>(levels.size() + 1));
      };
      if (i == 0 || !by_information || result_.overlap < least_overlap) TL_TRY(optimise(*metric, levels[i], progress));
      if (!by_information || result_.overlap < least_overlap) continue;
      compare_the_same(*metric, levels[i]);
      TL_TRY(optimise(*metric, levels[i], progress));
    }
    const Eigen::MatrixXd curvature = curvature_at_end(*metric);
    settle(*metric, curvature);
    estimate(*metric, curvature);
    if (by_information) measure_overlap(*metric);
    result_.map = in_mm(map_in_voxels(*transform_));
    return result_;
  }

 private:
  [[nodiscard]] LinearMap in_mm(LinearMap map) const {
    for (std::size_t i = 0; i < 3; ++i) map[i] *= unit_;
    return map;
  }

  // From coarse to fine; coarse ones of few voxels are left out.
  [[nodiscard]] std::vector<unsigned> chosen_levels() const {
    const auto shortest = [](const VolumeGrid& g) { return std::min({g.nz, g.ny, g.nx}); };
    const int64_t voxels = std::min(shortest(spec_.fixed.grid), shortest(spec_.moving.grid));
    std::vector<unsigned> levels;
    int64_t finest = spec_.finest;
    while (finest > 1 && voxels / finest < fewest_of_all) finest /= 2;
    for (int64_t level = spec_.coarsest; level >= finest; level /= 2)
      if (level == finest || voxels / level >= fewest_voxels) levels.push_back(static_cast<unsigned>(level));
    return levels;
  }

  Metric::Pointer metric_at(unsigned level, const Moments& of_fixed, const Moments& of_moving) {
    const VolumeGrid& grid = spec_.fixed.grid;
    const Image::Pointer whole = image_in_voxels_of(grid, spec_.fixed);
    fixed_ = level_image(whole, of_fixed, spec_.smoothing, level);
    moving_ = level_image(image_in_voxels_of(grid, spec_.moving), of_moving, spec_.smoothing, level);
    Metric::Pointer metric;
    if (spec_.agreement == Agreement::mean_squares) {
      metric = itk::MeanSquaresImageToImageMetricv4<Image, Image>::New().GetPointer();
    } else if (spec_.agreement == Agreement::correlation) {
      metric = itk::CorrelationImageToImageMetricv4<Image, Image>::New().GetPointer();
    } else {
      auto mattes = itk::MattesMutualInformationImageToImageMetricv4<Image, Image>::New();
      mattes->SetNumberOfHistogramBins(bins);
      metric = mattes.GetPointer();
    }
    metric->SetFixedImage(fixed_);
    metric->SetMovingImage(moving_);
    metric->SetMovingTransform(transform_);
    metric->SetMovingInterpolator(CancellableInterpolation::New());
    metric->SetUseFixedImageGradientFilter(false);
    metric->SetUseMovingImageGradientFilter(false);
    mask_ = spec_.mask == nullptr ? nullptr : points_of_mask(whole, spec_.mask);
    compare(*metric, mask_);
    return metric;
  }

  // Mutual information grows with the variety of what is compared: where empty corners leave the overlap it grows too,
  // and rotations came out 4 % too large. From here on the same points are compared, a margin within the overlap.
  void compare_the_same(Metric& metric, unsigned level) {
    constexpr double margin = 2;  // voxels of the level
    compare(metric, points_within(mask_, moving_, *transform_, margin * level));
  }
  void compare(Metric& metric, const Points::Pointer& points) {
    metric.SetFixedImageMask(points);
    set_region(metric, fixed_->GetBufferedRegion());
    metric.Initialize();
  }
  void measure_overlap(Metric& metric) {
    compare(metric, mask_);
    best_ = transform_->GetParameters();
    const MetricPoint end = evaluate(metric, Vector::Zero(static_cast<Eigen::Index>(scales_.size())));
    result_.overlap = static_cast<double>(end.valid) / static_cast<double>(points_);
  }

  // Compares within a region of the fixed voxels, or of mutual information at every n-th of them.
  void set_region(Metric& metric, const Image::RegionType& region) {
    unsigned every = 1;
    if (spec_.agreement == Agreement::mutual_information)
      while (static_cast<int64_t>(fixed_->GetBufferedRegion().GetNumberOfPixels()) / (every * every * every) >
             most_points)
        ++every;
    Image::SpacingType spacing = fixed_->GetSpacing();
    Image::PointType origin;
    fixed_->TransformIndexToPhysicalPoint(region.GetIndex(), origin);
    Image::RegionType own;
    for (unsigned a = 0; a < 3; ++a) {
      spacing[a] *= every;
      own.SetIndex(a, 0);
      own.SetSize(a, std::max<itk::SizeValueType>(1, region.GetSize(a) / every));
    }
    metric.SetVirtualDomain(spacing, origin, fixed_->GetDirection(), own);
    points_ = static_cast<int64_t>(own.GetNumberOfPixels());
  }

  using Vector = Eigen::VectorXd;
  MetricPoint evaluate(Metric& metric, const Vector& offset) {
    call_.cancel.check();
    Transform::ParametersType moved = best_;
    for (unsigned i = 0; i < moved.size(); ++i) moved[i] += offset[i] / scales_[i];
    transform_->SetParameters(moved);
    Metric::DerivativeType derivative(static_cast<unsigned>(scales_.size()));
    MetricPoint p{offset, 0, Vector(static_cast<Eigen::Index>(scales_.size())), 0};
    metric.GetValueAndDerivative(p.value, derivative);
    for (unsigned i = 0; i < scales_.size(); ++i) p.gradient[i] = -derivative[i] / scales_[i];  // ITK's points downhill
    p.valid = static_cast<int64_t>(metric.GetNumberOfValidPoints());
    ++result_.evaluations;
    return p;
  }

  Result<void> optimise(Metric& metric, unsigned level, const std::function<void(double)>& progress) {
    best_ = transform_->GetParameters();
    const auto at = [&](const Vector& offset) { return evaluate(metric, offset); };
    const Descent descent = minimise(at, static_cast<Eigen::Index>(scales_.size()), level, spec_.most_steps, progress);
    if (descent.end.valid == 0) return no_overlap();
    result_.converged = descent.converged;
    const MetricPoint end = evaluate(metric, descent.end.at);  // leaves the transform there
    result_.agreement = end.value;
    result_.overlap = static_cast<double>(end.valid) / static_cast<double>(points_);
    return ok();
  }

  [[nodiscard]] static Error no_overlap() {
    return invalid("the two volumes do not overlap", where,
                   "Start from the centres of the volumes or of their mass, or give a table to start from");
  }

  // By central differences of the gradient.
  Eigen::MatrixXd curvature_at_end(Metric& metric) {
    best_ = transform_->GetParameters();
    const auto n = static_cast<Eigen::Index>(scales_.size());
    Eigen::MatrixXd curvature(n, n);
    constexpr double step = 0.5;  // voxels
    for (Eigen::Index i = 0; i < n; ++i) {
      const Vector offset = step * Vector::Unit(n, i);
      curvature.col(i) = (evaluate(metric, offset).gradient - evaluate(metric, -offset).gradient) / (2 * step);
    }
    transform_->SetParameters(best_);
    return 0.5 * (curvature + curvature.transpose());
  }

  // Steps to where the gradient is 0. That is not where the value is smallest: points that enter or leave the overlap
  // change the mean, which the gradient of ITK's metrics rightly leaves out.
  void settle(Metric& metric, const Eigen::MatrixXd& curvature) {
    const Eigen::MatrixXd inverse = inverse_of_known(curvature);
    constexpr double longest = 0.25, settled = 1e-4;  // voxels
    constexpr int most = 6;
    const Vector here = Vector::Zero(static_cast<Eigen::Index>(scales_.size()));
    double before = std::numeric_limits<double>::infinity();
    Transform::ParametersType last = best_;
    for (int i = 0; i < most; ++i) {
      const Vector step = -inverse * evaluate(metric, here).gradient;
      if (!(step.norm() < std::min(before, longest))) {
        best_ = last;
        break;
      }
      if (step.norm() < settled) break;
      before = step.norm();
      last = best_;
      for (unsigned k = 0; k < best_.size(); ++k) best_[k] += step[k] / scales_[k];
    }
    const MetricPoint end = evaluate(metric, here);  // leaves the transform there
    result_.agreement = end.value;
  }

  // sigma^2 = H^-1 S H^-1: S from the gradients of disjoint parts.
  void estimate(Metric& metric, const Eigen::MatrixXd& curvature) {
    best_ = transform_->GetParameters();
    const auto n = static_cast<Eigen::Index>(scales_.size());
    std::vector<Vector> parts;
    double total = 0;
    for (const Image::RegionType& region : blocks_of(*fixed_)) {
      set_region(metric, region);
      const MetricPoint part = evaluate(metric, Vector::Zero(n));
      total += static_cast<double>(part.valid);
      if (part.valid > 0 && part.gradient.allFinite()) parts.push_back(part.gradient * static_cast<double>(part.valid));
    }
    transform_->SetParameters(best_);
    const Vector mean = std::accumulate(parts.begin(), parts.end(), Vector(Vector::Zero(n))) /
                        std::max<double>(1, static_cast<double>(parts.size()));
    Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(n, n);
    for (const Vector& g : parts) scatter += (g - mean) * (g - mean).transpose();
    scatter /= std::max(1.0, total * total);
    judge(curvature, scatter);
  }

  // The twelve numbers as functions of the parameters, per voxel of motion.
  void judge(const Eigen::MatrixXd& curvature, const Eigen::MatrixXd& scatter) {
    const Eigen::Index n = curvature.cols();
    Eigen::MatrixXd slopes(12, n);
    constexpr double step = 1e-4;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto at = [&](double offset) {
        Transform::ParametersType moved = best_;
        moved[static_cast<unsigned>(i)] += offset / scales_[static_cast<std::size_t>(i)];
        transform_->SetParameters(moved);
        return in_mm(map_in_voxels(*transform_));
      };
      const LinearMap up = at(step), down = at(-step);
      for (Eigen::Index q = 0; q < 12; ++q)
        slopes(q, i) = (up[static_cast<std::size_t>(q)] - down[static_cast<std::size_t>(q)]) / (2 * step);
    }
    transform_->SetParameters(best_);
    const NumbersOfParts judged = numbers_of_parts(curvature, scatter, slopes);
    std::copy_n(judged.sigma.begin(), 12, result_.sigma.begin());
    std::copy_n(judged.flat.begin(), 12, result_.flat.begin());
  }

  const LinearRegistrationSpec& spec_;
  const Call& call_;
  double unit_, radius_ = 1;
  std::vector<double> scales_;
  Transform::Pointer transform_;
  Image::Pointer fixed_, moving_;
  Points::Pointer mask_;
  int64_t points_ = 0;
  Transform::ParametersType best_;
  LinearRegistration result_;
};

}  // namespace

Result<LinearRegistration> register_linear(const LinearRegistrationSpec& spec, const Call& call) {
  if (spec.mask != nullptr &&
      std::all_of(spec.mask, spec.mask + spec.fixed.grid.count(), [](auto v) { return v == 0; }))
    return invalid("the mask has no voxels", "mask", "Label what is to be compared by any number but 0");
  Result<LinearRegistration> found = LinearRegistration{};
  TL_TRY(run_itk(call, where, [&] { found = Registration(spec, call).run(); }));
  return found;
}

int64_t bytes_of_registration(const VolumeGrid& fixed, const VolumeGrid& moving) {
  return 12 * (fixed.count() + moving.count());  // float32: the smoothed volume, and two while it is smoothed
}

}  // namespace tl::insight
