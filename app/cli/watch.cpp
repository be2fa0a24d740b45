// tomoloom watch: runs a pipeline once over each scan in a folder, when the scan is complete.
#include <chrono>
#include <filesystem>
#include <thread>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "app/cli/many.h"
#include "core/graph/graph_json.h"
#include "core/run/many/scan_watch.h"

namespace tl::cli {
namespace {

using Clock = ScanWatch::Clock;

struct WatchArguments {
  std::filesystem::path folder;
  std::string pipeline, out = ".";
  std::vector<std::string> settings;
  double quiet = 10, end_after = 0;  // [s]
  bool allow_outside = false;
  RunFlags flags;
};

Clock::duration seconds(double count) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
}

Result<void> watch(const WatchArguments& o, Cli& cli) {
  const Registry& registry = Registry::all();
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::absolute(o.folder, failed).lexically_normal();
  if (!std::filesystem::is_directory(folder, failed))
    return io_error("the folder to watch does not exist", folder.string(), "Check the path");
  TL_TRY(Graph graph, load_pipeline(o.pipeline, registry));
  const auto sink = make_run_sink(cli);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  ManyScansRequest request{std::move(graph), o.settings, o.out, {folder}, o.allow_outside, std::move(options)};
  TL_TRY(ManyScans runs, ManyScans::open(registry, std::move(request)));
  if (cli.output_mode == OutputMode::text) say(stderr, "watching " + folder.string() + " (Ctrl+C ends it)");

  constexpr auto look = std::chrono::milliseconds(200);
  ScanWatch scans(folder, seconds(o.quiet));
  ManyCounts counts;
  int64_t number = 0;
  auto last = Clock::now();
  while (!cli.cancel.cancelled()) {
    for (const std::filesystem::path& scan : scans.finished(Clock::now(), cli.cancel)) {
      const Result<void> done =
          run_and_count(runs, {scan.stem().string(), scan, {}}, std::to_string(++number), cli, *sink, counts);
      if (!done.ok() && done.error().kind == ErrorKind::cancelled) break;
      TL_TRY(done);
      last = Clock::now();
    }
    if (o.end_after > 0 && Clock::now() - last > seconds(o.end_after)) break;
    std::this_thread::sleep_for(look);
  }
  if (const int64_t left = scans.unfinished(); left > 0 && cli.output_mode == OutputMode::text)
    say(stderr, "not taken, because they still changed or could not be opened: " + std::to_string(left));
  print_sum(runs, counts, cli);
  return ok();
}

}  // namespace

void add_watch(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("watch", "Run a pipeline for each scan of a folder when it is finished");
  const auto o = std::make_shared<WatchArguments>();
  cli.files.reads(sub->add_option("FOLDER", o->folder, "Where scans appear"))->required();
  cli.files.reads(sub->add_option("--pipeline", o->pipeline, "A pipeline, or a result that embeds one"))->required();
  sub->add_option("--set", o->settings, "A parameter: node.param=value, for example fbp.cutoff=0.5")
      ->allow_extra_args(false);
  cli.files
      .writes_into(sub->add_option("--out", o->out, "Results go to OUT/NAME, the state of each scan to OUT/scans.csv"))
      ->capture_default_str();
  sub->add_option("--quiet-time", o->quiet, "A scan is finished if its files have not changed for so long, in s")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  sub->add_option("--end-after", o->end_after, "End when no scan was finished for so long, in s (default: never)")
      ->check(CLI::Range(0.0, 1e9));
  sub->add_flag("--allow-outside", o->allow_outside,
                "Also write outputs that the pipeline places outside of that folder");
  add_run_flags(*sub, cli, o->flags);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return watch(*o, c); }; });
}

}  // namespace tl::cli
