// tomoloom submit: runs a pipeline as jobs of a Slurm cluster, over slabs or over scans.
#include <algorithm>
#include <filesystem>
#include <thread>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/graph/graph_json.h"
#include "core/graph/named_pipeline.h"
#include "core/live/run_forecast.h"
#include "core/run/automatic/batch.h"
#include "core/run/cluster/submission.h"
#include "core/run/cluster/task_needs.h"
#include "core/run/cluster/task_words.h"
#include "core/run/common/memory.h"
#include "core/run/common/progress.h"
#include "core/run/many/scan_list.h"
#include "core/run/record/protected_inputs.h"
#include "core/run/slabs/slab_run.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

struct SubmitArguments {
  std::string pipeline, input, out;
  std::vector<std::string> settings;
  std::vector<fs::path> inputs;
  int64_t slabs = 0;
  std::optional<int64_t> cores, minutes;
  std::optional<std::string> memory;
  int64_t gpus = 0;
  std::string partition, account;
  std::vector<std::string> more;
  bool overwrite = false, dry = false;
};

Result<JobResources> resources_for(const SubmitArguments& o, const Graph& graph, const Cli& cli) {
  RunOptions options;
  options.cancel = cli.cancel;
  TL_TRY(set_memory(options, o.memory));
  live::Rates rates;
  TL_TRY(const live::RunForecast forecast,
         live::forecast_run(Registry::all(), graph, options, rates,
                            o.minutes ? live::Probe::none : live::Probe::some_slices));
  const TaskNeeds needs{forecast.peak, forecast.seconds};
  JobResources r{.cores = o.cores.value_or(std::max<int64_t>(1, std::thread::hardware_concurrency())),
                 .gpus = o.gpus,
                 .memory = options.memory_given > 0 ? options.memory_given : memory_for(needs),
                 .minutes = o.minutes ? *o.minutes : minutes_for(needs),
                 .partition = o.partition,
                 .account = o.account,
                 .more = o.more};
  return r;
}

TaskProgram program_of(const SubmitArguments& o, const Submission& s) {
  std::error_code failed;
  return {fs::read_symlink("/proc/self/exe", failed), s.resources.memory,
          o.overwrite ? io::Overwrite::replace : io::Overwrite::refuse};
}

Result<std::vector<SubmittedTask>> tasks_of(const SubmitArguments& o, const Submission& s) {
  const TaskProgram program = program_of(o, s);
  std::vector<SubmittedTask> tasks;
  for (int64_t k = 1; k <= o.slabs; ++k) {
    const std::string slab = io::to_string({k, o.slabs});
    std::vector<std::string> words = run_words(program, s.pipeline(), s.out);
    words.insert(words.end(), {"--slab", slab});
    tasks.push_back({slab, std::move(words)});
  }
  if (o.inputs.empty()) return tasks;
  TL_TRY(const std::vector<ScanTask> scans, scan_list(o.inputs));
  for (const ScanTask& scan : scans) {
    // The settings of the submission are in the pipeline already; settings of a single scan are added here.
    ScanTask own = scan;
    if (own.pipeline.empty())
      own.pipeline = s.pipeline().string();
    else
      own.settings.insert(own.settings.begin(), o.settings.begin(), o.settings.end());
    tasks.push_back({scan.name, scan_words(program, own, s.out)});
  }
  return tasks;
}

void print_request(const Submission& s, const Cli& cli) {
  if (cli.output_mode != OutputMode::text) return;
  const JobResources& r = s.resources;
  say(stdout, std::to_string(s.tasks.size()) + " tasks of " + std::to_string(r.cores) + " cores" +
                  (r.gpus > 0 ? ", " + std::to_string(r.gpus) + " GPUs" : "") + ", " + format_bytes(r.memory) +
                  (r.minutes > 0 ? ", " + format_duration(60.0 * static_cast<double>(r.minutes)) + " at most"
                                 : ", the time limit of the partition"));
}

Result<Graph> graph_of(const SubmitArguments& o) {
  const Registry& registry = Registry::all();
  TL_TRY(Graph graph, load_pipeline(o.pipeline, registry));
  if (!o.input.empty()) TL_TRY(set_input(graph, registry, o.input));
  TL_TRY(apply_settings(graph, registry, o.settings));
  return graph;
}

// The graph that one task, or the join, computes, and its folder.
struct TaskGraph {
  Graph graph;
  fs::path out;
};

