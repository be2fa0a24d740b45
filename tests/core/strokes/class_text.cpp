// Tables of classes as one line of text come back as they were written, and what is not a table is refused by name.
#include "core/values/label_table_text.h"
#include "tests/support/test_case.h"

namespace tl::class_text_test {

class ClassTextTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void tables_come_back() {
    const LabelTable table{{{1, "enamel", "#e69f00"},
                            {2, "outer dentine, soft", "#56b4e9"},
                            {7, "", "#000000"},
                            {9, "x", ""},
                            {65535, "", ""}},
                           0};
    const std::string text = to_text(table);
    QCOMPARE(text, std::string("1 enamel #e69f00; 2 outer dentine, soft #56b4e9; 7 #000000; 9 x; 65535"));
    QVERIFY(label_table_from_text(text).or_throw() == table);
  }
  void texts_by_hand_are_understood() {
    const LabelTable table = label_table_from_text(" 2  dentine ;\n1 enamel   #E69F00 ;; ").or_throw();
    QVERIFY((table == LabelTable{{{1, "enamel", "#E69F00"}, {2, "dentine", ""}}, 0}));
    QVERIFY((label_table_from_text("").or_throw() == LabelTable{{}, 0}));
  }
  void names_that_cannot_be_written_lose_no_class() {
    const LabelTable back =
        label_table_from_text(to_text({{{0, "air", ""}, {3, " a;b\nc ", "#123456"}}, {}})).or_throw();
    QVERIFY((back == LabelTable{{{3, "a,b c", "#123456"}}, 0}));
  }
  void invalid_tables_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("no number") << "1 a; enamel #e69f00"
                               << "enamel";
    QTest::newRow("zero") << "0 air"
                          << "0 air";
    QTest::newRow("too large") << "65536 x"
                               << "65536";
    QTest::newRow("negative") << "-1 x"
                              << "-1";
    QTest::newRow("huge") << "99999999999999999999 x"
                          << "9999";
    QTest::newRow("fraction") << "1.5 x"
                              << "1.5";
    QTest::newRow("twice") << "3 a; 3 b"
                           << "3";
  }
  void invalid_tables_are_refused() {
    QFETCH(QString, text);
    QFETCH(QString, named);
    const auto table = label_table_from_text(text.toStdString());
    QVERIFY(!table.ok() && table.error().kind == ErrorKind::invalid && !table.error().hint.empty());
    QVERIFY2(table.error().what.find(named.toStdString()) != std::string::npos, table.error().what.c_str());
  }
};

TL_TEST_CASE(ClassTextTest)

}  // namespace tl::class_text_test

#include "class_text.moc"
