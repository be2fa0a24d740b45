// tomoloom tune replay, tune compete: curves of optimisers over the budget, and who wins.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/tune/tune.h"
#include "core/base/text.h"
#include "core/io/output/output_file.h"
#include "core/io/text/text_file.h"
#include "core/tune/formats/space_file.h"
#include "core/tune/replay/compete.h"
#include "core/tune/replay/replay.h"

namespace tl::cli {
namespace {

struct ReplayArguments {
  std::string space, output;
  std::vector<std::string> optimisers = {"all"};
  std::vector<int64_t> budgets = {25, 50, 100, 200, 400, 800, 1600};
  int64_t runs = 50;
  uint64_t seed = 1;
  bool noisy = false;
};

struct CompeteArguments {
  std::string curves, output;
  std::vector<int64_t> budgets;
  std::optional<int64_t> runs;
};

constexpr int64_t most_runs = 1'000'000, most_budget = 1'000'000;

std::string optimiser_names() {
  std::string names;
  for (const tune::Optimiser& one : tune::optimisers())
    if (one.is_available()) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

Result<std::vector<const tune::Optimiser*>> chosen_optimisers(const std::vector<std::string>& names) {
  std::vector<const tune::Optimiser*> chosen;
  const auto add = [&](const tune::Optimiser* one) {
    if (std::find(chosen.begin(), chosen.end(), one) == chosen.end()) chosen.push_back(one);
  };
  for (const std::string& name : names) {
    if (name == "all") {
      for (const tune::Optimiser& one : tune::optimisers())
        if (one.is_available() && one.is_one_of_all) add(&one);
      continue;
    }
    TL_TRY(const tune::Optimiser* const one, tune::find_optimiser(name));
    add(one);
  }
  return chosen;
}

void print_curves(const Cli& cli, const std::vector<tune::CurvePoint>& points) {
  if (cli.output_mode == OutputMode::json) {
    for (const tune::CurvePoint& p : points)
      print_json({{"event", "curve"},
                  {"space", p.space},
                  {"optimiser", p.optimiser},
                  {"budget", p.budget},
                  {"runs", p.runs},
                  {"mean_fraction", p.mean_fraction},
                  {"sd_fraction", p.sd_fraction},
                  {"success", p.success},
                  {"mean_evaluations", p.mean_evaluations}});
  } else if (cli.output_mode == OutputMode::text) {
    say(stdout,
        formatted("%-24s %7s %9s %9s %8s %12s", "optimiser", "budget", "fraction", "sd", "success", "evaluations"));
    for (const tune::CurvePoint& p : points)
      say(stdout,
          formatted("%-24s %7lld %9.4f %9.4f %8.3f %12.1f", p.optimiser.c_str(), static_cast<long long>(p.budget),
                    p.mean_fraction, p.sd_fraction, p.success, p.mean_evaluations));
  }
}

// A table that the options name, or none.
Result<void> write_table(const Cli& cli, const std::string& file, const std::string& text) {
  if (file.empty()) return ok();
  TL_TRY(io::write_text(file, text, cli.files.rules()));
  if (cli.output_mode == OutputMode::text) say(stdout, "wrote " + file);
  return ok();
}

Result<void> run_replay(const ReplayArguments& o, const Cli& cli) {
  tune::ReplaySettings settings{{}, o.budgets, o.runs, o.seed, o.noisy ? tune::Replay::noisy : tune::Replay::exact};
  TL_TRY(settings.optimisers, chosen_optimisers(o.optimisers));
  TL_TRY(const tune::SpaceFile file, tune::read_space(o.space));
  TL_TRY(const tune::Landscape landscape, tune::Landscape::of(file.space));
  const auto sink = make_run_sink(cli);
  TL_TRY(const std::vector<tune::CurvePoint> points,
         tune::replay(landscape, file.space.name, settings, cli.cancel,
                      [&](int64_t done, int64_t all) { sink->run_progress(done, all); }));
  sink->end();
  print_curves(cli, points);
  return write_table(cli, o.output, tune::curves_csv(points));
}

Result<void> run_compete(const CompeteArguments& o, const Cli& cli) {
  TL_TRY(const std::string text, io::read_text(o.curves, "the table of curves", int64_t{64} << 20));
  TL_TRY(const std::vector<tune::CurvePoint> points, tune::parse_curves(text, o.curves));
  TL_TRY(const std::vector<tune::Standing> standings, tune::compete(points, o.budgets, o.runs));
  if (cli.output_mode == OutputMode::json) {
    for (const tune::Standing& s : standings)
      print_json({{"event", "standing"}, {"optimiser", s.optimiser}, {"wins", s.wins}, {"losses", s.losses}});
  } else if (cli.output_mode == OutputMode::text) {
    say(stdout, formatted("%-24s %6s %6s", "optimiser", "wins", "losses"));
    for (const tune::Standing& s : standings)
      say(stdout, formatted("%-24s %6lld %6lld", s.optimiser.c_str(), static_cast<long long>(s.wins),
                            static_cast<long long>(s.losses)));
  }
  return write_table(cli, o.output, tune::standings_csv(standings));
}

}  // namespace

void add_tune_replay(CLI::App& tune, Cli& cli) {
  CLI::App* sub = tune.add_subcommand("replay", "Run optimisers on a measured space: best found over the budget");
  const auto o = std::make_shared<ReplayArguments>();
  cli.files.reads(sub->add_option("SPACE", o->space, "A Kernel Tuner cache or T4 results"))->required();
  sub->add_option("--optimiser", o->optimisers, "Several with commas between them, or all: " + optimiser_names())
      ->delimiter(',')
      ->capture_default_str();
  sub->add_option("--budgets", o->budgets, "Evaluations of a run, several with commas between them")
      ->delimiter(',')
      ->check(CLI::Range(int64_t{1}, most_budget))
      ->capture_default_str();
  sub->add_option("--runs", o->runs, "Runs of each optimiser with each budget")
      ->check(CLI::Range(int64_t{1}, most_runs))
      ->capture_default_str();
  sub->add_option("--seed", o->seed, "Seed of all random numbers; the same seed repeats the table")
      ->capture_default_str();
  sub->add_flag("--noisy", o->noisy,
                "Each evaluation draws one of the stored timings and counts; the winner's mean is scored");
  cli.files.writes(sub->add_option("-o,--output", o->output, "Write the table as CSV"));
  sub->add_flag("--overwrite")->description("Replace a file that exists");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run_replay(*o, c); }; });
}

void add_tune_compete(CLI::App& tune, Cli& cli) {
  CLI::App* sub = tune.add_subcommand("compete", "Which optimisers are significantly better: wins and losses");
  const auto o = std::make_shared<CompeteArguments>();
  cli.files.reads(sub->add_option("CURVES", o->curves, "A table of `tune replay`, or several joined"))->required();
  sub->add_option("--budgets", o->budgets, "Budgets at which they are compared, with commas between them")
      ->delimiter(',')
      ->check(CLI::Range(int64_t{1}, most_budget))
      ->required();
  sub->add_option("--n", o->runs, "Compare as if each row had so many runs (default: as the table says)")
      ->check(CLI::Range(int64_t{2}, most_runs));
  cli.files.writes(sub->add_option("-o,--output", o->output, "Write wins and losses as CSV"));
  sub->add_flag("--overwrite")->description("Replace a file that exists");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run_compete(*o, c); }; });
}

}  // namespace tl::cli
