// Learning the rotation axis: the right value, an uncertainty that covers the error, and verdicts where there is none.
#include "tests/support/learn/scans.h"
#include "tests/support/test_case.h"

#include <cmath>
#include <fstream>

#include <QTemporaryDir>

#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/operator/slab_sum.h"

std::vector<tl::NodeType> tl_node_list();

namespace tl::axis_test {

using test::AxisScan;

namespace {

// Acceptance A: within 0.05 px, or three of the reported sigmas where the data are worse.
double allowed(const learn::Found& f) { return std::max(0.05, 3 * f.uncertainty.front()); }

// An objective with two equal minima, at -8 and 8 px, as deep as there is matter.
struct Lobes {
  double places = 8;
};

Result<void> run_lobes(const Lobes& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const at::Tensor vectors =
      in.vectors.defined() ? in.vectors : at::tensor(in.geometry.vectors(), at::kDouble).view({-1, 12});
  const at::Tensor detector = vectors.narrow(1, 3, 3), u = vectors.narrow(1, 6, 3);
  const at::Tensor axis = ((detector * u).sum(1) / (u * u).sum(1)).mean();
  r.out("loss", Scalar{(axis * axis / (p.places * p.places) - 1).square() * in.data.mean().to(at::kDouble).square(),
                       Unit::none});
  return ok();
}

void describe_lobes(NodeBuilder<Lobes>& n) {
  n.id("test.lobes", 1).title("Lobes").category("Learning").partition(Partition::whole);
  n.summary("Two minima.").description("For tests.");
  n.input<Projections>("projections", "Any scan.");
  n.output<Scalar>("loss", "Small at either position.");
  n.param("places", "Places", &Lobes::places).range(1, 100).help("Where the minima are.");
  n.run(run_lobes);
}

const Registry& with_lobes() {
  static const Registry all = [] {
    auto types = tl_node_list();
    types.push_back(NodeBuilder<Lobes>::build(describe_lobes));
    return Registry(std::move(types));
  }();
  return all;
}

learn::Learned learned(const Graph& graph, const learn::Settings& settings, const learn::LearnOptions& how = {}) {
  Executor executor(Registry::all(), test::roomy());
  return learn::learn(executor, Registry::all(), graph, settings, how).or_throw();
}

}  // namespace

class LearnAxisTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void finds_the_axis_data() {
    QTest::addColumn<AxisScan>("scan");
    QTest::addColumn<QString>("objective");
    const QString variance = "objective.variance", wedge = "objective.wedge";
    AxisScan s;
    QTest::newRow("fan, a full turn") << s << variance;
    for (const double axis : {0.0, 0.25, 0.3, 0.5, 0.75}) {
      s.axis = axis;
      QTest::newRow(qPrintable(QString("offset %1").arg(axis))) << s << variance;
    }
    s = AxisScan{};
    s.cols = 129;
    QTest::newRow("odd width") << s << variance;
    s = AxisScan{};
    s.photons = 1e3;
    QTest::newRow("few photons") << s << variance;
    s = AxisScan{};
    s.views = 24;
    QTest::newRow("few views") << s << variance;
    s = AxisScan{};
    s.start = -24;
    QTest::newRow("from far away") << s << variance;
    s = AxisScan{};
    s.beam = Beam::parallel;
    QTest::newRow("parallel, a full turn") << s << variance;
    s.turn = 180;
    for (const double axis : {3.0, 0.25, 0.5}) {
      s.axis = axis;
      QTest::newRow(qPrintable(QString("half a turn, offset %1").arg(axis))) << s << wedge;
    }
    s.start = 25;
    QTest::newRow("half a turn, from far away") << s << wedge;
  }
  void finds_the_axis() {
    QFETCH(AxisScan, scan);
    QFETCH(QString, objective);
    const learn::Learned l = learned(test::axis_graph(scan, objective.toStdString()), test::learn_axis());
    const learn::Found& f = l.found.at(0);
    const std::string text = test::describe(l);
    QCOMPARE(f.uncertainty.size(), std::size_t{1});
    QVERIFY2(f.uncertainty.front() > 0, text.c_str());
    QVERIFY2(std::abs(f.value.front() - scan.axis) <= allowed(f), text.c_str());
    QVERIFY2(f.trust == learn::Trust::resolved, text.c_str());
    QVERIFY2(l.iterations <= 10, text.c_str());
    QCOMPARE(f.unit, Unit::px);
  }

