// tomoloom verify: runs the laws and analytic checks of the tests on this machine and prints the results.
#include <cstdio>

#include "app/cli/cli.h"
#include "app/cli/verify_report.h"
#include "core/learn/verify_learning.h"
#include "core/physics/verify_materials.h"
#include "gpu/verify/verify.h"

namespace tl::cli {
namespace {

enum class Layout { text, markdown, html };

std::string report(const CheckTable& table, VerifySize size, Layout layout, OutputMode output_mode) {
  if (output_mode == OutputMode::json) return verify_json(table);
  if (layout == Layout::markdown) return verify_markdown(table, size);
  if (layout == Layout::html) return verify_html(table);
  return to_text(table);
}

Result<void> run(VerifySize size, Layout layout, const Cli& cli) {
  CheckTable table = verify_materials();
  const CheckTable numerics = verify_all(size, cli.cancel);
  table.insert(table.end(), numerics.begin(), numerics.end());
  const CheckTable found = learn::verify_learning(size, cli.cancel);
  table.insert(table.end(), found.begin(), found.end());
  if (cli.output_mode != OutputMode::quiet) std::fputs(report(table, size, layout, cli.output_mode).c_str(), stdout);
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
  sub->add_flag_callback(
      "--markdown", [layout] { *layout = Layout::markdown; }, "The table as a Markdown page");
  sub->add_flag_callback(
      "--html", [layout] { *layout = Layout::html; }, "The table as one self-contained HTML page");
  add_output_flags(*sub, cli);
  sub->callback([size, layout, &cli] { cli.command = [size, layout](Cli& c) { return run(*size, *layout, c); }; });
}

}  // namespace tl::cli