// The first graph belongs to the first task. For slabs the last graph is the whole volume.
Result<std::vector<TaskGraph>> task_graphs(const SubmitArguments& o, const Graph& graph, const fs::path& out) {
  const Registry& registry = Registry::all();
  std::vector<TaskGraph> all;
  for (int64_t k = 1; k <= o.slabs; ++k) {
    TL_TRY(SlabRun part, slab_run(graph, registry, {k, o.slabs}));
    all.push_back({std::move(part.graph), out});
  }
  if (o.slabs > 0) all.push_back({graph, out});
  if (o.inputs.empty()) return all;
  TL_TRY(const std::vector<ScanTask> scans, scan_list(o.inputs));
  for (const ScanTask& scan : scans) {
    all.push_back({graph, out / scan.name});
    if (!scan.pipeline.empty()) {
      TL_TRY(all.back().graph, pipeline_or_template(scan.pipeline, registry));
      TL_TRY(apply_settings(all.back().graph, registry, o.settings));
    }
    TL_TRY(set_input(all.back().graph, registry, scan.scan));
    TL_TRY(apply_settings(all.back().graph, registry, scan.settings));
  }
  return all;
}

// Checks before submission that no task will be refused because an output exists or is an input of a task.
Result<void> check_outputs(const std::vector<TaskGraph>& tasks, const Cli& cli) {
  const Registry& registry = Registry::all();
  for (const TaskGraph& task : tasks) {
    RunOptions options;
    options.output_dir = task.out;
    std::vector<fs::path> there = outputs_with_records(task.graph, registry, options);
    std::error_code failed;
    std::erase_if(there, [&](const fs::path& one) { return !fs::exists(fs::symlink_status(one, failed)); });
    if (!there.empty()) TL_TRY(check_writable(there, cli.files.rules(inputs_of(task.graph, registry))));
  }
  return ok();
}

Result<void> run(const SubmitArguments& o, Cli& cli) {
  if ((o.slabs > 0) != o.inputs.empty())
    return invalid("submit runs over slabs of one scan or over many scans", {}, "Give --slabs N or --inputs A B ...");
  TL_TRY(const Graph graph, graph_of(o));
  Submission s;
  s.out = fs::absolute(o.out).lexically_normal();
  if (!s.out.has_filename()) s.out = s.out.parent_path();
  TL_TRY(const std::vector<TaskGraph> graphs, task_graphs(o, graph, s.out));
  TL_TRY(const io::OutputRules rules, rules_of_submission(s, cli.files.rules()));
  TL_TRY(check_outputs(graphs, cli));
  TL_TRY(s.resources, resources_for(o, graphs.front().graph, cli));
  s.join_resources = s.resources;
  s.join_resources.gpus = 0;
  s.join_resources.memory = std::max(int64_t{1} << 30, s.resources.memory / 4);  // the join copies few slices at a time
  TL_TRY(s.tasks, tasks_of(o, s));
  if (o.slabs > 0) s.join = join_words(program_of(o, s), s.out);
  print_request(s, cli);
  TL_TRY(check_files(s, rules));
  if (o.dry) return ok();
  std::error_code failed;
  fs::create_directories(s.folder(), failed);
  if (failed) return io_error("the output folder cannot be made: " + failed.message(), s.folder().string());
  TL_TRY(save_pipeline(graph, Registry::all(), s.pipeline().string(), rules));
  TL_TRY(submit(s, rules));
  if (cli.output_mode == OutputMode::text) say(stdout, "submitted; tomoloom jobs " + o.out + " shows their state");
  return ok();
}

}  // namespace

void add_submit(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("submit", "Run a pipeline as jobs of a Slurm cluster, over slabs or over scans");
  const auto o = std::make_shared<SubmitArguments>();
  cli.files.reads(sub->add_option("PIPELINE", o->pipeline, "A pipeline, or a result that embeds one"))->required();
  cli.files
      .writes_into(sub->add_option("--out", o->out, "Folder for the outputs, on a disk that all machines can access"))
      ->required();
  sub->add_option("--slabs", o->slabs, "Number of parts of each volume, one task each, and a job that joins them")
      ->check(CLI::Range(int64_t{1}, io::max_slabs));
  cli.files.reads(
      sub->add_option("--inputs", o->inputs, "Scans, folders of scans, or tables, as in run: one task each"));
  cli.files.reads(sub->add_option("--input", o->input, "The scan to read instead of the one in the pipeline"));
  sub->add_option("--set", o->settings, "A parameter: node.param=value")->allow_extra_args(false);
  sub->add_option("--cores", o->cores, "Cores of a task (default: as many as this machine has)");
  sub->add_option("--gpus", o->gpus, "GPUs of a task")->capture_default_str();
  sub->add_option("--max-memory", o->memory, "Memory of a task, for example 64GB (default: by the forecast)");
  sub->add_option("--minutes", o->minutes,
                  "Time limit of a task (default: three times the estimate from some slices computed here)");
  sub->add_option("--partition", o->partition, "Partition of the cluster");
  sub->add_option("--account", o->account, "Account to be charged");
  sub->add_option("--sbatch", o->more, "A further option for sbatch, for example --sbatch=--constraint=avx512")
      ->allow_extra_args(false);
  sub->add_flag("--dry-run", o->dry, "Only print the resources that would be requested");
  sub->add_flag("--overwrite", o->overwrite, "Replace a submission in this folder, and outputs that exist");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
