// Matching by transforms along circles.
#include "gpu/alignment/directions/direction_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/alignment/directions/match_peak.h"
#include "gpu/device/parallel_parts.h"

namespace tl::ops {
namespace {

constexpr int64_t images_of_block = 8, images_of_group = 4;  // their correlations fit into a core's cache
constexpr int64_t between_reports = 256;

std::size_t at(int64_t index) { return static_cast<std::size_t>(index); }

// [frequency, direction, ring] of all views, every direction of unit norm, `scale` times.
at::Tensor unit_spectra(const at::Tensor& spectra, const PolarGrid& polar, double scale) {
  at::Tensor squares = at::zeros({spectra.size(1)}, at::kDouble);
  for (int64_t k = 0; k < spectra.size(0); ++k)
    squares += polar.spectrum_weight(k) * at::view_as_real(spectra[k]).to(at::kDouble).square().sum({1, 2});
  const at::Tensor factor = scale / squares.sqrt().clamp_min(1e-30);
  return spectra * factor.to(at::kFloat).view({1, -1, 1});
}

at::Tensor spectra_of_views(const ReferenceViews& views, const CancelToken& cancel) {
  const PolarGrid& polar = views.polar();
  const int64_t count = views.images().size(0), pixels = polar.pixels(), most = polar.angles() / 2;
  at::Tensor all = at::empty({most + 1, count, polar.rings()}, at::kComplexFloat);
  parallel_parts(count, 64, [&] {
    return [&](int64_t begin, int64_t end) {
      if (cancel.cancelled()) return;
      const at::Tensor samples = at::empty({end - begin, polar.rings(), polar.angles()}, at::kFloat);
      for (int64_t i = begin; i < end; ++i)
        polar.sample(views.images().const_data_ptr<float>() + i * pixels * pixels, 0, 0, 0,
                     samples.mutable_data_ptr<float>() + (i - begin) * polar.numbers());
      all.narrow(1, begin, end - begin).copy_(polar.spectra(samples, most));
    };
  });
  cancel.check();
  all[most].zero_();  // it has no counterpart of opposite sign
  return all;
}

// The largest of n numbers, and where it first is. Eight maxima side by side are one vector instruction.
struct Largest {
  float value;
  int64_t index;
};
Largest largest(const float* numbers, int64_t n) {
  constexpr int64_t lanes = 8;
  std::array<float, lanes> most;
  most.fill(numbers[0]);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane)
      most[at(lane)] = numbers[i + lane] > most[at(lane)] ? numbers[i + lane] : most[at(lane)];
  float value = *std::max_element(most.begin(), most.end());
  for (; i < n; ++i) value = std::max(value, numbers[i]);
  return {value, std::find(numbers, numbers + n, value) - numbers};
}

// Integral of image times views for every rotation in the plane, [image, direction, angle]: from spectra [frequency,
// image, ring] and [frequency, direction, ring].
at::Tensor correlations(const at::Tensor& images, const at::Tensor& directions, int64_t angles) {
  const at::Tensor products = at::bmm(at::conj_physical(images), directions.transpose(1, 2));
  return at::fft_irfft(products.permute({1, 2, 0}).contiguous(), angles).contiguous();
}

}  // namespace

DirectionSearch::DirectionSearch(const ReferenceViews& views, const SphereRegions& regions, double reach,
                                 CancelToken cancel)
    : views_(views), cancel_(std::move(cancel)), regions_(regions.count()) {
  const auto most = static_cast<int64_t>(std::floor(reach));
  for (int64_t row = -most; row <= most; ++row)
    for (int64_t col = -most; col <= most; ++col)
      if (const Shift s{static_cast<double>(col), static_cast<double>(row)}; std::hypot(s.col, s.row) <= reach)
        shifts_.push_back(s);
  for (const int64_t i : views.coarse()) {
    directions_.push_back(views.directions()[at(i)]);
    region_of_.push_back(regions.of(directions_.back()));
  }
  const auto count = static_cast<int64_t>(directions_.size());
  is_far_ = at::empty({count, count}, at::kBool);
  auto* far = is_far_.mutable_data_ptr<bool>();
  for (int64_t a = 0; a < count; ++a)
    for (int64_t b = 0; b < count; ++b)
      far[a * count + b] = angle_between(directions_[at(a)], directions_[at(b)]) > far_apart;
  const PolarGrid& polar = views.polar();
  const at::Tensor all = spectra_of_views(views, cancel_);
  fine_spectra_ = unit_spectra(all, polar, 1);
  at::Tensor coarse = all.index_select(1, at::tensor(views.coarse(), at::kLong)).narrow(0, 0, coarse_angles() / 2 + 1);
  coarse[coarse_angles() / 2].zero_();
  // The inverse transform divides by its own number of angles.
  coarse_spectra_ =
      unit_spectra(coarse, polar, static_cast<double>(coarse_angles()) / static_cast<double>(polar.angles()));
}

