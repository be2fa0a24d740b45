// tomoloom info: prints a scan's metadata with the origin of every value, and on request defects found in its
// pixels.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/scan_flags.h"
#include "core/base/printable.h"
#include "core/io/hdf5/tree_text.h"
#include "core/io/process/remote_scan.h"
#include "core/io/reader/describe.h"
#include "core/run/automatic/automatic.h"
#include "core/run/automatic/batch.h"
#include "core/run/hints/scan_hints.h"

namespace tl::cli {
namespace {

struct InfoArguments {
  std::string file;
  ScanFlags scan_flags;
  bool hints = false, tree = false;
};

Result<std::vector<Hint>> hints_of_file(const InfoArguments& options, const std::vector<std::string>& load,
                                        const Cli& cli) {
  Graph graph;
  GraphNode& node = graph.nodes["load"];
  node.type = Registry::all().with_role(NodeRole::load_scan)->id;
  node.params["file"] = std::filesystem::absolute(options.file).string();
  for (const std::string& setting : load) TL_TRY(apply_settings(graph, Registry::all(), {"load." + setting}));
  RunOptions run;
  run.cancel = cli.cancel;
  Executor executor(Registry::all(), run);
  return unfollowed_scan_hints(executor, Registry::all(), graph);
}

std::string with_hints(const std::string& json, const std::vector<Hint>& hints) {
  auto object = Json::parse(json);
  auto list = Json::array();
  for (const Hint& h : hints)
    list.push_back({{"kind", to_string(h.kind)}, {"evidence", h.evidence}, {"advice", h.advice}, {"node", h.node}});
  object["hints"] = std::move(list);
  return object.dump(2) + "\n";
}

// The tree of an HDF5 file; datasets that may be the frames are marked.
Result<void> print_tree(const std::string& file, const Cli& cli) {
  TL_TRY(const io::Hdf5Tree tree, io::read_hdf5_tree(file));
  if (cli.output_mode == OutputMode::json) {
    std::fputs(io::describe_json(tree).c_str(), stdout);
    return ok();
  }
  std::fputs(io::describe(tree).c_str(), stdout);
  constexpr std::size_t max_named = 5;
  std::vector<std::string> frames = io::possible_frames(tree);
  if (frames.empty()) say(stdout, "no dataset has frames: three dimensions of numbers");
  frames.resize(std::min(frames.size(), max_named));
  for (const std::string& path : frames) say(stdout, "frames may be: --data " + printable(path));
  return ok();
}

Result<void> run(const InfoArguments& options, const Cli& cli) {
  warn_about_plugin_folders(cli);
  if (options.tree) return print_tree(options.file, cli);
  TL_TRY(const std::vector<std::string> load, load_settings(options.scan_flags));
  TL_TRY(const io::ScanInfo scan, scan_with_settings(options.file, load, cli.cancel));
  const std::string text = cli.output_mode == OutputMode::json ? io::describe_json(scan) : io::describe(scan);
  if (!options.hints) {
    std::fputs(text.c_str(), stdout);
    return ok();
  }
  TL_TRY(const std::vector<Hint> hints, hints_of_file(options, load, cli));
  if (cli.output_mode == OutputMode::json) {
    std::fputs(with_hints(text, hints).c_str(), stdout);
    return ok();
  }
  std::fputs(text.c_str(), stdout);
  for (const Hint& h : hints) say(stdout, "hint: " + hint_text(h));
  if (hints.empty()) say(stdout, "no hints: nothing wrong was found in some views and rows");
  return ok();
}

}  // namespace

void add_info(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("info", "Show the contents of a scan, with the origin of every value");
  const auto options = std::make_shared<InfoArguments>();
  cli.files.reads(sub->add_option("FILE", options->file, "A scan file, or a folder of TIFF or EDF files"))->required();
  add_scan_flags(*sub, cli, options->scan_flags);
  sub->add_flag("--tree", options->tree,
                "Print the contents of an HDF5 file instead: groups, datasets and links, to find the path for --data");
  sub->add_flag("--hints", options->hints,
                "Also read some views and rows, and report problems that they show: rings, zingers, axis, angles...");
  sub->add_flag_callback(
      "--json", [&cli] { cli.output_mode = OutputMode::json; }, "One JSON object");
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
