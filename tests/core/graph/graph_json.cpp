// Pipeline files: byte-identical round trip; every error names line, path and nearest match.
#include "core/graph/graph_json.h"

#include <sstream>

#include "core/graph/graph_reader.h"
#include "tests/support/io/pipeline_text.h"
#include "tests/support/test_case.h"

namespace tl::graph_json_test {

using namespace tl::test::pipelines;

namespace {

void expect_error(const std::string& text, const std::string& what, const std::string& where,
                  const std::string& hint = {}) {
  const auto read = graph_from_json(text, registry(), "file.json");
  QVERIFY2(!read.ok(), ("accepted: " + text).c_str());
  const Error& e = read.error();
  const auto holds = [&](const std::string& in, const std::string& part) {
    QVERIFY2(in.find(part) != std::string::npos, (e.message() + "\nlacks: " + part).c_str());
  };
  QCOMPARE(e.kind, ErrorKind::invalid);
  holds(e.what, what);
  QCOMPARE(e.where, where);
  holds(e.hint, hint);
  QVERIFY2(!e.hint.empty(), e.message().c_str());
}

}  // namespace

class GraphJsonTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void what_we_wrote_reads_back_byte_for_byte() {
    const Graph graph = full_graph();
    const std::string text = to_json(graph);
    const auto read = graph_from_json(text, registry());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    QVERIFY(read.value() == graph);
    QCOMPARE(to_json(read.value()), text);
  }

