// Combines network and matching.
#include "core/nodes/align/found_directions.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/nodes/view_directions.h"

namespace tl {
namespace {

using ops::ImageMatch;
using ops::ImagePose;

// Noise alone is like some projection by 4 to 5 sigma, since many poses are tried.
constexpr double above_noise = 6;
// Twice the difference of the logarithms of two likelihoods is the square of so many sigma.
constexpr double clearly_better = 3;
// Projections whose likeness differs by less cannot be told apart where they are interpolated.
constexpr double interpolated_alike = 0.995;

std::size_t place(int64_t index) { return static_cast<std::size_t>(index); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// What matching over all directions found of an image.
struct Matched {
  ImagePose best, other;  // other: the best of the directions that are far from it
  int64_t best_match, other_match;
};

class DirectionFinder {
 public:
  DirectionFinder(const DirectionsSpec& spec, const ops::ReferenceViews& views)
      : spec_(spec),
        views_(views),
        regions_(spec.regions),
        reach_(spec.reach * static_cast<double>(views.edge()) / static_cast<double>(spec.reference.detector.cols)),
        search_(views, regions_, reach_, spec.cancel),
        images_(working_images()) {}

  FoundDirections found() {
    match_all();
    FoundDirections found;
    measure_noise(found);
    name_regions(found);
    match_in_regions(found);
    return found;
  }

 private:
  [[nodiscard]] at::Tensor working_images() const {
    constexpr int64_t together = 256;
    const int64_t n = spec_.images.size(0), pixels = views_.polar().pixels();
    at::Tensor all = at::empty({n, pixels, pixels}, at::kFloat);
    for (int64_t first = 0; first < n; first += together) {
      spec_.cancel.check();
      const int64_t count = std::min(together, n - first);
      const at::Tensor part = spec_.images.narrow(0, first, count);
      all.narrow(0, first, count).copy_(ops::working_images(part - part.mean({1, 2}, true), views_.edge()));
    }
    return all;
  }

  // The progress of a step that takes `share` of the whole and begins at `from`.
  [[nodiscard]] std::function<void(int64_t, int64_t)> reporter(double from, double share) const {
    return [this, from, share](int64_t done, int64_t all) {
      if (spec_.progress) spec_.progress(from + share * static_cast<double>(done) / static_cast<double>(all));
    };
  }

  void match_all() {
    coarse_ = search_.coarse(images_, reporter(0.05, 0.3));
    const int64_t n = images_.size(0);
    const at::Tensor best = coarse_.match.gather(1, coarse_.likeness.argmax(1, true)).contiguous();
    std::vector<ImageMatch> starts;
    for (int64_t i = 0; i < n; ++i) {
      starts.push_back({i, best.const_data_ptr<int64_t>()[i]});
      starts.push_back({i, coarse_.far_match.const_data_ptr<int64_t>()[i]});
    }
    const std::vector<ImagePose> poses = search_.refined(images_, starts, reporter(0.35, 0.1));
    for (std::size_t i = 0; i < place(n); ++i) {
      Matched m{poses[2 * i], poses[2 * i + 1], starts[2 * i].match, starts[2 * i + 1].match};
      if (m.other.likeness > m.best.likeness) std::swap(m.best, m.other), std::swap(m.best_match, m.other_match);
      matched_.push_back(m);
    }
  }

  // Medians, which are not changed by a few images without the object or with another one. Empty images have no noise
  // that could be compared with that of the others; if there are no others, amplitude and noise stay 0.
  void measure_noise(FoundDirections& found) const {
    constexpr double of_rounding = 1e-9;  // largest share of the energy of other images that an empty one has
    double largest = 0;
    for (const Matched& m : matched_) largest = std::max(largest, m.best.energy);
    std::vector<double> amplitudes, variances;
    for (const Matched& m : matched_) {
      const ImagePose& p = m.best;
      if (!(p.energy > of_rounding * largest)) continue;
      amplitudes.push_back(p.likeness);
      variances.push_back(std::max(0.0, p.energy - p.likeness * p.likeness) / views_.polar().whole_area());
    }
    if (amplitudes.empty()) return;
    found.amplitude = median(std::move(amplitudes));
    // Images without noise: the network learns to allow for what is interpolated.
    constexpr double least_noise = 1e-3;
    const double signal = found.amplitude / std::sqrt(views_.polar().whole_area());
    found.noise = std::max(std::sqrt(median(std::move(variances))), least_noise * signal);
  }

  void name_regions(FoundDirections& found) const {
    RegionTraining training{views_, regions_};
    training.reach = reach_;
    training.amplitude = std::max(found.amplitude, found.noise);  // of empty images something is learned too
    training.noise = found.noise;
    if (!(training.amplitude > 0)) training.amplitude = training.noise = 1;
    training.steps = spec_.steps;
    training.seed = spec_.seed;
    training.cancel = spec_.cancel;
    const auto report = reporter(0.45, 0.5);
    training.progress = [&](int64_t step, double loss) {
      if (spec_.trained) spec_.trained(step, loss);
      report(step, spec_.steps);
    };
    const net::NamedTensors network = trained_region_network(training);
    const at::Tensor probabilities = region_probabilities(network, views_.polar(), images_, spec_.cancel);
    const at::Tensor named = probabilities.argmax(1);
    for (int64_t i = 0; i < images_.size(0); ++i) {
      FoundDirection one;
      one.region = named.const_data_ptr<int64_t>()[i];
      for (int64_t r = 0; r < regions_.count(); ++r)
        if (regions_.are_near(one.region, r))
          one.probability += static_cast<double>(probabilities.const_data_ptr<float>()[i * regions_.count() + r]);
      found.images.push_back(one);
    }
  }

  // The best match in the region that was named and its neighbours; those that were refined before are not again.
  void match_in_regions(FoundDirections& found) const {
    std::vector<ImageMatch> starts;
    for (int64_t i = 0; i < images_.size(0); ++i) {
      FoundDirection& one = found.images[place(i)];
      const Matched& m = matched_[place(i)];
      const auto* likeness = coarse_.likeness.const_data_ptr<float>() + i * regions_.count();
      int64_t best = one.region;
      for (int64_t r = 0; r < regions_.count(); ++r)
        if (regions_.are_near(one.region, r) && likeness[r] > likeness[best]) best = r;
      const int64_t match = coarse_.match.const_data_ptr<int64_t>()[i * regions_.count() + best];
      const auto is_near = [&](const ImagePose& p) {
        return regions_.are_near(one.region, regions_.of(p.axes.towards));
      };
      if (is_near(m.best) || match == m.best_match)
        one.pose = m.best;
      else if (match == m.other_match)
        one.pose = m.other;
      else
        starts.push_back({i, match});
    }
    const std::vector<ImagePose> poses = search_.refined(images_, starts, reporter(0.95, 0.05));
    for (std::size_t s = 0; s < starts.size(); ++s) found.images[place(starts[s].image)].pose = poses[s];
    for (std::size_t i = 0; i < found.images.size(); ++i) judge(found.images[i], matched_[i], found.noise);
  }

  void judge(FoundDirection& one, const Matched& m, double noise) const {
    one.agrees = ops::angle_between(one.pose.axes.towards, m.best.axes.towards) <= views_.coarse_spacing();
    const double best = m.best.likeness, other = std::max(0.0, m.other.likeness);
    const double sigmas_squared = (best * best - other * other) / (noise * noise);
    one.verdict = !(best > above_noise * noise) ? Verdict::flat
                  : sigmas_squared < clearly_better * clearly_better || other > interpolated_alike * best
                      ? Verdict::ambiguous
                      : Verdict::resolved;
  }

  const DirectionsSpec& spec_;
  const ops::ReferenceViews& views_;
  ops::SphereRegions regions_;
  double reach_;  // [working px]
  ops::DirectionSearch search_;
  at::Tensor images_;  // working images
  ops::CoarseMatches coarse_;
  std::vector<Matched> matched_;
};

}  // namespace

Result<FoundDirections> find_directions(const DirectionsSpec& spec) {
  TL_TRY(const ops::ReferenceViews views, ops::ReferenceViews::make(spec.reference));
  return DirectionFinder(spec, views).found();
}

int64_t bytes_of_directions(const DirectionsSpec& spec, int64_t images) {
  const ops::ReferenceSpec& reference = spec.reference;
  const int64_t edge = 2 * reference.edge;
  // Correlations of the images that a thread matches together: at all shifts, with all directions and rotations.
  constexpr double images_together = 8, bytes_of_correlation = 12;
  const double reach = spec.reach * static_cast<double>(reference.edge) / static_cast<double>(reference.detector.cols);
  const double shifts = 4 * (reach + 1) * (reach + 1),
               directions = 10 * static_cast<double>(reference.parts * reference.parts) + 2,
               rotations = 2 * static_cast<double>(edge);
  const double of_blocks =
      at::get_num_threads() * images_together * bytes_of_correlation * shifts * directions * rotations;
  return ops::ReferenceViews::bytes(reference) + static_cast<int64_t>(of_blocks) +
         images * (edge * edge * static_cast<int64_t>(sizeof(float)) + spec.regions * 12 + 1000);
}

View view_of_pose(const ops::ImagePose& pose, const DetectorShape& detector, int64_t edge, Vec3 centre) {
  const double pixels = static_cast<double>(detector.cols) / static_cast<double>(edge);  // of a working one
  View v;
  v.beam = -1 * pose.axes.towards;
  v.u = detector.pitch_u * pose.axes.right;
  v.v = detector.pitch_v * pose.axes.up;
  v.detector = centre - (pixels * pose.col) * v.u + (pixels * pose.row) * v.v;
  return v;
}

Result<Table> found_directions_table(const FoundDirections& found, const DirectionsSpec& spec) {
  std::vector<std::optional<View>> views;
  Table more;
  for (const char* name : {"region", "probability", "correlation", "agrees", "verdict"})
    more.columns.push_back({name, Unit::none, {}});
  for (const FoundDirection& d : found.images) {
    std::optional<View>& view = views.emplace_back();
    if (d.verdict != Verdict::flat)
      view = view_of_pose(d.pose, spec.reference.detector, spec.reference.edge, spec.reference.grid.centre);
    const double verdict = d.verdict == Verdict::flat ? 2 : d.verdict == Verdict::ambiguous ? 1 : 0;
    const std::array row{static_cast<double>(d.region), d.probability, d.pose.correlation(), d.agrees ? 1.0 : 0.0,
                         verdict};
    for (std::size_t c = 0; c < row.size(); ++c) more.columns[c].values.push_back(row.at(c));
  }
  TL_TRY(Table t, directions_table(views, spec.reference.detector));
  t.columns.insert(t.columns.end(), more.columns.begin(), more.columns.end());
  return t;
}

}  // namespace tl
