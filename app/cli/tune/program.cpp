// tomoloom tune program: the values with which a program gives the best score.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/tune/tune.h"
#include "core/base/measured.h"
#include "core/base/text.h"
#include "core/io/output/output_file.h"
#include "core/tune/program/program_call.h"
#include "core/tune/program/program_search.h"
#include "core/tune/program/worker.h"

namespace tl::cli {
namespace {

struct ProgramArguments {
  std::vector<std::string> over, command;
  std::string output, worker;
  tune::ProgramSearch search;
  bool minimise = false, maximise = false;
};

std::string search_optimiser_names() {
  std::string names = "auto";
  for (const tune::Optimiser& one : tune::optimisers())
    if (one.is_available() && one.name != "auto") names += ", " + std::string(one.name);
  return names;
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

void print_call(const Cli& cli, const tune::ProgramSearch& search, const std::vector<tune::JournalCall>& calls) {
  if (cli.output_mode == OutputMode::quiet) return;
  const tune::JournalCall& call = calls.back();
  if (cli.output_mode == OutputMode::json) {
    Json values = Json::object();
    for (std::size_t i = 0; i < search.axes.size(); ++i) values[search.axes[i].name] = call.values[i];
    Json line = {{"event", "call"},
                 {"done", calls.size()},
                 {"total", search.budget},
                 {"values", values},
                 {"score", optional_json(call.outcome.score)}};
    if (!call.outcome.failure.empty()) line["failure"] = call.outcome.failure;
    print_json(line);
    return;
  }
  std::string text = std::to_string(calls.size()) + " of " + std::to_string(search.budget) + ":";
  for (std::size_t i = 0; i < search.axes.size(); ++i)
    text += (i == 0 ? " " : ", ") + search.axes[i].name + " = " + call.values[i];
  say(stderr,
      text + ": " +
          (call.outcome.score ? formatted("score %.9g", *call.outcome.score) : "failed: " + call.outcome.failure));
}

void print_result(const Cli& cli, const ProgramArguments& o, const tune::ProgramSearchResult& result) {
  if (cli.output_mode == OutputMode::quiet) return;
  const tune::SearchEstimate& e = result.estimate;
  if (cli.output_mode == OutputMode::json) {
    print_json({{"event", "done"},
                {"files", {o.output}},
                {"evaluations", result.calls.size()},
                {"resumed", result.resumed},
                {"verdict", tune::to_string(e.verdict)},
                {"score", e.score}});
    return;
  }
  if (result.resumed > 0) say(stdout, std::to_string(result.resumed) + " calls were there from an interrupted search");
  std::string text = "best:";
  for (std::size_t i = 0; i < o.search.axes.size(); ++i) {
    const tune::SearchAxis& axis = o.search.axes[i];
    text += (i == 0 ? " " : ", ") + axis.name + " = " +
            (axis.kind == tune::SearchAxis::Kind::real ? measured_text(e.best[i], e.uncertainty[i].value_or(0))
                                                       : axis.text_of(e.best[i]));
  }
  say(stdout, text + "; score " + measured_text(e.score, e.score_uncertainty.value_or(0)));
  say(stdout, std::string(tune::to_string(e.verdict)) + (e.why.empty() ? "" : ": " + e.why));
  say(stdout, std::to_string(result.calls.size()) + " calls by " + result.optimiser + ": " + result.stopped);
  say(stdout, "wrote " + o.output);
}

Result<std::unique_ptr<tune::ScoreSource>> source_of(const ProgramArguments& o, const Cli& cli) {
  std::optional<std::chrono::duration<double>> timeout;
  if (o.search.timeout) timeout = std::chrono::duration<double>(*o.search.timeout);
  const std::vector<std::string>& command = cli.program_words.empty() ? o.command : cli.program_words;
  if (o.worker.empty()) {
    TL_TRY(tune::CommandWords words, tune::CommandWords::parse(command, o.search.axes));
    return std::unique_ptr<tune::ScoreSource>(
        std::make_unique<tune::ProgramSource>(std::move(words), timeout, cli.cancel));
  }
  if (!command.empty())
    return invalid("there are a program and a worker", command.front(), "Leave one of the command and --worker out");
  TL_TRY(std::unique_ptr<tune::WorkerSource> worker,
         tune::WorkerSource::connect(o.worker, o.search.axes, timeout, cli.cancel));
  return std::unique_ptr<tune::ScoreSource>(std::move(worker));
}

Result<void> run_program_search(ProgramArguments o, Cli& cli) {
  for (const std::string& text : o.over) {
    TL_TRY(tune::SearchAxis axis, tune::SearchAxis::parse(text));
    o.search.axes.push_back(std::move(axis));
  }
  TL_TRY(tune::check_axes(o.search.axes));
  TL_TRY(tune::search_optimiser(o.search.optimiser, o.search.axes, o.search.budget));
  o.search.direction = o.maximise ? tune::Direction::maximise : tune::Direction::minimise;
  TL_TRY(const std::unique_ptr<tune::ScoreSource> source, source_of(o, cli));
  const io::OutputRules rules = cli.files.rules();
  std::filesystem::path journal_file = o.output;
  journal_file += ".journal";
  TL_TRY(tune::CallJournal journal, tune::CallJournal::open(journal_file, o.search.identity(*source), rules.overwrite));
  TL_TRY(const tune::ProgramSearchResult result,
         tune::search_program(o.search, *source, journal, cli.cancel,
                              [&](const std::vector<tune::JournalCall>& calls) { print_call(cli, o.search, calls); }));
  TL_TRY(io::write_text(o.output, tune::search_record(o.search, *source, result), rules));
  journal.remove();
  print_result(cli, o, result);
  if (result.estimate.verdict != tune::SearchVerdict::resolved) cli.code = exit_unresolved;
  return ok();
}

void add_program_limits(CLI::App* sub, tune::ProgramSearch& search) {
  constexpr double most_seconds = 1e9;
  sub->add_option("--timeout", search.timeout, "Seconds after which a call is ended, with all that it started")
      ->check(CLI::Range(1e-3, most_seconds));
  sub->add_option("--seconds", search.stop.seconds, "End when the calls have taken so long together")
      ->check(CLI::Range(1e-3, most_seconds));
  sub->add_option("--most-failures", search.stop.failures, "End when so many calls have failed")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}));
  sub->add_option("--good-enough", search.stop.score, "End when a score is as good as this one");
}

}  // namespace

