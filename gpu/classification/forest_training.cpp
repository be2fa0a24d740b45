// Grows random forests from binned samples.
#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/random.h"
#include "gpu/classification/forest.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

const char* const growing = "random forest";

Result<void> check(const at::Tensor& features, const at::Tensor& classes, int64_t class_count, const ForestSpec& spec) {
  if (!features.defined() || features.dim() != 2 || features.scalar_type() != at::kFloat || !features.is_cpu())
    return invalid("the features are not a float32 tensor [feature, sample] in CPU memory", growing);
  if (!classes.defined() || classes.dim() != 1 || classes.scalar_type() != at::kInt || !classes.is_cpu() ||
      classes.size(0) != features.size(1))
    return invalid("the classes are not an int32 tensor with one number per sample", growing);
  const int64_t count = features.size(0), samples = features.size(1);
  if (count < 1 || count > max_features || samples < 1 || samples > std::numeric_limits<int32_t>::max())
    return invalid(std::to_string(count) + " features of " + std::to_string(samples) + " samples", growing,
                   "Give 1 to " + std::to_string(max_features) + " features of at least one sample");
  if (class_count < 2 || class_count > max_classes)
    return invalid(std::to_string(class_count) + " classes", growing, "Give at least two");
  if (spec.trees < 1 || spec.trees > max_trees || spec.tried < 0 || spec.tried > count || spec.min_in_leaf < 1)
    return invalid("the number of trees, tried features or samples in a leaf is out of range", growing);
  if (!at::isfinite(features).all().item<bool>()) return invalid("a feature is not finite", growing);
  return ok();
}

// Edges between values: of few different ones between any two, of many at 255 quantiles.
void choose_edges(std::vector<float>& values, float* edges) {
  std::sort(values.begin(), values.end());
  const auto between = [](float a, float b) {
    const float middle = a + (b - a) / 2;
    return middle < b ? middle : a;
  };
  int64_t different = 1;
  for (std::size_t i = 1; i < values.size(); ++i) different += values[i] != values[i - 1];
  float* to = edges;
  if (different <= max_bins) {
    for (std::size_t i = 1; i < values.size(); ++i)
      if (values[i] != values[i - 1]) *to++ = between(values[i - 1], values[i]);
  } else {
    for (int64_t b = 1; b < max_bins; ++b) {
      const auto at = static_cast<std::size_t>(b * static_cast<int64_t>(values.size()) / max_bins);
      if (values[at] == values[at - 1]) continue;
      *to++ = between(values[at - 1], values[at]);
    }
  }
  std::fill(to, edges + edges_per_feature, std::numeric_limits<float>::infinity());
}

struct Samples {
  int64_t count = 0, features = 0, classes = 0;
  std::vector<uint8_t> bins;  // [sample][feature]: a split reads some bins of one sample after the other
  std::vector<int32_t> classes_of;
  std::vector<double> weight;  // by class
  [[nodiscard]] const uint8_t* row(uint32_t sample) const { return bins.data() + int64_t{sample} * features; }
};

// Reads two words of random numbers at a time, from one stream per tree.
class Draws {
 public:
  Draws(uint64_t seed, int64_t tree) : random_{seed, 0x666f0000ULL + static_cast<uint64_t>(tree)} {}
  // 0 to n - 1
  uint32_t below(uint32_t n) {
    if (left_ == 0) {
      block_ = random_(next_++);
      left_ = 4;
    }
    return static_cast<uint32_t>((uint64_t{block_.word[--left_]} * n) >> 32);
  }

 private:
  Philox random_;
  Philox::Block block_{};
  uint64_t next_ = 0;
  int left_ = 0;
};

struct Split {
  double score = 0;
  int feature = -1;
  int low = 0, high = 0;  // the nearest occupied bins on both sides
};

