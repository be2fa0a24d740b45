// Numbers next to the frames: comparisons that trigger a record, and the lines of a log.
#include <algorithm>
#include <cmath>

#include "core/stream/values/log_lines.h"
#include "core/stream/values/trigger.h"
#include "core/stream/values/value_log.h"
#include "tests/support/test_case.h"

namespace tl::stream_values_test {

using namespace tl::stream;

class StreamValuesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void triggers_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("no comparison") << "load"
                                   << "no comparison";
    QTest::newRow("no name") << "> 5"
                             << "before the comparison";
    QTest::newRow("no number") << "load > heavy"
                               << "\"heavy\" is not a number";
    QTest::newRow("two numbers") << "load > 5 6"
                                 << "is not a number";
    QTest::newRow("assignment") << "load = 5"
                                << "<, <=, >, >=, == or !=";
    QTest::newRow("nothing") << ""
                             << "no comparison";
  }
  void triggers() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    const auto result = Trigger::parse(text.toStdString());
    QVERIFY(!result.ok());
    QVERIFY2(result.error().message().find(words.toStdString()) != std::string::npos, result.error().message().c_str());
  }

  void comparisons() {
    const auto holds = [](const char* text, double value) {
      return Trigger::parse(text).or_throw().holds("ring current", value);
    };
    QVERIFY(holds("ring current>5", 5.1) && !holds("ring current > 5", 5));
    QVERIFY(holds("ring current >= 5", 5) && !holds("ring current >= 5", 4.9));
    QVERIFY(holds("ring current < -2e1", -21) && !holds("ring current < -2e1", -20));
    QVERIFY(holds("ring current <= 5", 5) && !holds("ring current <= 5", 5.1));
    QVERIFY(holds("ring current == 0", 0) && holds("ring current != 0", 1));
    QVERIFY(!holds("load > 5", 6));
    QCOMPARE(Trigger::parse(" load>=5 ").or_throw().text(), std::string("load >= 5"));
  }

  void curves_are_bounded_and_keep_their_newest_points() {
    ValueLog values;
    const std::size_t points = 5 * ValueLog::max_points;
    for (std::size_t i = 0; i < points; ++i)
      values.add({"load", static_cast<double>(i), "N"}, 100 + static_cast<double>(i));
    for (std::size_t i = 0; i < 2 * ValueLog::max_names; ++i) values.add({"n" + std::to_string(i), 1, ""}, 5000);
    values.add({"load", no_time, "N"}, 0);
    const auto all = values.series();
    QCOMPARE(all.size(), ValueLog::max_names);
    const ValueSeries& load = all.at("load");
    QVERIFY(load.value.size() <= ValueLog::max_points);
    QCOMPARE(load.value.back(), static_cast<double>(points - 1));
    QCOMPARE(load.time, load.value);  // also what is left belongs together
    QVERIFY(std::is_sorted(load.time.begin(), load.time.end()));
    QCOMPARE(load.count, static_cast<int64_t>(points));
    QCOMPARE(load.mean, (static_cast<double>(points) - 1) / 2);
    // As many names have curves as are plotted; the others are counted.
    const auto plotted =
        std::count_if(all.begin(), all.end(), [](const auto& one) { return !one.second.time.empty(); });
    QCOMPARE(static_cast<std::size_t>(plotted), ValueLog::max_curves);
    QCOMPARE(all.at("n500").count, int64_t{1});
  }

  void a_name_in_two_units_is_two_series() {
    ValueLog values;
    values.add({"load", 1, "N"}, 0);
    values.add({"load", 1000, "mN"}, 1);
    values.add({"load", 3, "N"}, 2);
    const auto all = values.series();
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all.at("load").unit, std::string("N"));
    QCOMPARE(all.at("load").mean, 2.0);
    QCOMPARE(all.at("load").time, (std::vector<double>{0, 2}));
    QCOMPARE(all.at("load [mN]").last, 1000.0);
    values.clear();
    QVERIFY(values.series().empty());
  }

  void lines_of_a_log() {
    const std::string text =
        "{\"time\":12.5,\"name\":\"load\",\"value\":3,\"unit\":\"N\"}\n\n{\"name\":\"T\",\"value\":-1e2}\r\nnonsense\n"
        "{\"name\":\"\",\"value\":1}\n{\"name\":\"x\",\"value\":\"high\"}\n{\"value\":1}\n[1]\n{\"name\":\"y\","
        "\"value\":null}";
    OwnedParts parts(1);
    for (const char c : text) parts[0].push_back(static_cast<std::byte>(c));
    const std::vector<Bytes> bytes(parts.begin(), parts.end());
    const auto lines = std::get<LogLines>(log_wire().decode(bytes).or_throw());
    QCOMPARE(lines.bad, 6);
    QCOMPARE(lines.values.size(), std::size_t(2));
    QCOMPARE(lines.values[0].time, 12.5);
    QCOMPARE(lines.values[0].unit, std::string("N"));
    QCOMPARE(lines.values[1].value, -100.0);
    QVERIFY(std::isnan(lines.values[1].time));
    const OwnedParts again = log_wire().encode(lines);
    const std::vector<Bytes> encoded(again.begin(), again.end());
    QCOMPARE(std::get<LogLines>(log_wire().decode(encoded).or_throw()).values.size(), std::size_t(2));
  }
};

TL_TEST_CASE(StreamValuesTest)

}  // namespace tl::stream_values_test

#include "values.moc"
