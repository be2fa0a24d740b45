// Kruskal's algorithm; each cluster counts its pixels of each object.
#include "gpu/segmentation/malis.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace tl::ops {
namespace {

class ObjectClusters {
 public:
  explicit ObjectClusters(const std::vector<int32_t>& object)
      : parent_(object.size()), pixels_(object.size(), 0), objects_(object.size()) {
    std::iota(parent_.begin(), parent_.end(), int64_t{0});
    for (std::size_t i = 0; i < object.size(); ++i) {
      if (object[i] <= 0) continue;
      pixels_[i] = 1;
      objects_[i].push_back({object[i], 1});
    }
  }

  int64_t root(int64_t i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }

  // Joins two roots; returns the number of pairs between them.
  int64_t join(int64_t a, int64_t b, PixelPairs pairs) {
    if (of(a).size() > of(b).size()) std::swap(a, b);
    int64_t same = 0;
    std::vector<Share>& to = of(b);
    for (const Share& s : of(a)) {
      const auto at = std::lower_bound(to.begin(), to.end(), s.object,
                                       [](const Share& x, int32_t object) { return x.object < object; });
      if (at != to.end() && at->object == s.object) {
        same += at->pixels * s.pixels;
        at->pixels += s.pixels;
      } else {
        to.insert(at, s);
      }
    }
    of(a) = {};
    const int64_t all = pixels(a) * pixels(b);
    pixels(b) += pixels(a);
    parent(a) = b;
    return pairs == PixelPairs::of_one_object ? same : all - same;
  }

 private:
  struct Share {
    int32_t object;
    int64_t pixels;
  };
  int64_t& parent(int64_t i) { return parent_[static_cast<std::size_t>(i)]; }
  int64_t& pixels(int64_t i) { return pixels_[static_cast<std::size_t>(i)]; }
  std::vector<Share>& of(int64_t i) { return objects_[static_cast<std::size_t>(i)]; }

  std::vector<int64_t> parent_, pixels_;
  std::vector<std::vector<Share>> objects_;  // of a root, by number
};

// The edges along all axes, concatenated, and the index of each in the tensor of its axis.
struct LatticeEdges {
  AffinityEdges edges;
  std::vector<std::pair<std::size_t, int64_t>> place;
  std::vector<uint8_t> within;  // whether both pixels belong to one object
};

LatticeEdges lattice_edges(const std::vector<at::Tensor>& affinities, const at::Tensor& objects) {
  LatticeEdges all;
  const auto* object = objects.const_data_ptr<int32_t>();
  for (std::size_t axis = 0; axis < affinities.size(); ++axis) {
    const at::Tensor a = affinities[axis].detach().to(at::kFloat).contiguous();
    const auto* affinity = a.const_data_ptr<float>();
    int64_t before = 1, behind = 1;
    for (int64_t k = 0; k < objects.dim(); ++k)
      (k < static_cast<int64_t>(axis) ? before : behind) *= k == static_cast<int64_t>(axis) ? 1 : objects.size(k);
    const int64_t length = objects.size(static_cast<int64_t>(axis));
    for (int64_t i = 0; i < before; ++i)
      for (int64_t k = 0; k + 1 < length; ++k)
        for (int64_t j = 0; j < behind; ++j) {
          const int64_t from = (i * length + k) * behind + j, to = from + behind;
          if (object[from] < 0 || object[to] < 0) continue;
          const int64_t place = (i * (length - 1) + k) * behind + j;
          all.edges.from.push_back(from);
          all.edges.to.push_back(to);
          all.edges.affinity.push_back(affinity[place]);
          all.place.emplace_back(axis, place);
          all.within.push_back(object[from] > 0 && object[from] == object[to] ? 1 : 0);
        }
  }
  return all;
}

// Adds the weights of one pass, which sum to 1.
void add_pass(const LatticeEdges& all, const std::vector<int32_t>& object, PixelPairs pairs,
              const std::vector<double*>& weights) {
  const bool one_object = pairs == PixelPairs::of_one_object;
  AffinityEdges edges = all.edges;
  for (std::size_t e = 0; e < edges.affinity.size(); ++e)
    if ((all.within[e] != 0) != one_object) edges.affinity[e] = one_object ? 0.0F : 1.0F;
  const std::vector<int64_t> counts = joined_pairs(object, edges, pairs);
  double sum = 0;
  for (std::size_t e = 0; e < counts.size(); ++e)
    if ((all.within[e] != 0) == one_object) sum += static_cast<double>(counts[e]);
  if (sum == 0) return;
  for (std::size_t e = 0; e < counts.size(); ++e)
    if ((all.within[e] != 0) == one_object)
      weights[all.place[e].first][all.place[e].second] += static_cast<double>(counts[e]) / sum;
}

}  // namespace

