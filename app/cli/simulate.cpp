// tomoloom simulate: writes a simulated scan of a known object as an NXtomo file. Its options are the parameters of the
// simulation node.
#include <algorithm>
#include <cstdio>
#include <map>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/io/output/volume_writer.h"
#include "core/node/reference.h"
#include "core/run/automatic/batch.h"
#include "core/run/executor.h"
#include "core/run/record/protected_inputs.h"

namespace tl::cli {
namespace {

constexpr const char* node_type = "input.simulate_scan";

struct SimulateArguments {
  std::string output;
  std::map<std::string, std::string> params;
  RunFlags flags;
};

std::string option_name(std::string param) {
  std::replace(param.begin(), param.end(), '_', '-');
  return "--" + param;
}

Result<void> run(const SimulateArguments& o, const Cli& cli) {
  const Registry& registry = Registry::all();
  Graph graph;
  graph.nodes["simulate"].type = node_type;
  for (const auto& [name, text] : o.params)
    if (!text.empty()) TL_TRY(set_param(graph, registry, "simulate", name, text));
  const auto sink = make_run_sink(cli);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  const io::OutputRules rules = cli.files.rules(inputs_of(graph, registry));
  Executor executor(registry, options);
  TL_TRY(const Infos infos, executor.infos(graph, "simulate"));
  TL_TRY(Value value, executor.pull(graph, "simulate", "projections"));
  const auto& info = std::get<ProjectionsInfo>(infos.at("projections"));
  TL_TRY(io::write_nxtomo(o.output, std::get<Projections>(value), info.energy, rules));
  sink->end();
  if (cli.output_mode == OutputMode::json) std::printf("{\"event\":\"done\"}\n");
  if (cli.output_mode == OutputMode::text) say(stdout, "wrote " + o.output);
  return ok();
}

}  // namespace

void add_simulate(CLI::App& app, Cli& cli) {
  const NodeType* type = Registry::all().find(node_type);
  if (type == nullptr) return;
  CLI::App* sub = app.add_subcommand("simulate", "Simulate a scan and write it as NXtomo");
  const auto o = std::make_shared<SimulateArguments>();
  cli.files.writes(sub->add_option("-o,--output", o->output, "The NXtomo file"))->required();
  for (const ParamDecl& p : type->params) {
    auto* option = sub->add_option(option_name(p.name), o->params[p.name], p.help + " (" + accepted_values(p) + ")");
    if (p.path == PathRole::input) cli.files.reads(option, InputKind::volume);
  }
  add_run_flags(*sub, cli, o->flags);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
