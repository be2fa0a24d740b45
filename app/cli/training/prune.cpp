// tomoloom prune: makes a smaller network from a trained one, and reports on every filter.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/training/pruning.h"
#include "core/net/counts.h"
#include "core/net/files/network_file.h"
#include "core/net/prune/prune_report.h"
#include "core/run/record/versions.h"
#include "core/train/checkpoint.h"
#include "core/train/pruning.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

// The checkpoint from which a pruning can continue; none for one that ended.
Result<fs::path> checkpoint_for(const PruneArguments& o) {
  const fs::path file = o.output + ".checkpoint";
  std::error_code error;
  if (!o.training.resume && fs::exists(file, error))
    return invalid("there is the checkpoint of a pruning that did not end", file.string(),
                   "Give --resume to continue it, or delete it to start again");
  return file;
}

void print_step(const net::PruneStep& s, bool first, int64_t edges, const Cli& cli) {
  if (cli.output_mode == OutputMode::json) {
    const Json line{
        {"event", "step"},    {"step", s.step},           {"asked", s.asked}, {"kept", s.kept},
        {"pruned", s.pruned}, {"redundant", s.redundant}, {"paths", s.paths}, {"whole_chains", s.whole_chains}};
    std::printf("%s\n", line.dump().c_str());
  } else if (cli.output_mode == OutputMode::text) {
    if (first) std::printf("%5s %9s %9s %9s %9s %9s\n", "step", "asked", "kept", "filters", "pruned", "redundant");
    std::printf("%5lld %9.4f %9.4f %9lld %9lld %9lld\n", static_cast<long long>(s.step), s.asked,
                static_cast<double>(s.kept) / static_cast<double>(edges), static_cast<long long>(s.kept),
                static_cast<long long>(s.pruned), static_cast<long long>(s.redundant));
  }
  std::fflush(stdout);
}

// Training after each step, on data as of `tomoloom train`.
Result<void> add_training(const PruneArguments& o, const net::Network& network, const TrainingData& data,
                          net::PruneOptions& options, const Cli& cli) {
  TL_TRY(train::TrainingOptions training, training_options(o.training, cli));
  training.epochs = o.epochs;
  training.steps = o.epoch_steps.value_or(training.steps);
  training.optimiser.rate = o.rate.value_or(training.optimiser.rate);
  training.patience = 0;
  const auto train_once = [&data, &cli](net::Network& n, const train::TrainingOptions& t) -> Result<void> {
    TL_TRY(train_and_report(n, data.set, t, "", cli));
    return ok();
  };
  return train::train_between(network, options, {data.set, o.data[0], training, train_once});
}

void report_pruned(const PruneArguments& o, const net::Pruned& pruned, const net::Counts& before,
                   const net::Counts& after, const Cli& cli) {
  if (cli.output_mode == OutputMode::json) {
    Json line{{"event", "done"},
              {"edges", pruned.edges},
              {"kept", pruned.steps.back().kept},
              {"parameters_before", before.parameters()},
              {"parameters", after.parameters()},
              {"layers", pruned.network.layers.size()},
              {"fine_tuned", !o.data.empty()},
              {"files", {o.output}}};
    if (!o.report.empty()) line["files"].push_back(o.report);
    print_json(line);
  } else if (cli.output_mode == OutputMode::text) {
    std::printf("\n%lld of %lld parameters are left\n", static_cast<long long>(after.parameters()),
                static_cast<long long>(before.parameters()));
    const auto chains =
        std::count_if(pruned.steps.begin(), pruned.steps.end(), [](const net::PruneStep& s) { return s.whole_chains; });
    if (chains > 0)
      say(stdout,
          "in " + std::to_string(chains) + " of " + std::to_string(pruned.steps.size()) + " steps " + o.method +
              " alone would have cut most paths through the network: the strongest whole chains of filters were kept");
    if (o.data.empty()) say(stdout, "no training data were given: the filters that are left keep their weights");
    say(stdout, "wrote " + o.output + (o.report.empty() ? "" : " and " + o.report));
  }
}

