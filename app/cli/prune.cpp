// tomoloom prune: a smaller network of a trained one, and a report on every filter.
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "core/io/model/safetensors.h"
#include "core/io/output/output_file.h"
#include "core/net/counts.h"
#include "core/net/network_file.h"
#include "core/net/prune/prune_report.h"

namespace tl::cli {
namespace {

using PruneJson = nlohmann::ordered_json;

struct PruneArguments {
  std::string input, output, report, method = "lean";
  double keep = 0.05;
  int64_t steps = 15;
  bool overwrite = false;
};

// Names on the command line are those of the report.
net::PruneMethod method_named(const std::string& name) {
  using net::PruneMethod;
  for (const PruneMethod m : {PruneMethod::lean, PruneMethod::operator_norm, PruneMethod::l1,
                              PruneMethod::geometric_median, PruneMethod::soft})
    if (name == to_string(m)) return m;
  TL_CHECK(false, "the command line admits known methods only");
  return PruneMethod::lean;
}

void print_step(const net::PruneStep& s, int64_t edges, const Cli& cli) {
  if (cli.output_mode == OutputMode::json) {
    const PruneJson line{{"event", "step"},    {"step", s.step},           {"asked", s.asked}, {"kept", s.kept},
                         {"pruned", s.pruned}, {"redundant", s.redundant}, {"paths", s.paths}};
    std::printf("%s\n", line.dump().c_str());
  } else if (cli.output_mode == OutputMode::text) {
    if (s.step == 1)
      std::printf("%5s %9s %9s %9s %9s %9s\n", "step", "asked", "kept", "filters", "pruned", "redundant");
    std::printf("%5lld %9.4f %9.4f %9lld %9lld %9lld\n", static_cast<long long>(s.step), s.asked,
                static_cast<double>(s.kept) / static_cast<double>(edges), static_cast<long long>(s.kept),
                static_cast<long long>(s.pruned), static_cast<long long>(s.redundant));
  }
  std::fflush(stdout);
}

// Both files or none.
Result<void> write_outputs(const PruneArguments& o, const net::Pruned& pruned, const std::string& report) {
  const auto inputs = std::make_shared<io::ProtectedFiles>();
  inputs->add(o.input, "the network " + o.input);
  const io::OutputRules rules{o.overwrite ? io::Overwrite::replace : io::Overwrite::refuse, inputs};
  std::vector<io::OutputFile> files;
  TL_TRY(io::OutputFile network,
         io::uncommitted_text(o.output, io::to_safetensors(net::model_of(pruned.network)), rules));
  files.push_back(std::move(network));
  if (!o.report.empty()) {
    TL_TRY(io::OutputFile text, io::uncommitted_text(o.report, report, rules));
    files.push_back(std::move(text));
  }
  return io::commit_together(std::move(files));
}

Result<void> run(const PruneArguments& o, const Cli& cli) {
  TL_TRY(const net::Network network, net::read_network(o.input));
  TL_TRY(const net::Counts before, net::counts_of(network));
  const int64_t edges = net::prunable_edges(network, net::all_edges(network));
  net::PruneOptions options;
  options.method = method_named(o.method);
  options.keep = o.keep;
  options.steps = o.steps;
  options.cancel = cli.cancel;
  options.progress = [&](const net::PruneStep& s) { print_step(s, edges, cli); };
  TL_TRY(const net::Pruned pruned, net::prune(network, options));
  TL_TRY(const net::Counts after, net::counts_of(pruned.network));
  TL_TRY(const std::string report, net::report_text(network, pruned, options));
  TL_TRY(write_outputs(o, pruned, report));
  if (cli.output_mode == OutputMode::json) {
    PruneJson line{{"event", "done"},
                   {"edges", pruned.edges},
                   {"kept", pruned.steps.back().kept},
                   {"parameters_before", before.parameters()},
                   {"parameters", after.parameters()},
                   {"layers", pruned.network.layers.size()},
                   {"fine_tuned", false},
                   {"files", {o.output}}};
    if (!o.report.empty()) line["files"].push_back(o.report);
    std::printf("%s\n", line.dump(-1, ' ', false, PruneJson::error_handler_t::replace).c_str());
  } else if (cli.output_mode == OutputMode::text) {
    std::printf("\n%lld of %lld parameters, %zu of %zu layers are left\n", static_cast<long long>(after.parameters()),
                static_cast<long long>(before.parameters()), pruned.network.layers.size(), network.layers.size());
    say(stdout, "no training data were given: the filters that are left have the numbers that they had");
    say(stdout, "wrote " + o.output + (o.report.empty() ? "" : " and " + o.report));
  }
  return ok();
}

}  // namespace

void add_prune(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("prune", "Make a smaller and faster network by removing filters");
  const auto o = std::make_shared<PruneArguments>();
  sub->add_option("NET", o->input, "A network (.safetensors)")->required();
  sub->add_option("--keep", o->keep, "Share of the filters to keep")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  sub->add_option("--steps", o->steps, "Steps; each keeps the same share of what the one before left")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  sub->add_option(
         "--method", o->method,
         "lean: the chains of filters that enlarge most; norm, l1: filters one by one; geometric_median, soft: "
         "all filters of an output channel")
      ->check(CLI::IsMember({"lean", "norm", "l1", "geometric_median", "soft"}))
      ->capture_default_str();
  sub->add_option("-o,--output", o->output, "The smaller network (.safetensors)")->required();
  sub->add_option("--report", o->report, "Write norm and fate of every filter to that file (.json)");
  sub->add_flag("--overwrite", o->overwrite, "Replace outputs that exist");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
