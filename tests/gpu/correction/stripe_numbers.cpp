// The numbers that stripes are searched by: medians equal those of sorted lists, numbers of columns do not depend on
// other columns, and those of some columns that were corrected equal those of a new search.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/random.h"
#include "gpu/correction/stripes/column_numbers.h"
#include "gpu/correction/stripes/column_values.h"
#include "gpu/correction/stripes/running_medians.h"
#include "gpu/image/mirrored_index.h"
#include "tests/support/clean_scans.h"
#include "tests/support/operator_laws.h"
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
    // Every other list is shorter by one, as steps are fewer than columns.
    for (int l = 0; l < lists; ++l)
      all.push_back(drawn(static_cast<std::size_t>(length - (length > 1 ? l % 2 : 0)), static_cast<uint64_t>(l)));
    const auto found = running_medians(all, size);
    QCOMPARE(found.size(), all.size());
    for (std::size_t l = 0; l < all.size(); ++l) {
      QCOMPARE(found[l].size(), all[l].size());
      for (std::size_t i = 0; i < all[l].size(); ++i)
        QCOMPARE(found[l][i], sorted_median(all[l], static_cast<int64_t>(i), size));
    }
  }
  void nothing_has_no_medians() {
    QVERIFY(running_medians({}, 5).empty());
    QVERIFY(running_medians({{}, {}}, 5) == (std::vector<std::vector<double>>{{}, {}}));
  }

  // Of every number of blocks that the sorting network meets, and of columns that fill no vectors.
  void medians_over_blocks_are_those_of_sorted_columns() {
    constexpr int64_t cols = 21;
    for (int64_t blocks = 16; blocks < 400; blocks += blocks < 70 ? 1 : 7) {
      const std::vector<double> values = drawn(static_cast<std::size_t>(blocks * cols), static_cast<uint64_t>(blocks));
      const std::vector<float> block_values(values.begin(), values.end());
      const auto sorted = [&](const BlockWindow& w, const auto& value) {
        std::vector<float> list;
        for (int64_t b = w.begin; b < w.end; ++b) list.push_back(value(b));
        std::sort(list.begin(), list.end());
        return list[list.size() / 2];
      };
      const auto at = [&](int64_t b, int64_t c) { return block_values[static_cast<std::size_t>(b * cols + c)]; };
      const int64_t half = blocks / 4;
      const std::vector<BlockWindow> windows{{0, blocks}, {0, 2 * half}, {half, 3 * half}};
      const BlockMedians medians(blocks, cols);
      const std::vector<float> found = medians.of(block_values.data());
      const StepMedians steps = medians.of_steps(block_values, windows);
      for (int64_t c = 0; c < cols; ++c) {
        const auto i = static_cast<std::size_t>(c);
        QCOMPARE(found[i], sorted(windows[0], [&](int64_t b) { return at(b, c); }));
        if (c + 1 == cols) continue;
        const auto step = [&](int64_t b) { return at(b, c + 1) - at(b, c); };
        for (std::size_t w = 0; w < windows.size(); ++w) QCOMPARE(steps.step[w][i], sorted(windows[w], step));
        const float middle = steps.step[0][i];
        QCOMPARE(steps.spread[i], sorted(windows[0], [&](int64_t b) { return std::abs(step(b) - middle); }));
      }
    }
  }

  // They are computed some columns at a time, and those at the end with some of the columns before.
  void numbers_of_a_column_do_not_depend_on_the_number_of_columns_data() {
    QTest::addColumn<int>("views");
    for (const int views : {150, 401, 700}) QTest::newRow(std::to_string(views).c_str()) << views;
  }
  void numbers_of_a_column_do_not_depend_on_the_number_of_columns() {
    QFETCH(int, views);
    const at::Tensor x = test::gaussian({views, 200}, at::kDouble, 3).to(at::kFloat);
    const ViewDifferences differences = view_differences(views, {});
    const ColumnNumbers all = column_numbers(x, differences);
    for (const int64_t cols : {17, 79, 80, 81, 96, 97, 160, 161, 175}) {
      const ColumnNumbers some = column_numbers(x.narrow(1, 0, cols), differences);
      QCOMPARE(some.step_noise.back(), 0.0);
      for (const auto part : {&ColumnNumbers::middle, &ColumnNumbers::roughness, &ColumnNumbers::whiteness,
                              &ColumnNumbers::own_quantum, &ColumnNumbers::step_noise, &ColumnNumbers::step_spread}) {
        const auto end = cols - (part == &ColumnNumbers::step_noise || part == &ColumnNumbers::step_spread ? 1 : 0);
        QVERIFY(
            near({(some.*part).begin(), (some.*part).begin() + end}, {(all.*part).begin(), (all.*part).begin() + end}));
      }
    }
  }

  void columns_are_read_and_written_as_by_index() {
    const std::vector<int64_t> columns{0, 3, 4, 9};
    const at::Tensor index = at::tensor(columns, at::kLong);
    for (const auto type : {at::kFloat, at::kDouble}) {
      // Lines, and also columns, that are not adjacent in memory.
      const at::Tensor rows = test::gaussian({6, 3, 10}, type, 5), columns_apart = test::gaussian({10, 6}, type, 6).t();
      for (const at::Tensor& x : {rows.select(1, 1), columns_apart}) {
        QVERIFY(columns_at(x, columns).equal(x.index_select(1, index)));
        const at::Tensor values = test::gaussian({6, 4}, type, 7), expected = x.index_copy(1, index, values);
        QVERIFY(with_columns(x, columns, values).equal(expected));
        set_columns(x, columns, values);
        QVERIFY(x.equal(expected));
      }
    }
    const at::Tensor leaf = test::gaussian({6, 10}, at::kDouble, 8).requires_grad_();
    columns_at(leaf, columns).sum().backward();
    QVERIFY(leaf.grad().equal(at::zeros_like(leaf.grad()).index_fill(1, index, 1)));
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