void add_tune_program(CLI::App& tune, Cli& cli) {
  CLI::App* sub = tune.add_subcommand("program", "Find the values with which a program gives the best score");
  const auto o = std::make_shared<ProgramArguments>();
  sub->add_option("--over", o->over,
                  "A value and what it may be: x=-5:5 (numbers), n=1..8 (integers), mode=a,b,c (a list); once for each")
      ->required()
      ->type_size(1)
      ->allow_extra_args(false);
  sub->add_option("--budget", o->search.budget, "How often the program is run, at most")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}))
      ->required();
  sub->add_option("--optimiser", o->search.optimiser,
                  search_optimiser_names() + ". auto: surrogate up to 250 calls, then one for many")
      ->capture_default_str();
  CLI::Option* const minimise = sub->add_flag("--minimise", o->minimise, "Less is better (default)");
  sub->add_flag("--maximise", o->maximise, "More is better")->excludes(minimise);
  sub->add_option("--seed", o->search.seed, "Seed of all random numbers")->capture_default_str();
  add_program_limits(sub, o->search);
  sub->add_option("--worker", o->worker,
                  "Ask the worker at this Unix socket (tomoloom_worker.py) instead of a program");
  cli.files
      .writes(sub->add_option("-o,--output", o->output,
                              "The result as JSON. Until it is complete, NAME.journal holds the calls: the same "
                              "command goes on where it was interrupted"))
      ->required();
  sub->add_flag("--overwrite")->description("Replace a file that exists");
  sub->add_option("COMMAND", o->command,
                  "After two dashes: the program and its arguments, {x} where the value x goes. The last line that it "
                  "prints is the score");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run_program_search(*o, c); }; });
}

}  // namespace tl::cli
