// Aligns views by alternating reconstruction, forward projection and registration.
#include "core/nodes/align/align_views.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/nodes/align/held_out_views.h"
#include "gpu/alignment/views/view_motion.h"
#include "gpu/alignment/views/view_registration.h"

namespace tl {
namespace {

using ops::ViewChange;
using ops::ViewChanges;

constexpr int64_t least_pixels = 12;  // along an axis of a binned view
constexpr double small_step = 0.002;  // pixels of a level: it ends where less than that remains to be done

// From coarse to fine, each other than the one before.
std::vector<ops::BinFactors> alignment_levels(const AlignViewsSpec& spec, const DetectorShape& detector) {
  const auto limited = [](int64_t bin, int64_t pixels) {
    while (bin > 1 && pixels / bin < least_pixels) bin /= 2;
    return bin;
  };
  std::vector<ops::BinFactors> levels;
  for (int64_t bin = spec.coarsest; bin >= spec.finest; bin /= 2) {
    const ops::BinFactors next{1, limited(bin, detector.rows), limited(bin, detector.cols)};
    if (levels.empty() || levels.back().rows != next.rows || levels.back().cols != next.cols) levels.push_back(next);
    if (bin == 1) break;
  }
  return levels;
}

// What a change of one pixel of a level is in the unit of each kind.
double level_step(ViewChange kind, const DetectorShape& detector, const ops::BinFactors& bins) {
  const int64_t bin = kind == ViewChange::shift_u   ? bins.cols
                      : kind == ViewChange::shift_v ? bins.rows
                                                    : std::max(bins.rows, bins.cols);
  return ops::natural_step(kind, detector) * static_cast<double>(bin);
}

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class Alignment {
 public:
  Alignment(const Projections& scan, const at::Tensor& present, const AlignViewsSpec& spec, NodeRun& r)
      : scan_(scan),
        present_(present),
        spec_(spec),
        r_(r),
        levels_(alignment_levels(spec, scan.geometry.detector())),
        motions_(ops::object_motions(scan.geometry, spec.kinds)) {
    out_.changes = ops::no_changes(spec.kinds, scan.geometry.views());
  }

  Result<AlignedViews> run() {
    std::vector<double> coarser;
    // Two sizes before the last: what coarse pixels leave behind, the next ones change only in part.
    const std::size_t compared = levels_.size() > 2 ? levels_.size() - 2 : 1;
    for (const ops::BinFactors& bins : levels_) {
      if (&bins - levels_.data() == static_cast<std::ptrdiff_t>(compared)) coarser = out_.changes.values;
      TL_TRY(const HeldOutViews views, HeldOutViews::make(scan_, present_, bins, r_));
      if (&bins == &levels_.back()) {
        TL_TRY(const ops::ViewRegistration before, registered(views, scan_.geometry));
        out_.error_before = before.error;
      }
      TL_TRY(align_level(views));
    }
    add_difference(coarser);
    return std::move(out_);
  }

 private:
  // All views registered to their predictions with a geometry; changes in their own units.
  Result<ops::ViewRegistration> registered(const HeldOutViews& views, const ScanGeometry& geometry) const {
    const std::size_t kinds = spec_.kinds.size(), count = kinds * static_cast<std::size_t>(geometry.views());
    ops::ViewRegistration all{std::vector<double>(count), std::vector<double>(count),
                              std::vector<double>(static_cast<std::size_t>(geometry.views()))};
    const bool angle = std::find(spec_.kinds.begin(), spec_.kinds.end(), ViewChange::angle) != spec_.kinds.end();
    const ops::BinFactors& bins = views.bins();
    const DetectorShape& detector = geometry.detector();
    views.predict(geometry, angle ? AngleSlope::computed : AngleSlope::left_out, [&](const PredictedViews& part) {
      const ops::ViewRegistration own = ops::register_views(
          {part.measured, part.predicted, part.weights, part.angle_slope, spec_.kinds,
           detector.pitch_v * static_cast<double>(bins.rows) / (detector.pitch_u * static_cast<double>(bins.cols)),
           r_.cancel()});
      for (std::size_t i = 0; i < part.views.size(); ++i) {
        const auto view = static_cast<std::size_t>(part.views[i]);
        all.error[view] = own.error[i];
        for (std::size_t k = 0; k < kinds; ++k) {
          const double unit = spec_.kinds[k] == ViewChange::shift_u   ? static_cast<double>(bins.cols)
                              : spec_.kinds[k] == ViewChange::shift_v ? static_cast<double>(bins.rows)
                                                                      : 1;
          all.change[view * kinds + k] = unit * own.change[i * kinds + k];
          all.sigma[view * kinds + k] = unit * own.sigma[i * kinds + k];
        }
      }
    });
    return all;
  }

  Result<void> align_level(const HeldOutViews& views) {
    const std::size_t kinds = spec_.kinds.size();
    const DetectorShape& detector = scan_.geometry.detector();
    std::vector<double> earlier;  // steps of the iteration before, in pixels of the level
    for (int64_t n = 0; n < spec_.iterations; ++n) {
      TL_TRY(const ScanGeometry geometry, ops::changed(scan_.geometry, out_.changes));
      TL_TRY(const ops::ViewRegistration found, registered(views, geometry));
      const std::vector<double> before = out_.changes.values;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double limit = level_step(spec_.kinds[i % kinds], detector, views.bins());
        if (found.sigma[i] < limit) out_.changes.values[i] += std::clamp(found.change[i], -limit, limit);
      }
      ops::remove_motions(out_.changes, motions_, detector);
      ops::smooth_over_views(out_.changes, spec_.smoothing);
      keep_within_reach();
      out_.sigma = found.sigma;
      out_.error_after = found.error;
      std::vector<double> steps;
      for (std::size_t i = 0; i < before.size(); ++i)
        steps.push_back((out_.changes.values[i] - before[i]) /
                        level_step(spec_.kinds[i % kinds], detector, views.bins()));
      const double step = std::sqrt(mean_square(steps));
      report(step * static_cast<double>(std::max(views.bins().rows, views.bins().cols)), found.error);
      // Slow drifts converge as a geometric series, which is summed.
      const double ratio =
          earlier.empty() ? 0 : std::clamp(product(steps, earlier) / product(earlier, earlier), 0.0, 0.9);
      const double rest = ratio / (1 - ratio);
      remains_ = std::max(step, step * rest);
      if (!earlier.empty() && remains_ < small_step) break;
      earlier = steps;
      if (n % 3 != 2 || ratio < 0.3) continue;
      for (std::size_t i = 0; i < steps.size(); ++i)
        out_.changes.values[i] += rest * steps[i] * level_step(spec_.kinds[i % kinds], detector, views.bins());
      keep_within_reach();
      earlier.clear();
    }
    passes_ = ++levels_done_ * spec_.iterations;
    return ok();
  }