void DirectionSearch::match_block(const at::Tensor& images, int64_t first, int64_t count, CoarseMatches& found) const {
  const PolarGrid& polar = views_.polar();
  const auto shifts = static_cast<int64_t>(shifts_.size()), directions = static_cast<int64_t>(directions_.size());
  const int64_t angles = coarse_angles(), pixels = polar.pixels();
  const at::Tensor samples = at::empty({count * shifts, polar.rings(), polar.angles()}, at::kFloat);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t s = 0; s < shifts; ++s)
      polar.sample(images.const_data_ptr<float>() + (first + i) * pixels * pixels, shifts_[at(s)].col,
                   shifts_[at(s)].row, 0, samples.mutable_data_ptr<float>() + (i * shifts + s) * polar.numbers());
  const at::Tensor all = correlations(polar.spectra(samples, angles / 2), coarse_spectra_, angles);
  const auto* numbers = all.const_data_ptr<float>();
  const auto* far = is_far_.const_data_ptr<bool>();
  std::vector<float> likeness(at(directions));
  std::vector<int64_t> match(at(directions));
  for (int64_t i = 0; i < count; ++i) {
    auto* of_region = found.likeness.mutable_data_ptr<float>() + (first + i) * regions_;
    auto* match_of_region = found.match.mutable_data_ptr<int64_t>() + (first + i) * regions_;
    std::fill_n(of_region, regions_, -std::numeric_limits<float>::infinity());
    for (int64_t d = 0; d < directions; ++d) {
      Largest best{-std::numeric_limits<float>::infinity(), 0};
      for (int64_t s = 0; s < shifts; ++s) {
        const Largest one = largest(numbers + ((i * shifts + s) * directions + d) * angles, angles);
        if (one.value > best.value) best = {one.value, (d * shifts + s) * angles + one.index};
      }
      likeness[at(d)] = best.value, match[at(d)] = best.index;
      if (const int64_t r = region_of_[at(d)]; best.value > of_region[r])
        of_region[r] = best.value, match_of_region[r] = best.index;
    }
    const int64_t best = std::max_element(likeness.begin(), likeness.end()) - likeness.begin();
    int64_t other = best;
    for (int64_t d = 0; d < directions; ++d)
      if (far[best * directions + d] && (other == best || likeness[at(d)] > likeness[at(other)])) other = d;
    found.far_likeness.mutable_data_ptr<float>()[first + i] = likeness[at(other)];
    found.far_match.mutable_data_ptr<int64_t>()[first + i] = match[at(other)];
  }
}

CoarseMatches DirectionSearch::coarse(const at::Tensor& images, const Progress& progress) const {
  const int64_t n = images.size(0);
  CoarseMatches found{at::empty({n, regions_}, at::kFloat), at::zeros({n, regions_}, at::kLong),
                      at::empty({n}, at::kFloat), at::zeros({n}, at::kLong)};
  for (int64_t first = 0; first < n; first += between_reports) {
    cancel_.check();
    const int64_t together = std::min(between_reports, n - first);
    parallel_parts(together, images_of_block, [&] {
      return [&](int64_t begin, int64_t end) {
        if (!cancel_.cancelled()) match_block(images, first + begin, end - begin, found);
      };
    });
    cancel_.check();
    if (progress) progress(first + together, n);
  }
  return found;
}

