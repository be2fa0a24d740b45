// tomoloom reconstruct: reconstructs a scan; chooses geometry, axis and filter, and explains the choice.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "app/cli/common/scan_flags.h"
#include "core/base/wording.h"
#include "core/graph/graph_json.h"
#include "core/graph/upstream.h"
#include "core/io/reader/scan_info.h"
#include "core/run/automatic/automatic.h"
#include "core/run/automatic/batch.h"
#include "core/run/hints/scan_hints.h"
#include "core/run/record/protected_inputs.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

struct ReconstructArguments {
  std::string scan, output, picture, pipeline, axis_method;
  std::optional<double> axis;
  std::vector<std::string> settings;
  ScanFlags scan_flags;
  RunFlags flags;
};

void print_choice(const Cli& cli, const AutomaticPipeline& chosen, EventSink& sink) {
  if (cli.output_mode == OutputMode::quiet) return;
  for (const std::string& reason : chosen.reasons)
    sink.message(LogLevel::info, "chosen", wording_for(FrontEnd::command_line, reason));
  for (const std::string& doubt : chosen.doubts)
    sink.message(LogLevel::warning, "", wording_for(FrontEnd::command_line, doubt));
}

// Hints about the scan of node "load", found in a few of its views and rows. None if it cannot be read: the run then
// fails with a more precise error.
Result<std::vector<Hint>> hints_of_load(const Graph& graph, const RunOptions& options) {
  RunOptions quiet = options;
  quiet.events = nullptr;
  Executor executor(Registry::all(), quiet);
  Result<std::vector<Hint>> found = unfollowed_scan_hints(executor, Registry::all(), upstream_of(graph, {"load"}));
  if (!found.ok() && found.error().kind != ErrorKind::cancelled) return std::vector<Hint>();
  return found;
}

// Whether every axis that was measured is resolved; true also if none was measured.
bool axis_is_resolved(const RunReport& report) {
  for (const auto& [node, findings] : report.findings) {
    const auto axis = findings.values.find("axis");
    const Scalar* value = axis == findings.values.end() ? nullptr : std::get_if<Scalar>(&axis->second);
    if (value != nullptr && value->verdict != Verdict::resolved) return false;
  }
  return true;
}

Result<void> run(const ReconstructArguments& o, Cli& cli) {
  TL_TRY(const std::vector<std::string> load, load_settings(o.scan_flags));
  TL_TRY(const io::ScanInfo scan, scan_with_settings(fs::absolute(o.scan), load, cli.cancel));
  const fs::path output = fs::absolute(o.output).lexically_normal();
  const fs::path named = output.has_filename() ? output : output.parent_path();
  AutomaticRequest request{named.filename(), {}, o.axis, load, o.axis_method};
  if (!o.picture.empty()) request.picture = fs::absolute(o.picture).lexically_relative(named.parent_path());
  TL_TRY(AutomaticPipeline chosen, automatic_pipeline(scan, request));
  const auto sink = make_run_sink(cli);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  TL_TRY(request.hints, hints_of_load(chosen.graph, options));
  TL_TRY(chosen, automatic_pipeline(scan, request));
  TL_TRY(apply_settings(chosen.graph, Registry::all(), o.settings));
  print_choice(cli, chosen, *sink);
  options.output_dir = named.parent_path();
  if (!o.pipeline.empty()) {
    const io::OutputRules rules = cli.files.rules(inputs_of(chosen.graph, Registry::all()));
    std::vector<fs::path> names = outputs_with_records(chosen.graph, Registry::all(), options);
    names.emplace_back(o.pipeline);
    TL_TRY(check_writable(names, rules));
    TL_TRY(save_pipeline(chosen.graph, Registry::all(), o.pipeline, rules));
  }
  TL_TRY(const RunReport report, run_and_report(cli, chosen.graph, options, *sink));
  if (!axis_is_resolved(report)) {
    cli.code = exit_unresolved;
    sink->message(LogLevel::warning, "axis",
                  "not resolved: the volume is written, but its axis may be wrong; see the message of the axis above, "
                  "and give --axis PX if you know the axis");
  }
  return ok();
}

}  // namespace

void add_reconstruct(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand(
      "reconstruct",
      "Reconstruct a scan; geometry, axis and filter are chosen and explained (exit code 6: axis not resolved)");
  const auto o = std::make_shared<ReconstructArguments>();
  cli.files.reads(sub->add_option("SCAN", o->scan, "A scan file, or a folder of TIFF or EDF files"))->required();
  const OutputNames with_record = with_endings({"", ".json"});
  cli.files
      .writes(sub->add_option("-o,--output", o->output, "The volume: NAME.tif, or a folder for one TIFF per slice"),
              {.names = with_record, .form = OutputForm::file_or_folder})
      ->required();
  cli.files.writes(sub->add_option("--picture", o->picture, "Also write the middle slice as PNG"),
                   {.names = with_record});
  auto* axis =
      sub->add_option("--axis", o->axis, "Rotation axis in pixels from the detector centre, instead of measuring it");
  sub->add_option(
         "--axis-method", o->axis_method,
         "Method to measure the axis: automatic, wedge, moments, vo, image, overlap, ... (the nodes axis.NAME)")
      ->excludes(axis);
  sub->add_option("--set", o->settings, "A parameter of the chosen pipeline: node.param=value")
      ->allow_extra_args(false);
  cli.files.writes(sub->add_option("--save-pipeline", o->pipeline, "Also write the chosen pipeline"));
  add_scan_flags(*sub, cli, o->scan_flags);
  add_run_flags(*sub, cli, o->flags);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
