// tomoloom verify: is this machine right? The laws and analytic checks that the tests assert, shown to users.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "core/physics/verify_materials.h"
#include "core/run/provenance.h"
#include "gpu/device.h"
#include "gpu/verify/verify.h"

namespace tl::cli {
namespace {

std::string to_json(const CheckTable& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const CheckRow& r : table)
    rows.push_back({{"id", r.id},
                    {"operator", r.op},
                    {"geometry", r.geometry},
                    {"dtype", r.dtype},
                    {"value", r.value},
                    {"bound", r.bound},
                    {"passed", r.passed}});
  return nlohmann::ordered_json{{"passed", all_passed(table)}, {"checks", rows}}.dump(2) + "\n";
}

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string to_markdown(const CheckTable& table) {
  std::string text = "# Verification\n\nMade by `tomoloom verify --markdown` (version " + version() + ") on " +
                     devices().front().name + ". A check holds when what was found does not exceed its bound.\n\n"
                     "| case | what | scan or data | type | found | bound | |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const CheckRow& r : table)
    text += "| " + r.id + " | " + r.op + " | " + r.geometry + " | " + r.dtype + " | " + number("%.4g", r.value) + " | " +
            number("%.4g", r.bound) + " | " + (r.passed ? "holds" : "**FAILS**") + " |\n";
  return text;
}

enum class Layout { text, markdown };

Result<void> run(VerifySize size, Layout layout, const Cli& cli) {
  CheckTable table = verify_materials();
  const CheckTable numerics = verify_all(size);
  table.insert(table.end(), numerics.begin(), numerics.end());
  if (cli.speech != Speech::quiet)
    std::fputs((cli.speech == Speech::json      ? to_json(table)
                : layout == Layout::markdown ? to_markdown(table)
                                             : to_text(table))
                   .c_str(),
               stdout);
  if (all_passed(table)) return ok();
  return Error{ErrorKind::internal, "a check failed", "verify",
               "Do not trust results of this machine; please report the table"};
}

}  // namespace

void add_verify(CLI::App& app, Cli& cli) {
  CLI::App* sub =
      app.add_subcommand("verify", "Check the operators on this machine: transposes, gradients, analytic objects");
  const auto size = std::make_shared<VerifySize>(VerifySize::small);
  sub->add_flag_callback(
      "--full", [size] { *size = VerifySize::full; }, "More sizes and seeds (minutes)");
  const auto layout = std::make_shared<Layout>(Layout::text);
  sub->add_flag_callback("--markdown", [layout] { *layout = Layout::markdown; }, "The table as a Markdown page");
  add_speech(*sub, cli);
  sub->callback([size, layout, &cli] { cli.command = [size, layout](Cli& c) { return run(*size, *layout, c); }; });
}

}  // namespace tl::cli
