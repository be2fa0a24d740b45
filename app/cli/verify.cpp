// tomoloom verify: is this machine right? The laws and analytic checks that the tests assert, shown to users.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
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

Result<void> run(VerifySize size, const Cli& cli) {
  const CheckTable table = verify_all(size);
  if (cli.speech != Speech::quiet)
    std::fputs((cli.speech == Speech::json ? to_json(table) : to_text(table)).c_str(), stdout);
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
  add_speech(*sub, cli);
  sub->callback([size, &cli] { cli.command = [size](Cli& c) { return run(*size, c); }; });
}

}  // namespace tl::cli
