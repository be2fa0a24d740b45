// Random forests: separable and interleaved classes, the same for any number of threads, damaged ones, scikit-learn.
#include "gpu/classification/forest.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "tests/support/python_arrays.h"
#include "tests/support/test_case.h"

namespace tl::forest_test {

using namespace tl::ops;

namespace {

struct Samples {
  at::Tensor features, classes;  // [feature, sample], [sample]
};

at::Tensor numbers(at::IntArrayRef shape, uint64_t seed) {
  at::Generator g = at::detail::createCPUGenerator(seed);
  return at::randn(shape, g, at::kFloat);
}

// A chequerboard in the first two features; the others say nothing.
Samples chequerboard(int64_t count, uint64_t seed) {
  const at::Tensor x = numbers({6, count}, seed);
  return {x, x[0].mul(1.5).floor().add(x[1].mul(1.5).floor()).remainder(2).to(at::kInt)};
}

Forest grown(const Samples& s, const ForestSpec& spec = {}) {
  return grow_forest(s.features, s.classes, s.classes.max().item<int64_t>() + 1, spec).or_throw();
}
at::Tensor shares(const Forest& f, const at::Tensor& features) { return forest_probabilities(f, features).or_throw(); }
double accuracy(const Forest& f, const Samples& s) {
  return shares(f, s.features).argmax(0).eq(s.classes).to(at::kDouble).mean().item<double>();
}
bool same(const Forest& a, const Forest& b) {
  const auto equal_nodes = [](const ForestNode& m, const ForestNode& n) {
    return m.feature == n.feature && m.bin == n.bin && m.next == n.next;
  };
  return a.edges == b.edges && a.leaves == b.leaves && a.roots == b.roots && a.leaf == b.leaf &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), equal_nodes);
}

// The walk as it is defined, sample by sample.
at::Tensor plain_shares(const Forest& f, const at::Tensor& features) {
  at::Tensor all = at::zeros({f.classes, features.size(1)}, at::kDouble);
  for (int64_t i = 0; i < features.size(1); ++i)
    for (const int32_t root : f.roots) {
      int32_t at = root;
      while (f.nodes[static_cast<std::size_t>(at)].next != at) {
        const ForestNode& n = f.nodes[static_cast<std::size_t>(at)];
        const float value = features[n.feature][i].item<float>();
        at = n.next + (value <= f.edges[static_cast<std::size_t>(n.feature * edges_per_feature + n.bin)] ? 0 : 1);
      }
      const int64_t leaf = f.leaf[static_cast<std::size_t>(at)];
      for (int64_t c = 0; c < f.classes; ++c) all[c][i] += f.leaves[static_cast<std::size_t>(leaf * f.classes + c)];
    }
  return all / static_cast<double>(f.trees());
}

constexpr double share_rounding = 1e-5;  // of float32 sums of a hundred shares

}  // namespace

class ForestTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learns_a_chequerboard() {
    const Forest f = grown(chequerboard(4000, 1));
    QVERIFY(f.validate("test").ok());
    QCOMPARE(f.trees(), 100);
    QVERIFY(accuracy(f, chequerboard(4000, 1)) > 0.999);  // bootstrapped trees know their own samples
    const double others = accuracy(f, chequerboard(4000, 2));
    QVERIFY2(others > 0.7, std::to_string(others).c_str());  // scikit-learn: 0.73
  }

  void shares_are_of_one() {
    const Samples s = chequerboard(500, 3);
    const at::Tensor p = shares(grown(s), numbers({6, 3, 4, 50}, 4));
    QCOMPARE(p.sizes(), at::IntArrayRef({2, 3, 4, 50}));
    QVERIFY(p.ge(0).all().item<bool>());
    QVERIFY((p.sum(0) - 1).abs().max().item<double>() < share_rounding);
  }

  void walks_are_as_defined() {
    const Samples s = chequerboard(300, 5);
    ForestSpec spec;
    spec.trees = 20;
    const Forest f = grown(s, spec);
    const at::Tensor x = numbers({6, 77}, 6);
    const at::Tensor expected = plain_shares(f, x);
    for (const char* variant : {"plain", "avx2", "avx512"}) {
      qputenv("TL_CPU_VARIANT", variant);
      at::Tensor got;
      try {
        got = shares(f, x);
      } catch (const Failure&) {
        qInfo("this processor has no %s", variant);
      }
      qunsetenv("TL_CPU_VARIANT");
      if (got.defined()) QVERIFY2((got - expected).abs().max().item<double>() < share_rounding, variant);
    }
  }

  // At an edge values go to the lower side, and NaN to the upper one.
  void edges_belong_below() {
    const Samples s{at::tensor({1.0F, 2.0F, 3.0F, 10.0F, 11.0F, 12.0F}).view({1, 6}),
                    at::tensor({0, 0, 0, 1, 1, 1}, at::kInt)};
    const Forest f = grown(s);
    const float edge = f.edges[2];
    QCOMPARE(edge, 6.5F);
    QCOMPARE(bin_of(f.edges.data(), edge), 2);
    QCOMPARE(bin_of(f.edges.data(), std::nextafter(edge, 7.0F)), 3);
    QCOMPARE(bin_of(f.edges.data(), std::numeric_limits<float>::quiet_NaN()), edges_per_feature);
    QCOMPARE(bin_of(f.edges.data(), std::numeric_limits<float>::infinity()), 5);
    const at::Tensor p = shares(f, at::tensor({-1e30F, 1e30F, std::nanf("")}).view({1, 3}));
    QVERIFY(p[0][0].item<float>() > 0.9F && p[1][1].item<float>() > 0.9F && p[1][2].item<float>() > 0.9F);
  }

  void threads_do_not_matter() {
    const Samples s = chequerboard(2000, 7);
    const at::Tensor x = numbers({6, 5000}, 8);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const Forest one = grown(s);
    const at::Tensor p1 = shares(one, x);
    at::set_num_threads(3);
    const Forest three = grown(s);
    const at::Tensor p3 = shares(three, x);
    at::set_num_threads(before);
    QVERIFY(same(one, three));
    QVERIFY(p1.equal(p3));
    ForestSpec other;
    other.seed = 2;
    QVERIFY(!same(one, grown(s, other)));
    // The first trees do not depend on how many follow.
    ForestSpec fewer;
    fewer.trees = 10;
    const Forest ten = grown(s, fewer);
    QVERIFY(std::equal(ten.leaf.begin(), ten.leaf.end(), one.leaf.begin()));
  }

  // Other units of a feature are other edges, in exact powers of two.
  void units_do_not_matter() {
    const Samples s = chequerboard(1500, 9);
    const at::Tensor units = at::tensor({2.0F, 0.25F, 1024.0F, 1.0F, 0.5F, 4.0F}).view({6, 1});
    const at::Tensor x = numbers({6, 700}, 10);
    QVERIFY(shares(grown(s), x).equal(shares(grown({s.features * units, s.classes}), x * units)));
  }

  // A class with few samples counts as much as one with many: where nothing distinguishes them, their shares are equal.
  void balanced_classes() {
    constexpr int64_t many = 4000, few = 200;
    constexpr double drawn = 0.02;  // by the draws of a hundred trees
    const at::Tensor x = at::ones({3, many + few});
    const at::Tensor y = at::cat({at::zeros({many}, at::kInt), at::ones({few}, at::kInt)});
    ForestSpec spec;
    QVERIFY(std::abs(shares(grown({x, y}, spec), x)[1][0].item<double>() - 0.5) < drawn);
    spec.weights = SampleWeights::equal;
    const double share = static_cast<double>(few) / (many + few);
    QVERIFY(std::abs(shares(grown({x, y}, spec), x)[1][0].item<double>() - share) < drawn);
  }

  void leaves_are_as_large_as_asked() {
    const Samples s = chequerboard(400, 13);
    ForestSpec spec;
    spec.min_in_leaf = 30;
    const Forest f = grown(s, spec);
    const auto leaves = static_cast<int64_t>(f.leaves.size()) / f.classes;
    QVERIFY(leaves <= spec.trees * (400 / 30));
    QVERIFY(leaves > 2 * spec.trees);
  }

  // Features that are all equal leave nothing to split: the shares of the classes.
  void equal_features() {
    const Samples s{at::ones({4, 30}), (at::arange(30, at::kLong) % 3).to(at::kInt)};
    const at::Tensor p = shares(grown(s), at::zeros({4, 5}));
    QVERIFY((p - 1.0 / 3).abs().max().item<double>() < 0.1);
  }

  void what_cannot_be_is_refused() {
    const Samples s = chequerboard(50, 14);
    const auto refused = [](const at::Tensor& x, const at::Tensor& y, int64_t classes = 2,
                            const ForestSpec& spec = {}) {
      const auto r = grow_forest(x, y, classes, spec);
      return !r.ok() && r.error().kind == ErrorKind::invalid && !r.error().where.empty();
    };
    QVERIFY(!refused(s.features, s.classes));
    QVERIFY(refused(s.features, at::zeros({50}, at::kInt)));
    QVERIFY(refused(s.features, s.classes, 1));
    QVERIFY(refused(s.features, s.classes + 1));
    QVERIFY(refused(s.features, s.classes - 1));
    QVERIFY(refused(s.features.narrow(1, 0, 49), s.classes));
    QVERIFY(refused(s.features.to(at::kDouble), s.classes));
    at::Tensor damaged = s.features.clone();
    damaged[2][3] = std::nanf("");
    QVERIFY(refused(damaged, s.classes));
    ForestSpec spec;
    spec.trees = 0;
    QVERIFY(refused(s.features, s.classes, 2, spec));
    spec.trees = 1;
    spec.tried = 7;
    QVERIFY(refused(s.features, s.classes, 2, spec));
    QVERIFY(!forest_probabilities(grown(s), at::zeros({5, 3})).ok());
  }

  void damaged_forests_are_found() {
    const Forest sound = grown(chequerboard(60, 15));
    const auto damaged = [&](const std::function<void(Forest&)>& damage) {
      Forest f = sound;
      damage(f);
      return !f.validate("model.safetensors").ok();
    };
    QVERIFY(sound.validate("test").ok());
    QVERIFY(damaged([](Forest& f) { f.nodes[0].next = -5; }));
    QVERIFY(damaged([](Forest& f) { f.nodes.back().next = static_cast<int32_t>(f.nodes.size()); }));
    QVERIFY(damaged([](Forest& f) { f.nodes[1].next = 0; }));
    QVERIFY(damaged([](Forest& f) { f.nodes[0].feature = 6; }));
    QVERIFY(damaged([](Forest& f) { f.nodes[0].bin = 255; }));
    QVERIFY(damaged([](Forest& f) { f.leaf.back() = static_cast<int32_t>(f.leaves.size()); }));
    QVERIFY(damaged([](Forest& f) { f.leaf.back() = -1; }));
    QVERIFY(damaged([](Forest& f) { f.leaves[0] = 1.5F; }));
    QVERIFY(damaged([](Forest& f) { f.leaves[0] = std::nanf(""); }));
    QVERIFY(damaged([](Forest& f) { f.leaves.pop_back(); }));
    QVERIFY(damaged([](Forest& f) { std::swap(f.edges[0], f.edges[100]); }));
    QVERIFY(damaged([](Forest& f) { f.roots[0] = 1; }));
    QVERIFY(damaged([](Forest& f) { f.roots[3] = f.roots[2]; }));
    QVERIFY(damaged([](Forest& f) { f.classes = 3; }));
    QVERIFY(damaged([](Forest& f) { f.roots.clear(); }));
  }

  // Mean accuracy over five seeds compared with scikit-learn's forest of the same size, on the same halves.
  void scikit_learn_is_as_accurate() {
    constexpr double a_point = 0.01;
    if (const QString why = test::PythonArrays::missing("sklearn"); !why.isEmpty()) QSKIP(qPrintable(why));
    const test::PythonArrays arrays("sklearn");
    arrays.run(R"(
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
sets = [datasets.load_digits(return_X_y=True), datasets.load_breast_cancer(return_X_y=True),
        datasets.make_classification(6000, 20, n_informative=8, n_classes=4, flip_y=.05, random_state=3)]
for i, (x, y) in enumerate(sets):
    a, b, c, d = train_test_split(x.astype('f4'), y, test_size=.5, random_state=0, stratify=y)
    for name, array, kind in ((f'x{i}', a.T, 'f4'), (f'test{i}', b.T, 'f4'), (f'y{i}', c, 'i4'), (f'truth{i}', d, 'i4')):
        save(name, array, kind)
    scores = [RandomForestClassifier(100, random_state=s, n_jobs=2).fit(a, c).score(b, d) for s in range(5)]
    save(f'score{i}', np.array([np.mean(scores)]), 'f8')
)");
    for (int i = 0; i < 3; ++i) {
      const auto named = [&](const char* name, at::ScalarType type) {
        return arrays.get(name + std::to_string(i), type);
      };
      const Samples train{named("x", at::kFloat), named("y", at::kInt)};
      const Samples test{named("test", at::kFloat), named("truth", at::kInt)};
      double ours = 0;
      for (uint64_t seed = 0; seed < 5; ++seed) {
        ForestSpec spec;
        spec.seed = seed;
        spec.weights = SampleWeights::equal;
        ours += accuracy(grown(train, spec), test) / 5;
      }
      const double theirs = named("score", at::kDouble)[0].item<double>();
      qInfo("data set %d: accuracy %.4f, scikit-learn %.4f", i, ours, theirs);
      QVERIFY(ours > theirs - a_point);
    }
  }
};

TL_TEST_CASE(ForestTest)

}  // namespace tl::forest_test

#include "forest.moc"
