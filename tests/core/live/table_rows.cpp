// Rows of tables: conditions, text, order; numbers as numbers, what is none at the end, many rows quickly.
#include "core/live/table_rows.h"

#include <cmath>
#include <limits>

#include "tests/support/test_case.h"

namespace tl::table_rows_test {

using live::parse_row_filter;
using live::PlainColumn;
using live::RowOrder;
using live::rows_that_fit;

namespace {

const double none = std::numeric_limits<double>::quiet_NaN();

std::vector<PlainColumn> sample() {
  return {{"number", "", {1, 2, 3, 4, 5}},
          {"volume", "mm3", {10, 9007199254740992.0, none, 2.5, 9007199254740990.0}},
          {"mean_value", "", {-1, 20, 300, 4e-7, 20}}};
}

std::vector<int> fitting(const char* text) {
  const auto columns = sample();
  return rows_that_fit(columns, parse_row_filter(text, columns).or_throw(), -1, RowOrder::ascending);
}

}  // namespace

class TableRowsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void conditions_choose_data() {
    QTest::addColumn<QList<int>>("rows");
    QTest::newRow("") << QList<int>{0, 1, 2, 3, 4};
    QTest::newRow("volume > 10") << QList<int>{1, 4};
    QTest::newRow("volume>=10") << QList<int>{0, 1, 4};
    QTest::newRow("Volume <= 10 and number != 1") << QList<int>{3};
    QTest::newRow("mean value = 20") << QList<int>{1, 4};
    QTest::newRow("MEAN_VALUE == 20 & number < 3") << QList<int>{1};
    QTest::newRow("mean value < 0, number < 3") << QList<int>{0};
    QTest::newRow("volume != 10") << QList<int>{1, 2, 3, 4};  // what is not a number is not ten
    QTest::newRow("mean value > -1.5 and mean value < 1e-6") << QList<int>{0, 3};
    QTest::newRow("300") << QList<int>{2};
    QTest::newRow("20 and number > 2") << QList<int>{4};
    QTest::newRow("volume > 1e300") << QList<int>{};
  }
  void conditions_choose() {
    QFETCH(QList<int>, rows);
    const std::vector<int> found = fitting(QTest::currentDataTag());
    QCOMPARE(QList<int>(found.begin(), found.end()), rows);
  }

  void mistakes_are_said() {
    const auto unknown = parse_row_filter("volum > 3", sample());
    QVERIFY(!unknown.ok() && unknown.error().message().find("volume") != std::string::npos);
    for (const char* text : {"volume >", "volume > ten", "> 3", "volume > 3 4"})
      QVERIFY2(!parse_row_filter(text, sample()).ok(), text);
  }

  // The largest integers that numbers hold exactly differ; a row without a number is the last in both orders.
  void numbers_are_sorted_as_numbers() {
    const auto columns = sample();
    QCOMPARE(rows_that_fit(columns, {}, 1, RowOrder::ascending), (std::vector<int>{3, 0, 4, 1, 2}));
    QCOMPARE(rows_that_fit(columns, {}, 1, RowOrder::descending), (std::vector<int>{1, 4, 0, 3, 2}));
    QCOMPARE(rows_that_fit(columns, {}, 2, RowOrder::descending),
             (std::vector<int>{2, 1, 4, 3, 0}));  // equal ones stay
    QCOMPARE(rows_that_fit(columns, {}, 7, RowOrder::ascending), (std::vector<int>{0, 1, 2, 3, 4}));
    QVERIFY(rows_that_fit({}, {}, 0, RowOrder::ascending).empty());
  }

  void columns_may_be_of_unequal_length() {
    const std::vector<PlainColumn> columns = {{"a", "", {1, 2, 3}}, {"b", "", {5}}};
    QCOMPARE(rows_that_fit(columns, parse_row_filter("b > 0", columns).or_throw(), 1, RowOrder::ascending),
             (std::vector<int>{0}));
    QCOMPARE(rows_that_fit(columns, {}, 1, RowOrder::ascending), (std::vector<int>{0, 1, 2}));
  }
};

TL_TEST_CASE(TableRowsTest)

}  // namespace tl::table_rows_test

#include "table_rows.moc"
