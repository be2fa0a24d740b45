// Records of two results compared: what was used and found, inputs, versions; what does not count; damaged records.
#include "core/run/record/record_diff.h"

#include <QTemporaryDir>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

namespace tl::record_diff_test {
namespace {

using json = nlohmann::ordered_json;

json record() {
  return json::parse(R"({
    "format": "tomoloom-record", "schema_version": 1,
    "pipeline": {"format": "tomoloom-pipeline", "schema_version": 1,
      "nodes": {"axis": {"type": "axis.wedge", "version": 1, "parameters": {}},
                "fbp": {"type": "recon.fbp", "version": 1, "parameters": {"filter": "hann"}},
                "save": {"type": "output.save_volume", "version": 1, "parameters": {"file": "a.tif"}}},
      "links": [{"from": "axis.projections", "to": "fbp.projections"}, {"from": "fbp.volume", "to": "save.volume"}]},
    "parameters": [
      {"node": "axis", "name": "axis", "value": 3.21, "unit": "px", "uncertainty": 0.03, "verdict": "resolved"},
      {"node": "fbp", "name": "filter", "value": "hann", "unit": "", "uncertainty": null, "verdict": null},
      {"node": "fbp", "name": "cutoff", "value": 1.0, "unit": "Nyquist", "uncertainty": null, "verdict": null},
      {"node": "save", "name": "file", "value": "a.tif", "unit": "", "uncertainty": null, "verdict": null}],
    "run": {"versions": {"tomoloom": "0.1.0", "torch": "2.11.0"},
            "device": {"id": "cpu", "name": "a processor", "threads": 2}, "dtype": "float32",
            "inputs": {"load": "xxh128:1"}, "seconds": 3.5}})");
}

RecordDiff diff(const json& a, const json& b) {
  return compare_records({a.dump(), "a"}, {b.dump(), "b"}, Registry::all()).or_throw();
}

}  // namespace

class RecordDiffTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equal_records_do_not_differ();
  void every_kind_of_difference_is_reported();
  void found_values_are_compared_by_their_uncertainty();
  void what_only_one_side_has_is_reported();
  void results_without_a_list_compare_what_is_set();
  void the_record_next_to_a_result_is_taken();
  void damaged_records_are_errors_or_ignored();
};

// Neither the name of the output nor the time that the run took counts.
void RecordDiffTest::equal_records_do_not_differ() {
  json other = record();
  other["run"]["seconds"] = 9;
  other["parameters"][3]["value"] = "b.tif";
  other["pipeline"]["nodes"]["save"]["parameters"]["file"] = "b.tif";
  other["pipeline"]["ui"] = {{"cards", {}}};
  QVERIFY(diff(record(), record()).empty());
  QVERIFY(diff(record(), other).empty());
}

void RecordDiffTest::every_kind_of_difference_is_reported() {
  json other = record();
  other["parameters"][1]["value"] = "ram_lak";
  other["run"]["inputs"]["load"] = "xxh128:2";
  other["run"]["versions"]["torch"] = "2.12.0";
  other["run"]["dtype"] = "float64";
  other["pipeline"]["nodes"]["axis"]["type"] = "axis.vo";
  const RecordDiff d = diff(record(), other);
  QCOMPARE(d.parameters.size(), std::size_t{1});
  QCOMPARE(d.parameters[0].what, std::string("fbp.filter"));
  QCOMPARE(d.parameters[0].first, std::string("hann"));
  QCOMPARE(d.parameters[0].second, std::string("ram_lak"));
  QCOMPARE(d.inputs.size(), std::size_t{1});
  QCOMPARE(d.inputs[0].what, std::string("load"));
  QCOMPARE(d.versions.size(), std::size_t{2});
  QCOMPARE(d.pipeline.size(), std::size_t{1});
  QCOMPARE(d.pipeline[0].what, std::string("node axis"));
  QCOMPARE(d.pipeline[0].second, std::string("axis.vo version 1"));
}

