// Spaces in files: all forms are read and written, unclosed caches too; what is damaged or unknown is refused with its
// place.
#include <filesystem>

#include "core/tune/formats/condition.h"
#include "core/tune/formats/space_file.h"
#include "tests/core/tune/tuning_data.h"
#include "tests/support/test_case.h"

namespace tl::tune_spaces_test {

using namespace tune;

namespace {

const std::string head = R"({"device_name": "d", "kernel_name": "k",
"tune_params_keys": ["x", "mode"],
"tune_params": {"x": [1, 2.5, 4], "mode": ["row", "plane"]},
)";
// One valid configuration and one for each way to say that one failed.
const std::string entries = R"("1,row": {"x": 1, "mode": "row", "time": 3.5, "times": [3, 4], "nvml_power": 20.5},
"2.5,row": {"x": 2.5, "mode": "row", "time": 1e20},
"4,row": {"x": 4.0, "mode": "row", "time": "CompilationFailedConfig"},
"1,plane": {"x": 1, "mode": "plane", "__error__": "RuntimeFailedConfig"})";
const std::string cache = head + "\"cache\": {\n" + entries + "\n}}\n";

const std::string t1 = R"({"General": {"FormatVersion": 1},
"ConfigurationSpace": {"TuningParameters": [
{"Name": "a", "Type": "int", "Values": "[1, 2, 4]"},
{"Name": "b", "Type": "int", "Values": "list(range(1, 9)) "},
{"Name": "c", "Type": "string", "Values": "['row, wide', 'plane']"}],
"Conditions": [{"Parameters": ["a", "b"], "Expression": "(a * b) <= 8 and not a == b"}]},
"KernelSpecification": {"KernelName": "k"}})";

Result<SpaceFile> parsed(const std::string& text) { return parse_space(text, "space.json"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  TL_CHECK(at != std::string::npos, "the text has it");
  return text.replace(at, from.size(), to);
}

bool same(const Space& a, const Space& b) {
  if (a.measurements.size() != b.measurements.size()) return false;
  for (std::size_t i = 0; i < a.measurements.size(); ++i) {
    const Measurement &m = a.measurements[i], &n = b.measurements[i];
    if (a.key_of(m.cell) != b.key_of(n.cell) || m.score != n.score || m.failure != n.failure ||
        m.timings != n.timings || m.others != n.others)
      return false;
  }
  return true;
}

}  // namespace

class Spaces : public QObject {
  Q_OBJECT

  // Refused as invalid; the message has these words.
  void refuses(const std::string& text, const std::vector<std::string>& words) {
    const auto result = parsed(text);
    QVERIFY2(!result.ok(), text.c_str());
    QCOMPARE(result.error().kind, ErrorKind::invalid);
    for (const std::string& word : words)
      QVERIFY2(result.error().message().find(word) != std::string::npos, result.error().message().c_str());
  }

 private Q_SLOTS:
  void a_cache_is_read() {
    const Space space = parsed(cache).or_throw().space;
    QCOMPARE(space.name, std::string("space"));
    QCOMPARE(space.cells(), int64_t{6});
    QCOMPARE(space.measurements.size(), std::size_t{4});
    const Measurement& first = space.measurements[0];
    QCOMPARE(space.key_of(first.cell), std::string("1,row"));
    QCOMPARE(first.score, 3.5);
    QCOMPARE(first.timings, (std::vector<double>{3, 4}));
    QCOMPARE(first.other("nvml_power").value_or(0), 20.5);
    const FailureCause causes[] = {FailureCause::none, FailureCause::unknown, FailureCause::compile,
                                   FailureCause::runtime};
    for (std::size_t i = 0; i < 4; ++i) {
      QVERIFY(space.measurements[i].failure == causes[i]);
      QCOMPARE(space.measurements[i].score < failed_score, i == 0);
    }
    QCOMPARE(space.cell_of(space.indices_of(5)), int64_t{5});
  }

  void a_cache_that_is_still_written_is_read() {
    const Space whole = parsed(cache).or_throw().space;
    for (const char* end : {"", ",", ",\n", "\n}", "\n"}) {
      const auto open = parsed(head + "\"cache\": {\n" + entries + end);
      const bool is_cut_within = std::string(end) == "\n}";  // one bracket of two
      QCOMPARE(open.ok(), !is_cut_within);
      if (open.ok()) QVERIFY(same(whole, open.value().space));
    }
    // An entry that was cut does not count as a configuration.
    refuses(head + "\"cache\": {\n\"1,row\": {\"x\": 1, \"mode\": \"row\", \"ti", {"not valid JSON", "space.json:5"});
  }

