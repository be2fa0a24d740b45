// tomoloom tune difficulty, tune convert: how difficult a space is for climbs, and spaces in other formats.
#include <nlohmann/json.hpp>

#include "app/cli/tune/tune.h"
#include "core/base/text.h"
#include "core/io/output/output_file.h"
#include "core/tune/difficulty/centrality.h"
#include "core/tune/formats/condition.h"
#include "core/tune/formats/space_file.h"

namespace tl::cli {
namespace {

struct DifficultyArguments {
  std::string space, output;
  tune::DifficultySettings settings;
  std::optional<int64_t> walks;
  uint64_t seed = 1;
};

struct SpaceConversion {
  std::string input, output, to;
};

void print_difficulty(const Cli& cli, const tune::Space& space, const tune::Landscape& landscape,
                      const tune::Difficulty& d) {
  if (cli.output_mode == OutputMode::quiet) return;
  if (cli.output_mode == OutputMode::json) {
    Json line = {{"event", "done"}, {"nodes", d.nodes}};
    if (d.walks > 0) {
      line["walks"] = d.walks;
    } else {
      line["edges"] = d.edges;
    }
    line["minima"] = Json::array();
    for (std::size_t i = 0; i < d.minima.size(); ++i)
      line["minima"].push_back({{"configuration", space.key_of(d.minima[i])},
                                {"score", landscape.score(d.minima[i])},
                                {"page_rank", d.rank[i]}});
    for (const tune::Centrality& c : d.table)
      line["proportion_of_centrality"].push_back(
          {{"tolerance", c.tolerance}, {"proportion", c.proportion}, {"low", c.low}, {"high", c.high}});
    print_json(line);
    return;
  }
  const std::string size = std::to_string(d.nodes) + " configurations, ";
  say(stdout, size + (d.walks > 0 ? std::to_string(d.walks) + " walks, " : std::to_string(d.edges) + " edges, ") +
                  std::to_string(d.minima.size()) + " local minima" + (d.walks > 0 ? " seen" : ""));
  for (std::size_t i = 0; i < d.minima.size(); ++i)
    say(stdout, formatted("  minimum %-28s score %-12.7g PageRank %.6f", space.key_of(d.minima[i]).c_str(),
                          landscape.score(d.minima[i]), d.rank[i]));
  for (const tune::Centrality& c : d.table)
    say(stdout,
        formatted("  within %2.0f %% of the optimum: proportion of centrality %.6f", 100 * c.tolerance, c.proportion) +
            (d.walks > 0 ? formatted(" (95 %%: %.4f to %.4f)", c.low, c.high) : ""));
}

Result<void> run_difficulty(const DifficultyArguments& o, const Cli& cli) {
  if (o.walks && o.settings.rank != tune::PageRank::exact)
    return invalid("walks estimate the exact PageRank alone", "--pagerank",
                   "Leave one of --sampled and --pagerank out");
  TL_TRY(const tune::SpaceFile file, tune::read_space(o.space));
  TL_TRY(const tune::Landscape landscape, tune::Landscape::of(file.space));
  const tune::Difficulty d = o.walks ? tune::sampled_difficulty(landscape, o.settings, *o.walks, o.seed, cli.cancel)
                                     : tune::difficulty_of(landscape, o.settings, cli.cancel);
  print_difficulty(cli, file.space, landscape, d);
  if (o.output.empty()) return ok();
  TL_TRY(io::write_text(o.output, tune::centrality_csv(d), cli.files.rules()));
  if (cli.output_mode == OutputMode::text) say(stdout, "wrote " + o.output);
  return ok();
}

// How many combinations of values satisfy all conditions of a space without measurements.
Result<int64_t> count_allowed(const tune::Space& space, const CancelToken& cancel) {
  std::vector<tune::Condition> conditions;
  for (const std::string& text : space.conditions) {
    TL_TRY(tune::Condition one, tune::Condition::parse(text, space.parameters, space.name));
    conditions.push_back(std::move(one));
  }
  int64_t count = 0;
  for (int64_t cell = 0; cell < space.cells(); ++cell) {
    if (cell % 4096 == 0 && cancel.cancelled()) return cancelled();
    const std::vector<int64_t> indices = space.indices_of(cell);
    bool holds = true;
    for (const tune::Condition& one : conditions) holds = holds && one.holds(indices);
    count += holds ? 1 : 0;
  }
  return count;
}

Result<const tune::SpaceFormat*> target_format(const SpaceConversion& o, const tune::SpaceFormat& from) {
  for (const tune::SpaceFormat& format : tune::space_formats()) {
    if (format.write == nullptr) continue;
    // Without a wish it is the other one.
    if (o.to.empty() ? format.name != from.name : format.name == o.to) return &format;
  }
  return invalid("no format of this name is written", o.to, "There are cache and t4");
}

Result<void> run_space_conversion(const SpaceConversion& o, const Cli& cli) {
  TL_TRY(const tune::SpaceFile file, tune::read_space(o.input));
  TL_TRY(const tune::SpaceFormat* const target, target_format(o, *file.format));
  if (file.space.measurements.empty() && target->name == "t4")
    return invalid("T4 has results alone, and this space has none", o.input, "Write a cache: --to cache");
  TL_TRY(const int64_t allowed, count_allowed(file.space, cli.cancel));
  TL_TRY(io::write_text(o.output, target->write(file.space), cli.files.rules()));
  if (cli.output_mode == OutputMode::json) {
    print_json({{"event", "done"},
                {"file", o.output},
                {"from", file.format->name},
                {"to", target->name},
                {"combinations", file.space.cells()},
                {"allowed", allowed},
                {"measured", file.space.measurements.size()}});
  } else if (cli.output_mode == OutputMode::text) {
    if (!file.space.conditions.empty())
      say(stdout, std::to_string(allowed) + " of " + std::to_string(file.space.cells()) +
                      " combinations satisfy the conditions, which " + std::string(target->title) + " does not keep");
    say(stdout, "wrote " + o.output + ": " + std::string(target->title) + ", " +
                    std::to_string(file.space.measurements.size()) + " configurations");
  }
  return ok();
}

}  // namespace

void add_tune_difficulty(CLI::App& tune, Cli& cli) {
  CLI::App* sub = tune.add_subcommand("difficulty", "Local minima of a space, and where climbs end: PageRank");
  const auto o = std::make_shared<DifficultyArguments>();
  cli.files.reads(sub->add_option("SPACE", o->space, "A Kernel Tuner cache or T4 results"))->required();
  const std::map<std::string, tune::FlowEdges> edges = {{"at-most", tune::FlowEdges::at_most},
                                                        {"below", tune::FlowEdges::below}};
  sub->add_option("--edges", o->settings.edges, "at-most (default: to neighbours that are not worse) or below (better)")
      ->transform(CLI::CheckedTransformer(edges).description(""));
  const std::map<std::string, tune::Neighbourhood> kinds = {{"bounded", tune::Neighbourhood::bounded},
                                                            {"circular", tune::Neighbourhood::circular},
                                                            {"hamming", tune::Neighbourhood::hamming}};
  sub->add_option("--neighbours", o->settings.neighbours,
                  "bounded (default: one step in one list of values), circular (first and last are neighbours too), "
                  "hamming (any value of one parameter)")
      ->transform(CLI::CheckedTransformer(kinds).description(""));
  const std::map<std::string, tune::PageRank> ranks = {{"exact", tune::PageRank::exact},
                                                       {"networkx", tune::PageRank::networkx}};
  sub->add_option("--pagerank", o->settings.rank,
                  "exact (default) or networkx (stops as early as that package does, for its published tables)")
      ->transform(CLI::CheckedTransformer(ranks).description(""));
  sub->add_option("--sampled", o->walks, "Estimate by so many walks, with intervals, without the whole graph")
      ->check(CLI::Range(int64_t{1}, int64_t{100'000'000}));
  sub->add_option("--seed", o->seed, "Seed of the walks")->capture_default_str();
  cli.files.writes(sub->add_option("-o,--output", o->output, "Write the proportions of centrality as CSV"));
  sub->add_flag("--overwrite")->description("Replace a file that exists");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run_difficulty(*o, c); }; });
}

void add_tune_convert(CLI::App& tune, Cli& cli) {
  CLI::App* sub = tune.add_subcommand("convert", "Write a space in another format");
  const auto o = std::make_shared<SpaceConversion>();
  cli.files.reads(sub->add_option("IN", o->input, "A Kernel Tuner cache (also one that is still written), T4 or T1"))
      ->required();
  cli.files.writes(sub->add_option("OUT", o->output, "The new file"))->required();
  sub->add_option("--to", o->to, "cache or t4 (default: t4 of a cache, a cache of the others)")
      ->check(CLI::IsMember({"cache", "t4"}).description(""));
  sub->add_flag("--overwrite")->description("Replace a file that exists");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run_space_conversion(*o, c); }; });
}

}  // namespace tl::cli
