// tomoloom check: checks a pipeline and forecasts its outputs, blocks and memory without reading pixels; on request,
// reports defects of its scans found in a few of their pixels.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/base/printable.h"
#include "core/graph/bypass.h"
#include "core/graph/graph_json.h"
#include "core/graph/other_results.h"
#include "core/run/automatic/batch.h"
#include "core/run/common/memory.h"
#include "core/run/hints/clipping.h"
#include "core/run/hints/scan_hints.h"

namespace tl::cli {
namespace {

struct CheckArguments {
  std::string pipeline, input;
  std::optional<std::string> memory;
  std::vector<std::string> settings;
  bool hints = false, clipping = false;
};

std::string voxels_text(const VolumeGrid& grid) {
  return std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " x " + std::to_string(grid.nz) + " voxels";
}

// "512 x 512 x 64 voxels, 67 MB", "720 views of 512 x 64, 94 MB (axis not yet known)".
std::string size_text(const Info& info) {
  const int64_t size = region_bytes(full_region(info), 4);
  std::string text;
  bool pending = false;
  if (const auto* p = std::get_if<ProjectionsInfo>(&info)) {
    const DetectorShape d = p->geometry.detector();
    text = std::to_string(p->geometry.views()) + " views of " + std::to_string(d.cols) + " x " + std::to_string(d.rows);
    pending = p->pending;
  } else if (const VolumeGrid* grid = grid_of(info)) {
    const auto* maps = std::get_if<MapsInfo>(&info);
    if (maps != nullptr && !maps->channels.empty()) text = std::to_string(maps->channels.size()) + " maps of ";
    text += voxels_text(*grid);
    std::visit(
        [&pending](const auto& known) {
          if constexpr (requires { known.pending; }) pending = known.pending;
        },
        info);
  } else {
    return "small";
  }
  return text + ", " + format_bytes(size) + (pending ? " (depends on a value that will be measured)" : "");
}

void print_outputs(const Cli& cli, const std::map<std::string, Infos>& all, const Graph& graph,
                   const std::vector<OutsideOutput>& outside) {
  if (cli.output_mode == OutputMode::quiet) return;
  Json outputs = Json::object();
  for (const auto& [node, infos] : all)
    for (const auto& [port, info] : infos) outputs[node + "." + port] = size_text(info);
  const std::string unused = bypassed_and_muted_nodes(graph);
  if (cli.output_mode == OutputMode::json) {
    Json line{{"event", "sound"}, {"outputs", outputs}};
    for (const auto& [id, node] : graph.nodes)
      if (node.use != NodeUse::active) line["unused"][id] = to_string(node.use);
    for (const OutsideOutput& o : outside) line["writes_outside"][o.parameter] = o.path.string();
    print_json(line);
    return;
  }
  std::printf("the pipeline is valid\n");
  if (!unused.empty()) say(stdout, "  not computed: " + unused);
  for (const auto& [name, size] : outputs.items())
    std::printf("  %-32s %s\n", printable(name).c_str(), size.get<std::string>().c_str());
  for (const OutsideOutput& o : outside)
    say(stdout, "warning: it writes outside of the output folder: " + o.parameter + " = " + o.path.string() +
                    " (a run refuses that unless --allow-outside is given)");
}

// The purpose of a section of the plan: "measure", "store", "reduce" or "write".
std::string_view section_role(const Section& section, const Graph& graph, const Registry& registry) {
  if (!section.port.empty()) return "store";
  const NodeType* type = registry.find(graph.nodes.at(section.node).type);
  if (type->measure) return "measure";
  return type->is_output ? "write" : "reduce";
}

// "store    flat_field.projections: 4 blocks of views, 120 MB at most; 94 MB stay in memory".
std::string section_text(const Section& s, std::string_view role) {
  std::string text(role);
  text.resize(8, ' ');
  text += s.node + (s.port.empty() ? "" : "." + s.port) + ": ";
  const std::size_t blocks = s.blocks.size();
  text += blocks == 1 ? "one block"
                      : std::to_string(blocks) + " blocks" +
                            (s.axis == CutAxis::none ? "" : " of " + std::string(to_string(s.axis)));
  text += ", " + format_bytes(s.peak) + " at most";
  if (s.stored > 0)
    text += "; " + format_bytes(s.stored) + (s.in_scratch_file ? " in a scratch file" : " stay in memory");
  return text;
}

void print_plan(const Cli& cli, const Plan& plan, const Graph& graph, const Executor& executor,
                const Registry& registry) {
  const int64_t given = executor.options().memory_given;
  if (cli.output_mode == OutputMode::quiet) return;
  if (cli.output_mode == OutputMode::json) {
    Json sections = Json::array();
    for (const Section& s : plan.sections)
      sections.push_back({{"role", section_role(s, graph, registry)},
                          {"node", s.node},
                          {"port", s.port},
                          {"cut", to_string(s.axis)},
                          {"blocks", s.blocks.size()},
                          {"peak_bytes", s.peak},
                          {"stored_bytes", s.stored},
                          {"scratch_file", s.in_scratch_file}});
    const Json line = {{"event", "plan"},
                       {"memory_bytes", given},
                       {"budget_bytes", plan.budget},
                       {"peak_bytes", plan.peak},
                       {"sections", sections}};
    print_json(line);
    return;
  }
  std::printf("of %s a run may use %s for its blocks and needs at most %s:\n", format_bytes(given).c_str(),
              format_bytes(plan.budget).c_str(), format_bytes(plan.peak).c_str());
  for (const Section& s : plan.sections) say(stdout, "  " + section_text(s, section_role(s, graph, registry)));
}

void print_hints(const Cli& cli, const std::vector<Hint>& hints) {
  if (cli.output_mode == OutputMode::quiet) return;
  for (const Hint& h : hints) {
    if (cli.output_mode != OutputMode::json) {
      say(stdout, "hint: " + h.source + ": " + hint_text(h));
      continue;
    }
    const Json line{{"event", "hint"},        {"kind", to_string(h.kind)}, {"scan", h.source},
                    {"evidence", h.evidence}, {"advice", h.advice},        {"node", h.node}};
    print_json(line);
  }
  if (hints.empty() && cli.output_mode == OutputMode::text)
    say(stdout, "no hints: nothing wrong was found in some views and rows");
}

void print_clipping(const Cli& cli, const std::vector<ClippedSlice>& slices) {
  if (cli.output_mode == OutputMode::quiet) return;
  for (const ClippedSlice& s : slices) {
    if (cli.output_mode == OutputMode::json) {
      const Json line{{"event", "clipping"}, {"node", s.node}, {"share_of_middle_slice", s.share}, {"text", s.text}};
      print_json(line);
    } else {
      say(stdout, s.node + ": in the middle slice " + (s.text.empty() ? "nothing is clipped" : s.text));
    }
  }
  if (slices.empty() && cli.output_mode == OutputMode::text) say(stdout, "no volume is saved as integers");
}

Result<void> run(const CheckArguments& o, const Cli& cli) {
  const Registry& registry = Registry::all();
  warn_about_plugin_folders(cli);
  TL_TRY(Graph graph, load_pipeline(o.pipeline, registry));
  if (!o.input.empty()) TL_TRY(set_input(graph, registry, o.input));
  TL_TRY(apply_settings(graph, registry, o.settings));
  RunOptions options;
  options.cancel = cli.cancel;
  TL_TRY(set_memory(options, o.memory));
  Executor executor(registry, options);
  TL_TRY(const auto all, executor.check(graph));
  for (const std::string& other : results_of_other_runs(o.pipeline)) say(stderr, "warning: " + other);
  print_outputs(cli, all, graph, outputs_outside(graph, registry, executor.options(), o.settings));
  TL_TRY(const Plan plan, executor.forecast(graph));
  print_plan(cli, plan, graph, executor, registry);
  if (o.clipping) {
    TL_TRY(const std::vector<ClippedSlice> slices, clipped_slices(executor, graph));
    print_clipping(cli, slices);
  }
  if (!o.hints) return ok();
  TL_TRY(const std::vector<Hint> hints, unfollowed_scan_hints(executor, registry, graph));
  print_hints(cli, hints);
  return ok();
}

}  // namespace

void add_check(CLI::App& app, Cli& cli) {
  CLI::App* sub =
      app.add_subcommand("check", "Check a pipeline; forecast sizes, blocks and memory without reading pixels");
  const auto options = std::make_shared<CheckArguments>();
  cli.files.reads(sub->add_option("PIPELINE", options->pipeline, "A pipeline, or a result that embeds one"))
      ->required();
  cli.files.reads(sub->add_option("--input", options->input, "The scan to read instead of the one in the pipeline"));
  sub->add_option("--set", options->settings, "A parameter: node.param=value")->allow_extra_args(false);
  sub->add_option("--max-memory", options->memory,
                  "Memory of the whole program, for example 4GB (default: 80 % of what is available)");
  sub->add_flag("--clipping", options->clipping,
                "Also compute the middle slice of each volume that is saved as integers, and report which share of its "
                "voxels lies outside of the range of the integers");
  sub->add_flag("--hints", options->hints,
                "Also read some views and rows of its scans, and report problems that they show");
  add_output_flags(*sub, cli);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
