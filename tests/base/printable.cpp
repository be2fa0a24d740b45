// Texts from files on a terminal: control sequences are escaped, everything else is unchanged.
#include "core/base/printable.h"

#include "tests/support/test_case.h"

namespace tl::printable_test {

using tl::printable;

class PrintableTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void plain_texts_stay_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "volume.tif", "50 µm, 0.5°, 断層, 🦷", "a=\"b\" \\ c ~"})
      QTest::newRow(text) << QString(text);
  }
  void plain_texts_stay() {
    QFETCH(QString, text);
    QCOMPARE(printable(text.toStdString()), text.toStdString());
  }

  void what_steers_is_escaped() {
    QCOMPARE(printable("\x1b[2Jgone"), std::string("\\x1b[2Jgone"));
    QCOMPARE(printable("one\r\ntwo\tthree\x7f"), std::string("one\\x0d\\x0atwo\\x09three\\x7f"));
    QCOMPARE(printable(std::string_view("a\0b", 3)), std::string("a\\x00b"));
    QCOMPARE(printable("\u009b31m"), std::string("\\u009b31m"));                  // a control sequence of one character
    QCOMPARE(printable("fit.\u202etxt.exe"), std::string("fit.\\u202etxt.exe"));  // reads backwards
    QCOMPARE(printable("\u2066\u2028\ufeff"), std::string("\\u2066\\u2028\\ufeff"));
  }

  void bytes_that_are_not_utf8_are_escaped() {
    QCOMPARE(printable("\xff\xc3"), std::string("\\xff\\xc3"));
    QCOMPARE(printable("\x9b"
                       "31m"),
             std::string("\\x9b31m"));
    QCOMPARE(printable("\xc0\x9b"), std::string("\\xc0\\x9b"));           // the long form of a short character
    QCOMPARE(printable("\xed\xa0\x80"), std::string("\\xed\\xa0\\x80"));  // half a pair
    QCOMPARE(printable("\xf5\x80\x80\x80"), std::string("\\xf5\\x80\\x80\\x80"));
  }

  void every_byte_gives_printable_text() {
    for (int a = 0; a < 256; ++a)
      for (int b = 0; b < 256; ++b) {
        const std::string text{static_cast<char>(a), static_cast<char>(b)};
        for (const char c : printable(text)) QVERIFY(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
      }
  }
};

TL_TEST_CASE(PrintableTest)

}  // namespace tl::printable_test

#include "printable.moc"
