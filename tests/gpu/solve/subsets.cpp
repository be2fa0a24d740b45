// Ordered subsets of views: each view once, far apart in the order, by angle and not by time.
#include <algorithm>

#include "core/base/units.h"
#include "gpu/solve/solve.h"
#include "tests/support/test_case.h"

namespace tl::subsets_test {
using namespace tl::solve;
namespace {

ScanGeometry half_turn(int64_t views) {
  return ScanGeometry::parallel(equidistant_angles(views, pi), {1, 1, 1, 1}).or_throw();
}

}  // namespace

class SubsetsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_view_once_whatever_the_order_of_recording() {
    for (const auto& [views, count] : {std::pair<int64_t, int64_t>{10, 3}, {7, 7}, {5, 9}, {180, 12}, {1, 1}}) {
      const auto all = ordered_subsets(half_turn(views), count);
      std::vector<int> visits(static_cast<std::size_t>(views), 0);
      for (const auto& subset : all) {
        QVERIFY(!subset.empty());
        for (const int64_t v : subset) ++visits.at(static_cast<std::size_t>(v));
      }
      for (const int n : visits) QCOMPARE(n, 1);
      QCOMPARE(static_cast<int64_t>(all.size()), std::min(views, count));
    }
    const auto subsets = ordered_subsets(half_turn(180), 12);
    QVERIFY(subsets[1][0] > 2);  // neighbours in the order are far apart
    // The same angles in every subset, whatever the order of recording.
    std::vector<int64_t> reordered;
    for (int64_t i = 0; i < 180; ++i) reordered.push_back(i * 7 % 180);
    const auto other = ordered_subsets(half_turn(180).select(reordered), 12);
    for (std::size_t s = 0; s < subsets.size(); ++s) {
      std::vector<int64_t> views;
      for (const int64_t view : other[s]) views.push_back(reordered[static_cast<std::size_t>(view)]);
      std::sort(views.begin(), views.end());
      QCOMPARE(views, subsets[s]);
    }
  }
};

TL_TEST_CASE(SubsetsTest)
}  // namespace tl::subsets_test
#include "subsets.moc"