Result<void> run(const PruneArguments& o, const Cli& cli) {
  if (is_generated_pruning_case(o.input)) {
    TL_TRY(refuse_others(o.training.given, {"NET", "--keep", "--steps", "--seed", "--seeds", "--quick", "--full"},
                         "the generated case " + o.input));
    return run_pruning_case(o, cli);
  }
  for (const char* name : {"--quick", "--full", "--seeds"})
    if (o.training.given.count(name) != 0)
      return invalid("only the generated case has such a choice", name, "Leave it out");
  if (o.output.empty()) return invalid("no output file is given", "--output", "Give -o NAME.safetensors");
  TL_TRY(const fs::path checkpoint, checkpoint_for(o));
  TL_TRY(const net::Network network, net::read_network(o.input));
  TrainingData data;
  if (!o.data.empty()) {
    TL_TRY(data, read_training_data(o.training, cli));
  }
  const io::OutputRules rules = cli.files.rules(data.files);
  for (const fs::path& output : {fs::path(o.output), checkpoint, fs::path(o.report)})
    if (!output.empty()) TL_TRY(rules.check(output, io::OutputKind::file));
  TL_TRY(const net::Counts before, net::counts_of(network));
  const int64_t edges = net::prunable_edges(network, net::all_edges(network));
  net::PruneOptions options;
  options.method = method_named(o.method);
  options.keep = o.keep;
  options.steps = o.steps;
  options.program = version();
  options.cancel = cli.cancel;
  options.checkpoint = checkpoint;
  options.progress = [&, first = true](const net::PruneStep& s, const net::Network&) mutable {
    print_step(s, std::exchange(first, false), edges, cli);
  };
  if (!o.data.empty()) TL_TRY(add_training(o, network, data, options, cli));
  const Result<net::Pruned> ended = net::prune(network, options);
  if (!ended.ok()) return with_resume_hint(ended.error(), checkpoint);
  const net::Pruned& pruned = ended.value();
  TL_TRY(const net::Counts after, net::counts_of(pruned.network));
  TL_TRY(const std::string report, net::report_text(network, pruned, options));
  TL_TRY(train::write_pruned(pruned.network, report, {o.output, o.report}, rules));
  train::remove_checkpoint(checkpoint);
  report_pruned(o, pruned, before, after, cli);
  return ok();
}

}  // namespace

net::PruneMethod method_named(const std::string& name) {
  const std::optional<net::PruneMethod> method = net::prune_method_of(name);
  TL_CHECK(method.has_value(), "the command line admits known methods only");
  return *method;
}

void add_prune(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("prune", "Make a smaller and faster network by removing filters");
  const auto o = std::make_shared<PruneArguments>();
  cli.files
      .reads(sub->add_option(
          "NET", o->input,
          "A network (.safetensors, .onnx); or circles-squares: a generated case, on which networks are trained, "
          "pruned by lean, norm and l1, and compared"))
      ->required();
  sub->add_option("--keep", o->keep, "Share of the filters to keep")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  sub->add_option("--steps", o->steps, "Number of steps; each keeps the same fraction of the previous one")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  sub->add_option(
         "--method", o->method,
         "lean: the chains of filters that enlarge most; norm, l1: filters one by one; geometric_median, soft: "
         "all filters of an output channel")
      ->check(CLI::IsMember({"lean", "norm", "l1", "geometric_median", "soft"}))
      ->capture_default_str();
  CLI::Option* output = sub->add_option("-o,--output", o->output, "The smaller network (.safetensors, .onnx)");
  cli.files.writes(cli.files.writes(output),
                   {.names = with_endings({".checkpoint"}), .existing = Existing::judged_by_command});
  cli.files.writes(sub->add_option("--report", o->report, "Write norm and fate of every filter to that file (.json)"));
  cli.files.reads(
      sub->add_option(
          "--data", o->data,
          "Train after each step on VOLUME LABELS VOLUME LABELS ..., or on a pipeline in which labels are painted"),
      InputKind::volume);
  sub->add_option("--epochs", o->epochs, "Epochs of training after each step")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  sub->add_option("--epoch-steps", o->epoch_steps, "Steps of an epoch (default: 100)")
      ->check(CLI::Range(1, 10'000'000));
  sub->add_option("--rate", o->rate, "Learning rate (default: 0.001)")->check(CLI::Range(1e-9, 100.0));
  sub->add_option("--seed", o->training.seed, "Seed of the samples that training draws")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  sub->add_option("--seeds", o->seeds, "For the generated case: number of networks to average over")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_flag("--resume", o->training.resume,
                "Continue an unfinished pruning after its last step (NAME.checkpoint next to the output), if there is "
                "one: with the same number of threads (OMP_DYNAMIC=false keeps it) the result is bit-identical to an "
                "uninterrupted pruning");
  sub->add_flag("--quick", o->quick, "For the generated case: at a small size (the default)");
  sub->add_flag("--full", o->full, "For the generated case: at the published size, for a large machine");
  sub->add_flag("--overwrite", o->training.flags.overwrite, "Replace outputs that exist");
  add_output_flags(*sub, cli);
  sub->callback([o, sub, &cli] {
    o->training.data = o->data;
    o->training.given = given_options(*sub);
    cli.command = [o](Cli& c) { return run(*o, c); };
  });
}

}  // namespace tl::cli
