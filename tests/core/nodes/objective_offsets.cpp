// Objectives of the image find an axis anywhere between two pixels.
#include <cmath>

#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::objective_offsets_test {

namespace {

constexpr double offsets[] = {0, 0.25, 0.3, 0.5, 0.75};
// Finer columns, a smooth window up to the pixels' own Nyquist frequency, and voxels that are not a simple multiple of
// the pixels: where they are, all voxels of a row fall on the same part of a pixel in views along the grid, and are
// blurred the same.
Graph pipeline(const std::string& objective, double axis, int64_t factor, double range) {
  Graph g;
  g.nodes["scan"] = {"test.phantom",
                     1,
                     {{"views", range > 180 ? int64_t{240} : int64_t{150}},
                      {"rows", int64_t{1}},
                      {"cols", int64_t{96}},
                      {"range", Number{range, Unit::deg}},
                      {"axis", Number{axis, Unit::px}}}};
  g.nodes["axis"] = {"geometry.set", 1, {}};
  g.nodes["recon"] = {"recon.fbp",
                      1,
                      {{"voxel_size", Number{1037, Unit::um}},
                       {"width", int64_t{77}},
                       {"filter", std::string("hann")},
                       {"cutoff", Number{1 / static_cast<double>(factor), Unit::nyquist}}}};
  g.nodes["node"] = {objective, 1, {}};
  std::string last = "axis";
  g.links.push_back({"scan", "projections", "axis", "projections"});
  if (factor > 1) {
    g.nodes["finer"] = {"geometry.finer_columns", 1, {{"factor", factor}}};
    g.links.push_back({"axis", "projections", "finer", "projections"});
    last = "finer";
  }
  g.links.push_back({last, "projections", "recon", "projections"});
  g.links.push_back({"recon", "volume", "node", "volume"});
  return g;
}

// The best of a coarse scan, then the golden section around it.
double found(const Graph& g) {
  Executor e(test::registry(), test::options_in({}));
  const auto loss = [&](double axis) {
    Graph at = g;
    at.nodes["axis"].params["axis"] = Number{axis, Unit::px};
    return std::get<Scalar>(e.pull(at, "node", "loss").or_throw()).value.item<double>();
  };
  constexpr double step = 0.125;
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (double a = -1; a <= 2; a += step)
    if (const double l = loss(a); l < least) {
      least = l;
      best = a;
    }
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  double low = best - step, high = best + step, x = high - ratio * (high - low), y = low + ratio * (high - low);
  double fx = loss(x), fy = loss(y);
  while (high - low > 0.004) {
    if (fx < fy) {
      high = y;
      y = x;
      fy = fx;
      x = high - ratio * (high - low);
      fx = loss(x);
    } else {
      low = x;
      x = y;
      fx = fy;
      y = low + ratio * (high - low);
      fy = loss(y);
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

class ObjectiveOffsetsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A quadratic score of half a turn is the same about every axis (Parseval), so those are given a full one; the
  // entropy is given half a turn, where a wrong axis leaves edges without a counterpart.
  void image_objectives_find_any_offset_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<double>("turn");
    QTest::newRow("gradient energy") << QString("objective.gradient_energy") << 360.0;
    QTest::newRow("sharpness") << QString("objective.sharpness") << 360.0;
    QTest::newRow("entropy") << QString("objective.entropy") << 180.0;
  }
  void image_objectives_find_any_offset() {
    QFETCH(QString, id);
    QFETCH(double, turn);
    for (const double offset : offsets) {
      const double axis = found(pipeline(id.toStdString(), offset, 4, turn));
      qInfo("%s: true %.2f, found %.3f", qPrintable(id), offset, axis);
      QVERIFY2(std::abs(axis - offset) < 0.05, std::to_string(axis).c_str());
    }
  }
};

TL_TEST_CASE(ObjectiveOffsetsTest)

}  // namespace tl::objective_offsets_test

#include "objective_offsets.moc"
