// tomoloom verify: runs the laws and analytic checks of the tests on this machine and prints the results.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/verify_report.h"
#include "app/cli/training/verify_training.h"
#include "core/learn/learner/verify_cases.h"
#include "core/learn/learner/verify_learning.h"
#include "core/mesh/verify_surfaces.h"
#include "core/net/verify/verify_networks.h"
#include "core/physics/verify_materials.h"
#include "gpu/device/device.h"
#include "gpu/verify/loops.h"
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

enum class Subject { all, networks };

CheckTable all_checks(VerifySize size, const Cli& cli) {
  CheckTable table = verify_materials();
  const CheckTable numerics = verify_all(size, cli.cancel);
  table.insert(table.end(), numerics.begin(), numerics.end());
  const CheckTable surfaces = mesh::verify_surfaces();
  table.insert(table.end(), surfaces.begin(), surfaces.end());
  const CheckTable networks = net::verify_networks(size, cli.cancel);
  table.insert(table.end(), networks.begin(), networks.end());
  const CheckTable found = learn::verify_learning(size, cli.cancel);
  table.insert(table.end(), found.begin(), found.end());
  const CheckTable cases = learn::verify_cases(size, cli.cancel);
  table.insert(table.end(), cases.begin(), cases.end());
  if (size == VerifySize::full) {
    const CheckTable trained = verify_training(cli);
    table.insert(table.end(), trained.begin(), trained.end());
  }
  return table;
}

Result<void> run(Subject subject, VerifySize size, Layout layout, const Cli& cli) {
  const CheckTable table =
      subject == Subject::networks ? net::verify_networks(size, cli.cancel) : all_checks(size, cli);
  if (cli.output_mode != OutputMode::quiet) std::fputs(report(table, size, layout, cli.output_mode).c_str(), stdout);
  if (all_passed(table)) return ok();
  return Error{ErrorKind::internal, "a check failed", "verify",
               "Do not trust results of this machine; please report the table"};
}

// The CPU loops of projector and back-projector; those that this machine uses are marked with a star.
Result<void> print_kernels(const Cli& cli) {
  const std::vector<ops::LoopRate> rates = ops::measure_loops(cli.cancel);
  if (cli.output_mode == OutputMode::quiet) return ok();
  if (cli.output_mode == OutputMode::json) {
    auto rows = Json::array();
    for (const ops::LoopRate& r : rates)
      rows.push_back({{"scan", r.scan},
                      {"direction", r.direction},
                      {"loop", r.loop},
                      {"for", r.serves},
                      {"taken", r.taken},
                      {"updates_per_s", r.updates},
                      {"difference", r.difference}});
    std::printf("%s\n", rows.dump().c_str());
    return ok();
  }
  std::printf("%s; * is the one chosen here; updates are voxels times views; difference from the generic loop\n\n",
              devices().front().name.c_str());
  std::printf("%-18s %-21s   %-18s %11s  %-10s  %s\n", "scan", "direction", "loop", "Mupdates/s", "difference", "for");
  for (const ops::LoopRate& r : rates)
    std::printf("%-18s %-21s %s %-18s %11.0f  %-10.1e  %s\n", r.scan.c_str(), r.direction.c_str(), r.taken ? "*" : " ",
                r.loop.c_str(), r.updates / 1e6, r.difference, r.serves.c_str());
  return ok();
}

}  // namespace

void add_verify(CLI::App& app, Cli& cli) {
  CLI::App* sub =
      app.add_subcommand("verify", "Check the operators on this machine: transposes, gradients, analytic objects");
  const auto size = std::make_shared<VerifySize>(VerifySize::small);
  CLI::Option* full = sub->add_flag_callback(
      "--full", [size] { *size = VerifySize::full; }, "More sizes and seeds (minutes)");
  const auto layout = std::make_shared<Layout>(Layout::text);
  CLI::Option* markdown = sub->add_flag_callback(
      "--markdown", [layout] { *layout = Layout::markdown; }, "The table as a Markdown page");
  CLI::Option* html = sub->add_flag_callback(
      "--html", [layout] { *layout = Layout::html; }, "The table as one self-contained HTML page");
  const auto kernels = std::make_shared<bool>(false);
  sub->add_flag("--kernels", *kernels, "Instead: the CPU loops of projector and back-projector, and their speed here")
      ->excludes(full, markdown, html);
  const auto subject = std::make_shared<Subject>(Subject::all);
  sub->add_flag_callback(
      "--networks", [subject] { *subject = Subject::networks; }, "Only the checks of networks");
  add_output_flags(*sub, cli);
  sub->callback([size, layout, kernels, subject, &cli] {
    cli.command = [size, layout, kernels, subject](Cli& c) {
      return *kernels ? print_kernels(c) : run(*subject, *size, *layout, c);
    };
  });
}

}  // namespace tl::cli