  void keep_within_reach() {
    const std::size_t kinds = spec_.kinds.size();
    out_.at_reach = false;
    for (std::size_t i = 0; i < out_.changes.values.size(); ++i) {
      const double limit = spec_.reach * ops::natural_step(spec_.kinds[i % kinds], scan_.geometry.detector());
      double& value = out_.changes.values[i];
      out_.at_reach = out_.at_reach || std::abs(value) >= limit;
      value = std::clamp(value, -limit, limit);
    }
  }

  void report(double step, const std::vector<double>& error) {
    ++passes_;
    ++reported_;
    r_.metric("step", reported_, step);
    r_.metric("error", reported_, std::sqrt(mean_square(error)));
    const int64_t total = static_cast<int64_t>(levels_.size()) * spec_.iterations;
    r_.host().event([&](EventSink& sink) { sink.node_progress(r_.node(), passes_, total); });
  }

  // What remains of the last level's steps, and what its pixels changed, by kind.
  void add_difference(const std::vector<double>& coarser) {
    constexpr double along_rows = 3, others = 1.5;  // margins for slow drifts, which every size of pixels finds in part
    const std::size_t kinds = spec_.kinds.size();
    ViewChanges difference = out_.changes;
    for (std::size_t i = 0; i < coarser.size(); ++i) difference.values[i] -= coarser[i];
    for (std::size_t k = 0; k < kinds; ++k) {
      const double doubt = spec_.kinds[k] == ViewChange::shift_u ? along_rows : others;
      const double remains = remains_ * level_step(spec_.kinds[k], scan_.geometry.detector(), levels_.back());
      const double changed = coarser.empty() ? 0 : doubt * doubt * mean_square(difference.list(k));
      for (std::size_t i = k; i < out_.sigma.size(); i += kinds)
        out_.sigma[i] = std::sqrt(out_.sigma[i] * out_.sigma[i] + remains * remains + changed);
    }
  }

  const Projections& scan_;
  const at::Tensor& present_;
  const AlignViewsSpec& spec_;
  NodeRun& r_;
  std::vector<ops::BinFactors> levels_;
  std::vector<std::vector<double>> motions_;
  AlignedViews out_;
  double remains_ = 0;  // about what more iterations would change, rms [pixels of the level]
  int64_t passes_ = 0, levels_done_ = 0, reported_ = 0;
};

}  // namespace

Result<AlignedViews> align_views(const Projections& scan, const at::Tensor& present, const AlignViewsSpec& spec,
                                 NodeRun& r) {
  return Alignment(scan, present, spec, r).run();
}

}  // namespace tl
