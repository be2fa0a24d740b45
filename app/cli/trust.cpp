// tomoloom trust: allows a network that is a program to run on this machine, or withdraws that.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/net/script/trusted_programs.h"

namespace tl::cli {
namespace {

struct TrustArguments {
  std::string file;
  bool forget = false;
};

void print_trust(const TrustArguments& o, bool trusted, const std::string& copy) {
  Json line{{"event", "done"}, {"program", o.file}, {"trusted", trusted}};
  if (!copy.empty()) line["copy"] = copy;
  print_json(line);
}

Result<void> forget(const TrustArguments& o, const Cli& cli) {
  TL_TRY(const bool was_trusted, net::forget_program(o.file));
  if (cli.output_mode == OutputMode::json) print_trust(o, false, {});
  if (cli.output_mode == OutputMode::text)
    say(stdout, o.file + (was_trusted ? " is not trusted any more" : " was not trusted"));
  return ok();
}

Result<void> trust(const TrustArguments& o, const Cli& cli) {
  TL_TRY(const std::filesystem::path copy, net::trust_program(o.file));
  if (cli.output_mode == OutputMode::json) print_trust(o, true, copy.string());
  if (cli.output_mode == OutputMode::text) {
    say(stdout, net::meaning_of_trust);
    say(stdout, o.file + " is trusted; the program runs its copy, " + copy.string());
    say(stdout, "tomoloom trust --forget revokes this");
  }
  return ok();
}

}  // namespace

void add_trust(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand(
      "trust", "Let a network that is a program (TorchScript) run: it can then do whatever you may do on this machine");
  const auto o = std::make_shared<TrustArguments>();
  cli.files
      .reads(sub->add_option("FILE", o->file, "The program; these very bytes are trusted, by you, on this machine"))
      ->required();
  sub->add_flag("--forget", o->forget, "Trust it no longer");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](const Cli& c) { return o->forget ? forget(*o, c) : trust(*o, c); }; });
}

}  // namespace tl::cli
