// tomoloom learn: learns parameters of a pipeline by gradients, with uncertainties and verdicts.
#include "core/learn/learner/learner.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/base/measured.h"
#include "core/graph/graph_json.h"
#include "core/graph/named_pipeline.h"
#include "core/io/output/output_file.h"
#include "core/learn/history.h"
#include "core/learn/journal.h"
#include "core/learn/learned_record.h"
#include "core/learn/learning.h"
#include "core/learn/short_number.h"
#include "core/node/nearest.h"
#include "core/run/automatic/batch.h"
#include "core/run/record/protected_inputs.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

struct LearnArguments {
  std::string pipeline, input, output, objective, method, saved;
  std::vector<std::string> settings, targets;
  std::optional<int64_t> iterations, restarts;
  std::optional<uint64_t> seed;
  std::optional<double> views, rows;
  bool accept = false, no_survey = false, no_errors = false;
  RunFlags flags;
};

// Parses a parameter to learn, with an optional start: "axis.axis" or "axis.axis=3 px".
Result<learn::Target> target_of(const std::string& text, const Graph& graph) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size())
    return invalid("a parameter to be learned is written node.parameter", text,
                   "For example axis.axis, or axis.axis=3");
  learn::Target target;
  target.node = name.substr(0, dot);
  target.name = name.substr(dot + 1);
  if (equals == std::string::npos) return target;
  const auto node = graph.nodes.find(target.node);
  const NodeType* type = node == graph.nodes.end() ? nullptr : Registry::all().find(node->second.type);
  const ParamDecl* decl = type == nullptr ? nullptr : type->param(target.name);
  if (decl == nullptr) return target;  // the later check() reports it
  TL_TRY(const ParamValue value, parse_value(*decl, text.substr(equals + 1)));
  if (const auto* number = std::get_if<Number>(&value)) target.start = *number;
  return target;
}

Result<learn::Settings> settings_for(const LearnArguments& o, const Graph& graph) {
  learn::Settings s;
  if (!graph.learning.empty()) {
    TL_TRY(s, learn::settings_of(graph));
  }
  if (!o.targets.empty()) s.targets.clear();
  for (const std::string& text : o.targets) {
    TL_TRY(learn::Target target, target_of(text, graph));
    s.targets.push_back(std::move(target));
  }
  if (!o.objective.empty()) {
    s.fallback_objectives.clear();
    const auto dot = o.objective.rfind('.');
    s.objective = {o.objective.substr(0, dot), dot == std::string::npos ? "loss" : o.objective.substr(dot + 1)};
  } else if (s.objective.node.empty()) {
    const auto found = learn::objectives(graph, Registry::all());
    if (found.size() != 1)
      return invalid(found.empty() ? "the pipeline has no objective" : "the pipeline has several objectives",
                     "--objective", "Say which: --objective node.port");
    s.objective = found.front();
  }
  if (!o.method.empty()) {
    std::vector<std::string> known;
    bool right = false;
    for (const auto m : {learn::Method::automatic, learn::Method::newton, learn::Method::sgd, learn::Method::nesterov,
                         learn::Method::adam, learn::Method::lbfgs}) {
      known.emplace_back(to_string(m));
      if (known.back() != o.method) continue;
      s.method = m;
      right = true;
    }
    if (!right) return invalid("there is no method \"" + o.method + "\"", "--method", suggest(o.method, known));
  }
  if (o.iterations) s.stop.iterations = *o.iterations;
  if (o.restarts) s.restarts = *o.restarts;
  if (o.seed) s.seed = *o.seed;
  if (o.views) s.subsets.views = *o.views;
  if (o.rows) s.subsets.rows = *o.rows;
  if (o.no_survey) s.survey = learn::Survey::none;
  if (o.no_errors) s.errors = learn::Errors::none;
  return s;
}

// A parameter during learning: "axis.axis 2.9981 px"; for lists and arrays the root mean square.
std::string value_text(const learn::TargetValue& s) {
  const bool list = s.value.size() != 1;
  const double shown = list ? s.size : s.value.front();
  return s.node + "." + s.name + (list ? " rms " : " ") + learn::short_number(shown, 7) + " " +
         std::string(symbol(s.unit));
}

void report_progress(const Cli& cli, const learn::Progress& p, RunSink& sink) {
  if (cli.output_mode == OutputMode::quiet || p.phase != learn::Progress::Phase::descent) return;
  if (cli.output_mode == OutputMode::json) {
    Json values = Json::object();
    for (const learn::TargetValue& s : p.values) {
      Json& value = values[s.node + "." + s.name];
      if (s.shape.empty()) value["values"] = s.value;
      if (!s.shape.empty()) value["rms"] = s.size;
      value["unit"] = std::string(symbol(s.unit));
    }
    const Json line{{"event", "iteration"}, {"descent", p.descent}, {"iteration", p.iteration},
                    {"loss", p.loss},       {"best", p.best},       {"parameters", std::move(values)},
                    {"seconds", p.seconds}};
    print_json(line);
    return;
  }
  std::string text = "iteration " + std::to_string(p.iteration) + ": loss " + learn::short_number(p.loss, 9);
  for (const learn::TargetValue& s : p.values) text += ", " + value_text(s);
  sink.message(LogLevel::info, "", text);
}

