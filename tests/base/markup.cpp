// Texts in HTML and XML: whatever they hold, a reader of XML gives them back as text.
#include "core/base/printable.h"

#include <QXmlStreamReader>

#include "tests/support/test_case.h"

namespace tl::markup_test {

class MarkupTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_reader_gives_the_text_back_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("read");
    const auto same = [](const char* text) { QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(text); };
    for (const char* text : {"", "volume.tif", "<script>alert('x')</script>", "a & b &amp; c", "\" onload=\"f()",
                             "two\nlines", "\n", "断層 µm 🦷", "]]>", "<!--"})
      same(text);
    QTest::newRow("control") << QByteArray("a\x1b[2Jb\r") << QStringLiteral("a\\x1b[2Jb\\x0d");
    QTest::newRow("not UTF-8") << QByteArray("\xff") << QStringLiteral("\\xff");
    QTest::newRow("not a character of XML") << QByteArray("\xef\xbf\xbe") << QStringLiteral("\\ufffe");
  }
  void a_reader_gives_the_text_back() {
    QFETCH(QByteArray, text);
    QFETCH(QString, read);
    const std::string escaped = html_escaped(text.toStdString());
    const QByteArray document =
        "<a b=\"" + QByteArray::fromStdString(escaped) + "\">" + QByteArray::fromStdString(escaped) + "</a>";
    QXmlStreamReader xml(document);
    QVERIFY(xml.readNextStartElement());
    const QString attribute = xml.attributes().value(QStringLiteral("b")).toString();
    QCOMPARE(attribute, QString(read).replace(QLatin1Char('\n'), QLatin1Char(' ')));  // as XML normalises attributes
    QCOMPARE(xml.readElementText(), read);
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
  }
};

TL_TEST_CASE(MarkupTest)

}  // namespace tl::markup_test

#include "markup.moc"
