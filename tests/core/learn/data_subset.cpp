// Parts of the data for learning: flats of parts of a scan stay with the views of theirs.
#include "core/learn/data_subset.h"

#include <ATen/ATen.h>

#include "gpu/correction/flats/flat_field.h"
#include "tests/support/test_case.h"

namespace tl::data_subset_test {

namespace {

constexpr int64_t each = 7, parts = 3, rows = 2, cols = 4;

// Parts with flats of another brightness each, at their first and last view; the transmission is 0.5 everywhere.
GivenOutput scan_of_parts() {
  Projections scan;
  scan.geometry = ScanGeometry::parallel(equidistant_angles(parts * each, pi), {rows, cols, 1, 1}).or_throw();
  std::vector<at::Tensor> flats, views;
  for (int64_t k = 0; k < parts; ++k) {
    const double beam = 1000.0 * static_cast<double>(k + 1);
    for (int64_t i = 0; i < each; ++i) views.push_back(at::full({rows, cols}, beam / 2, at::kDouble));
    for (const int64_t at : {k * each, k * each + each - 1}) {
      flats.push_back(at::full({rows, cols}, beam, at::kDouble));
      scan.references.flat_positions.push_back(static_cast<double>(at));
    }
  }
  scan.data = at::stack(views);
  scan.references.flats = at::stack(flats);
  ProjectionsInfo info;
  info.geometry = scan.geometry;
  info.flats = scan.references.flats.size(0);
  return {scan, ScanRegion{{0, parts * each}, {0, rows}, {0, cols}}, info};
}

}  // namespace

class DataSubsetTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Whatever views are taken, each is divided by the flats of its own part.
  void views_keep_the_flats_of_their_part() {
    for (int64_t stride = 1; stride < 2 * each + 2; ++stride)
      for (int64_t first = 0; first < stride; ++first) {
        GivenOutput given = scan_of_parts();
        QVERIFY(learn::take_subset(given, {stride, first, {}, 1}, 1, "flat").ok());
        const auto& scan = std::get<Projections>(given.value);
        QCOMPARE(std::get<ProjectionsInfo>(given.info).flats, scan.references.flats.size(0));
        ops::FlatFieldSpec spec;
        spec.flats = scan.references.flats;
        spec.flat_positions = scan.references.flat_positions;
        spec.change = ops::FlatChange::interpolate;
        const at::Tensor found = ops::flat_field(scan.data, spec).or_throw().transmission;
        QCOMPARE(found.size(0), (parts * each - first + stride - 1) / stride);
        QVERIFY2((found - 0.5).abs().max().item<double>() < 1e-12,
                 qPrintable(QString("every %1 from %2").arg(stride).arg(first)));
      }
  }

  // Flats between two views stay between those that are taken.
  void flats_between_views_stay_there() {
    GivenOutput given = scan_of_parts();
    std::get<Projections>(given.value).references.flat_positions = {-0.5, -0.5, 8.5, 8.5, 20.5, 20.5};
    QVERIFY(learn::take_subset(given, {4, 1, {}, 1}, 1, "flat").ok());  // 1, 5, 9, 13, 17
    QCOMPARE(std::get<Projections>(given.value).references.flat_positions,
             (std::vector<double>{-0.5, -0.5, 1.5, 1.5, 4.5, 4.5}));
  }
};

TL_TEST_CASE(DataSubsetTest)

}  // namespace tl::data_subset_test

#include "data_subset.moc"
