// Verification report as JSON, Markdown and HTML: complete, escaped, and with failures marked.
#include "app/cli/common/verify_report.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

namespace tl::verify_report_test {

using namespace tl::cli;

namespace {

const CheckTable table = {{"C9 dot", "projector", "cone", "float32", 3e-8, 1e-6, true},
                          {"C10", "a < b & \"c\"", "parallel", "float64", 2e-3, 1e-3, false},
                          {"something new", "x", "y", "float64", 0, 0, true, "a < reason"}};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

class VerifyReportTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void json_keeps_every_number() {
    const auto report = nlohmann::json::parse(verify_json(table));
    QCOMPARE(report.at("passed").get<bool>(), false);
    QCOMPARE(report.at("checks").size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      QCOMPARE(report["checks"][i]["value"].get<double>(), table[i].value);
      QCOMPARE(report["checks"][i]["bound"].get<double>(), table[i].bound);
      QCOMPARE(report["checks"][i]["operator"].get<std::string>(), table[i].op);
    }
    QVERIFY(nlohmann::json::parse(verify_json({table[0]})).at("passed").get<bool>());
  }

  void markdown_has_a_row_per_check() {
    const std::string page = verify_markdown(table, VerifySize::full);
    QVERIFY(has(page, "| C9 dot | projector | cone | float32 | 3e-08 | 1e-06 | holds |"));
    QVERIFY(has(page, "**FAILS**"));
    QVERIFY(has(page, "`tomoloom verify --full --markdown > resources/docs/verification.md`"));
    QVERIFY(has(page, "2 of 3 hold"));
    QVERIFY(has(page, "## Transposes"));
    QVERIFY(has(page, "Bound of something new: a < reason"));
  }

  void html_escapes_groups_and_counts() {
    const std::string page = verify_html(table);
    QVERIFY(has(page, "a &lt; b &amp; &quot;c&quot;"));
    QVERIFY(!has(page, "a < b"));
    QVERIFY(has(page, "1 of 3 checks fail"));
    for (const char* heading : {"<h2>Transposes</h2>", "<h2>Gradients</h2>", "<h2>Other checks</h2>"})
      QVERIFY2(has(page, heading), heading);
    QVERIFY(has(page, "Bound of something new: a &lt; reason"));
    QVERIFY(has(verify_html({table[0]}), "All 1 checks hold"));
  }
};

TL_TEST_CASE(VerifyReportTest)

}  // namespace tl::verify_report_test

#include "verify_report.moc"
