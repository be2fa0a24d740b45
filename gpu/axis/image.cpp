// Finds the rotation axis by the quality of reconstructed slices: reconstructs about candidate axes, scores them,
// searches coarsely, then finely.
#include "gpu/axis/image.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/sinogram.h"
#include "gpu/filtering/fft_size.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/view_weights.h"

namespace tl::ops {
namespace {

constexpr int64_t coarse_image_cols = 80, coarse_image_views = 180, fine_views = 720;
constexpr double image_step = 0.25;  // [px of the fine slices]
// Cutoff of fine slices, as a fraction of the Nyquist frequency: with all frequencies, noise and streaks of few views
// outweigh the effect of the axis. Binned columns are already smooth.
constexpr double smooth_cutoff = 0.5;
enum class Detail { all, smooth };

// Some rows of a scan, ramp-filtered and upsampled, for reconstruction about any axis.
class Slices {
 public:
  Slices(const at::Tensor& sinograms, const std::vector<double>& angles, Detail detail, int64_t upsampling,
         CancelToken cancel)
      : angles_(angles), cols_(sinograms.size(2)), up_(upsampling), cancel_(std::move(cancel)) {
    const at::Tensor views = sinograms.permute({1, 0, 2});
    const int64_t length = fft_length(2 * cols_);
    const std::vector<double> ramp = detail == Detail::all ? ramp_response(length, 1, RampWindow::ram_lak, 1)
                                                           : ramp_response(length, 1, RampWindow::hann, smooth_cutoff);
    const at::Tensor response = at::tensor(ramp, at::kDouble);
    // Padding the spectrum with zeros is trigonometric interpolation between the samples.
    const at::Tensor spectrum = at::fft_rfft(views, length, 2) * response;
    const at::Tensor fine = at::fft_irfft(at::constant_pad_nd(spectrum, {0, (up_ - 1) * length / 2}), up_ * length, 2);
    filtered_ = (static_cast<double>(up_) * fine.slice(2, 0, up_ * cols_)).to(at::kFloat).contiguous();
    const auto plain = ScanGeometry::parallel(angles_, {1, cols_, 1, 1}).or_throw();
    const std::vector<double> weights = view_weights(plain).or_throw().weights;
    filtered_ *= at::tensor(weights, at::kFloat).view({-1, 1, 1});
  }

  // Slices [row, y, x] for an axis [px of the sinogram's columns].
  [[nodiscard]] at::Tensor about(double axis) const {
    const double up = static_cast<double>(up_), rows = static_cast<double>(filtered_.size(1));
    // Sample k of the finer detector lies at column k / up, so its centre is shifted by (1 - 1 / up) / 2 columns.
    const double fine_axis = up * (axis - 0.5 * (1 - 1 / up));
    const DetectorShape detector{filtered_.size(1), filtered_.size(2), 1 / up, 1};
    const VolumeGrid grid{filtered_.size(1), cols_, cols_, {}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    TL_CHECK(rows > 0, "a slice needs a row");
    BackProjectorSpec spec{ScanGeometry::parallel(angles_, detector, fine_axis).or_throw(), grid};
    spec.cancel = cancel_;
    return make_back_projector(std::move(spec)).or_throw()->apply(filtered_);
  }
  [[nodiscard]] int64_t cols() const { return cols_; }

 private:
  std::vector<double> angles_;
  int64_t cols_, up_;
  CancelToken cancel_;
  at::Tensor filtered_;
};

// Scores slices inside a circle, always with the same range of grey values.
class SliceScore {
 public:
  SliceScore(ImageScore score, int64_t cols, double furthest) : score_(score) {
    // Entropy: inside the circle that is in the field of view for every candidate up to `furthest` (at least half of
    // the slice), because the empty space beyond the detector would lower the entropy. Negative values need the
    // object's surroundings.
    const double half = 0.5 * static_cast<double>(cols);
    const double radius = score == ImageScore::entropy ? std::max(half - furthest, 0.5 * half) : half;
    const at::Tensor line = (at::arange(cols, at::kDouble) - 0.5 * static_cast<double>(cols - 1)).square();
    inside_ = (line.view({-1, 1}) + line.view({1, -1}) < radius * radius).view(-1).nonzero().view(-1);
  }
  // Sets the histogram range from a first slice [y, x].
  void look(const at::Tensor& slice) {
    const at::Tensor v = values(slice);
    const double low = v.min().item<double>(), high = v.max().item<double>();
    low_ = low < 0 ? 2 * low : 0.5 * low;
    high_ = high > 0 ? 2 * high : 0.5 * high;
    if (!(high_ > low_)) high_ = low_ + 1;
  }
  [[nodiscard]] double operator()(const at::Tensor& slice) const {
    const at::Tensor v = values(slice);
    return score_ == ImageScore::entropy ? entropy(v) : negativity(v);
  }

