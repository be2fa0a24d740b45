// The numbers that stripes are searched by: running medians equal sorted windows, and numbers of some columns that were
// corrected equal those of a new search.
#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "gpu/correction/stripes/column_numbers.h"
#include "gpu/correction/stripes/running_medians.h"
#include "gpu/image/mirrored_index.h"
#include "tests/support/clean_scans.h"
#include "tests/support/test_case.h"

namespace tl::stripe_numbers_test {

using namespace tl::ops;

namespace {

std::vector<double> drawn(std::size_t count, uint64_t list) {
  const Philox random{7, list};
  std::vector<double> values;
  // Some values are equal.
  for (std::size_t i = 0; i < count; ++i) values.push_back(std::round(20 * random.normal(i)) / 20);
  return values;
}

double sorted_median(const std::vector<double>& list, int64_t at, int64_t size) {
  std::vector<double> window;
  for (int64_t k = 0; k < size; ++k)
    window.push_back(
        list[static_cast<std::size_t>(mirrored_index(at - size / 2 + k, static_cast<int64_t>(list.size())))]);
  std::sort(window.begin(), window.end());
  return window[static_cast<std::size_t>(size / 2)];
}

// Relative to the largest of a list, of sums in float32 that are made in another order.
constexpr double rounding = 1e-5;

bool near(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  double largest = 0;
  for (const double value : b) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= rounding * largest)) return false;
  return true;
}

}  // namespace

class StripeNumbersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void running_medians_are_those_of_sorted_windows_data() {
    QTest::addColumn<int>("lists");
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("size");
    QTest::newRow("one list") << 1 << 40 << 5;
    QTest::newRow("more lists than lanes") << 11 << 97 << 31;
    QTest::newRow("a window of one") << 3 << 10 << 1;
    QTest::newRow("a window longer than the list") << 2 << 6 << 9;
    QTest::newRow("one value") << 9 << 1 << 3;
  }
  void running_medians_are_those_of_sorted_windows() {
    QFETCH(int, lists);
    QFETCH(int, length);
    QFETCH(int, size);
    std::vector<std::vector<double>> all;
    for (int l = 0; l < lists; ++l) all.push_back(drawn(static_cast<std::size_t>(length), static_cast<uint64_t>(l)));
    const auto found = running_medians(all, size);
    QCOMPARE(found.size(), all.size());
    for (std::size_t l = 0; l < all.size(); ++l)
      for (int64_t i = 0; i < length; ++i)
        QCOMPARE(found[l][static_cast<std::size_t>(i)], sorted_median(all[l], i, size));
  }
  void nothing_has_no_medians() {
    QVERIFY(running_medians({}, 5).empty());
    QVERIFY(running_medians({{}, {}}, 5) == (std::vector<std::vector<double>>{{}, {}}));
  }

  void corrected_columns_are_read_as_if_all_were_data() {
    QTest::addColumn<QString>("noise");
    for (const char* noise : {"none", "photons"}) QTest::newRow(noise) << QString(noise);
  }
  void corrected_columns_are_read_as_if_all_were() {
    QFETCH(QString, noise);
    const auto known = test::clean_noises();
    if (std::find(known.begin(), known.end(), noise.toStdString()) == known.end())
      QFAIL(("there is no such noise as " + noise.toStdString()).c_str());
    const at::Tensor clean =
        test::CleanScans(5).make("ellipses", noise.toStdString(), "sorted").absorption.select(1, 0).contiguous();
    // At both ends, next to each other, and apart.
    std::vector<uint8_t> changed(static_cast<std::size_t>(clean.size(1)), 0);
    at::Tensor striped = clean.clone();
    for (const int64_t c : {int64_t{0}, int64_t{30}, int64_t{31}, int64_t{77}, clean.size(1) - 1}) {
      changed[static_cast<std::size_t>(c)] = 1;
      striped.select(1, c).add_(0.1);
    }
    const ViewDifferences views = view_differences(clean.size(0), {});
    const ColumnNumbers whole = column_numbers(clean, views),
                        some = column_numbers(column_numbers(striped, views), clean, views, changed);
    QVERIFY(near({some.means.begin(), some.means.end()}, {whole.means.begin(), whole.means.end()}));
    for (const auto part :
         {&ColumnNumbers::middle, &ColumnNumbers::roughness, &ColumnNumbers::whiteness, &ColumnNumbers::step_noise,
          &ColumnNumbers::step_spread, &ColumnNumbers::quantum, &ColumnNumbers::own_quantum})
      QVERIFY(near(some.*part, whole.*part));
    std::vector<int64_t> all;
    for (int64_t c = 0; c + 1 < whole.cols; ++c) all.push_back(c);
    const auto errors_of_some = step_errors(some, all), errors_of_whole = step_errors(whole, all);
    for (std::size_t w = 0; w < whole.windows.size(); ++w) {
      QVERIFY(near(some.step[w], whole.step[w]));
      QVERIFY(near(errors_of_some[w], errors_of_whole[w]));
    }
    // The numbers do change with the stripes.
    QVERIFY(!near(column_numbers(striped, views).middle, whole.middle));
  }
};

TL_TEST_CASE(StripeNumbersTest)

}  // namespace tl::stripe_numbers_test

#include "stripe_numbers.moc"