// Grows one tree; the indices of its nodes, leaves and roots count from 0.
class TreeGrower {
 public:
  TreeGrower(const Samples& samples, const Forest& forest, const ForestSpec& spec, int64_t tried)
      : samples_(samples),
        edges_(forest.edges.data()),
        spec_(spec),
        tried_(tried),
        order_(static_cast<std::size_t>(samples.features)),
        histograms_(static_cast<std::size_t>(tried * max_bins * samples.classes)),
        occupied_(static_cast<std::size_t>(tried * (max_bins / 64))),
        left_(static_cast<std::size_t>(samples.classes)) {}

  // Whatever was grown before.
  Forest grow(int64_t tree) {
    std::iota(order_.begin(), order_.end(), 0);
    Draws draws(spec_.seed, tree);
    std::vector<uint32_t> drawn(static_cast<std::size_t>(samples_.count), 0);
    for (int64_t i = 0; i < samples_.count; ++i) ++drawn[draws.below(static_cast<uint32_t>(samples_.count))];
    std::vector<uint32_t> in;
    in.reserve(drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i)
      if (drawn[i] > 0) in.push_back(static_cast<uint32_t>(i));
    drawn_ = std::move(drawn);
    other_.resize(in.size());
    Forest made;
    made.nodes.emplace_back();
    made.leaf.push_back(-1);
    struct Open {
      std::size_t begin, end;
      int32_t node;
    };
    std::vector<Open> open{{0, in.size(), 0}};
    while (!open.empty()) {
      const Open now = open.back();
      open.pop_back();
      uint32_t* const first = in.data() + now.begin;
      const std::size_t count = now.end - now.begin;
      const Split split = best_split(first, count, draws);
      if (split.feature < 0) {
        make_leaf(made, now.node);
        continue;
      }
      const int bin = middle_bin(split);
      const std::size_t lefts = divide(first, count, split.feature, bin);
      const auto next = static_cast<int32_t>(made.nodes.size());
      made.nodes[static_cast<std::size_t>(now.node)] = {static_cast<uint16_t>(split.feature),
                                                        static_cast<uint16_t>(bin), next};
      made.nodes.resize(made.nodes.size() + 2);
      made.leaf.resize(made.leaf.size() + 2, -1);
      open.push_back({now.begin + lefts, now.end, next + 1});
      open.push_back({now.begin, now.begin + lefts, next});
    }
    return made;
  }

 private:
  // Also leaves the samples' weights by class in totals_.
  Split best_split(const uint32_t* in, std::size_t count, Draws& draws) {
    totals_.assign(static_cast<std::size_t>(samples_.classes), 0);
    for (std::size_t i = 0; i < count; ++i)
      totals_[static_cast<std::size_t>(samples_.classes_of[in[i]])] += drawn_[in[i]];
    int64_t there = 0, all = 0;
    for (const int64_t t : totals_) {
      there += t > 0;
      all += t;
    }
    Split best;
    if (there < 2 || all < 2 * spec_.min_in_leaf) return best;
    total_ = 0;
    for (std::size_t c = 0; c < totals_.size(); ++c) total_ += weighted(c, totals_[c]);
    // A feature with equal values in all samples here does not count as tried, unless all features are like that.
    for (int64_t done = 0; done < samples_.features && best.feature < 0;) {
      const int64_t batch = done == 0 ? tried_ : 1;
      for (int64_t k = 0; k < batch && done + k < samples_.features; ++k) {
        const auto from = static_cast<std::size_t>(done + k);
        std::swap(order_[from], order_[from + draws.below(static_cast<uint32_t>(samples_.features - done - k))]);
      }
      const int64_t now = std::min(batch, samples_.features - done);
      count_bins(in, count, order_.data() + done, now);
      for (int64_t k = 0; k < now; ++k) try_feature(k, order_[static_cast<std::size_t>(done + k)], best);
      done += now;
    }
    return best;
  }

  [[nodiscard]] double weighted(std::size_t c, int64_t samples) const {
    return samples_.weight[c] * static_cast<double>(samples);
  }