void DirectionSearch::refine_group(const at::Tensor& images, const std::vector<ImageMatch>& starts,
                                   const std::vector<std::size_t>& group, std::vector<ImagePose>& poses) const {
  const PolarGrid& polar = views_.polar();
  const auto shifts = static_cast<int64_t>(shifts_.size()), count = static_cast<int64_t>(group.size());
  const int64_t pixels = polar.pixels(), angles = polar.angles();
  const Vec3 middle = directions_[at(starts[group.front()].match / coarse_angles() / shifts)];
  std::vector<int64_t> near;
  for (std::size_t i = 0; i < views_.directions().size(); ++i)
    if (angle_between(views_.directions()[i], middle) < 1.5 * views_.coarse_spacing())
      near.push_back(static_cast<int64_t>(i));
  const auto directions = static_cast<int64_t>(near.size());
  const at::Tensor samples = at::empty({count * peak_shifts, polar.rings(), angles}, at::kFloat);
  const auto* pixel = images.const_data_ptr<float>();
  std::vector<Shift> from;
  for (int64_t i = 0; i < count; ++i) {
    const ImageMatch& start = starts[group[at(i)]];
    from.push_back(shifts_[at(start.match / coarse_angles() % shifts)]);
    for (int64_t q = 0; q < peak_shifts; ++q)
      polar.sample(pixel + start.image * pixels * pixels, from.back().col + peak_shift_col(q),
                   from.back().row + peak_shift_row(q), 0,
                   samples.mutable_data_ptr<float>() + (i * peak_shifts + q) * polar.numbers());
  }
  const at::Tensor all = correlations(polar.spectra(samples, angles / 2),
                                      fine_spectra_.index_select(1, at::tensor(near, at::kLong)), angles);
  std::vector<DirectionPeak> peaks(at(directions));
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t d = 0; d < directions; ++d) {
      std::array<const float*, peak_shifts> of_shifts{};
      for (int64_t q = 0; q < peak_shifts; ++q)
        of_shifts[at(q)] = all.const_data_ptr<float>() + ((i * peak_shifts + q) * directions + d) * angles;
      DirectionPeak& p = peaks[at(d)];
      p = peak_of(of_shifts, angles);
      p.col += from[at(i)].col, p.row += from[at(i)].row;
      p.axes = rotated_in_plane(upright_axes(views_.directions()[at(near[at(d)])]), p.angle);
    }
    ImagePose& pose = poses[group[at(i)]];
    pose = paraboloid_peak(peaks, 0.5 * views_.coarse_spacing());
    std::vector<float> at_pose(at(polar.numbers()));
    polar.sample(pixel + starts[group[at(i)]].image * pixels * pixels, pose.col, pose.row, 0, at_pose.data());
    double sum = 0, squares = 0;
    for (int64_t p = 0; p < polar.numbers(); ++p) {
      const double area = polar.area(p / angles), value = at_pose[at(p)];
      sum += area * value;
      squares += area * value * value;
    }
    pose.energy = std::max(0.0, squares - sum * sum / polar.whole_area());
  }
}

std::vector<ImagePose> DirectionSearch::refined(const at::Tensor& images, const std::vector<ImageMatch>& starts,
                                                const Progress& progress) const {
  std::map<int64_t, std::vector<std::size_t>> of_direction;
  const int64_t of_one = static_cast<int64_t>(shifts_.size()) * coarse_angles();
  for (std::size_t i = 0; i < starts.size(); ++i) of_direction[starts[i].match / of_one].push_back(i);
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& [direction, members] : of_direction)
    for (std::size_t i = 0; i < members.size(); i += images_of_group)
      groups.emplace_back(members.begin() + static_cast<std::ptrdiff_t>(i),
                          members.begin() + static_cast<std::ptrdiff_t>(std::min(i + images_of_group, members.size())));
  std::vector<ImagePose> poses(starts.size());
  const auto count = static_cast<int64_t>(groups.size());
  for (int64_t first = 0; first < count; first += between_reports) {
    cancel_.check();
    const int64_t together = std::min(between_reports, count - first);
    parallel_parts(together, 1, [&] {
      return [&](int64_t begin, int64_t end) {
        for (int64_t g = begin; g < end && !cancel_.cancelled(); ++g)
          refine_group(images, starts, groups[at(first + g)], poses);
      };
    });
    cancel_.check();
    if (progress) progress(first + together, count);
  }
  return poses;
}

}  // namespace tl::ops
