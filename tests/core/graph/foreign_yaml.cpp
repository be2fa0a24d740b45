// YAML as pipelines are written in it: read within limits, refused with line and column, and written back as it was.
#include "core/graph/foreign/yaml_document.h"
#include "tests/support/test_case.h"

namespace tl::foreign_test {

class ForeignYamlTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void yaml_is_read_safely_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("anchors") << QByteArray("a: &x [1, 2]\nb: *x\n");
    QTest::newRow("twice the same key") << QByteArray("- method: a\n  method: b\n");
    QTest::newRow("two documents") << QByteArray("- method: a\n---\n- method: b\n");
    QTest::newRow("a list as a key") << QByteArray("? [1, 2]\n: 3\n");
    QTest::newRow("nesting") << QByteArray(500, '[');
    QTest::newRow("deep nesting") << QByteArray(200000, '[') + QByteArray(200000, ']');
    QTest::newRow("deep maps") << QByteArray("{a: ").repeated(200) + QByteArray("1") + QByteArray("}").repeated(200);
    QTest::newRow("not UTF-8") << QByteArray("- method: \"\xff\xfe\"\n");
    QTest::newRow("an open bracket") << QByteArray("- {method: [a, b\n");
    QTest::newRow("nothing") << QByteArray();
  }
  void yaml_is_read_safely() {
    QFETCH(QByteArray, text);
    const auto document = foreign::read_yaml(text.toStdString(), "list.yaml");
    QVERIFY(!document.ok());
    QCOMPARE(document.error().kind, ErrorKind::invalid);
    QVERIFY2(document.error().where.starts_with("list.yaml"), document.error().where.c_str());
  }

  void yaml_comes_back() {
    const auto document = foreign::read_yaml(
                              "- {a: 1, b: -2.5, c: \"1\", d: null, e: yes, f: text, g: [], h: {}, i: 1e-07}\n"
                              "- !Sweep [1, 2]\n",
                              "list.yaml")
                              .or_throw();
    const json::Json expected = json::Json::parse(
        R"([{"a": 1, "b": -2.5, "c": "1", "d": null, "e": true, "f": "text", "g": [], "h": {}, "i": 1e-07}, {"!Sweep": [1, 2]}])");
    QVERIFY2(document.root == expected, document.root.dump().c_str());
    QCOMPARE(document.lines.line("/1"), int64_t{2});
    const std::string text = foreign::yaml_text(expected[0]);
    QVERIFY2(foreign::read_yaml(text, "again").or_throw().root == expected[0], text.c_str());
  }
};

TL_TEST_CASE(ForeignYamlTest)

}  // namespace tl::foreign_test

#include "foreign_yaml.moc"
