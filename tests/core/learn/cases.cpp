// Learning axis and tilt of a half turn, jitter, and the geometry of a cone beam: each right, or said to be unknown.
#include "tests/support/learn/cases.h"

#include "tests/support/test_case.h"

namespace tl::cases_test {

using test::LearnCase;
using test::TiltScan;

namespace {

learn::Learned learned(const LearnCase& c) {
  RunOptions options;
  options.memory = int64_t{1} << 29;
  Executor executor(test::registry(), options);
  return learn::learn(executor, test::registry(), c.graph, c.settings).or_throw();
}

double sigma(const learn::Found& f) { return f.uncertainty.empty() ? 0 : f.uncertainty.front(); }
double error(const learn::Found& f, double truth) { return std::abs(f.value.front() - truth); }

// The law of every case: within the bar, or within three of the sigmas that are reported.
bool lawful(const learn::Found& f, double truth, double bar) { return error(f, truth) <= std::max(bar, 3 * sigma(f)); }

}  // namespace

class LearnCasesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void axis_and_tilt_of_a_half_turn_data() {
    QTest::addColumn<TiltScan>("scan");
    // More seeds: bench_learn_coverage.
    int64_t seed = 0;
    for (const auto& [axis, tilt] : {std::pair(2.3, 0.7), std::pair(-1.5, -0.4), std::pair(0.25, 0.1)})
      QTest::addRow("axis %g px, tilt %g deg", axis, tilt) << TiltScan{axis, tilt, 1e4, ++seed};
    QTest::addRow("few photons") << TiltScan{2.3, 0.7, 1e3, 4};
    QTest::addRow("upright") << TiltScan{-3, 0, 1e4, 5};
  }
  void axis_and_tilt_of_a_half_turn() {
    QFETCH(TiltScan, scan);
    const learn::Learned l = learned(test::tilt_case(scan));
    const std::string text = test::describe(l);
    qInfo("%s", text.c_str());
    QVERIFY2(l.trust() == learn::Trust::resolved, text.c_str());
    QVERIFY2(lawful(l.found[0], scan.axis, 0.05) && lawful(l.found[1], scan.tilt, 0.02), text.c_str());
    if (scan.photons < 1e4) return;
    QVERIFY2(error(l.found[0], scan.axis) <= 0.05, text.c_str());
    QVERIFY2(error(l.found[1], scan.tilt) <= 0.35, text.c_str());
  }

  // The strength of phase retrieval, from a scan in contact: noise of a few per cent in every pixel.
  void delta_over_beta_of_two_distances() {
    for (const int64_t seed : {1, 2}) {
      test::PhaseScan scan;
      scan.seed = seed;
      const learn::Learned l = learned(test::phase_case(scan));
      const learn::Found& f = l.found[0];
      const std::string text = test::describe(l);
      qInfo("%s", text.c_str());
      QVERIFY2(f.trust == learn::Trust::resolved, text.c_str());
      QVERIFY2(sigma(f) < 0.01 * scan.delta_over_beta && lawful(f, scan.delta_over_beta, 0), text.c_str());
    }
  }

  void jitter_of_every_view() {
    const LearnCase c = test::jitter_case({});
    const learn::Learned l = learned(c);
    const test::JitterErrors e = test::jitter_errors(c, l);
    const std::string text = std::to_string(e.across) + " and " + std::to_string(e.along) + " px; " + test::describe(l);
    qInfo("%s", text.c_str());
    QVERIFY2(e.across < 0.1 && e.along < 0.1, text.c_str());
  }

  // Views that do not see all of the object have centres of mass of their own: never a small sigma for them.
  void an_object_that_leaves_the_rows_is_not_resolved() {
    for (const double height : {1.0, 1.6, 4.0}) {
      test::JitterScan scan;
      scan.height = height;
      const LearnCase c = test::jitter_case(scan);
      const learn::Learned l = learned(c);
      const test::JitterErrors e = test::jitter_errors(c, l);
      const std::string text =
          std::to_string(e.across) + " and " + std::to_string(e.along) + " px; " + test::describe(l);
      qInfo("%s", text.c_str());
      QVERIFY2(e.along > 0.2, text.c_str());  // the case is a hard one
      QVERIFY2(l.found[1].trust != learn::Trust::resolved, text.c_str());
      QVERIFY2(sigma(l.found[1]) * 3 >= e.along && sigma(l.found[0]) * 3 >= e.across, text.c_str());
    }
  }

  // Found, or said to be unknown: the views of a reconstruction from few views differ from the measured ones by more
  // than noise explains, with noise and without.
  void a_cone_beam_says_what_it_does_not_know() {
    for (const double photons : {0.0, 1e4}) {
      test::ConeScan scan;
      scan.photons = photons;
      const learn::Learned l = learned(test::cone_case(scan));
      const std::string text = test::describe(l);
      qInfo("%s", text.c_str());
      const double truth[] = {scan.axis, scan.tilt, 200}, bar[] = {0.05, 0.05, 2};
      for (std::size_t n = 0; n < 3; ++n) QVERIFY2(lawful(l.found[n], truth[n], bar[n]), text.c_str());
      QVERIFY2(error(l.found[0], scan.axis) < 0.05, text.c_str());
    }
  }
};

TL_TEST_CASE(LearnCasesTest)

}  // namespace tl::cases_test

#include "cases.moc"
