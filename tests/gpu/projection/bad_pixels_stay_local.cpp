// A NaN pixel affects exactly the voxels that it has a nonzero weight in: for every loop of the back-projector and of
// the projector, with every instruction set.
#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/verify/cases.h"
#include "tests/support/test_case.h"

namespace tl::bad_pixels_stay_local_test {

namespace {

// Makes the loops of one instruction set run while it lives.
class Variant {
 public:
  explicit Variant(const char* name) : before_(qgetenv(variable)) { qputenv(variable, name); }
  ~Variant() { before_.isNull() ? qunsetenv(variable) : qputenv(variable, before_); }
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;

 private:
  static constexpr const char* variable = "TL_CPU_VARIANT";
  QByteArray before_;
};

std::vector<const char*> variants() {
  std::vector<const char*> all = {"plain"};
  if (ops::best_cpu_variant() >= ops::CpuVariant::avx2) all.push_back("avx2");
  if (ops::best_cpu_variant() >= ops::CpuVariant::avx512) all.push_back("avx512");
  return all;
}

ScanGeometry scan(Beam beam, std::vector<double> angles, double axis, double tilt) {
  Orbit o;
  o.beam = beam;
  o.angles = std::move(angles);
  if (beam == Beam::cone) {
    o.source_to_axis = 100;
    o.axis_to_detector = 20;
  }
  o.axis = axis;
  o.tilt = tilt;
  return ScanGeometry::from_orbit(o, {24, 40, 0.5, 0.5}).or_throw();
}

enum class Map { back_projection, projection_transpose };
OperatorPtr make(Map map, const ScanGeometry& g, const VolumeGrid& grid, KernelChoice kernel) {
  if (map == Map::back_projection) {
    BackProjectorSpec spec{g, grid, g.is_parallel() ? DistanceWeight::none : DistanceWeight::fdk};
    spec.kernel = kernel;
    return make_back_projector(std::move(spec)).or_throw();
  }
  ProjectorSpec spec{g, grid};
  spec.kernel = kernel;
  return make_projector(std::move(spec)).or_throw();
}
at::Tensor to_volume(Map map, const OperatorPtr& op, const at::Tensor& views) {
  return map == Map::back_projection ? op->apply(views) : op->adjoint(views);
}

// The weight of a pixel in every voxel, in double.
at::Tensor weights(Map map, const ScanGeometry& g, const VolumeGrid& grid, const std::array<int64_t, 3>& pixel) {
  const OperatorPtr op = make(map, g, grid, KernelChoice::generic);
  at::Tensor one = at::zeros(map == Map::back_projection ? op->domain() : op->range(), at::kDouble);
  one[pixel[0]][pixel[1]][pixel[2]] = 1.0;
  return to_volume(map, op, one).abs();
}

}  // namespace

class BadPixelsStayLocalTest : public QObject {
  Q_OBJECT

  // Every kind of scan and grid, which the loops choose by; the name of the row says which.
  static void add_scans() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<double>("tilt");
    QTest::addColumn<QString>("grid");
    for (const Beam beam : {Beam::parallel, Beam::cone})
      for (const double tilt : {0.0, 0.02})
        for (const char* grid : {"thick", "slice", "oblique"})
          QTest::addRow("%s, tilt %g, %s", beam == Beam::cone ? "cone" : "parallel", tilt, grid)
              << static_cast<int>(beam) << tilt << QString(grid);
  }
  static VolumeGrid grid_of(const QString& name) {
    if (name == "oblique") return VolumeGrid::plane(36, 36, 0.45, {}, {0.9, 0.3, 0}, {-0.1, 0.3, 0.1});
    return VolumeGrid::cubic(name == "slice" ? 1 : 20, 36, 36, 0.45);
  }

