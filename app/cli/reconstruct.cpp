// tomoloom reconstruct: a scan becomes a volume; geometry, axis and filter are chosen here, and why is said.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/run_options.h"
#include "core/graph/graph_json.h"
#include "core/io/format.h"
#include "core/run/automatic.h"
#include "core/run/batch.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

struct ReconstructArguments {
  std::string scan, output, picture, pipeline;
  std::optional<double> axis;
  std::vector<std::string> settings;
  RunFlags flags;
};

void tell(const Cli& cli, const AutomaticPipeline& chosen, EventSink& sink) {
  if (cli.speech == Speech::quiet) return;
  for (const std::string& reason : chosen.reasons) sink.message(LogLevel::info, "chosen", reason);
  for (const std::string& doubt : chosen.doubts) sink.message(LogLevel::warning, "", doubt);
}

Result<void> run(const ReconstructArguments& o, const Cli& cli) {
  TL_TRY(std::unique_ptr<io::ScanReader> scan, io::open_scan(fs::absolute(o.scan)));
  const fs::path output = fs::absolute(o.output).lexically_normal();
  const fs::path named = output.has_filename() ? output : output.parent_path();
  AutomaticWishes wishes{named.filename(), {}, o.axis};
  if (!o.picture.empty()) wishes.picture = fs::absolute(o.picture).lexically_relative(named.parent_path());
  TL_TRY(AutomaticPipeline chosen, automatic_pipeline(scan->info(), wishes));
  TL_TRY(apply_settings(chosen.graph, Registry::all(), o.settings));
  const auto sink = make_sink(cli);
  tell(cli, chosen, *sink);
  if (!o.pipeline.empty())
    TL_TRY(save_pipeline(chosen.graph, Registry::all(), o.pipeline,
                         o.flags.overwrite ? io::Overwrite::replace : io::Overwrite::refuse));
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  options.output_dir = named.parent_path();
  return run_and_report(cli, chosen.graph, options, *sink);
}

}  // namespace

void add_reconstruct(CLI::App& app, Cli& cli) {
  CLI::App* sub =
      app.add_subcommand("reconstruct", "Reconstruct a scan; geometry, axis and filter are chosen and explained");
  const auto o = std::make_shared<ReconstructArguments>();
  sub->add_option("SCAN", o->scan, "A scan file, or a folder of TIFF files")->required();
  sub->add_option("-o,--output", o->output, "The volume: NAME.tif, or a folder for one TIFF per slice")->required();
  sub->add_option("--picture", o->picture, "Also write the middle slice as PNG");
  sub->add_option("--axis", o->axis, "Rotation axis in pixels from the detector centre, instead of measuring it");
  sub->add_option("--set", o->settings, "A parameter of the chosen pipeline: node.param=value")
      ->allow_extra_args(false);
  sub->add_option("--save-pipeline", o->pipeline, "Also write the chosen pipeline");
  add_run_flags(*sub, cli, o->flags);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