  void the_form_of_the_file() {
    Graph g = sample::graph();
    g.links.pop_back();
    g.nodes["filter"].params = {{"axis", Number{-23.6, Unit::px}}, {"shifts", NumberList{{1}, Unit::px}}};
    g.nodes["load"].params.clear();
    g.ui = R"({"b":1,"a":2})";
    const std::string expected = R"({
  "format": "tomoloom-pipeline",
  "schema_version": 1,
  "title": "Sample é",
  "nodes": {
    "filter": {
      "type": "sample.filter",
      "version": 2,
      "parameters": {
        "axis": "-23.6 px",
        "shifts": {
          "values": [
            1.0
          ],
          "unit": "px"
        }
      }
    },
    "load": {
      "type": "sample.source",
      "version": 1,
      "parameters": {}
    }
  },
  "links": [
    {
      "from": "load.projections",
      "to": "filter.projections"
    }
  ],
  "ui": {
    "b": 1,
    "a": 2
  }
}
)";
    QCOMPARE(to_json(g), expected);
  }

  void awkward_numbers_survive() {
    Graph g = full_graph();
    for (const double v : {0.1, 1.0 / 3, 5e-324, 1e-17, 0.30000000000000004, 0.9999999999999999}) {
      g.nodes["filter"].params["factor"] = Number{v, Unit::none};
      g.nodes["filter"].params["axis"] = Number{-v, Unit::px};
      const auto read = graph_from_json(to_json(g), registry());
      QVERIFY(read.ok());
      QVERIFY(read.value() == g);
    }
  }

  void missing_optional_members_are_fine() {
    const auto read = graph_from_json(
        R"({"format": "tomoloom-pipeline", "schema_version": 1, "nodes": {"a": {"type": "sample.source", "version": 1}}})",
        registry());
    QVERIFY(read.ok());
    QCOMPARE(read.value().nodes.size(), std::size_t{1});
    QVERIFY(read.value().ui.empty());
  }

  void names_are_checked() {
    const std::string at = "file.json:8, nodes.filter.parameters.";
    expect_error(text_with(R"("factr": 1)"), "no parameter \"factr\"", at + "factr", "\"factor\"");
    expect_error(text_with(R"("mode": "fency")"), "cannot be \"fency\"", at + "mode", "\"fancy\"");
    std::string text = text_with("");
    text.replace(text.find("sample.source"), 13, "sample.sorce");
    expect_error(text, "unknown node type \"sample.sorce\"", "file.json:5, nodes.load.type", "sample.source");
    text = text_with("");
    text.replace(text.find("\"load\""), 6, "\"Lo.ad\"");
    expect_error(text, "node id \"Lo.ad\"", "file.json:5, nodes.Lo.ad", "a-z");
    text = text_with("");
    text.replace(text.find("\"links\""), 7, "\"lnks\"");
    expect_error(text, "unknown key \"lnks\"", "file.json:11, lnks", "\"links\"");
    text = text_with("");
    text.replace(text.find("\"version\""), 9, "\"verson\"");
    expect_error(text, "\"version\" is missing", "file.json:5, nodes.load", "Add");
  }

  void values_are_checked() {
    const std::string at = "file.json:8, nodes.filter.parameters.";
    expect_error(text_with(R"("factor": 1.5)"), "out of range", at + "factor", "0 to 1");
    expect_error(text_with(R"("factor": "0.5")"), "must be a number", at + "factor");
    expect_error(text_with(R"("factor": null)"), "not null", at + "factor");
    expect_error(text_with(R"("flag": 1)"), "true or false", at + "flag");
    expect_error(text_with(R"("count": 1.0)"), "an integer", at + "count");
    expect_error(text_with(R"("count": 99999999999999999999)"), "an integer", at + "count");
    expect_error(text_with(R"("count": 18446744073709551615)"), "too large", at + "count");
    expect_error(text_with(R"("axis": -23.6)"), "with its unit", at + "axis", "1.5 px");
    expect_error(text_with(R"("axis": "-23.6")"), "without a unit", at + "axis", "1.5 px");
    expect_error(text_with(R"("axis": "1 mm")"), "has the unit mm", at + "axis", "px");
    expect_error(text_with(R"("axis": "1 furlong")"), "furlong", at + "axis");
    expect_error(text_with(R"("axis": "auto")"), "not a number", at + "axis");
    expect_error(text_with(R"("axis": "nan px")"), "not a finite number", at + "axis");
    expect_error(text_with(R"("note": 5)"), "must be a string", at + "note");
    expect_error(text_with(R"("rows": "all")"), "or \"auto\"", at + "rows");
    expect_error(text_with(R"("weights": [1, "2"])"), "list of numbers", at + "weights");
    expect_error(text_with(R"("weights": {"values": [1]})"), "list of numbers", at + "weights");
    expect_error(text_with(R"("shifts": [1])"), "with its unit", at + "shifts", "px");
    expect_error(text_with(R"("shifts": {"values": [1], "units": "px"})"), "unknown key \"units\"", at + "shifts.units",
                 "\"unit\"");
    expect_error(text_with(R"("shifts": {"unit": "px"})"), "\"values\" is missing", at + "shifts");
  }

  void arrays_are_checked() {
    const std::string at = "file.json:8, nodes.filter.parameters.picture";
    const auto picture = [](const std::string& rest) { return text_with("\"picture\": " + rest); };
    expect_error(picture("[1, 2]"), "must be an object", at, "base64");
    expect_error(picture(R"({"float32": "AAAAAA=="})"), "no shape", at);
    expect_error(picture(R"({"shape": [1]})"), "no numbers", at);
    expect_error(picture(R"({"shape": [1], "float32": "AAAAAA==", "unit": "keV"})"), "has the unit keV", at);
    expect_error(picture(R"({"shape": [1], "float32": "AAAAAA==", "units": "um"})"), "no key \"units\"", at);
    expect_error(picture(R"({"shape": [2], "unit": "um", "float32": "AAAAAA=="})"), "1 numbers where", at);
    expect_error(picture(R"({"shape": [99999999999, 99999999999], "float32": ""})"), "cannot be a parameter", at);
    expect_error(picture(R"({"shape": [-1], "float32": ""})"), "cannot be a parameter", at);
    expect_error(picture(R"({"shape": [1.5], "float32": ""})"), "small integers", at);
    for (const char* broken : {"AAAAAA=", "AAAA", "AAA*AA==", "AA=AAA==", "AAAAAA==AAAAAA=="})
      expect_error(picture("{\"shape\": [1], \"unit\": \"um\", \"float32\": \"" + std::string(broken) + "\"}"),
                   "base64", at);
    expect_error(picture(R"({"shape": [1], "unit": "um", "float32": "AADAfw=="})"), "not a finite number", at);
    const auto read = graph_from_json(picture(R"({"shape": [1], "unit": "um", "float32": "AACAPw=="})"), registry());
    QVERIFY(read.ok());
    QVERIFY(std::get<NumberArray>(read.value().nodes.at("filter").params.at("picture")).values() ==
            std::vector<float>{1});
  }

  void accepted_forms_of_values() {
    const auto read =
        graph_from_json(text_with(R"("energy": "auto", "weights": [1, 2], "factor": 1, "axis": "2px")"), registry());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    const auto& params = read.value().nodes.at("filter").params;
    QVERIFY(params.at("energy") == ParamValue{});
    QVERIFY(params.at("weights") == ParamValue(NumberList{{1, 2}, Unit::none}));
    QVERIFY(params.at("factor") == ParamValue(Number{1, Unit::none}));
    QVERIFY(params.at("axis") == ParamValue(Number{2, Unit::px}));
  }

  void links_are_checked() {
    expect_error(text_with("", R"({"from": "load", "to": "filter.projections"})"), "end of a link",
                 "file.json:12, links.0.from", "node.port");
    expect_error(text_with("", R"({"from": "load.projections", "too": "filter.projections"})"), "unknown key \"too\"",
                 "file.json:12, links.0.too", "\"to\"");
    expect_error(text_with("", R"({"from": "laod.projections", "to": "filter.projections"})"), "unknown node \"laod\"",
                 "file.json:12, links.0", "\"load\"");
    expect_error(text_with("", R"({"from": "load.projection", "to": "filter.projections"})"),
                 "no output \"projection\"", "file.json:12, links.0", "\"projections\"");
    expect_error(text_with("", R"({"from": "load.projections", "to": "filter.projection"})"),
                 "the input \"projections\" is not linked", "file.json:6, nodes.filter");
    expect_error(text_with("",
                           "{\"from\": \"load.projections\", \"to\": \"filter.projections\"},\n"
                           "{\"from\": \"load.projections\", \"to\": \"filter.flag\"}"),
                 "only a scalar output may drive", "file.json:13, links.1", "");
    expect_error(text_with("", ""), "not linked", "file.json:6, nodes.filter", "Link a projections output");
    expect_error(text_with("", "{\"from\": \"filter.projections\", \"to\": \"filter.projections\"}"), "cycle",
                 "file.json:1, nodes filter", "iterations are done inside a node");
  }

  void the_first_problem_of_the_file_is_named() {
    expect_error(text_with(R"("factor": 2)", ""), "out of range", "file.json:8, nodes.filter.parameters.factor");
  }

  void duplicates_are_refused() {
    expect_error("{\"format\": 1,\n \"format\": 2}", "\"format\" occurs twice", "file.json:2:9", "Remove");
    expect_error(text_with(R"("factor": 0.5, "factor": 0.25)"), "\"factor\" occurs twice", "file.json:8:29");
    expect_error(R"({"a": 1, "\u0061": 2})", "\"a\" occurs twice", "file.json:1:17");
  }

  void what_is_not_json_is_refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("blank") << QByteArray("  \n ");
    QTest::newRow("truncated") << QByteArray(text_with("").substr(0, 120).c_str());
    QTest::newRow("trailing comma") << QByteArray("{\"a\": 1,}");
    QTest::newRow("trailing text") << QByteArray("{} {}");
    QTest::newRow("comment") << QByteArray("{} // no");
    QTest::newRow("nan") << QByteArray("{\"a\": NaN}");
    QTest::newRow("infinity") << QByteArray("{\"a\": 1e999}");
    QTest::newRow("bad utf-8") << QByteArray("{\"a\": \"\xff\xfe\"}");
    QTest::newRow("overlong utf-8") << QByteArray("{\"a\": \"\xc0\xaf\"}");
    QTest::newRow("surrogate") << QByteArray("{\"a\": \"\\ud800\"}");
    QTest::newRow("binary") << QByteArray("II*\0\x08\0\0\0", 8);
    QTest::newRow("NUL behind") << QByteArray("{}\0", 3);
    QTest::newRow("single quotes") << QByteArray("{'a': 1}");
  }
  void what_is_not_json_is_refused() {
    QFETCH(QByteArray, text);
    const auto read = graph_from_json(text.toStdString(), registry(), "file.json");
    QVERIFY(!read.ok());
    QVERIFY2(read.error().what.find("not valid JSON") != std::string::npos, read.error().message().c_str());
    QVERIFY2(read.error().where.rfind("file.json:", 0) == 0, read.error().message().c_str());
    for (const char c : read.error().message()) QVERIFY(c >= 0x20 && c < 0x7f);
  }

  void every_truncation_is_an_error() {
    const std::string text = to_json(full_graph());
    for (std::size_t n = 0; n + 1 < text.size(); ++n)
      QVERIFY(!graph_from_json(std::string_view(text).substr(0, n), registry()).ok());
  }

  void json_without_a_pipeline_is_refused() {
    for (const char* text : {"[]", "3", "\"x\"", "{}", R"({"format": "other"})", R"({"format": 3})"})
      QVERIFY(!graph_from_json(text, registry()).ok());
    expect_error("[]", "an object", "file.json:1", "Correct");
    expect_error("{\n\"format\": \"nabu\"}", "not a Tomoloom pipeline", "file.json:2, format", "tomoloom-pipeline");
  }

  void depth_and_size_are_limited() {
    const std::string line = R"("format": "tomoloom-pipeline", "schema_version": 1, "ui": {"a": )";
    const auto nested = [&line](std::size_t depth) {
      return "{\n" + line + std::string(depth, '[') + std::string(depth, ']') + "}}";
    };
    QVERIFY(graph_from_json(nested(62), registry()).ok());
    expect_error(nested(63), "deeper than 64", "file.json:2:" + std::to_string(line.size() + 63));
    const auto deep = graph_from_json(std::string(1'000'000, '['), registry(), "file.json");
    QVERIFY(!deep.ok());
    QCOMPARE(deep.error().where, std::string("file.json:1:65"));
    const std::string big(json::max_bytes + 1, ' ');
    QVERIFY(graph_from_json(big, registry()).error().what.find("bytes, more than") != std::string::npos);
  }

  void many_keys_and_values_do_not_hang() {
    std::ostringstream text;
    text << R"({"format": "tomoloom-pipeline", "schema_version": 1, "ui": {)";
    for (int i = 0; i < 200'000; ++i) text << "\"k" << i << "\": " << i << ",\n";
    text << R"("last": 0}})";
    const auto read = graph_from_json(text.str(), registry());
    QVERIFY(read.ok());
  }

  void versions_of_the_schema_and_of_nodes() {
    std::string text = text_with("");
    text.replace(text.find("\"schema_version\": 1"), 19, "\"schema_version\": 2");
    expect_error(text, "newer than this program's (1)", "file.json:3, schema_version", "Update");
    text = text_with("");
    text.replace(text.find("\"schema_version\": 1"), 19, "\"schema_version\": 0");
    expect_error(text, "schema_version 0 cannot be read", "file.json:3, schema_version");
    text = text_with("");
    text.replace(text.find("\"version\": 2"), 12, "\"version\": 3");
    expect_error(text, "has version 3, ours is 2", "file.json:6, nodes.filter.version", "Update");
    text.replace(text.find("\"version\": 3"), 12, "\"version\": 1");
    const auto read = graph_from_json(text, registry());
    QVERIFY(read.ok());
    QCOMPARE(read.value().nodes.at("filter").version, 2);
  }

  // Types and versions that this program does not know are kept with all that they have, where that is asked for.
  void unknown_nodes_are_kept_as_they_are() {
    std::string text = text_with(R"("mode": "fancier", "much": {"b": [1, {"c": null}], "a": "x"})",
                                 R"({"from": "load.photons", "to": "filter.heat"})");
    text.replace(text.find("\"version\": 2"), 12, "\"version\": 7, \"colour\": \"red\"");
    text.replace(text.find("sample.source"), 13, "future.source");
    QVERIFY(!graph_from_json(text, registry(), "f", Completeness::draft).ok());
    const Graph kept = graph_from_json(text, registry(), "f", Completeness::kept).or_throw();
    for (const char* id : {"load", "filter"}) QVERIFY(registry().find(kept.nodes.at(id).type) == nullptr);
    const std::vector<GraphProblem> found = problems(kept, registry());
    QCOMPARE(found.size(), std::size_t{2});
    for (const GraphProblem& p : found) QVERIFY(p.error.what.find("does not know") != std::string::npos);
    const std::string saved = to_json(kept);
    const auto members = [](const std::string& json_text) {
      return json::read_document(json_text, "x").or_throw().root;
    };
    for (const char* part : {"nodes", "links"})  // in any order of the keys
      QCOMPARE(QByteArray::fromStdString(nlohmann::json(members(saved)[part]).dump()),
               QByteArray::fromStdString(nlohmann::json(members(text)[part]).dump()));
    QVERIFY(graph_from_json(saved, registry(), "f", Completeness::kept).or_throw() == kept);
  }

  // A made-up version 0 wrote links as pairs of strings, and the filter's first version called its factor "gain".
  void migrations_run_as_a_chain() {
    static const json::SchemaMigration schema[] = {
        {-1, [](json::Json&) -> Result<void> { return invalid("must not run"); }},
        {0,
         [](json::Json& root) -> Result<void> {
           json::Json links = json::Json::array();
           for (const auto& pair : root.at("links")) links.push_back({{"from", pair.at(0)}, {"to", pair.at(1)}});
           root["links"] = links;
           return ok();
         }},
        {1, [](json::Json& root) -> Result<void> {
           root["title"] = root.at("name");
           root.erase("name");
           return ok();
         }}};
    static const json::NodeMigration nodes[] = {{"sample.filter", 1, [](json::Json& node) -> Result<void> {
                                                   auto& params = node.at("parameters");
                                                   params["factor"] = params.at("gain");
                                                   params.erase("gain");
                                                   return ok();
                                                 }}};
    std::string text = text_with(R"("gain": 0.75)", R"(["load.projections", "filter.projections"])");
    text.replace(text.find("\"schema_version\": 1"), 19, "\"schema_version\": 0, \"name\": \"old\"");
    text.replace(text.find("\"version\": 2"), 12, "\"version\": 1");
    auto document = json::read_document(text, "old.json");
    QVERIFY(document.ok());
    const auto read = json::read_graph(document.value(), "", registry(), {2, schema, nodes});
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    QCOMPARE(read.value().title, std::string("old"));
    QVERIFY(read.value().nodes.at("filter").params.at("factor") == ParamValue(Number{0.75, Unit::none}));
    QCOMPARE(read.value().links.size(), std::size_t{1});
    QCOMPARE(read.value().links[0].to_port, std::string("projections"));

    document.value().root["schema_version"] = -1;  // a negative version never reaches the chain
    QVERIFY(!json::read_graph(document.value(), "", registry(), {2, schema, nodes}).ok());
  }
};

TL_TEST_CASE(GraphJsonTest)

}  // namespace tl::graph_json_test

#include "graph_json.moc"