  // Noise bends the objective of so few views: an uncertainty from close by was far too small for some scans.
  void few_views_are_not_too_sure() {
    AxisScan s;
    s.views = 36;
    s.cols = 512;
    s.attenuation = 1;
    double squares = 0;
    int64_t resolved = 0;
    constexpr int64_t scans = 12, first = 5;
    for (s.seed = first; s.seed < first + scans; ++s.seed) {
      const learn::Learned l = learned(test::axis_graph(s, "objective.variance"), test::learn_axis());
      const learn::Found& f = l.found.front();
      const double error = std::abs(f.value.front() - s.axis);
      if (f.trust != learn::Trust::resolved) continue;
      ++resolved;
      QVERIFY2(error <= allowed(f), test::describe(l).c_str());
      squares += error * error / (f.uncertainty.front() * f.uncertainty.front());
    }
    QVERIFY(resolved > scans / 2);
    // Errors are as large as the uncertainties say; of so few scans their ratio is known to a fifth or so.
    const double ratio = std::sqrt(squares / static_cast<double>(resolved));
    QVERIFY2(ratio > 0.5 && ratio < 1.5, qPrintable(QString::number(ratio)));
  }

  // Large data go back in a pass of their own, and slab by slab: the same result.
  void large_data_give_the_same() {
    const AxisScan s;
    const Graph g = test::axis_graph(s, "objective.variance");
    const learn::Found whole = learned(g, test::learn_axis()).found.front();
    const ScopedSlabSize as_if_large(1000);
    const learn::Found parts = learned(g, test::learn_axis()).found.front();
    // Sums are joined in another order, which kinks of the interpolation may answer.
    QVERIFY(std::abs(parts.value.front() - whole.value.front()) < 1e-3 * whole.uncertainty.front());
    QVERIFY(std::abs(parts.uncertainty.front() / whole.uncertainty.front() - 1) < 1e-3);
    QCOMPARE(parts.trust, whole.trust);
  }

  void an_empty_scan_is_flat() {
    AxisScan s;
    s.attenuation = 1e-9;
    for (const char* objective : {"objective.variance", "objective.wedge"}) {
      s.beam = Beam::parallel;
      const learn::Learned l = learned(test::axis_graph(s, objective), test::learn_axis());
      QVERIFY2(l.trust() == learn::Trust::flat, test::describe(l).c_str());
    }
  }

  void a_narrow_search_is_railed() {
    AxisScan s;
    s.axis = 6;
    learn::Settings settings = test::learn_axis();
    settings.targets[0].low = Number{-2, Unit::px};
    settings.targets[0].high = Number{2, Unit::px};
    const learn::Learned l = learned(test::axis_graph(s, "objective.variance"), settings);
    QVERIFY2(l.trust() == learn::Trust::railed, test::describe(l).c_str());
  }

  void two_equal_optima_are_ambiguous() {
    AxisScan s;
    s.beam = Beam::parallel;
    Executor executor(with_lobes(), test::roomy());
    const Graph g = test::axis_graph(s, "test.lobes");
    const learn::Learned l = learn::learn(executor, with_lobes(), g, test::learn_axis()).or_throw();
    QVERIFY2(l.trust() == learn::Trust::ambiguous, test::describe(l).c_str());
    QVERIFY2(std::abs(std::abs(l.found[0].value[0]) - 8) < 0.05, test::describe(l).c_str());
    QVERIFY2(l.found[0].explanation.find("8") != std::string::npos, test::describe(l).c_str());
  }

