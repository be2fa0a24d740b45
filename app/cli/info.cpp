// tomoloom info: what a scan says about itself, every value with its origin; pixels are not read.
#include <cstdio>

#include "app/cli/cli.h"
#include "core/io/describe.h"
#include "core/io/format.h"

namespace tl::cli {
namespace {

struct InfoArguments {
  std::string file, format;
};

Result<void> run(const InfoArguments& options, const Cli& cli) {
  TL_TRY(std::unique_ptr<io::ScanReader> scan, io::open_scan(options.file, options.format));
  const std::string text = cli.speech == Speech::json ? io::describe_json(scan->info()) : io::describe(scan->info());
  std::fputs(text.c_str(), stdout);
  return ok();
}

}  // namespace

void add_info(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("info", "Explain what a scan contains, with the origin of every value");
  const auto options = std::make_shared<InfoArguments>();
  sub->add_option("FILE", options->file, "A scan file, or a folder of TIFF files")->required();
  sub->add_option("--format", options->format, "Read it as this format instead of guessing");
  sub->add_flag_callback(
      "--json", [&cli] { cli.speech = Speech::json; }, "One JSON object");
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