 private Q_SLOTS:
  void back_projection_data() { add_scans(); }
  // Voxels that see the pixel are bad, those that do not are finite, with every instruction set.
  void back_projection() {
    QFETCH(int, beam);
    QFETCH(double, tilt);
    QFETCH(QString, grid);
    // Smaller weights, as a share of the largest, may round to nothing. A voxel that sees the pixel under no axis
    // within `reach` pixels must be finite.
    constexpr double small = 1e-4, reach = 1e-3;
    const std::vector<double> angles = {0.3, 1.1, 2.9};
    const std::array<int64_t, 3> pixel = {1, 12, 21};
    const VolumeGrid g = grid_of(grid);
    const ScanGeometry s = scan(Beam(beam), angles, 0.7, tilt);
    const at::Tensor weight = weights(Map::back_projection, s, g, pixel);
    at::Tensor near = weight;
    for (const double side : {-reach, reach})
      near = at::maximum(near, weights(Map::back_projection, scan(Beam(beam), angles, 0.7 + side, tilt), g, pixel));
    for (const char* name : variants()) {
      const Variant chosen(name);
      for (const float value : {NAN, INFINITY}) {
        at::Tensor views = verify::gaussian({3, 24, 40}, 3, 1).to(at::kFloat);
        views[pixel[0]][pixel[1]][pixel[2]] = value;
        const at::Tensor bad = ~make(Map::back_projection, s, g, KernelChoice::fastest)->apply(views).isfinite();
        QVERIFY2(!((weight > small * weight.max()) & ~bad).any().item<bool>(), name);
        QVERIFY2(!((near == 0) & bad).any().item<bool>(), name);
      }
    }
  }

  // A voxel that lands on the middle of a row does not read the next row; whether it reads the next column is
  // the same with every instruction set.
  void rows_of_no_weight_are_not_read() {
    const ScanGeometry s = scan(Beam::parallel, {0.0}, 0, 0);
    for (const int64_t slices : {2, 6, 24}) {
      const VolumeGrid g = VolumeGrid::cubic(slices, 40, 40, 0.5);  // slices are rows
      const std::array<int64_t, 3> pixel = {0, 12, 19};
      const at::Tensor has_weight = weights(Map::back_projection, s, g, pixel).amax(at::IntArrayRef{1, 2}) > 0;
      QCOMPARE(has_weight.sum().item<int64_t>(), int64_t{1});
      at::Tensor first;
      for (const char* name : variants()) {
        const Variant chosen(name);
        at::Tensor views = verify::gaussian({1, 24, 40}, 3, 1).to(at::kFloat);
        views[pixel[0]][pixel[1]][pixel[2]] = NAN;
        const at::Tensor bad = make(Map::back_projection, s, g, KernelChoice::fastest)->apply(views).isnan();
        QVERIFY2(at::equal(bad.amax(at::IntArrayRef{1, 2}), has_weight),
                 qPrintable(QString("%1, %2 slices").arg(name).arg(slices)));
        if (!first.defined()) first = bad;
        QVERIFY2(at::equal(bad, first), qPrintable(QString("%1, %2 slices").arg(name).arg(slices)));
      }
    }
  }

  void transposed_projection_data() { add_scans(); }
  // The transpose of the projector is for residuals, which are finite: what it makes of others is at least the same
  // with every instruction set, and nothing is lost.
  void transposed_projection() {
    QFETCH(int, beam);
    QFETCH(double, tilt);
    QFETCH(QString, grid);
    constexpr double small = 1e-4;
    const ScanGeometry s = scan(Beam(beam), {0.3, 1.1, 2.9}, 0.7, tilt);
    const VolumeGrid g = grid_of(grid);
    const std::array<int64_t, 3> pixel = {1, 12, 21};
    const at::Tensor weight = weights(Map::projection_transpose, s, g, pixel);
    at::Tensor first;
    for (const char* name : variants()) {
      const Variant chosen(name);
      at::Tensor views = verify::gaussian({3, 24, 40}, 3, 1).to(at::kFloat);
      views[pixel[0]][pixel[1]][pixel[2]] = NAN;
      const at::Tensor bad = make(Map::projection_transpose, s, g, KernelChoice::fastest)->adjoint(views).isnan();
      QVERIFY2(!((weight > small * weight.max()) & ~bad).any().item<bool>(), name);
      if (!first.defined()) first = bad;
      QVERIFY2(at::equal(bad, first), name);
    }
  }
};

TL_TEST_CASE(BadPixelsStayLocalTest)

}  // namespace tl::bad_pixels_stay_local_test

#include "bad_pixels_stay_local.moc"
