// Learning by pairs of views finds axis, tilt, yaw and distance of a cone beam, and never its scale.
#include "core/learn/learning.h"
#include "tests/support/learn/epipolar_trial.h"
#include "tests/support/test_case.h"

namespace tl::learn_epipolar_test {

using namespace tl::test;

EpipolarTrial small() {
  EpipolarTrial t;
  t.views = 36;
  t.pixels = 64;
  return t;
}
learn::Learned learned_from(const Graph& graph, const learn::Settings& settings) {
  Executor executor(registry_with_given(), roomy());
  return learn::learn(executor, registry_with_given(), graph, settings).or_throw();
}

class LearnEpipolarTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_geometry_is_found() {
    const EpipolarTrial t = small();
    const learn::Learned l = learned_from(epipolar_graph(t), epipolar_settings());
    // A fifth of the views and half of the pixels of the benchmark trust/epipolar_trust.
    const double truths[] = {t.axis, t.tilt * 180 / pi, t.yaw * 180 / pi, t.source_to_detector() * (1 + t.distance)};
    const double enough[] = {0.3, 0.15, 0.6, 0.03 * t.source_to_detector()};
    for (std::size_t n = 0; n < 4; ++n) {
      const learn::Found& f = l.found.at(n);
      QVERIFY2(std::abs(f.value.front() - truths[n]) < enough[n], describe(l).c_str());
      QVERIFY2(f.uncertainty.empty() || std::abs(f.value.front() - truths[n]) < 4 * f.uncertainty.front(),
               describe(l).c_str());
    }
    QVERIFY2(l.found.at(0).trust == learn::Trust::resolved, describe(l).c_str());
  }
  void the_laminography_angle_is_found() {
    LaminographyTrial t;
    t.views = 48;
    t.rows = 48;
    t.cols = 64;
    const learn::Learned l = learned_from(laminography_graph(t), laminography_settings());
    // A quarter of the views and half of the pixels of the benchmark trust/epipolar_trust.
    const double truths[] = {t.axis, t.tilt * 180 / pi, (t.stated + t.lean) * 180 / pi}, enough[] = {0.1, 0.1, 0.15};
    for (std::size_t n = 0; n < 3; ++n) {
      const learn::Found& f = l.found.at(n);
      QVERIFY2(std::abs(f.value.front() - truths[n]) < enough[n], describe(l).c_str());
      QVERIFY2(f.uncertainty.empty() || std::abs(f.value.front() - truths[n]) < 4 * f.uncertainty.front(),
               describe(l).c_str());
    }
  }
  void scale_is_never_resolved() {
    learn::Settings s = epipolar_settings();
    s.targets = {target("geometry", "axis"), target("geometry", "source_to_axis")};
    Graph g = epipolar_graph(small());
    g.nodes["geometry"].params.erase("source_to_detector");
    const learn::Learned l = learned_from(g, s);
    QVERIFY2(l.found.at(1).trust != learn::Trust::resolved, describe(l).c_str());
  }
  void a_centred_ball_has_no_distance() {
    EpipolarTrial t = small();
    t.object = EpipolarTrial::Object::ball;
    const learn::Learned l = learned_from(epipolar_graph(t), epipolar_settings());
    QVERIFY2(l.found.at(3).trust != learn::Trust::resolved, describe(l).c_str());
  }
};

TL_TEST_CASE(LearnEpipolarTest)

}  // namespace tl::learn_epipolar_test

#include "epipolar.moc"
