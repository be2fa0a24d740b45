// tomoloom sweep: runs a pipeline at every point of a grid over one or two parameters; writes a table, a montage and
// the best point.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/graph/graph_json.h"
#include "core/learn/short_number.h"
#include "core/learn/sweep/sweep.h"
#include "core/run/automatic/batch.h"
#include "core/run/record/protected_inputs.h"

namespace tl::cli {
namespace {

struct SweepArguments {
  std::string pipeline, input, score, picture, output;
  std::vector<std::string> over, settings;
  std::optional<int64_t> slice;
  int64_t tile = 192;
  RunFlags flags;
};

std::string values_text(const learn::SweepRequest& request, const learn::SweepPoint& p) {
  std::string text;
  for (std::size_t i = 0; i < request.axes.size(); ++i)
    text += (i == 0 ? "" : ", ") + request.axes[i].node + "." + request.axes[i].param + " = " + p.values[i];
  return text;
}

void print_point(const Cli& cli, const learn::SweepRequest& request, const learn::SweepReport& report,
                 std::size_t total) {
  if (cli.output_mode == OutputMode::quiet) return;
  const learn::SweepPoint& p = report.points.back();
  if (cli.output_mode == OutputMode::json) {
    Json line{{"event", "point"}, {"done", report.points.size()}, {"total", total}, {"values", p.values}};
    line["score"] = p.score ? Json(*p.score) : Json();
    if (!p.error.empty()) line["error"] = p.error;
    print_json(line);
    return;
  }
  const std::string result = !p.error.empty() ? p.error : p.score ? "score " + std::to_string(*p.score) : "done";
  say(stderr, std::to_string(report.points.size()) + " of " + std::to_string(total) + ": " + values_text(request, p) +
                  ": " + result);
}

void print_done(const Cli& cli, const learn::SweepRequest& request, const learn::SweepReport& report) {
  if (cli.output_mode == OutputMode::quiet) return;
  if (cli.output_mode == OutputMode::json) {
    Json files = Json::array();
    for (const auto& f : report.files) files.push_back(f.string());
    Json line{{"event", "done"}, {"files", files}, {"resumed", report.resumed}};
    line["best"] = report.best ? Json{{"values", report.points[*report.best].values},
                                      {"score", *report.points[*report.best].score}}
                               : Json();
    print_json(line);
    return;
  }
  if (report.resumed > 0)
    std::printf("%lld points were there from an interrupted sweep\n", static_cast<long long>(report.resumed));
  if (report.best)
    say(stdout, "best: " + values_text(request, report.points[*report.best]) + ", " + report.score.first + "." +
                    report.score.second + " = " + learn::short_number(*report.points[*report.best].score, 6));
  for (const auto& f : report.files) say(stdout, "wrote " + f.string());
}

std::filesystem::path without_ending(std::filesystem::path output) {
  const auto ending = output.extension();
  if (ending == ".png" || ending == ".csv" || ending == ".json") output.replace_extension();
  return output;
}

Result<learn::SweepRequest> request_of(const SweepArguments& o, const Graph& graph, const Registry& registry,
                                       const Cli& cli) {
  learn::SweepRequest request;
  for (const std::string& text : o.over) {
    TL_TRY(learn::SweepAxis axis, learn::parse_sweep_axis(graph, registry, text));
    request.axes.push_back(std::move(axis));
  }
  if (!o.score.empty()) {
    TL_TRY(request.score, learn::parse_sweep_score(graph, registry, o.score));
  }
  if (!o.picture.empty()) {
    TL_TRY(request.picture, learn::parse_sweep_picture(graph, registry, o.picture));
  }
  request.slice = o.slice;
  request.tile = o.tile;
  request.output = without_ending(o.output);
  request.rules = cli.files.rules(inputs_of(graph, registry));
  return request;
}

Result<void> run(const SweepArguments& o, const Cli& cli) {
  const Registry& registry = Registry::all();
  TL_TRY(Graph graph, load_pipeline(o.pipeline, registry));
  if (!o.input.empty()) TL_TRY(set_input(graph, registry, o.input));
  TL_TRY(apply_settings(graph, registry, o.settings));
  TL_TRY(const learn::SweepRequest request, request_of(o, graph, registry, cli));
  // Points are reported one by one; messages from within their runs are suppressed.
  EventSink silent;
  TL_TRY(const RunOptions options, make_run_options(cli, o.flags, silent));
  Executor executor(registry, options);
  TL_TRY(const learn::SweepReport report,
         learn::run_sweep(executor, graph, registry, request, [&](const learn::SweepReport& so_far, std::size_t total) {
           print_point(cli, request, so_far, total);
         }));
  print_done(cli, request, report);
  return ok();
}

}  // namespace

void add_sweep(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("sweep", "Run a pipeline over a grid of one or two parameters");
  const auto o = std::make_shared<SweepArguments>();
  cli.files.reads(sub->add_option("PIPELINE", o->pipeline, "A pipeline, or a result that embeds one"))->required();
  sub->add_option("--over", o->over,
                  "The parameter to vary: node.param=first:last:count or node.param=a,b,c; once or twice")
      ->required()
      ->allow_extra_args(false);
  const OutputNames outputs = [](const std::filesystem::path& name) {
    return with_endings({".json", ".csv", ".png"})(without_ending(name));
  };
  cli.files
      .writes(sub->add_option("-o,--output", o->output, "Name of NAME.json, NAME.csv and NAME.png"),
              {.names = outputs, .existing = Existing::judged_by_command})
      ->required();
  sub->add_option("--score", o->score, "A scalar output, node.output (default: the only \"loss\")");
  sub->add_option("--picture", o->picture, "A volume output for the montage (default: the last one)");
  sub->add_option("--slice", o->slice, "Which slice of the volume (default: the middle one)");
  sub->add_option("--tile", o->tile, "Longer side of a tile of the montage, in px")
      ->check(CLI::Range(16, 2048))
      ->capture_default_str();
  cli.files.reads(sub->add_option("--input", o->input, "The scan to read instead of the one in the pipeline"));
  sub->add_option("--set", o->settings, "A parameter: node.param=value")->allow_extra_args(false);
  add_run_flags(*sub, cli, o->flags);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