std::string found_line(const learn::Found& f) {
  std::string line = value_text(learn::value_of(f));
  if (f.uncertainty.size() == 1 && f.uncertainty.front() > 0) {
    const double sigma = f.uncertainty.front();
    line = f.node + "." + f.name + " " + measured_value(f.value.front(), sigma) + " +- " +
           measured_value(sigma, sigma) + " " + std::string(symbol(f.unit));
  }
  return line + " (" + std::string(to_string(f.trust)) + "): " + f.explanation;
}

void report_result(const Cli& cli, const learn::Learned& learned, const std::string& file) {
  if (cli.output_mode == OutputMode::quiet) return;
  if (cli.output_mode == OutputMode::json) {
    Json found = Json::array();
    for (const learn::Found& f : learned.found) found.push_back(found_line(f));
    const Json line{{"event", "done"},
                    {"files", {file}},
                    {"found", std::move(found)},
                    {"verdict", std::string(to_string(learned.trust()))},
                    {"reason", std::string(to_string(learned.reason))},
                    {"iterations", learned.iterations},
                    {"evaluations", learned.evaluations},
                    {"seconds", learned.seconds},
                    {"seconds_descent", learned.seconds_descent}};
    print_json(line);
    return;
  }
  for (const learn::Found& f : learned.found) say(stdout, found_line(f));
  for (const learn::Combination& c : learned.combinations) say(stdout, c.text);
  std::printf("%s; %lld iterations, %lld evaluations, %.3f s\n", learn::words(learned.reason).c_str(),
              static_cast<long long>(learned.iterations), static_cast<long long>(learned.evaluations), learned.seconds);
  for (const learn::PhaseTime& s : learned.phase_times) say(stdout, "  " + learn::words(s));
  say(stdout, "wrote " + file);
}

// The present time as "2026-11-21T22:50:00Z".
std::string time_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

// The files that a run may write: any except its inputs; with --accept also the given pipeline file.
struct LearnRules {
  io::OutputRules outputs, accepted;
};

Result<LearnRules> learn_rules(const LearnArguments& o, const Graph& graph, const Cli& cli) {
  const io::ProtectedFiles inputs = inputs_of(graph, Registry::all());
  LearnRules rules{cli.files.rules(inputs),
                   {io::Overwrite::replace, std::make_shared<const io::ProtectedFiles>(inputs)}};
  if (!o.accept) return rules;
  std::error_code ignored;
  if (!fs::exists(o.pipeline, ignored))
    return invalid("learned values cannot be saved in a template", "--accept", "Use --save-pipeline FILE");
  if (!is_pipeline_file(o.pipeline))
    return invalid("learned values cannot be saved in a result that embeds its pipeline: " + o.pipeline, "--accept",
                   "Use --save-pipeline FILE");
  TL_TRY(rules.accepted.check(o.pipeline, io::OutputKind::file));
  return rules;
}

// The pipeline files with the found values, if they were requested and the verdict is "resolved".
Result<std::vector<io::OutputFile>> accepted_pipelines(const LearnArguments& o, const Graph& graph,
                                                       const learn::Settings& settings, const learn::Learned& learned,
                                                       const LearnRules& rules) {
  std::vector<io::OutputFile> files;
  if (learned.trust() != learn::Trust::resolved) return files;
  const Graph accepted =
      learn::with_run(learn::with_settings(learn::accept(graph, learned), settings),
                      learn::to_json(learn::record_of(settings, learned, learn::Decision::accepted, time_in_utc())));
  const auto add = [&](const fs::path& file, const io::OutputRules& allowed) -> Result<void> {
    const std::string text = portable_json(accepted, Registry::all(), file.parent_path());
    TL_TRY(io::OutputFile output, io::uncommitted_text(file, text, allowed));
    files.push_back(std::move(output));
    return ok();
  };
  if (!o.saved.empty()) TL_TRY(add(o.saved, rules.outputs));
  if (o.accept) TL_TRY(add(o.pipeline, rules.accepted));
  return files;
}

