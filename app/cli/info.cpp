// tomoloom info: prints a scan's metadata with the origin of every value; pixels are not read.
#include <cstdio>

#include "app/cli/cli.h"
#include "app/cli/scan_flags.h"
#include "core/io/describe.h"
#include "core/run/automatic/automatic.h"

namespace tl::cli {
namespace {

struct InfoArguments {
  std::string file;
  ScanFlags scan_flags;
};

Result<void> run(const InfoArguments& options, const Cli& cli) {
  warn_about_plugin_folders(cli);
  TL_TRY(const std::vector<std::string> load, load_settings(options.scan_flags));
  TL_TRY(const io::ScanInfo scan, scan_with_settings(options.file, load, cli.cancel));
  const std::string text = cli.output_mode == OutputMode::json ? io::describe_json(scan) : io::describe(scan);
  std::fputs(text.c_str(), stdout);
  return ok();
}

}  // namespace

void add_info(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("info", "Explain what a scan contains, with the origin of every value");
  const auto options = std::make_shared<InfoArguments>();
  sub->add_option("FILE", options->file, "A scan file, or a folder of TIFF files")->required();
  add_scan_flags(*sub, options->scan_flags);
  sub->add_flag_callback(
      "--json", [&cli] { cli.output_mode = OutputMode::json; }, "One JSON object");
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
