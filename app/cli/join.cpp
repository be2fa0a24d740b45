// tomoloom join: joins slabs that were computed separately to whole volumes.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/run/slabs/join.h"

namespace tl::cli {
namespace {

struct JoinArguments {
  std::string folder;
  bool overwrite = false, keep = false;
};

Result<void> run(const JoinArguments& o, Cli& cli) {
  const std::vector<std::filesystem::path> folders = slab_folders(o.folder);
  if (folders.empty())
    return invalid("there are no slabs", o.folder, "Give the folder of a run with --slab, or its NAME.slabs");
  const auto sink = make_run_sink(cli);
  for (const std::filesystem::path& folder : folders) {
    JoinRequest request{folder};
    request.overwrite = o.overwrite ? io::Overwrite::replace : io::Overwrite::refuse;
    request.after = o.keep ? AfterJoining::keep_slabs : AfterJoining::remove_slabs;
    request.cancel = cli.cancel;
    request.events = sink.get();
    Result<std::filesystem::path> volume = join_slabs(request, Registry::all());
    sink->end();
    if (!volume.ok()) return volume.error();
    if (cli.output_mode == OutputMode::json)
      say(stdout, R"({"event":"done","files":[)" + nlohmann::json(volume.value().string()).dump() + "]}");
    else if (cli.output_mode == OutputMode::text)
      say(stdout, "wrote " + volume.value().string() + " and its record");
  }
  return ok();
}

}  // namespace

void add_join(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("join", "Make volumes of slabs that were computed apart");
  const auto options = std::make_shared<JoinArguments>();
  cli.files.writes_into(sub->add_option("FOLDER", options->folder, "The folder of the run, or one NAME.slabs in it"))
      ->required();
  sub->add_flag("--overwrite", options->overwrite, "Replace volumes that exist");
  sub->add_flag("--keep-slabs", options->keep, "Leave the slabs where they are");
  add_output_flags(*sub, cli);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
