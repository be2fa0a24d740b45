// tomoloom run: runs a pipeline file, with settings and inputs from the command line, block by block.
#include <filesystem>

#include "app/cli/cli.h"
#include "app/cli/run_options.h"
#include "core/graph/graph_json.h"
#include "core/graph/other_results.h"
#include "core/run/automatic/batch.h"

namespace tl::cli {
namespace {

struct RunArguments {
  std::string pipeline, input, out = ".";
  std::vector<std::string> settings;
  bool allow_outside = false;
  RunFlags flags;
};

Result<void> run(const RunArguments& o, const Cli& cli) {
  const Registry& registry = Registry::all();
  TL_TRY(Graph graph, load_pipeline(o.pipeline, registry));
  if (!o.input.empty()) TL_TRY(set_input(graph, registry, o.input));
  TL_TRY(apply_settings(graph, registry, o.settings));
  const auto sink = make_sink(cli);
  for (const std::string& other : results_of_other_runs(o.pipeline)) sink->message(LogLevel::warning, "", other);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  options.output_dir = o.out;
  options.inputs.add(o.pipeline, "the pipeline " + std::filesystem::path(o.pipeline).filename().string());
  if (!o.allow_outside) TL_TRY(check_outputs_inside(graph, registry, options, o.settings));
  std::error_code failed;
  std::filesystem::create_directories(options.output_dir, failed);
  if (failed)
    return io_error("the output folder cannot be made: " + failed.message(), o.out, "Choose another one with --out");
  const Result<RunReport> report = run_and_report(cli, graph, options, *sink);
  if (!report.ok()) return report.error();
  return ok();
}

}  // namespace

void add_run(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("run", "Run a pipeline file");
  const auto options = std::make_shared<RunArguments>();
  sub->add_option("PIPELINE", options->pipeline, "A pipeline, or a result that embeds one")->required();
  sub->add_option("--input", options->input, "The scan to read instead of the one in the pipeline");
  sub->add_option("--set", options->settings, "A parameter: node.param=value, for example fbp.cutoff=0.5")
      ->allow_extra_args(false);
  sub->add_option("--out", options->out, "Folder for outputs with relative names")->capture_default_str();
  sub->add_flag("--allow-outside", options->allow_outside,
                "Also write outputs that the pipeline places outside of that folder");
  add_run_flags(*sub, cli, options->flags);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