 private:
  [[nodiscard]] at::Tensor values(const at::Tensor& slice) const {
    return slice.reshape(-1).index_select(0, inside_).contiguous();
  }
  // Summed in voxel order, so that the score does not depend on the number of threads.
  [[nodiscard]] double entropy(const at::Tensor& v) const {
    std::array<double, bins> share{};
    const float* x = v.const_data_ptr<float>();
    const double scale = static_cast<double>(bins - 1) / (high_ - low_);
    for (int64_t i = 0; i < v.numel(); ++i) {
      const double place = std::clamp((static_cast<double>(x[i]) - low_) * scale, 0.0, bins - 1 - 1e-9);
      const auto bin = static_cast<std::size_t>(place);
      share[bin] += 1 - (place - static_cast<double>(bin));
      share[bin + 1] += place - static_cast<double>(bin);
    }
    double sum = 0;
    for (const double s : share)
      if (s > 0) sum -= s / static_cast<double>(v.numel()) * std::log2(s / static_cast<double>(v.numel()));
    return sum;
  }
  static double negativity(const at::Tensor& v) {
    const float* x = v.const_data_ptr<float>();
    double below = 0, all = 0;
    for (int64_t i = 0; i < v.numel(); ++i) {
      below += x[i] < 0 ? -static_cast<double>(x[i]) : 0;
      all += std::abs(static_cast<double>(x[i]));
    }
    return all > 0 ? below / all : 0;
  }