  void no_beginning_of_a_file_is_taken_for_more_than_it_says() {
    for (const std::string& text : {cache, t1}) {
      for (std::size_t length = 0; length < text.size() - 2; ++length) {
        const auto result = parsed(text.substr(0, length));
        if (result.ok()) {
          QVERIFY(result.value().space.measurements.size() <= 4);
        } else {
          QCOMPARE(result.error().kind, ErrorKind::invalid);
        }
      }
    }
  }

  void what_is_wrong_with_a_cache_is_said_with_its_place() {
    refuses("", {"not valid JSON"});
    refuses("[1]", {"not an object"});
    refuses("{}", {"not a space"});
    for (const char* key : {"device_name", "kernel_name", "tune_params_keys", "tune_params", "cache"})
      refuses(replaced(cache, "\"" + std::string(key) + "\"", "\"other_key\""), {"missing", key, "space.json"});
    refuses(replaced(cache, "\"mode\": \"row\", \"time\": 3.5", "\"time\": 3.5"),
            {"\"mode\" is missing", "space.json:5"});
    refuses(replaced(cache, "\"time\": 3.5", "\"other\": 3.5"), {"\"time\" is missing", "space.json:5"});
    refuses(replaced(cache, "3.5", "NaN"), {"not valid JSON", "space.json:5"});
    refuses(replaced(cache, "3.5", "Infinity"), {"not valid JSON"});
    refuses(replaced(cache, "3.5", "1e999"), {"not valid JSON"});
    refuses(replaced(cache, "3.5", "null"), {"not a number", "time"});
    refuses(replaced(cache, "\"CompilationFailedConfig\"", "\"fast\""),
            {"neither a number nor a class", "space.json:7"});
    refuses(replaced(cache, "\"x\": 2.5", "\"x\": 3"), {"not in the list of x", "space.json:6"});
    refuses(replaced(cache, "\"2.5,row\"", "\"1,row\""), {"occurs twice", "space.json:6"});
    refuses(replaced(cache, "\"x\": 2.5", "\"x\": 1"), {"measured twice", "space.json:6"});
    refuses(replaced(cache, "[1, 2.5, 4]", "[1, 2.5, 1.0, 4]"), {"occurs twice"});
    refuses(replaced(cache, "[1, 2.5, 4]", "[]"), {"no values"});
    refuses(replaced(cache, "[1, 2.5, 4]", "[[1]]"), {"not a number, a text"});
    refuses(replaced(cache, "{\"device", "{\"schema_version\": \"9.0.0\", \"device"), {"9.0.0", "space.json:1"});
    refuses(std::string(100, '[') + std::string(100, ']'), {"nested deeper"});
    refuses(replaced(cache, "row", std::string("r\0w", 3)), {"byte 0"});
  }

  void a_space_has_at_most_ten_million_configurations() {
    std::string values = "[0";
    for (int i = 1; i < 3200; ++i) values += "," + std::to_string(i);
    const std::string two =
        R"({"device_name": "d", "kernel_name": "k", "tune_params_keys": ["a", "b"], "tune_params": {"a": )" + values +
        "], \"b\": " + values + "]}, \"cache\": {}}";
    refuses(two, {"more than 10000000 configurations"});
    refuses(replaced(t1, "list(range(1, 9)) ", "range(0, 20000000)"), {"more values than"});
  }

  void t4_and_caches_say_the_same() {
    const SpaceFile first = parsed(cache).or_throw();
    const SpaceFormat t4 = space_format_t4();
    const SpaceFile second = parsed(t4.write(first.space)).or_throw();
    QCOMPARE(second.format->name, std::string_view("t4"));
    QCOMPARE(second.space.measurements.size(), std::size_t{4});
    QCOMPARE(second.space.measurements[0].score, 3.5);
    QVERIFY(second.space.measurements[2].failure == FailureCause::compile);
    // From here on nothing changes any more: what only a cache knows is gone.
    const SpaceFile third = parsed(space_format_cache().write(second.space)).or_throw();
    QVERIFY(same(second.space, third.space));
    QCOMPARE(parsed(t4.write(third.space)).or_throw().space.measurements.size(), std::size_t{4});
    // A cache is the same after it was written as one.
    QVERIFY(same(first.space, parsed(space_format_cache().write(first.space)).or_throw().space));
  }

  void what_is_wrong_with_t4_is_said() {
    const std::string good = space_format_t4().write(parsed(cache).or_throw().space);
    refuses(replaced(good, "1.0.0", "2.0.0"), {"2.0.0", "not known"});
    for (const char* key : {"configuration", "invalidity", "correctness", "times", "schema_version"})
      refuses(replaced(good, "\"" + std::string(key) + "\"", "\"other_key\""), {key, "missing"});
    refuses(replaced(good, "\"correct\"", "\"odd\""), {"odd", "not known"});
    refuses(R"({"schema_version": "1.0.0", "results": []})", {"not a list with results"});
    refuses(R"({"schema_version": "1.0.0", "results": [1]})", {"not an object"});
  }

