// MALIS: published counts, sums in closed form, a count by hand on every spanning tree, and its gradient.
#include "gpu/segmentation/malis.h"

#include <ATen/ATen.h>

#include <map>
#include <numeric>
#include <set>

#include "gpu/segmentation/components.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::malis_test {

using namespace tl::ops;

namespace {

int64_t sum_of(const std::vector<int64_t>& counts) { return std::accumulate(counts.begin(), counts.end(), int64_t{0}); }

AffinityEdges chain(const std::vector<float>& affinity) {
  AffinityEdges edges;
  for (std::size_t i = 0; i < affinity.size(); ++i) {
    edges.from.push_back(static_cast<int64_t>(i));
    edges.to.push_back(static_cast<int64_t>(i) + 1);
  }
  edges.affinity = affinity;
  return edges;
}

// Objects that blobs make, and random affinities of their pixels.
struct Sample {
  at::Tensor inside, objects;
};
Sample sample(const std::vector<int64_t>& shape, uint64_t seed) {
  const at::Tensor blobs = test::blobs(shape, seed, 1);
  return {at::sigmoid(3 * test::blobs(shape, seed + 50, 0)).to(at::kDouble),
          components(blobs.gt(0.1), {}).or_throw().labels};
}

// Edges of a lattice, in the order of the axes.
AffinityEdges edges_of(const std::vector<at::Tensor>& affinities, const at::Tensor& objects) {
  AffinityEdges edges;
  const at::Tensor number = at::arange(objects.numel(), at::kLong).view(objects.sizes());
  for (std::size_t axis = 0; axis < affinities.size(); ++axis) {
    const auto a = static_cast<int64_t>(axis);
    const int64_t n = objects.size(a) - 1;
    const auto from = test::values_of<int64_t>(number.narrow(a, 0, n).contiguous()),
               to = test::values_of<int64_t>(number.narrow(a, 1, n).contiguous());
    const auto affinity = test::values_of<float>(affinities[axis].to(at::kFloat).contiguous());
    edges.from.insert(edges.from.end(), from.begin(), from.end());
    edges.to.insert(edges.to.end(), to.begin(), to.end());
    edges.affinity.insert(edges.affinity.end(), affinity.begin(), affinity.end());
  }
  return edges;
}

// For each pair of pixels, by the affinity at which they are first joined: the smallest on the best path between them.
// The pairs that an edge with a value of its own joins are those whose best path is as wide as it.
std::map<float, std::pair<int64_t, int64_t>> pairs_by_width(const std::vector<int32_t>& object,
                                                            const AffinityEdges& edges) {
  const std::size_t n = object.size();
  std::vector<std::vector<float>> width(n, std::vector<float>(n, -1));
  for (std::size_t e = 0; e < edges.affinity.size(); ++e) {
    const auto a = static_cast<std::size_t>(edges.from[e]), b = static_cast<std::size_t>(edges.to[e]);
    width[a][b] = width[b][a] = std::max(width[a][b], edges.affinity[e]);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) width[i][j] = std::max(width[i][j], std::min(width[i][k], width[k][j]));
  std::map<float, std::pair<int64_t, int64_t>> pairs;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (object[i] > 0 && object[j] > 0)
        ++(object[i] == object[j] ? pairs[width[i][j]].first : pairs[width[i][j]].second);
  return pairs;
}

}  // namespace