  void count_bins(const uint32_t* in, std::size_t count, const int* features, int64_t n) {
    const int64_t classes = samples_.classes, apart = max_bins * classes;
    for (std::size_t i = 0; i < count; ++i) {
      const uint8_t* row = samples_.row(in[i]);
      const uint32_t times = drawn_[in[i]];
      uint32_t* to = histograms_.data() + samples_.classes_of[in[i]];
      uint64_t* mark = occupied_.data();
      for (int64_t k = 0; k < n; ++k, to += apart, mark += max_bins / 64) {
        const uint8_t bin = row[features[k]];
        to[bin * classes] += times;
        mark[bin >> 6] |= uint64_t{1} << (bin & 63);
      }
    }
  }

  // Tests the k-th histogram: replaces `best` if one of its splits is better. Leaves the histogram empty.
  void try_feature(int64_t k, int feature, Split& best) {
    const int64_t classes = samples_.classes;
    uint32_t* bins = histograms_.data() + k * max_bins * classes;
    uint64_t* mark = occupied_.data() + k * (max_bins / 64);
    std::fill(left_.begin(), left_.end(), 0);
    int before = -1;
    int64_t left_samples = 0, all = 0;
    for (const int64_t t : totals_) all += t;
    for (int word = 0; word < max_bins / 64; ++word)
      for (uint64_t bits = std::exchange(mark[word], 0); bits != 0; bits &= bits - 1) {
        const int bin = word * 64 + std::countr_zero(bits);
        if (before >= 0 && left_samples >= spec_.min_in_leaf && all - left_samples >= spec_.min_in_leaf) {
          const double score = score_of_sides();
          if (best.feature < 0 || score > best.score) best = {score, feature, before, bin};
        }
        uint32_t* of = bins + bin * classes;
        for (int64_t c = 0; c < classes; ++c) {
          left_[static_cast<std::size_t>(c)] += of[c];
          left_samples += of[c];
          of[c] = 0;
        }
        before = bin;
      }
  }

  // The larger, the lower is the impurity of both sides.
  [[nodiscard]] double score_of_sides() const {
    double left = 0, left2 = 0, right2 = 0;
    for (std::size_t c = 0; c < left_.size(); ++c) {
      const double l = weighted(c, left_[c]), r = weighted(c, totals_[c] - left_[c]);
      left += l;
      left2 += l * l;
      right2 += r * r;
    }
    return left2 / left + right2 / (total_ - left);
  }

  // The edge nearest to the middle between two occupied bins.
  [[nodiscard]] int middle_bin(const Split& s) const {
    const float* e = edges_ + int64_t{s.feature} * edges_per_feature;
    const float middle = e[s.low] + (e[s.high - 1] - e[s.low]) / 2;
    const auto at = static_cast<int>(std::lower_bound(e + s.low, e + s.high - 1, middle) - e);
    return at > s.low && middle - e[at - 1] < e[at] - middle ? at - 1 : at;
  }

  // Moves samples with a bin up to `bin` to the front, in order; returns their number.
  std::size_t divide(uint32_t* in, std::size_t count, int feature, int bin) {
    std::size_t lefts = 0, rights = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const uint32_t sample = in[i];
      const bool left = samples_.row(sample)[feature] <= bin;
      in[lefts] = sample;
      other_[rights] = sample;
      lefts += left;
      rights += !left;
    }
    std::copy_n(other_.begin(), rights, in + lefts);
    return lefts;
  }

  void make_leaf(Forest& made, int32_t node) const {
    const auto at = static_cast<std::size_t>(node);
    made.nodes[at] = {0, edges_per_feature, node};
    made.leaf[at] = static_cast<int32_t>(static_cast<int64_t>(made.leaves.size()) / samples_.classes);
    double sum = 0;
    for (std::size_t c = 0; c < totals_.size(); ++c) sum += weighted(c, totals_[c]);
    for (std::size_t c = 0; c < totals_.size(); ++c)
      made.leaves.push_back(static_cast<float>(weighted(c, totals_[c]) / sum));
  }

  const Samples& samples_;
  const float* edges_;
  const ForestSpec& spec_;
  int64_t tried_;
  std::vector<int> order_;
  std::vector<uint32_t> drawn_, other_;
  std::vector<uint32_t> histograms_;  // [tried][bin][class]
  std::vector<uint64_t> occupied_;    // [tried][4]: bit set of bins that contain samples
  std::vector<int64_t> totals_, left_;
  double total_ = 0;
};