std::vector<int64_t> joined_pairs(const std::vector<int32_t>& object, const AffinityEdges& edges, PixelPairs pairs) {
  std::vector<int64_t> order(edges.affinity.size()), counts(order.size(), 0);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return edges.affinity[static_cast<std::size_t>(a)] > edges.affinity[static_cast<std::size_t>(b)];
  });
  ObjectClusters clusters(object);
  for (const int64_t edge : order) {
    const auto e = static_cast<std::size_t>(edge);
    const int64_t a = clusters.root(edges.from[e]), b = clusters.root(edges.to[e]);
    if (a != b) counts[e] = clusters.join(a, b, pairs);
  }
  return counts;
}

std::vector<at::Tensor> affinities_of(const at::Tensor& inside) {
  std::vector<at::Tensor> all;
  for (int64_t axis = 0; axis < inside.dim(); ++axis) {
    const int64_t edges = inside.size(axis) - 1;
    all.push_back(at::minimum(inside.narrow(axis, 0, edges), inside.narrow(axis, 1, edges)));
  }
  return all;
}

std::vector<at::Tensor> malis_weights(const std::vector<at::Tensor>& affinities, const at::Tensor& objects) {
  const at::Tensor numbers = objects.to(at::kInt).contiguous();
  const LatticeEdges all = lattice_edges(affinities, numbers);
  const std::vector<int32_t> object(numbers.const_data_ptr<int32_t>(),
                                    numbers.const_data_ptr<int32_t>() + numbers.numel());
  std::vector<at::Tensor> weights;
  std::vector<double*> numbers_of;
  for (const at::Tensor& a : affinities) {
    weights.push_back(at::zeros(a.sizes(), at::kDouble));
    numbers_of.push_back(weights.back().mutable_data_ptr<double>());
  }
  add_pass(all, object, PixelPairs::of_one_object, numbers_of);
  add_pass(all, object, PixelPairs::of_different_objects, numbers_of);
  return weights;
}

at::Tensor malis_loss(const at::Tensor& inside, const at::Tensor& objects) {
  if (!inside.sizes().equals(objects.sizes()))
    throw Failure(invalid("probabilities and objects are not of the same shape", "MALIS"));
  if (!at::isfinite(inside.detach()).all().item<bool>())
    throw Failure(invalid("probabilities that are not finite (NaN or infinite)", "MALIS",
                          "Train at a lower rate, or look at the input"));
  const std::vector<at::Tensor> affinities = affinities_of(inside), weights = malis_weights(affinities, objects);
  at::Tensor loss = at::zeros({}, inside.options());
  for (std::size_t axis = 0; axis < affinities.size(); ++axis) {
    const auto a = static_cast<int64_t>(axis);
    const int64_t edges = objects.size(a) - 1;
    const at::Tensor first = objects.narrow(a, 0, edges), second = objects.narrow(a, 1, edges);
    const at::Tensor truth = (first.eq(second) & first.gt(0)).to(inside.scalar_type());
    loss = loss + (weights[axis].to(inside.scalar_type()) * (truth - affinities[axis]).square()).sum();
  }
  return loss;
}

}  // namespace tl::ops