  void t1_is_read_and_never_run() {
    const Space space = parsed(t1).or_throw().space;
    QCOMPARE(space.cells(), int64_t{3 * 8 * 2});
    QCOMPARE(value_text(space.parameters[2].values[0]), std::string("row, wide"));
    const Condition condition = Condition::parse(space.conditions.front(), space.parameters, "t1").or_throw();
    for (int64_t cell = 0; cell < space.cells(); ++cell) {
      const auto at = space.indices_of(cell);
      const int64_t a = std::get<int64_t>(space.parameters[0].values[static_cast<std::size_t>(at[0])]), b = at[1] + 1;
      QCOMPARE(condition.holds(at), a * b <= 8 && a != b);
    }
    for (const char* bad :
         {"__import__('os').system('true')", "[x for x in y]", "[1, f(2)]", "range(1, 9, 0)", "[1,, 2]", "1"})
      refuses(replaced(t1, "list(range(1, 9)) ", bad), {"not a list of values", "space.json:4"});
    for (const char* bad : {"max(a, b) < 3", "a.real < 3", "a[0] < 3", "abs (a) < 3"})
      refuses(replaced(t1, "(a * b) <= 8 and not a == b", bad), {"not allowed", "space.json:6"});
    refuses(replaced(t1, "not a == b", "not z == b"), {"no parameter is named z"});
    refuses(replaced(t1, "\"FormatVersion\": 1", "\"FormatVersion\": 3"), {"version 3"});
    refuses(replaced(t1, "\"KernelName\"", "\"Name\""), {"\"KernelName\" is missing"});
  }

  void conditions_compute_as_python_does_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("holds");
    const std::pair<const char*, bool> rows[] = {{"a == 3", true},
                                                 {"-7 // 2 == -4", true},
                                                 {"-7 % 3 == 2", true},
                                                 {"2 ** 3 ** 2 == 512", true},
                                                 {"-2 ** 2 == -4", true},
                                                 {"1 < a < 5", true},
                                                 {"1 < a < 3", false},
                                                 {"a / 0 == a / 0", false},
                                                 {"not a == 3", false},
                                                 {"a != 3 or s == 'x'", true},
                                                 {"a == 3 && s != \"x\"", false},
                                                 {"!(a > 3)", true},
                                                 {"s == 1", false},
                                                 {"s != 1", true},
                                                 {"f", false},
                                                 {"True and not f", true},
                                                 {"a * s > 0", false},
                                                 {"(a + 1) * 2 == 8", true},
                                                 {"a - 1 - 1 == 1", true}};
    for (const auto& [text, holds] : rows) QTest::newRow(text) << QString(text) << holds;
  }
  void conditions_compute_as_python_does() {
    QFETCH(QString, text);
    QFETCH(bool, holds);
    const std::vector<Parameter> parameters = {{"a", {int64_t{3}}}, {"s", {std::string("x")}}, {"f", {false}}};
    QCOMPARE(Condition::parse(text.toStdString(), parameters, "t").or_throw().holds({0, 0, 0}), holds);
  }

  void conditions_that_mean_nothing_are_refused() {
    const std::vector<Parameter> parameters = {{"a", {int64_t{3}}}};
    for (const std::string& text : {std::string(), std::string("a +"), std::string("(a"), std::string("a b"),
                                    std::string("a = 3"), std::string("a ; a"), std::string("'a"),
                                    std::string(200, '('), std::string(200, '-') + "a", std::string(5000, ' ')})
      QVERIFY2(!Condition::parse(text, parameters, "t").ok(), text.c_str());
  }

  void the_mi50_space_is_read() {
    if (!std::filesystem::exists(test::mi50_space())) QSKIP("convolution_MI50.json is not there (TL_SHARED_DATA)");
    const Space space = read_space(test::mi50_space()).or_throw().space;
    QCOMPARE(space.measurements.size(), std::size_t{864});
    int64_t valid = 0;
    const Measurement* best = &space.measurements.front();
    for (const Measurement& m : space.measurements) {
      valid += m.failure == FailureCause::none ? 1 : 0;
      if (m.score < best->score) best = &m;
    }
    QCOMPARE(valid, int64_t{414});
    QCOMPARE(space.key_of(best->cell), std::string("15,15,16,16,2,2,1"));
    QVERIFY(std::abs(best->score - 1.4368956) < 5e-8);
    QVERIFY(same(space, parsed(space_format_cache().write(space)).or_throw().space));
  }

  void missing_files_are_io_errors() { QCOMPARE(read_space("not/there.json").error().kind, ErrorKind::io); }
};

TL_TEST_CASE(Spaces)

}  // namespace tl::tune_spaces_test

#include "spaces.moc"