class Malis : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void published_counts() {
    const std::vector<int32_t> object{0, 1, 1, 1, 2, 2, 0, 5, 5, 5, 5};
    std::vector<float> affinity{0, 1, 2, 0, 2, 0, 0, 1, 2, 2.5};
    for (float& a : affinity) a /= 2.5F;
    const AffinityEdges edges = chain(affinity);
    QCOMPARE(joined_pairs(object, edges, PixelPairs::of_one_object),
             (std::vector<int64_t>{0, 2, 1, 0, 1, 0, 0, 3, 2, 1}));
    // How these are spread over edges of equal affinity depends on their order.
    QCOMPARE(sum_of(joined_pairs(object, edges, PixelPairs::of_different_objects)), int64_t{26});
  }

  void sums_in_closed_form() {
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const Sample s = sample(seed % 2 == 0 ? std::vector<int64_t>{9, 11, 13} : std::vector<int64_t>{1, 30, 41}, seed);
      const AffinityEdges edges = edges_of(affinities_of(s.inside), s.objects);
      const auto object = test::values_of<int32_t>(s.objects);
      std::map<int32_t, int64_t> size;
      for (const int32_t o : object)
        if (o > 0) ++size[o];
      int64_t one = 0, different = 0, before = 0;
      for (const auto& [o, n] : size) {
        one += n * (n - 1) / 2;
        different += n * before;
        before += n;
      }
      QVERIFY(size.size() > 1);
      QCOMPARE(sum_of(joined_pairs(object, edges, PixelPairs::of_one_object)), one);
      QCOMPARE(sum_of(joined_pairs(object, edges, PixelPairs::of_different_objects)), different);
    }
  }

  void edges_count_the_pairs_that_they_join() {
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const Sample s = sample({1, 8, 9}, 20 + seed);
      AffinityEdges edges = edges_of(affinities_of(s.inside), s.objects);
      // A value of its own for each.
      for (std::size_t e = 0; e < edges.affinity.size(); ++e)
        edges.affinity[e] = static_cast<float>((e * 37 + seed) % edges.affinity.size()) / 200.0F;
      const auto object = test::values_of<int32_t>(s.objects);
      auto expected = pairs_by_width(object, edges);
      const auto one = joined_pairs(object, edges, PixelPairs::of_one_object),
                 different = joined_pairs(object, edges, PixelPairs::of_different_objects);
      std::set<float> values(edges.affinity.begin(), edges.affinity.end());
      QCOMPARE(values.size(), edges.affinity.size());
      for (std::size_t e = 0; e < one.size(); ++e) {
        QCOMPARE(one[e], expected[edges.affinity[e]].first);
        QCOMPARE(different[e], expected[edges.affinity[e]].second);
      }
    }
  }

  void large_objects_do_not_overflow() {
    const at::Tensor objects = at::ones({1, 300, 400}, at::kInt);
    const AffinityEdges edges = edges_of(affinities_of(at::rand({1, 300, 400})), objects);
    const auto object = test::values_of<int32_t>(objects);
    QCOMPARE(sum_of(joined_pairs(object, edges, PixelPairs::of_one_object)), int64_t{120000} * 119999 / 2);
  }

  void weights_of_each_pass_sum_to_one() {
    const Sample s = sample({6, 12, 14}, 3);
    const auto weights = malis_weights(affinities_of(s.inside), s.objects);
    double within = 0, between = 0;
    for (std::size_t axis = 0; axis < weights.size(); ++axis) {
      const auto a = static_cast<int64_t>(axis);
      const int64_t n = s.objects.size(a) - 1;
      const at::Tensor first = s.objects.narrow(a, 0, n), second = s.objects.narrow(a, 1, n);
      const at::Tensor one = first.eq(second) & first.gt(0);
      within += weights[axis].masked_select(one).sum().item<double>();
      between += weights[axis].masked_select(one.logical_not()).sum().item<double>();
    }
    QVERIFY(std::abs(within - 1) < 1e-12);
    QVERIFY(std::abs(between - 1) < 1e-12);
  }

  void a_perfect_answer_costs_nothing_and_a_hole_in_a_wall_much() {
    // Two objects with a wall between them.
    at::Tensor objects = at::ones({1, 9, 11}, at::kInt);
    objects.select(2, 5).zero_();
    objects.narrow(2, 6, 5).fill_(2);
    const at::Tensor inside = objects.gt(0).to(at::kDouble);
    QCOMPARE(malis_loss(inside, objects).item<double>(), 0.0);
    at::Tensor hole = inside.clone();
    hole[0][4][5] = 1;
    // All pairs go through one pixel; pixels where no pair is decided count nothing.
    QVERIFY(std::abs(malis_loss(hole, objects).item<double>() - 1) < 1e-12);
    at::Tensor dent = inside.clone();
    dent[0][0][0] = 0.5;
    const double cost = malis_loss(dent, objects).item<double>();
    QVERIFY(cost > 0 && cost < 0.05);
    // Where nobody knows what there is, nothing counts.
    at::Tensor unknown = objects.clone();
    unknown[0][4][5] = -1;
    QCOMPARE(malis_loss(hole, unknown).item<double>(), 0.0);
  }

  void gradient_by_differences() {
    const Sample s = sample({1, 12, 13}, 8);
    at::Tensor x = s.inside.clone().set_requires_grad(true);
    malis_loss(x, s.objects).backward();
    const at::Tensor direction = at::randn_like(s.inside);
    // Small enough that the order of the affinities, and with it the counts, stay.
    constexpr double step = 1e-7;
    const double difference = (malis_loss(s.inside + step * direction, s.objects).item<double>() -
                               malis_loss(s.inside - step * direction, s.objects).item<double>()) /
                              (2 * step);
    const double analytic = (x.grad() * direction).sum().item<double>();
    QVERIFY2(std::abs(analytic - difference) <= 1e-6 * std::abs(analytic),
             qPrintable(QString("%1 %2").arg(analytic).arg(difference)));
  }

  void what_is_not_a_probability_is_refused() {
    const at::Tensor objects = at::ones({1, 4, 4}, at::kInt);
    for (const at::Tensor& wrong : {at::full({1, 4, 4}, std::nan("")), at::rand({1, 4, 5})}) {
      bool refused = false;
      try {
        malis_loss(wrong, objects);
      } catch (const Failure& f) {
        refused = f.error().kind == ErrorKind::invalid;
      }
      QVERIFY(refused);
    }
  }
};

TL_TEST_CASE(Malis)

}  // namespace tl::malis_test

#include "malis.moc"
