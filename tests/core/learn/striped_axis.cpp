// The learned axis of scans with equal stripes: never resolved and wrong, and right with the node that removes rings.
#include <cmath>

#include "tests/support/given_scan.h"
#include "tests/support/learn/axis_trials.h"
#include "tests/support/learn/scans.h"
#include "tests/support/test_case.h"

namespace tl::striped_axis_test {

using test::AxisTrial;

namespace {

enum class Rings { left, removed };

// given -> (rings) -> axis -> objective
learn::Learned learned(const AxisTrial& t, Rings rings) {
  Orbit orbit;
  orbit.angles = t.angles;
  test::given_scan = {};
  test::given_scan.data = t.absorption;
  test::given_scan.kind = PixelKind::absorption;
  test::given_scan.geometry =
      ScanGeometry::from_orbit(orbit, {t.absorption.size(1), t.absorption.size(2), 1, 1}).or_throw();
  Graph g;
  g.nodes["given"] = {"test.given", 1, {}};
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{0, Unit::px}}}};
  g.nodes["objective"] = {t.full_turn() ? "objective.variance" : "objective.wedge", 1, {}};
  g.links = {{"axis", "projections", "objective", "projections"}};
  if (rings == Rings::removed) {
    g.nodes["rings"] = {"correct.stripe_automatic", 1, {}};
    g.links.push_back({"given", "projections", "rings", "projections"});
    g.links.push_back({"rings", "projections", "axis", "projections"});
  } else {
    g.links.push_back({"given", "projections", "axis", "projections"});
  }
  Executor executor(test::registry_with_given(), test::roomy());
  return learn::learn(executor, test::registry_with_given(), g, test::learn_axis()).or_throw();
}

}  // namespace

class StripedAxisTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Stripes stay where they are in all views, as an object on an axis in the middle between them does.
  void equal_stripes() {
    constexpr double tolerable = 0.1;  // [px] what is nearer than that is right, whatever its sigma
    int64_t resolved = 0, clean = 0;
    for (uint64_t seed = 0; seed < 8; ++seed) {
      const AxisTrial t = test::axis_trial("equal stripes", seed);
      for (const Rings rings : {Rings::left, Rings::removed}) {
        const learn::Learned l = learned(t, rings);
        const learn::Found& f = l.found.front();
        const double error = std::abs(f.value.front() - t.axis);
        const std::string text = "seed " + std::to_string(seed) + (rings == Rings::left ? "" : ", rings removed") +
                                 ", axis " + std::to_string(t.axis) + ": " + test::describe(l);
        qInfo("error %.3f, %s", error, text.c_str());
        if (f.trust != learn::Trust::resolved) continue;
        (rings == Rings::left ? resolved : clean) += 1;
        QVERIFY2(error <= std::max(tolerable, 3 * f.uncertainty.front()), text.c_str());
      }
    }
    qInfo("resolved: %lld with stripes, %lld without", static_cast<long long>(resolved), static_cast<long long>(clean));
    QVERIFY(clean >= 7);
  }
};

TL_TEST_CASE(StripedAxisTest)

}  // namespace tl::striped_axis_test

#include "striped_axis.moc"
