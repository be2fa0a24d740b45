// Draws a labelled voxel first, then a sample around it, so that sparse labels are drawn as often as dense ones.
#include "core/train/sampling.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/wording.h"

namespace tl::train {
namespace {

constexpr int64_t max_indices = int64_t{1} << 20;  // per item and class: 8 MiB

std::vector<int64_t> indices_with_label(const at::Tensor& labels, int64_t index, int64_t count) {
  std::vector<int64_t> indices;
  const int64_t step = (count + max_indices - 1) / max_indices;
  const auto* voxel = labels.const_data_ptr<int32_t>();
  int64_t met = 0;
  for (int64_t i = 0; i < labels.numel(); ++i)
    if (voxel[i] == index && met++ % step == 0) indices.push_back(i);
  return indices;
}

// Evenly distributed over all rotations (K. Shoemake, Graphics Gems III, 1992): the images of x and y.
std::pair<Vec3, Vec3> random_directions(Draws& draws) {
  double q[4];
  double norm2 = 0;
  for (double& n : q) {
    n = draws.normal();
    norm2 += n * n;
  }
  for (double& n : q) n /= std::sqrt(norm2);
  const auto [w, x, y, z] = q;
  return {Vec3{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
          Vec3{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)}};
}

Error too_small(const Item& item, int64_t length, int64_t least) {
  return invalid("an edge of " + std::to_string(length) + " pixels is less than the " + std::to_string(least) +
                     " that the network takes",
                 item.name, "Give larger volumes, another direction or a network of a smaller reach");
}

}  // namespace

int64_t Draws::below(int64_t count) {
  return std::min(count - 1, static_cast<int64_t>(uniform() * static_cast<double>(count)));
}

Result<Sampler> Sampler::make(const std::vector<Item>& items, int64_t classes, const Sampling& sampling,
                              const SampleShape& shape) {
  if (sampling.axis < 0 || sampling.axis > 2) return invalid("there are three directions: 0, 1 and 2", "axis");
  if (shape.dims == 3 && sampling.planes == Planes::omnidirectional)
    return invalid("a network of three axes reads boxes, not planes", "planes", "Choose slices, and the edge of a box");
  if (shape.dims == 3 && sampling.augmentation.elastic > 0)
    return invalid("elastic variations are for planes, not for boxes", "elastic", "Set it to 0");
  Sampler s;
  s.items_ = &items;
  s.sampling_ = sampling;
  s.shape_ = shape;
  s.counts_ = class_counts(items, classes);
  if (std::all_of(s.counts_.begin(), s.counts_.end(), [](int64_t n) { return n == 0; }))
    return invalid("no voxel is labelled", items.empty() ? "items" : items[0].name, "Label some voxels of each class");
  for (const Item& item : items) {
    if (sampling.planes == Planes::omnidirectional && item.labels.size(0) < 2)
      return invalid("oblique planes need at least two slices", item.name,
                     two_wordings("Train with --planes slices", "Set Learns from to slices across z"));
    for (const int64_t n : s.size_of(item))
      if (n < shape.least) return too_small(item, n, shape.least);
  }
  s.voxels_.resize(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::vector<int64_t> counts = class_counts({items[i]}, classes);
    const at::Tensor labels = items[i].labels.contiguous();
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (counts[c] > 0)
        s.voxels_[c].push_back({i, counts[c], indices_with_label(labels, static_cast<int64_t>(c), counts[c])});
  }
  s.scaling_ = scaling_of(items, [&s](const Item& item) { return s.voxels_in_samples(item); });
  const std::vector<double>& deviations = s.scaling_.deviation;
  s.deviation_ = std::accumulate(deviations.begin(), deviations.end(), 0.0) / static_cast<double>(deviations.size());
  return s;
}

int64_t Sampler::fitting(int64_t length) const {
  const int64_t wanted = sampling_.edge > 0 ? std::min(sampling_.edge, length) : length;
  return wanted < shape_.least ? wanted : shape_.least + (wanted - shape_.least) / shape_.step * shape_.step;
}

std::vector<int64_t> Sampler::size_of(const Item& item) const {
  std::vector<int64_t> edges = item.labels.sizes().vec();
  if (shape_.dims == 2 && sampling_.planes == Planes::omnidirectional) {
    std::sort(edges.begin(), edges.end());
    const int64_t n = sampling_.edge > 0 ? sampling_.edge : edges[1];
    const int64_t fit = n < shape_.least ? shape_.least : shape_.least + (n - shape_.least) / shape_.step * shape_.step;
    return {fit, fit};
  }
  if (shape_.dims == 2) edges.erase(edges.begin() + sampling_.axis);
  for (int64_t& n : edges) n = fitting(n);
  return edges;
}

// Voxels that can occur in a sample: those less than a sample's edge away from a labelled voxel along each axis.
at::Tensor Sampler::voxels_in_samples(const Item& item) const {
  at::Tensor near = item.labels.ge(0);
  const std::vector<int64_t> size = size_of(item);
  const bool any_direction = shape_.dims == 2 && sampling_.planes == Planes::omnidirectional;
  std::size_t k = 0;
  for (int64_t axis = 0; axis < 3; ++axis) {
    if (shape_.dims == 2 && !any_direction && axis == sampling_.axis) continue;
    const int64_t n = item.labels.size(axis), reach = std::min(size[any_direction ? 0 : k++], n) - 1;
    // Cumulative number of labelled voxels; differences give the number within reach.
    const at::Tensor upto = near.cumsum(axis, at::kInt);
    const at::Tensor at = at::arange(n), last = (at + reach).clamp_max(n - 1), before = at - reach - 1;
    at::Tensor count = upto.index_select(axis, last);
    const int64_t first = std::min(reach + 1, n);
    if (first < n)
      count.narrow(axis, first, n - first).sub_(upto.index_select(axis, before.narrow(0, first, n - first)));
    near = count.gt(0);
  }
  return near;
}

bool Sampler::equal_sizes() const {
  const std::vector<int64_t> first = size_of(items_->front());
  const bool changes_shape = shape_.dims == 2 && sampling_.augmentation.quarter_turns && first[0] != first[1];
  return !changes_shape &&
         std::all_of(items_->begin(), items_->end(), [&](const Item& i) { return size_of(i) == first; });
}

std::pair<std::size_t, int64_t> Sampler::labelled_voxel(Draws& draws) const {
  std::vector<std::size_t> classes;
  for (std::size_t c = 0; c < counts_.size(); ++c)
    if (counts_[c] > 0) classes.push_back(c);
  std::size_t chosen = classes.back();
  if (sampling_.prior == Prior::classes) {
    chosen = classes[static_cast<std::size_t>(draws.below(static_cast<int64_t>(classes.size())))];
  } else {
    int64_t at = draws.below(std::accumulate(counts_.begin(), counts_.end(), int64_t{0}));
    for (const std::size_t c : classes) {
      chosen = c;
      if (at < counts_[c]) break;
      at -= counts_[c];
    }
  }
  int64_t at = draws.below(counts_[chosen]);
  for (const Voxels& v : voxels_[chosen]) {
    if (at < v.count)
      return {v.item, v.indices[static_cast<std::size_t>(draws.below(static_cast<int64_t>(v.indices.size())))]};
    at -= v.count;
  }
  TL_CHECK(false, "a class must have as many counts as items");
  return {};
}

Sample Sampler::box_around(const Item& item, int64_t voxel, Draws& draws) const {
  const int64_t ny = item.labels.size(1), nx = item.labels.size(2);
  const int64_t at[3] = {voxel / (ny * nx), voxel / nx % ny, voxel % nx};
  at::Tensor input = item.volume, target = item.labels;
  const std::vector<int64_t> size = size_of(item);
  std::size_t k = 0;
  for (int64_t axis = 0; axis < 3; ++axis) {
    if (shape_.dims == 2 && axis == sampling_.axis) {
      input = input.narrow(axis + 1, at[axis], 1);
      target = target.narrow(axis, at[axis], 1);
      continue;
    }
    const int64_t n = item.labels.size(axis), edge = size[k++];
    // The voxel must get an output, as far as the volume allows.
    const int64_t last = std::clamp<int64_t>(at[axis] - shape_.before, 0, n - edge);
    const int64_t first = std::clamp<int64_t>(at[axis] - edge + 1 + shape_.after, 0, last);
    const int64_t from = first + draws.below(last - first + 1);
    input = input.narrow(axis + 1, from, edge);
    target = target.narrow(axis, from, edge);
  }
  if (shape_.dims == 2) {
    input = input.squeeze(sampling_.axis + 1);
    target = target.squeeze(sampling_.axis);
  }
  return {input.contiguous(), target.to(at::kLong).contiguous()};
}

Sample Sampler::plane_through(const Item& item, int64_t voxel, Draws& draws) const {
  const int64_t nz = item.labels.size(0), ny = item.labels.size(1), nx = item.labels.size(2);
  const Vec3 at{static_cast<double>(voxel % nx), static_cast<double>(voxel / nx % ny),
                static_cast<double>(voxel / (ny * nx))};
  const auto [u, v] = random_directions(draws);
  const int64_t edge = size_of(item)[0];
  const double half = 0.5 * static_cast<double>(edge - 1);
  const auto inside = [](double x, int64_t n) { return x >= 0 && x <= static_cast<double>(n - 1); };
  constexpr int64_t trials = 16;
  Vec3 centre = at;
  for (int64_t i = 0; i < trials; ++i) {
    const double right = draws.between(-half, half), down = draws.between(-half, half);
    const Vec3 tried = at + right * u + down * v;
    if (inside(tried.x, nx) && inside(tried.y, ny) && inside(tried.z, nz)) {
      centre = tried;
      break;
    }
  }
  return sample_plane(item, centre, u, v, edge, edge);
}

void Sampler::mask(Sample& sample, Draws& draws) const {
  double least = 0;
  for (const int64_t n : counts_)
    if (n > 0 && (least == 0 || static_cast<double>(n) < least)) least = static_cast<double>(n);
  auto* target = sample.target.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < sample.target.numel(); ++i)
    if (target[i] >= 0 && draws.uniform() >= least / static_cast<double>(counts_[static_cast<std::size_t>(target[i])]))
      target[i] = unlabelled;
}

Sampler::Drawn Sampler::draw(uint64_t seed, uint64_t index, Variation variation) const {
  Draws draws(seed, index);
  const auto [item, voxel] = labelled_voxel(draws);
  const Item& of = (*items_)[item];
  Sample sample = shape_.dims == 2 && sampling_.planes == Planes::omnidirectional ? plane_through(of, voxel, draws)
                                                                                  : box_around(of, voxel, draws);
  if (variation == Variation::varied) {
    if (sampling_.masking == Masking::balanced) mask(sample, draws);
    sample = varied(std::move(sample), sampling_.augmentation, deviation_, draws);
  }
  return {std::move(sample), item};
}

}  // namespace tl::train
