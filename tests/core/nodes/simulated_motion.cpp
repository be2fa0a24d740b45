// A simulated body that moves: its views are those of the body where it is at the time, and so is its truth.
#include <ATen/ATen.h>

#include "core/node/registry.h"
#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::simulated_motion_test {

namespace {

constexpr int64_t views = 5, rows = 24, cols = 32;

// Drifts in pixels of 1 mm; what a detector adds is left out.
Graph moving(double x, double z, double truth_at = 0.5) {
  Graph g;
  g.nodes["simulate"] = {"input.simulate_scan",
                         1,
                         {{"phantom", std::string("hollow_sphere")},
                          {"size", Number{0.5}},
                          {"views", views},
                          {"rows", rows},
                          {"cols", cols},
                          {"pixel_size", Number{1000, Unit::um}},
                          {"noise", std::string("none")},
                          {"unevenness", Number{0}},
                          {"drift_x", Number{1000 * x, Unit::um}},
                          {"drift_z", Number{1000 * z, Unit::um}},
                          {"truth_at", Number{truth_at}}}};
  return g;
}

at::Tensor counts(const Graph& g) {
  Executor executor(Registry::all(), {});
  return std::get<Projections>(executor.pull(g, "simulate", "projections").or_throw()).data.to(at::kDouble);
}

at::Tensor truth(const Graph& g) {
  Executor executor(Registry::all(), {});
  return std::get<Volume>(executor.pull(g, "simulate", "truth").or_throw()).data.to(at::kDouble);
}

double difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

}  // namespace

class SimulatedMotionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void views_are_of_the_body_where_it_is() {
    constexpr int64_t shift = 2, last = views - 1;
    const at::Tensor still = counts(moving(0, 0)), up = counts(moving(0, 2 * shift)),
                     along = counts(moving(2 * shift, 0));
    const double tolerance = 1e-3;  // of 10 000 counts: positions are rounded
    // Row 0 is the top: it begins two pixels lower, and ends two higher.
    QVERIFY(difference(up[0].narrow(0, shift, rows - shift), still[0].narrow(0, 0, rows - shift)) < tolerance);
    QVERIFY(difference(up[last].narrow(0, 0, rows - shift), still[last].narrow(0, shift, rows - shift)) < tolerance);
    QVERIFY(difference(up[views / 2], still[views / 2]) < tolerance);
    QVERIFY(difference(up[0], still[0]) > 100);
    // In the first view, columns run along x.
    QVERIFY(difference(along[0].narrow(1, 0, cols - shift), still[0].narrow(1, shift, cols - shift)) < tolerance);
  }

  void the_truth_is_that_of_its_moment() {
    constexpr int64_t shift = 2;
    const at::Tensor still = truth(moving(0, 0)), first = truth(moving(0, 2 * shift, 0)),
                     middle = truth(moving(0, 2 * shift));
    const int64_t planes = still.size(0) - shift;
    QVERIFY(difference(first.narrow(0, 0, planes), still.narrow(0, shift, planes)) < 1e-6);
    QVERIFY(difference(middle, still) < 1e-6);
    QVERIFY(difference(first, still) > 1e-3);
  }

  void phase_contrast_does_not_move() {
    Graph g = moving(1, 0);
    g.nodes["simulate"].params["contrast"] = std::string("fresnel");
    Executor executor(Registry::all(), {});
    QVERIFY(!executor.pull(g, "simulate", "projections").ok());
  }
};

TL_TEST_CASE(SimulatedMotionTest)

}  // namespace tl::simulated_motion_test

#include "simulated_motion.moc"