Result<void> run(const LearnArguments& o, Cli& cli) {
  const Registry& registry = Registry::all();
  TL_TRY(Graph graph, pipeline_or_template(o.pipeline, Registry::all()));
  if (!o.input.empty()) TL_TRY(set_input(graph, registry, o.input));
  TL_TRY(apply_settings(graph, registry, o.settings));
  TL_TRY(const learn::Settings settings, settings_for(o, graph));
  const fs::path output = fs::absolute(o.output).lexically_normal();
  TL_TRY(LearnRules rules, learn_rules(o, graph, cli));
  std::vector<fs::path> names{output};
  if (!o.saved.empty()) names.emplace_back(o.saved);
  learn::LearnOptions how;
  how.journal = fs::path(output) += ".journal";
  const auto sink = make_run_sink(cli);
  TL_TRY(RunOptions options, make_run_options(cli, o.flags, *sink));
  Executor executor(registry, options);
  // An earlier run was killed while or after its outputs got their names, and left its journal: see commit_missing().
  bool goes_on = false;
  if (rules.outputs.overwrite == io::Overwrite::refuse && !o.accept) {
    TL_TRY(goes_on, learn::can_resume_from(how.journal, executor, registry, graph, settings));
  }
  if (goes_on) rules.outputs.overwrite = io::Overwrite::replace;
  TL_TRY(check_writable(names, rules.outputs));
  how.rules = rules.outputs;
  TL_TRY(how.rules.check(how.journal, io::OutputKind::file));
  how.hooks.progress = [&](const learn::Progress& p) { report_progress(cli, p, *sink); };
  TL_TRY(const learn::Learned learned, learn::learn(executor, registry, graph, settings, how));
  sink->end();
  TL_TRY(const std::string record,
         learn::record_of(graph, registry, settings, learned, executor.options(), output.parent_path()));
  TL_TRY(std::vector<io::OutputFile> files, accepted_pipelines(o, graph, settings, learned, rules));
  TL_TRY(io::OutputFile found, io::uncommitted_text(output, record, rules.outputs));
  files.push_back(std::move(found));
  TL_TRY(goes_on ? io::commit_missing(std::move(files)) : io::commit_together(std::move(files)));
  learn::Journal::remove(how.journal);
  report_result(cli, learned, output.string());
  if (learned.trust() == learn::Trust::resolved) return ok();
  cli.code = exit_unresolved;
  if (o.accept || !o.saved.empty())
    sink->message(LogLevel::warning, "", "nothing was put into a pipeline: the verdict is not \"resolved\"");
  return ok();
}

}  // namespace

void add_learn(CLI::App& app, Cli& cli) {
  CLI::App* sub =
      app.add_subcommand("learn", "Find parameters of a pipeline by gradients, with uncertainty and verdict");
  const auto o = std::make_shared<LearnArguments>();
  cli.files
      .reads(sub->add_option("PIPELINE", o->pipeline,
                             "A pipeline file, or the name of a bundled one (tomoloom templates)"))
      ->required();
  cli.files.reads(sub->add_option("--input", o->input, "The scan to read instead of the one in the pipeline"));
  cli.files
      .writes(sub->add_option("-o,--output", o->output,
                              "Output: the found values with the pipeline and its settings: NAME.json"),
              {.names = with_endings({"", ".journal"}), .existing = Existing::judged_by_command})
      ->required();
  sub->add_option("--learn", o->targets, "A parameter to find, with or without its start: axis.axis, or axis.axis=3")
      ->allow_extra_args(false);
  sub->add_option("--objective", o->objective, "The objective to minimise: node.port (default: the pipeline's own)");
  sub->add_option("--method", o->method, "automatic, newton, sgd, nesterov, adam or lbfgs");
  sub->add_option("--iterations", o->iterations, "Maximum number of iterations")->check(CLI::PositiveNumber);
  sub->add_option("--restarts", o->restarts, "Number of further descents, from other starting points")
      ->check(CLI::NonNegativeNumber);
  sub->add_option("--views", o->views, "Share of the views that an iteration sees")->check(CLI::Range(1e-6, 1.0));
  sub->add_option("--rows", o->rows, "Share of the rows that an iteration sees")->check(CLI::Range(1e-6, 1.0));
  sub->add_option("--seed", o->seed, "Seed of all random numbers");
  sub->add_flag("--no-survey", o->no_survey, "Do not look for other optima on coarse data first");
  sub->add_flag("--no-errors", o->no_errors, "Do not estimate uncertainties");
  sub->add_flag("--accept", o->accept, "Write the learned values into the pipeline file, if they are resolved");
  cli.files.writes(sub->add_option("--save-pipeline", o->saved,
                                   "Write the pipeline with the learned values to this file, if they are resolved"),
                   {.existing = Existing::judged_by_command});
  sub->add_option("--set", o->settings, "A parameter: node.param=value")->allow_extra_args(false);
  add_run_flags(*sub, cli, o->flags);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