void append(Forest& to, const Forest& tree) {
  const auto nodes = static_cast<int32_t>(to.nodes.size());
  const auto leaves = static_cast<int32_t>(static_cast<int64_t>(to.leaves.size()) / to.classes);
  to.roots.push_back(nodes);
  for (const ForestNode& n : tree.nodes) to.nodes.push_back({n.feature, n.bin, n.next + nodes});
  for (const int32_t l : tree.leaf) to.leaf.push_back(l < 0 ? l : l + leaves);
  to.leaves.insert(to.leaves.end(), tree.leaves.begin(), tree.leaves.end());
}

}  // namespace

Result<Forest> grow_forest(const at::Tensor& features, const at::Tensor& classes, int64_t class_count,
                           const ForestSpec& spec) {
  TL_TRY(check(features, classes, class_count, spec));
  const at::Tensor plain = features.contiguous(), numbers = classes.contiguous();
  Samples samples;
  samples.count = plain.size(1);
  samples.features = plain.size(0);
  samples.classes = class_count;
  const auto* of = numbers.const_data_ptr<int32_t>();
  samples.classes_of.assign(of, of + samples.count);
  std::vector<int64_t> each(static_cast<std::size_t>(class_count), 0);
  for (const int32_t c : samples.classes_of) {
    if (c < 0 || c >= class_count) return invalid("a sample is of class " + std::to_string(c), growing);
    ++each[static_cast<std::size_t>(c)];
  }
  const auto there = class_count - std::count(each.begin(), each.end(), 0);
  if (there < 2) return invalid("all samples are of one class", growing, "Give samples of at least two");
  for (const int64_t n : each)
    samples.weight.push_back(spec.weights == SampleWeights::equal || n == 0
                                 ? 1
                                 : static_cast<double>(samples.count) / static_cast<double>(there * n));
  Forest forest;
  forest.features = samples.features;
  forest.classes = class_count;
  forest.edges.resize(static_cast<std::size_t>(samples.features * edges_per_feature));
  samples.bins.resize(static_cast<std::size_t>(samples.count * samples.features));
  const auto* values = plain.const_data_ptr<float>();
  ops::parallel_for(0, samples.features, 1, [&](int64_t first, int64_t last) {
    for (int64_t f = first; f < last; ++f) {
      const float* line = values + f * samples.count;
      float* edges = forest.edges.data() + f * edges_per_feature;
      std::vector<float> sorted(line, line + samples.count);
      choose_edges(sorted, edges);
      for (int64_t i = 0; i < samples.count; ++i)
        samples.bins[static_cast<std::size_t>(i * samples.features + f)] = static_cast<uint8_t>(bin_of(edges, line[i]));
    }
  });
  const int64_t tried =
      spec.tried > 0 ? spec.tried
                     : std::max<int64_t>(1, std::llround(std::floor(std::sqrt(static_cast<double>(samples.features)))));
  std::vector<Forest> trees(static_cast<std::size_t>(spec.trees));
  ops::parallel_for(0, spec.trees, 1, [&](int64_t first, int64_t last) {
    TreeGrower grower(samples, forest, spec, tried);
    for (int64_t t = first; t < last; ++t) {
      spec.cancel.check();
      trees[static_cast<std::size_t>(t)] = grower.grow(t);
    }
  });
  for (const Forest& tree : trees) {
    if (forest.nodes.size() + tree.nodes.size() > static_cast<std::size_t>(std::numeric_limits<int32_t>::max()))
      return invalid("the forest has too many nodes", growing, "Choose fewer trees or fewer samples");
    append(forest, tree);
  }
  return forest;
}

}  // namespace tl::ops
