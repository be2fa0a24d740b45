// tomoloom score: how well labels agree with a ground truth: F1, overlap, accuracy, adapted Rand error.
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/base/text.h"
#include "core/io/volumes/label_table.h"
#include "core/io/volumes/volume.h"

namespace tl::cli {
namespace {

struct ScoreArguments {
  std::string truth, labels, left_out = "not_labelled", alignment = "same";
  RunFlags flags{"cpu", {}, false};
};

// The pipeline of the node that computes the scores, in blocks.
Graph graph_of(const ScoreArguments& o) {
  Graph g;
  g.nodes["truth"] = {"input.load_labels", 1, {{"file", o.truth}}};
  g.nodes["labels"] = {"input.load_labels", 1, {{"file", o.labels}}};
  g.nodes["scores"] = {"measure.scores", 1, {{"left_out", o.left_out}, {"alignment", o.alignment}}};
  g.links.push_back({"truth", "labels", "scores", "truth"});
  g.links.push_back({"labels", "labels", "scores", "labels"});
  return g;
}

constexpr const char* numbers[] = {"voxels", "macro_f1", "mean_iou", "accuracy", "adapted_rand_error"};

struct Scores {
  Table classes;
  std::map<std::string, double> value;
  std::map<int64_t, std::string> names;  // of classes
};

Result<Scores> scores_of(const ScoreArguments& o, Executor& executor) {
  const Graph g = graph_of(o);
  Scores s;
  TL_TRY(const Value classes, executor.pull(g, "scores", "classes"));
  s.classes = std::get<Table>(classes);
  for (const char* name : numbers) {
    TL_TRY(const Value v, executor.pull(g, "scores", name));
    s.value[name] = std::get<Scalar>(v).value.item<double>();
  }
  // A class is named as in the truth; where the truth has no name for it, as in the labels.
  for (const char* node : {"truth", "labels"}) {
    TL_TRY(const Infos infos, executor.infos(g, node));
    for (const LabelClass& c : std::get<LabelsInfo>(infos.at("labels")).table.classes)
      s.names.emplace(c.number, c.name);
  }
  return s;
}

std::string class_name(const Scores& s, double number) {
  const auto found = s.names.find(static_cast<int64_t>(number));
  return found == s.names.end() ? std::string() : found->second;
}

void print_text(const Scores& s) {
  const auto& columns = s.classes.columns;
  say(stdout, "   class       in truth      in labels       F1      IoU precision   recall");
  for (std::size_t i = 0; i < columns[0].values.size(); ++i) {
    const auto at = [&](std::size_t c) { return columns[c].values[i]; };
    const std::string line =
        formatted("%8.0f %14.0f %14.0f %8.4f %8.4f %9.4f %8.4f", at(0), at(1), at(2), at(4), at(5), at(6), at(7));
    const std::string name = class_name(s, at(0));
    say(stdout, name.empty() ? line : line + "  " + name);
  }
  const auto row = [&](const char* title, const char* name) {
    say(stdout, formatted("%-20s %.6g", title, s.value.at(name)));
  };
  row("voxels", "voxels");
  row("macro F1", "macro_f1");
  row("mean IoU", "mean_iou");
  row("accuracy", "accuracy");
  row("adapted Rand error", "adapted_rand_error");
}

void print_scores(const Scores& s) {
  Json line = {{"event", "done"}};
  for (const char* name : numbers) line[name] = s.value.at(name);
  line["voxels"] = static_cast<int64_t>(s.value.at("voxels"));
  line["classes"] = Json::array();
  const auto& columns = s.classes.columns;
  for (std::size_t i = 0; i < columns[0].values.size(); ++i) {
    Json entry;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double v = columns[c].values[i];
      entry[columns[c].name] = c < 4 ? Json(static_cast<int64_t>(v)) : Json(v);
    }
    if (const std::string name = class_name(s, columns[0].values[i]); !name.empty()) entry["name"] = name;
    line["classes"].push_back(std::move(entry));
  }
  print_json(line);
}

Result<void> run(const ScoreArguments& o, const Cli& cli) {
  const auto sink = make_run_sink(cli);
  TL_TRY(const RunOptions options, make_run_options(cli, o.flags, *sink));
  Executor executor(Registry::all(), options);
  TL_TRY(const Scores scores, scores_of(o, executor));
  sink->end();
  if (cli.output_mode == OutputMode::json) print_scores(scores);
  if (cli.output_mode == OutputMode::text) print_text(scores);
  return ok();
}

}  // namespace

void add_score(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("score", "Score labels against a ground truth: F1, IoU, accuracy, Rand error");
  const auto o = std::make_shared<ScoreArguments>();
  cli.files.reads(sub->add_option("TRUTH", o->truth, "The true labels (ground truth): a volume of any format"))
      ->required();
  cli.files.reads(sub->add_option("LABELS", o->labels, "Labels that are judged"))->required();
  sub->add_option("--left-out", o->left_out,
                  "Voxels of the truth to ignore: not_labelled (those that its table calls so), zero, nothing")
      ->check(CLI::IsMember({"not_labelled", "zero", "nothing"}).description(""));
  sub->add_option("--alignment", o->alignment,
                  "same (default: only labels of the same voxels), position (in mm, the nearest voxel), index")
      ->check(CLI::IsMember({"same", "position", "index"}).description(""));
  sub->add_option("--max-memory", o->flags.memory,
                  "Memory of the whole program, for example 4GB (default: 80 % of what is available)");
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
