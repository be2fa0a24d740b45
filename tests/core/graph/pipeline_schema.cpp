// resources/pipeline.schema.json: an independent validator accepts the files that we write and refuses those that we
// would refuse.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include "core/graph/graph_json.h"
#include "tests/support/sample_nodes.h"
#include "tests/support/test_case.h"

namespace tl::pipeline_schema_test {

namespace {

// Exit status 0 = valid, 1 = invalid.
const char* const script = R"(
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
sys.exit(0 if jsonschema.Draft202012Validator(schema).is_valid(json.load(open(sys.argv[2]))) else 1)
)";

std::string good() {
  Graph g = sample::graph();
  g.nodes["filter"].params = {{"flag", false},
                              {"count", int64_t{-5}},
                              {"factor", Number{0.1, {}}},
                              {"axis", Number{-23.6, Unit::px}},
                              {"energy", {}},
                              {"weights", NumberList{{1, 2.5}, {}}},
                              {"shifts", NumberList{{0.5}, Unit::px}},
                              {"picture", NumberArray::make({1, 2}, {1, 2}, Unit::um).or_throw()}};
  g.learning =
      R"({"targets": [{"node": "filter", "parameter": "axis", "scale": "linear", "start": "0.5 px", "low": -3}],
    "objective": "o.loss", "otherwise": ["p.loss"], "method": "lbfgs", "rate": 0.5, "stop": {"iterations": 7},
    "subsets": {"rows": 0.5}, "restarts": 2, "survey": "none", "errors": "none", "seed": 7, "runs": [{}]})";
  g.ui = R"({"zoom": 2})";
  return to_json(g);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == std::string::npos ? "" : text.replace(at, from.size(), to);
}

}  // namespace

class PipelineSchemaTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void agrees_with_the_reader_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("valid");
    const auto row = [](const char* name, const std::string& text, bool valid) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << valid;
    };
    row("what we write", good(), true);
    row("an empty graph", to_json({}), true);
    row("format", with(good(), "tomoloom-pipeline", "other"), false);
    row("schema_version", with(good(), "\"schema_version\": 1", "\"schema_version\": 2"), false);
    row("unknown key", with(good(), "\"title\"", "\"titel\""), false);
    row("node id", with(good(), "\"load\": {", "\"Load\": {"), false);
    row("node without version", with(good(), "\"version\": 2,", ""), false);
    row("unknown key of a node", with(good(), "\"parameters\"", "\"params\""), false);
    row("null", with(good(), "\"count\": -5", "\"count\": null"), false);
    row("unit", with(good(), "\"unit\": \"px\"", "\"unit\": \"furlong\""), false);
    row("shape of an array", with(good(), "\"float32\"", "\"float64\""), false);
    row("numbers of an array", with(good(), "\"AACAPwAAAEA=\"", "\"AACAPwAAAE*=\""), false);
    row("end of a link", with(good(), "\"load.angle\"", "\"load\""), false);
    row("method", with(good(), "\"lbfgs\"", "\"magic\""), false);
    row("target", with(good(), "\"parameter\": \"axis\"", "\"param\": \"axis\""), false);
    row("subset", with(good(), "\"rows\": 0.5", "\"rows\": 2"), false);
    row("objective", with(good(), "\"o.loss\"", "\"loss\""), false);
    row("stop rule", with(good(), "\"iterations\": 7", "\"iterations\": 0"), false);
    row("key of learning", with(good(), "\"restarts\"", "\"restart\""), false);
    row("key of a link", with(good(), "\"from\"", "\"source\""), false);
  }
  void agrees_with_the_reader() {
    QFETCH(QByteArray, text);
    QFETCH(bool, valid);
    QVERIFY2(!text.isEmpty(), "the row's change found nothing to change");
    QCOMPARE(graph_from_json(text.toStdString(), sample::registry()).ok(), valid);
    const QString python = qEnvironmentVariable("TL_TEST_PYTHON");
    if (python.isEmpty()) QSKIP("TL_TEST_PYTHON names no Python with jsonschema");
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("pipeline.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    QProcess process;
    process.start(python, {QStringLiteral("-c"), QString::fromUtf8(script),
                           QStringLiteral(TL_SOURCE_DIR "/resources/pipeline.schema.json"), file.fileName()});
    QVERIFY(process.waitForFinished(test::patience_ms));
    const QByteArray trouble = process.readAllStandardError();
    if (trouble.contains("ModuleNotFoundError")) QSKIP("the Python of TL_TEST_PYTHON has no jsonschema");
    QVERIFY2(trouble.isEmpty(), trouble.constData());
    QCOMPARE(process.exitCode(), valid ? 0 : 1);
  }
};

TL_TEST_CASE(PipelineSchemaTest)

}  // namespace tl::pipeline_schema_test

#include "pipeline_schema.moc"