  static constexpr std::size_t bins = 64;
  ImageScore score_;
  at::Tensor inside_;
  double low_ = 0, high_ = 1;
};

// A sinogram with skipped views and binned columns. Columns that do not fill a bin are dropped at the right; an axis a
// of the original is at (a - moved) / factor.
struct Reduced {
  at::Tensor data;  // [row, view, col]
  std::vector<double> angles;
  double factor = 1, moved = 0;
  [[nodiscard]] double position(double axis) const { return (axis - moved) / factor; }
};
Reduced reduced(const at::Tensor& sinograms, const std::vector<double>& angles, int64_t cols, int64_t views) {
  const int64_t f = (sinograms.size(2) + cols - 1) / cols, w = sinograms.size(2) / f;
  const int64_t every = std::max<int64_t>(1, sinograms.size(1) / views);
  Reduced r;
  r.data = sinograms.slice(1, 0, sinograms.size(1), every).slice(2, 0, w * f);
  r.data = r.data.reshape({r.data.size(0), r.data.size(1), w, f}).mean(3);
  for (std::size_t i = 0; i < angles.size(); i += static_cast<std::size_t>(every)) r.angles.push_back(angles[i]);
  r.factor = static_cast<double>(f);
  r.moved = -0.5 * static_cast<double>(sinograms.size(2) - w * f);
  return r;
}

std::vector<double> steps(double low, double high, double step) {
  const int64_t count = std::max<int64_t>(3, std::llround((high - low) / step) + 1);
  std::vector<double> out;
  for (int64_t i = 0; i < count; ++i)
    out.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
  return out;
}

// Relative scores of candidates [px], all rows together.
std::vector<double> coarse_scores(const AxisSinograms& s, const std::vector<int64_t>& rows,
                                  const std::vector<double>& axis, double furthest, double middle,
                                  const ImageScoreParams& p) {
  const Reduced small =
      reduced(s.data.index_select(0, at::tensor(rows, at::kLong)), s.angles, coarse_image_cols, coarse_image_views);
  const Slices slices(small.data, small.angles, Detail::all, p.upsampling, p.search.cancel);
  std::vector<SliceScore> judges(rows.size(), SliceScore(p.score, slices.cols(), furthest / small.factor));
  const at::Tensor first = slices.about(small.position(middle));
  for (std::size_t r = 0; r < rows.size(); ++r) judges[r].look(first[static_cast<int64_t>(r)]);
  std::vector<double> sum(axis.size(), 0.0);
  for (std::size_t i = 0; i < axis.size(); ++i) {
    p.search.cancel.check();
    const at::Tensor volume = slices.about(small.position(axis[i]));
    for (std::size_t r = 0; r < rows.size(); ++r) sum[i] += judges[r](volume[static_cast<int64_t>(r)]);
  }
  const double most = *std::max_element(sum.begin(), sum.end());
  for (double& v : sum) v /= most > 0 ? most : 1;
  return sum;
}

// Minimum of the score within `reach` [px of the fine slices], by ever finer steps and a final parabola.
double refine_image(const Slices& slices, const SliceScore& judge, double near, double reach,
                    const ImageScoreParams& p) {
  const auto scores = [&](const std::vector<double>& axis) {
    std::vector<double> out;
    for (const double a : axis) {
      p.search.cancel.check();
      out.push_back(judge(slices.about(a)[0]));
    }
    return out;
  };
  for (double step = reach / 3; step > image_step; step = reach / 3) {
    const std::vector<double> axis = steps(near - reach, near + reach, step), score = scores(axis);
    near = axis[static_cast<std::size_t>(std::min_element(score.begin(), score.end()) - score.begin())];
    reach = step;
  }
  const std::vector<double> axis = steps(near - 4 * image_step, near + 4 * image_step, image_step),
                            score = scores(axis);
  const auto best = std::min_element(score.begin(), score.end()) - score.begin();
  const auto from = std::clamp<std::ptrdiff_t>(best - 2, 0, static_cast<std::ptrdiff_t>(axis.size()) - 5);
  return parabola_minimum({axis.begin() + from, axis.begin() + from + 5},
                          {score.begin() + from, score.begin() + from + 5});
}

RowValue refine_image_row(const AxisSinograms& s, int64_t row, double near, double reach, const ImageScoreParams& p) {
  const Reduced fine = reduced(s.data.narrow(0, row, 1), s.angles, p.max_cols, fine_views);
  const double at = fine.position(near);
  SliceScore judge(p.score, fine.data.size(2), std::abs(at));
  const Slices all(fine.data, fine.angles, Detail::smooth, p.upsampling, p.search.cancel);
  judge.look(all.about(at)[0]);
  const double axis = refine_image(all, judge, at, reach / fine.factor, p);
  std::vector<double> halves;
  for (const int64_t half : {0, 1}) {
    std::vector<double> angles;
    for (std::size_t i = static_cast<std::size_t>(half); i < fine.angles.size(); i += 2)
      angles.push_back(fine.angles[i]);
    const Slices part(fine.data.slice(1, half, fine.data.size(1), 2), angles, Detail::smooth, p.upsampling,
                      p.search.cancel);
    halves.push_back(refine_image(part, judge, axis, image_step, p));
  }
  // The mean of two halves scatters half as much as they differ. Interpolation affects the score of both halves
  // equally: by about a tenth of a pixel, as found on phantoms with known axis.
  const double sigma = std::max(0.5 * std::abs(halves[0] - halves[1]), 0.1);
  return {fine.moved + fine.factor * axis, fine.factor * sigma};
}

// The halves of a full turn become rows of half a turn: about a wrong axis a full turn only blurs, which lowers the
// entropy, whereas half a turn leaves edges without a counterpart.
void use_half_turns(AxisSinograms& s) {
  const std::vector<at::Tensor> halves = cut_half_turns(s);
  s.data = at::cat(halves, 0);
  const int64_t views = s.data.size(1);
  s.angles = equidistant_angles(views, pi);
  s.step = pi / static_cast<double>(views);
  const std::vector<bool> once = s.contrast;
  for (std::size_t i = 1; i < halves.size(); ++i) s.contrast.insert(s.contrast.end(), once.begin(), once.end());
}

}  // namespace

AxisResult axis_image(const at::Tensor& projections, const std::vector<double>& angles, const ImageScoreParams& p) {
  if (p.upsampling < 1 || p.upsampling > 8 || p.max_cols < 32)
    throw Failure(invalid("finer pixels: 1 to 8 for each; slices: at least 32 columns", "axis search"));
  AxisSinograms s = prepare_sinograms(projections, angles, Background::per_view);
  use_half_turns(s);
  const AxisRange range = axis_range(p.search, s.cols());
  AxisResult result;
  std::vector<int64_t> rows;
  for (int64_t r = 0; r < s.rows(); ++r)
    if (s.contrast[static_cast<std::size_t>(r)]) rows.push_back(r);
  if (rows.empty()) {
    result.explanation = verdict_sentence({}, result);
    return result;
  }
  const int64_t joined = (s.cols() + coarse_image_cols - 1) / coarse_image_cols;
  const double step = 0.5 * static_cast<double>(joined);
  // The default range is examined too, to detect that a minimum at the edge of a narrow range is only local.
  const AxisRange usual = axis_range({}, s.cols());
  std::vector<double> axis = steps(range.low, range.high, step);
  const std::size_t searched = axis.size();
  for (const double a : steps(usual.low, usual.high, step))
    if (a < range.low || a > range.high) axis.push_back(a);
  const double furthest = std::max({-range.low, range.high, -usual.low, usual.high});
  const std::vector<double> score = coarse_scores(s, rows, axis, furthest, 0.5 * (range.low + range.high), p);
  result.curve_axis.assign(axis.begin(), axis.begin() + static_cast<std::ptrdiff_t>(searched));
  result.curve_score.assign(score.begin(), score.begin() + static_cast<std::ptrdiff_t>(searched));
  ScoreCurveResult found = judge_score_curve(result.curve_axis, result.curve_score, p.search.rival_share);
  result.axis = result.curve_axis[found.best];
  if (found.verdict == AxisVerdict::resolved && searched < axis.size()) {
    const double outside = *std::min_element(score.begin() + static_cast<std::ptrdiff_t>(searched), score.end());
    const double depth = median(score) - std::min(outside, result.curve_score[found.best]);
    if (result.curve_score[found.best] - outside > 0.2 * depth) found.verdict = AxisVerdict::railed;
  }
  result.verdict = found.verdict;
  if (found.verdict == AxisVerdict::resolved || found.verdict == AxisVerdict::ambiguous) {
    std::vector<RowValue> values;
    for (const int64_t r : rows) values.push_back(refine_image_row(s, r, result.axis, 1.5 * step, p));
    const RowValue value = combine_rows(values);
    result.axis = value.axis;
    result.uncertainty = value.sigma;
  }
  result.explanation = std::string(p.score == ImageScore::entropy ? "Least entropy" : "Least negative values") +
                       " of reconstructed slices; uncertainty from two halves of the views. " +
                       verdict_sentence(found, result);
  for (const std::string& note : s.notes) result.explanation += " " + note;
  finish_axis(result, {projections, angles, range, p.search.checking, p.search.cancel}, AxisAssumption::nothing);
  return result;
}

}  // namespace tl::ops
