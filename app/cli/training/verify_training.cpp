// Trains on generated cases, and checks the improvement by training on random planes, by MALIS and by chains of
// filters.
#include "app/cli/training/verify_training.h"

#include "app/cli/training/pruning.h"
#include "app/cli/training/training_cases.h"

namespace tl::cli {
namespace {

class Rows {
 public:
  explicit Rows(std::string place) : place_(std::move(place)) {}
  // The row passes if `more` exceeds `less` by at least `by`.
  void add(const char* id, const char* what, double less, double more, double by = 0) {
    table_.push_back({id, what, place_, "float32", less - more, 0 - by, less - more <= 0 - by});
  }
  [[nodiscard]] const CheckTable& table() const { return table_; }

 private:
  std::string place_;
  CheckTable table_;
};

ScoreRows scores_of(const char* name, const Cli& cli) {
  TrainArguments o;
  o.data = {name};
  o.quick = true;
  return generated_case_scores(o, cli).or_throw();
}

double score_value(const ScoreRows& rows, std::size_t row, std::size_t column) {
  return rows.at(row).values.at(column).second;
}

CheckTable fibres_and_spheres(const Cli& cli) {
  const ScoreRows s = scores_of("fibres-spheres", cli);
  Rows rows("fibres-spheres, 128^3, seed 1");
  // Published: 0.9989 and 0.6857 (512^3).
  rows.add("trained planes", "macro F1 on random planes: training on upright planes minus training on random planes",
           score_value(s, 1, 0), score_value(s, 0, 0), 0.15);
  rows.add("trained planes", "macro F1 on upright planes: training on random planes minus training on upright planes",
           score_value(s, 0, 1), score_value(s, 1, 1), -0.01);
  return rows.table();
}

CheckTable fibres_in_a_container(const Cli& cli) {
  const ScoreRows s = scores_of("fibres-container", cli);
  Rows rows("fibres-container, 128^3, seed 1");
  // Published: 0.9544, 0.6777, 0.2568, 0.0585.
  const char* steps[] = {"F1 of strands: training on upright planes minus training on random planes",
                         "F1 of strands: Otsu's threshold within the tube minus training on upright planes",
                         "F1 of strands: Otsu's threshold minus Otsu's threshold within the tube"};
  for (std::size_t k = 0; k < std::size(steps); ++k)
    rows.add("trained planes", steps[k], score_value(s, k + 1, 0), score_value(s, k, 0));
  return rows.table();
}

CheckTable cells_by_malis(const Cli& cli) {
  const ScoreRows s = scores_of("cells", cli);
  Rows rows("cells, 192^2, seeds 1 to 3");
  rows.add("trained MALIS", "Rand error: MALIS after softmax minus softmax alone", score_value(s, 2, 0),
           score_value(s, 1, 0));
  rows.add("trained MALIS", "wrong pixels after softmax alone minus wrong pixels after MALIS", score_value(s, 1, 2),
           score_value(s, 2, 2));
  return rows.table();
}

CheckTable pruned_networks(const Cli& cli) {
  PruneArguments o;
  o.input = "circles-squares";
  o.quick = true;
  auto accuracy = pruning_case_accuracies(o, cli).or_throw();
  Rows rows("circles-squares, 256^2, seeds 1 to 3");
  const double lean = accuracy[net::PruneMethod::lean];
  rows.add("trained pruning", "accuracy up to a ratio of 0.15: operator norms minus LEAN",
           accuracy[net::PruneMethod::operator_norm], lean);
  rows.add("trained pruning", "accuracy up to a ratio of 0.15: L1 norms minus LEAN", accuracy[net::PruneMethod::l1],
           lean);
  return rows.table();
}

}  // namespace

CheckTable verify_training(const Cli& cli) {
  Cli silent = cli;
  silent.output_mode = OutputMode::quiet;
  CheckTable table;
  for (const auto part : {fibres_and_spheres, fibres_in_a_container, cells_by_malis, pruned_networks}) {
    const CheckTable rows = part(silent);
    table.insert(table.end(), rows.begin(), rows.end());
  }
  return table;
}

}  // namespace tl::cli