void RecordDiffTest::found_values_are_compared_by_their_uncertainty() {
  json other = record();
  other["parameters"][0]["value"] = 3.26;
  other["parameters"][0]["uncertainty"] = 0.04;
  const RecordDiff d = diff(record(), other);
  QCOMPARE(d.parameters.size(), std::size_t{1});
  QCOMPARE(d.parameters[0].first, std::string("3.210 ± 0.030 px, resolved"));
  QVERIFY(d.parameters[0].sigmas && std::abs(*d.parameters[0].sigmas - 1) < 1e-9);  // 0.05 of hypot(0.03, 0.04)
  // Values that look the same when rounded are shown with all figures.
  other["parameters"][0] = record()["parameters"][0];
  other["parameters"][0]["value"] = 3.2100001;
  const RecordDiff close = diff(record(), other);
  QCOMPARE(close.parameters.size(), std::size_t{1});
  QCOMPARE(close.parameters[0].second, std::string("3.2100001"));
}

void RecordDiffTest::what_only_one_side_has_is_reported() {
  json other = record();
  other["pipeline"]["links"].erase(1);
  other["pipeline"]["nodes"].erase("save");
  other["parameters"].erase(2);
  const RecordDiff d = diff(record(), other);
  QCOMPARE(d.pipeline.size(), std::size_t{2});
  QVERIFY(!d.pipeline[0].first.empty() && d.pipeline[0].second.empty());
  QCOMPARE(d.parameters.size(), std::size_t{1});
  QCOMPARE(d.parameters[0].what, std::string("fbp.cutoff"));
  QCOMPARE(d.parameters[0].second, std::string());
  const RecordDiff back = diff(other, record());
  QCOMPARE(back.parameters[0].first, std::string());
}

// What a TIFF embeds has pipeline and provenance, but no list of what was used.
void RecordDiffTest::results_without_a_list_compare_what_is_set() {
  json embedded = {{"pipeline", record()["pipeline"]}, {"provenance", record()["run"]}};
  QVERIFY(diff(record(), embedded).empty());
  embedded["pipeline"]["nodes"]["fbp"]["parameters"]["filter"] = "cosine";
  embedded["provenance"]["versions"]["torch"] = "1.0";
  const RecordDiff d = diff(record(), embedded);
  QCOMPARE(d.parameters.size(), std::size_t{1});
  QCOMPARE(d.parameters[0].second, std::string("cosine"));
  QCOMPARE(d.versions.size(), std::size_t{1});
}

void RecordDiffTest::the_record_next_to_a_result_is_taken() {
  const QTemporaryDir folder;
  const std::string result = folder.filePath("v.tif").toStdString();
  std::ofstream(result + ".json") << record().dump();
  QCOMPARE(record_of(result).or_throw(), record().dump());
  QCOMPARE(record_of(result + ".json").or_throw(), record().dump());
  QVERIFY(!record_of(folder.filePath("none.tif").toStdString()).ok());
}

void RecordDiffTest::damaged_records_are_errors_or_ignored() {
  QVERIFY(!compare_records({"[1]", "a"}, {record().dump(), "b"}, Registry::all()).ok());
  QVERIFY(!compare_records({"{", "a"}, {record().dump(), "b"}, Registry::all()).ok());
  QVERIFY(!compare_records({record().dump(), "a"}, {"7", "b"}, Registry::all()).ok());
  // Members of other types than a record has: no crash, and no difference from themselves.
  for (const char* text :
       {R"({"pipeline": 3, "parameters": {"a": 1}, "run": "x"})",
        R"({"pipeline": {"nodes": [1, {"type": 2}], "links": [1, "a", {}]}, "parameters": [1, "a", {"node": []}]})",
        R"({"run": {"versions": [1], "device": 2, "inputs": null}})"}) {
    const auto same = compare_records({text, "a"}, {text, "b"}, Registry::all());
    QVERIFY2(same.ok() && same.value().empty(), text);
    QVERIFY(compare_records({text, "a"}, {record().dump(), "b"}, Registry::all()).ok());
  }
}

TL_TEST_CASE(RecordDiffTest)

}  // namespace tl::record_diff_test

#include "record_diff.moc"
