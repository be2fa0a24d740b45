// tomoloom run: runs a pipeline file, with settings and inputs from the command line, block by block.
#include <filesystem>

#include "app/cli/common/cli.h"
#include "app/cli/common/report_file.h"
#include "app/cli/common/run_options.h"
#include "app/cli/many.h"
#include "core/graph/named_pipeline.h"
#include "core/graph/other_results.h"
#include "core/run/automatic/batch.h"
#include "core/run/slabs/slab_run.h"

namespace tl::cli {
namespace {

struct RunArguments {
  std::string pipeline, input, out = ".", slab, report;
  std::vector<std::string> settings;
  std::vector<std::filesystem::path> inputs;
  bool allow_outside = false;
  RunFlags flags;
};

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return ok();
  return io_error("the output folder cannot be made: " + failed.message(), folder.string(),
                  "Choose another one with --out");
}

// Runs the scans one after the other; if one fails, it is reported and the next one begins.
Result<void> run_many(const RunArguments& o, Cli& cli) {
  const Registry& registry = Registry::all();
  TL_TRY(const std::vector<ScanTask> tasks, scan_list(o.inputs));
  TL_TRY(Graph graph, pipeline_or_template(o.pipeline, registry));
  const auto sink = make_run_sink(cli);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  ManyScansRequest request{std::move(graph), o.settings, o.out, o.inputs, o.allow_outside, std::move(options)};
  TL_TRY(ManyScans runs, ManyScans::open(registry, std::move(request)));
  TL_TRY(runs.expect(tasks));
  ManyCounts counts;
  const std::string of_all = " of " + std::to_string(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    ScanTask task = tasks[i];
    if (!counts.last.empty()) task.before = std::filesystem::absolute(o.out) / counts.last;
    TL_TRY(run_and_count(runs, task, std::to_string(i + 1) + of_all, cli, *sink, counts));
  }
  print_sum(runs, counts, cli);
  return ok();
}

Result<void> run(const RunArguments& o, Cli& cli) {
  if (!o.inputs.empty()) return run_many(o, cli);
  TL_TRY(check_report_name(o.report));
  const Registry& registry = Registry::all();
  TL_TRY(Graph graph, pipeline_or_template(o.pipeline, registry));
  if (!o.input.empty()) TL_TRY(set_input(graph, registry, o.input));
  TL_TRY(apply_settings(graph, registry, o.settings));
  const auto sink = make_run_sink(cli);
  for (const std::string& other : results_of_other_runs(o.pipeline)) sink->message(LogLevel::warning, "", other);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  options.output_dir = o.out;
  if (!o.allow_outside) TL_TRY(check_outputs_inside(graph, registry, options, o.settings));
  TL_TRY(make_folder(options.output_dir));
  std::vector<std::string> outputs;
  if (!o.slab.empty()) {
    TL_TRY(const io::Slab slab, io::parse_slab(o.slab));
    TL_TRY(SlabRun part, slab_run(graph, registry, slab));
    graph = std::move(part.graph);
    outputs = std::move(part.outputs);
    for (const std::filesystem::path& file : output_paths(graph, registry, options))
      TL_TRY(make_folder(file.parent_path()));
  }
  const Result<RunReport> report = run_and_report(cli, graph, options, *sink, outputs);
  if (!report.ok()) return report.error();
  return o.report.empty() ? ok() : write_report_file(cli, graph, options, report.value(), o.report);
}

}  // namespace

void add_run(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("run", "Run a pipeline file");
  const auto options = std::make_shared<RunArguments>();
  cli.files
      .reads(sub->add_option(
          "PIPELINE", options->pipeline,
          "A pipeline, a result that embeds one, or the name of a bundled pipeline (tomoloom templates)"))
      ->required();
  auto* input = cli.files.reads(
      sub->add_option("--input", options->input, "The scan to read instead of the one in the pipeline"));
  auto* many = cli.files.reads(sub->add_option(
      "--inputs", options->inputs,
      "Many scans, one after the other: scans, folders of scans, or tables NAME.csv (columns scan, node.param, ...). "
      "Results go to OUT/NAME, the state of each to OUT/scans.csv; the same command again continues where it stopped. "
      "{before} in a setting is the folder of results of the previous scan"));
  many->excludes(input);
  sub->add_option("--set", options->settings, "A parameter: node.param=value, for example fbp.cutoff=0.5")
      ->allow_extra_args(false);
  cli.files.writes_into(sub->add_option("--out", options->out, "Folder for outputs with relative names"))
      ->capture_default_str();
  sub->add_option("--slab", options->slab,
                  "Only a part of each volume, for example 2/8: the second of eight parts. It is written to "
                  "NAME.slabs; join makes one volume of all parts. Other outputs are written with the first part")
      ->excludes(many);
  cli.files
      .writes(sub->add_option(
          "--report", options->report,
          "Also write a page NAME.html or NAME.pdf: pipeline, parameters, slices, plots, times, references"))
      ->excludes(many);
  sub->add_flag("--allow-outside", options->allow_outside,
                "Also write outputs that the pipeline places outside of that folder");
  add_run_flags(*sub, cli, options->flags);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