  void every_method_gets_there_data() {
    QTest::addColumn<int>("method");
    for (const auto m : {learn::Method::newton, learn::Method::sgd, learn::Method::nesterov, learn::Method::adam,
                         learn::Method::lbfgs})
      QTest::newRow(std::string(to_string(m)).c_str()) << static_cast<int>(m);
  }
  void every_method_gets_there() {
    QFETCH(int, method);
    learn::Settings settings = test::learn_axis();
    settings.method = static_cast<learn::Method>(method);
    settings.survey = learn::Survey::none;
    const learn::Learned l = learned(test::axis_graph({}, "objective.variance"), settings);
    // The rule of all cases: 0.05 px or three times what is reported.
    QVERIFY2(!l.found[0].uncertainty.empty(), test::describe(l).c_str());
    QVERIFY2(std::abs(l.found[0].value[0] - 3) <= std::max(0.05, 3 * l.found[0].uncertainty[0]),
             test::describe(l).c_str());
  }

  void subsets_of_the_views_get_there() {
    learn::Settings settings = test::learn_axis();
    settings.subsets.views = 0.25;
    const learn::Learned l = learned(test::axis_graph({}, "objective.variance"), settings);
    QVERIFY2(std::abs(l.found[0].value[0] - 3) < 0.1, test::describe(l).c_str());
  }

  void a_killed_run_goes_on_and_ends_with_the_same_bits() {
    QTemporaryDir folder;
    const std::filesystem::path journal = folder.filePath("run.journal").toStdString();
    const Graph g = test::axis_graph({}, "objective.variance");
    const learn::Settings settings = test::learn_axis();
    learn::LearnOptions how;
    how.journal = journal;
    const std::string whole = to_json(learned(g, settings, how), settings);
    // As a kill leaves it: some lines, the last one torn.
    std::ifstream in(journal, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    QVERIFY(text.size() > 400);
    std::ofstream(journal, std::ios::binary | std::ios::trunc) << text.substr(0, text.size() / 2);
    QCOMPARE(to_json(learned(g, settings, how), settings), whole);
    // Nothing of another run is taken over.
    AxisScan other;
    other.seed = 2;
    const Graph h = test::axis_graph(other, "objective.variance");
    QVERIFY(to_json(learned(h, settings, how), settings) != whole);
    QCOMPARE(to_json(learned(h, settings, {}), settings), to_json(learned(h, settings, how), settings));
  }

  void settings_that_cannot_work_are_explained() {
    const Graph g = test::axis_graph({}, "objective.variance");
    const auto refused = [&](const learn::Settings& s, const std::string& part) {
      const auto r = learn::check(s, g, Registry::all());
      QVERIFY(!r.ok());
      QVERIFY2(r.error().message().find(part) != std::string::npos, r.error().message().c_str());
    };
    learn::Settings s = test::learn_axis();
    QVERIFY(learn::check(s, g, Registry::all()).ok());
    s.targets[0].node = "axes";
    refused(s, "axis");
    s = test::learn_axis();
    s.targets[0].name = "axi";
    refused(s, "axis");
    s = test::learn_axis();
    s.targets[0].name = "beam";
    refused(s, "not a number");
    s = test::learn_axis();
    s.objective.port = "los";
    refused(s, "objective.loss");
    s = test::learn_axis();
    s.targets.clear();
    refused(s, "nothing");
    s = test::learn_axis();
    s.targets.push_back(s.targets[0]);
    refused(s, "twice");
    s = test::learn_axis();
    s.targets[0].low = Number{2, Unit::px};
    s.targets[0].high = Number{-2, Unit::px};
    refused(s, "bounds");
    s = test::learn_axis();
    s.targets[0].start = Number{2, Unit::mm};
    refused(s, "px");
  }
};

TL_TEST_CASE(LearnAxisTest)

}  // namespace tl::axis_test

#include "axis.moc"
