// tomoloom check: is this pipeline sound, and what would it make? Pixels are not read.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/run_options.h"
#include "core/graph/graph_json.h"
#include "core/run/batch.h"
#include "core/run/memory.h"

namespace tl::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string pipeline, input;
  std::vector<std::string> settings;
};

// "512 x 512 x 64 voxels, 67 MB", "720 views of 512 x 64, 94 MB (axis not yet known)".
std::string size_text(const Info& info) {
  const int64_t size = region_bytes(full_region(info), 4);
  std::string text;
  bool pending = false;
  if (const auto* p = std::get_if<ProjectionsInfo>(&info)) {
    const DetectorShape d = p->geometry.detector();
    text = std::to_string(p->geometry.views()) + " views of " + std::to_string(d.cols) + " x " + std::to_string(d.rows);
    pending = p->pending;
  } else if (const auto* v = std::get_if<VolumeInfo>(&info)) {
    text = std::to_string(v->grid.nx) + " x " + std::to_string(v->grid.ny) + " x " + std::to_string(v->grid.nz) +
           " voxels";
    pending = v->pending;
  } else {
    return "small";
  }
  return text + ", " + format_bytes(size) + (pending ? " (depends on a value that will be measured)" : "");
}

void print_outputs(const Cli& cli, const std::map<std::string, Infos>& all) {
  if (cli.speech == Speech::quiet) return;
  Json outputs = Json::object();
  for (const auto& [node, infos] : all)
    for (const auto& [port, info] : infos) outputs[node + "." + port] = size_text(info);
  if (cli.speech == Speech::json) {
    std::printf("%s\n", Json{{"event", "sound"}, {"outputs", outputs}}.dump().c_str());
    return;
  }
  std::printf("the pipeline is sound\n");
  for (const auto& [name, size] : outputs.items())
    std::printf("  %-32s %s\n", name.c_str(), size.get<std::string>().c_str());
}

Result<void> run(const Options& o, const Cli& cli) {
  const Registry& registry = Registry::all();
  TL_TRY(Graph graph, load_pipeline(o.pipeline, registry));
  if (!o.input.empty()) TL_TRY(set_input(graph, registry, o.input));
  TL_TRY(apply_settings(graph, registry, o.settings));
  RunOptions options;
  options.cancel = cli.cancel;
  options.input_dir = std::filesystem::path(o.pipeline).parent_path();
  Executor executor(registry, options);
  TL_TRY(const auto all, executor.check(graph));
  print_outputs(cli, all);
  return ok();
}

}  // namespace

void add_check(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("check", "Check a pipeline and forecast its sizes without reading pixels");
  const auto options = std::make_shared<Options>();
  sub->add_option("PIPELINE", options->pipeline, "A pipeline, or a result that embeds one")->required();
  sub->add_option("--input", options->input, "The scan to read instead of the one in the pipeline");
  sub->add_option("--set", options->settings, "A parameter: node.param=value")->allow_extra_args(false);
  add_speech(*sub, cli);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
