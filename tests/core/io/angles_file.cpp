// Angles as editors and spreadsheets write them: the same list in every form, what is ambiguous, and what is refused.
#include "core/io/text/angles_file.h"

#include <QTemporaryDir>
#include <cmath>

#include "core/base/units.h"
#include "core/io/text/csv.h"
#include "core/io/text/key_value_file.h"
#include "core/io/text/vectors_file.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::angles_file_test {

namespace fs = std::filesystem;

namespace {
const std::string mark = "\xef\xbb\xbf";
constexpr double rounding = 1e-12;  // [deg] of the conversion to radians and back

std::string utf16(const std::string& text, bool with_mark) {
  std::string wide = with_mark ? "\xff\xfe" : "";
  for (const char c : text) wide += std::string{c, '\0'};
  return wide;
}
}  // namespace

class AnglesFileTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  [[nodiscard]] fs::path written(const std::string& text) const {
    const fs::path file = dir_.filePath("text.txt").toStdString();
    test::put(file, text);
    return file;
  }

 private Q_SLOTS:
  void the_same_list_in_every_form_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const std::string& text) {
      QTest::newRow(name) << QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    };
    row("lines", "0\n0.5\n-1.5\n12\n");
    row("one line", "0 0.5 -1.5 12");
    row("commas", "0,0.5,-1.5,12");
    row("commas without points", "0.0,0.5,-1.5,12.0\n");
    row("semicolons", "0;0.5;-1.5;12;\r\n");
    row("a byte order mark", mark + "0\r\n0.5\r\n-1.5\r\n12\r\n");
    row("a mark and a comment", mark + "# degrees\n0\n0.5\n-1.5\n12");
    row("ends of old files", "0\r0.5\r-1.5\r12\r");
    row("decimal commas", "0,0\n0,5\n-1,5\n12,0\n");
    row("some decimal commas", "0\n0,5\n-1,5\n12\n");
    row("decimal commas, one line each, blanks", "  0,000 \r\n  0,500 \r\n -1,500 \r\n 12,000 \r\n");
    row("an index from 0", "0 0\n1 0.5\n2 -1.5\n3 12\n");
    row("an index from 1, tabs", "1\t0\n2\t0.5\n3\t-1.5\n4\t12\n");
    row("an index, commas", "0,0\n1,0.5\n2,-1.5\n3,12\n");
    row("an index and decimal commas", "0;0,0\n1;0,5\n2;-1,5\n3;12,0\n");
    row("a heading", "angle\n0\n0.5\n-1.5\n12\n");
    row("a heading of two columns", mark + "view,angle [deg]\r\n0,0\r\n1,0.5\r\n2,-1.5\r\n3,12\r\n");
    row("a heading of radians", "theta (rad)\n0\n0.008726646259971648\n-0.02617993877991494\n0.20943951023931953\n");
  }
  void the_same_list_in_every_form() {
    QFETCH(QByteArray, text);
    const auto read = io::read_angles_file(written(text.toStdString()));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    const std::vector<double> wanted = {0, 0.5, -1.5, 12};
    QCOMPARE(read.value().size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      QVERIFY(std::abs(from_stored(read.value()[i], Unit::deg) - wanted[i]) < rounding);
  }

  // Lines such as "3,000" are whole degrees with a decimal comma, though they count, too.
  void counting_with_decimal_commas() {
    const auto read = io::read_angles_file(written("0,000\n1,000\n2,000\n3,000\n")).or_throw();
    QCOMPARE(read.size(), std::size_t(4));
    QVERIFY(std::abs(from_stored(read[3], Unit::deg) - 3) < rounding);
  }

  void what_is_not_a_list_is_refused() {
    for (const auto& [text, words] :
         std::vector<std::pair<std::string, const char*>>{{utf16("0\n1\n2\n", true), "UTF-16"},
                                                          {utf16("0\n1\n2\n", false), "UTF-16"},
                                                          {std::string("0\n1\n\0\n", 6), "not text"},
                                                          {"0 1\n2 north", ":2"},
                                                          {"angle\nnorth\n", ":2"},
                                                          {"0,5\n1,0,2\n1.5.2\n", "not a number"},
                                                          {mark, "no angle"},
                                                          {"angle\n", "no angle"}}) {
      const auto read = io::read_angles_file(written(text));
      QVERIFY(!read.ok());
      QVERIFY2(test::mentions(read.error().message(), {words}), read.error().message().c_str());
    }
  }

  // Every reader of texts takes a byte order mark, and says of UTF-16 that it is.
  void every_text_reader_knows_encodings() {
    const std::string twelve = "1 2 3 4 5 6 7 8 9 10 11 12\n", keys = "A=1\r\nB=2\r\n", table = "scan,x\na,1\n";
    QCOMPARE(io::read_vectors_file(written(mark + twelve)).or_throw().front()[11], 12.0);
    QCOMPARE(io::read_csv(written(mark + table)).or_throw().front().front(), std::string("scan"));
    const auto pairs = io::KeyValueFile::open(written(mark + keys), io::KeyCase::matters).or_throw();
    QCOMPARE(pairs.text("A").or_throw().value_or(""), std::string("1"));
    const auto says = [](const auto& read) { return !read.ok() && test::mentions(read.error().message(), {"UTF-16"}); };
    QVERIFY(says(io::read_vectors_file(written(utf16(twelve, true)))));
    QVERIFY(says(io::read_csv(written(utf16(table, true)))));
    QVERIFY(says(io::KeyValueFile::open(written(utf16(keys, true)), io::KeyCase::matters)));
    QVERIFY(says(io::KeyValueFile::open(written(utf16(keys, false)), io::KeyCase::matters)));
  }
};

TL_TEST_CASE(AnglesFileTest)

}  // namespace tl::angles_file_test

#include "angles_file.moc"
