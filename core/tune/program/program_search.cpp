// Runs an optimiser on a program: calls, their journal, repeated calls, and the estimate at the end.
#include "core/tune/program/program_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/text.h"
#include "core/tune/search/run.h"

namespace tl::tune {
namespace {

constexpr int64_t few_calls = 250;  // for which the surrogate's own time is small next to most programs'

struct SearchStopped {};

// All calls of one search, and what they mean.
class Caller {
 public:
  Caller(const ProgramSearch& search, const Landscape& landscape, ScoreSource& source, CallJournal& journal,
         const CancelToken& cancel, const std::function<void(const std::vector<JournalCall>&)>& progress)
      : search_(search),
        landscape_(landscape),
        source_(source),
        journal_(journal),
        cancel_(cancel),
        progress_(progress) {}

  // A score of which less is better; failed_score if the call failed. Throws SearchStopped where a stop condition
  // holds, Failure with the errors of source and journal.
  double call(int64_t cell) {
    cancel_.check();
    if (!stopped_.empty()) throw SearchStopped{};
    const AxisPoint point = point_of(search_.axes, landscape_, cell);
    JournalCall one;
    for (std::size_t i = 0; i < point.size(); ++i) one.values.push_back(search_.axes[i].text_of(point[i]));
    if (calls_.size() < journal_.earlier().size()) {
      const JournalCall& earlier = journal_.earlier()[calls_.size()];
      if (earlier.values != one.values)
        throw Failure(invalid("call " + std::to_string(calls_.size() + 1) +
                                  " of the journal is not the one that this version of the program would make",
                              "journal", "Delete the journal to begin the search again"));
      one = earlier;
    } else {
      one.outcome = source_.call(search_.axes, point).or_throw();
      journal_.add(one).or_throw();
    }
    calls_.push_back(one);
    double score = failed_score;
    if (one.outcome.score) {
      score = search_.direction == Direction::minimise ? *one.outcome.score : -*one.outcome.score;
      const auto [entry, is_new] = index_.try_emplace(cell, points_.size());
      if (is_new) {
        points_.push_back({point, {}});
        cells_.push_back(cell);
      }
      points_[entry->second].scores.push_back(score);
    }
    note_stop(one, score);
    if (progress_) progress_(calls_);
    return score;
  }

  [[nodiscard]] const std::vector<JournalCall>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<ScoredPoint>& points() const { return points_; }
  [[nodiscard]] int64_t cell(std::size_t point) const { return cells_[point]; }
  [[nodiscard]] const std::string& stopped() const { return stopped_; }

 private:
  void note_stop(const JournalCall& one, double score) {
    seconds_ += one.outcome.seconds;
    failures_ += one.outcome.score ? 0 : 1;
    const StopConditions& stop = search_.stop;
    if (stop.seconds && seconds_ >= *stop.seconds) stopped_ = "the time is over";
    if (stop.failures && failures_ >= *stop.failures)
      stopped_ = std::to_string(failures_) + (failures_ == 1 ? " call" : " calls") + " failed";
    if (!stop.score) return;
    const double wanted = search_.direction == Direction::minimise ? *stop.score : -*stop.score;
    if (score <= wanted) stopped_ = "a score is good enough";
  }

  const ProgramSearch& search_;
  const Landscape& landscape_;
  ScoreSource& source_;
  CallJournal& journal_;
  const CancelToken& cancel_;
  const std::function<void(const std::vector<JournalCall>&)>& progress_;
  std::vector<JournalCall> calls_;
  std::vector<ScoredPoint> points_;
  std::vector<int64_t> cells_;  // of the points
  std::map<int64_t, std::size_t> index_;
  double seconds_ = 0;
  int64_t failures_ = 0;
  std::string stopped_;
};

// The choice that another call says most of: of those that may be the best one, the one with the fewest scores. Nothing
// if the order is clear.
std::optional<std::size_t> next_repeat(const std::vector<ScoredPoint>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return points[a].mean() < points[b].mean(); });
  const ScoredPoint& best = points[order[0]];
  if (best.scores.size() < 2) return order[0];
  const double noise = *repeated_noise(points);  // the best has two scores
  if (order.size() == 1) return std::nullopt;
  if (noise == 0) return std::nullopt;  // the same score again: a program without noise
  constexpr double apart = 3;           // sigmas
  constexpr std::size_t most_rivals = 6, most_scores = 30;
  constexpr std::size_t fewest_scores = 5;  // of the best: fewer do not say what the noise is
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(order.size(), most_rivals); ++i) {
    const ScoredPoint& p = points[order[i]];
    const double sd =
        noise * std::sqrt(1 / static_cast<double>(p.scores.size()) + 1 / static_cast<double>(best.scores.size()));
    if (i > 0 && p.mean() - best.mean() > apart * sd && best.scores.size() >= fewest_scores) continue;
    if (p.scores.size() >= most_scores) continue;
    if (!chosen || p.scores.size() < points[*chosen].scores.size()) chosen = order[i];
  }
  // The best alone is left, and is known well enough.
  if (chosen == order[0] && best.scores.size() >= fewest_scores) {
    const bool has_rival = std::any_of(order.begin() + 1, order.end(), [&](std::size_t i) {
      const double sd = noise * std::sqrt(1 / static_cast<double>(points[i].scores.size()) +
                                          1 / static_cast<double>(best.scores.size()));
      return points[i].mean() - best.mean() <= apart * sd;
    });
    if (!has_rival) return std::nullopt;
  }
  return chosen;
}

void run_calls(const ProgramSearch& search, const Landscape& landscape, const Optimiser& optimiser, Caller& caller,
               const CancelToken& cancel) {
  const bool repeats = !has_reals(search.axes);
  const int64_t kept = repeats && search.budget >= 5 ? std::max<int64_t>(2, search.budget / 5) : 0;
  try {
    Run run(
        landscape, [&](int64_t cell) { return caller.call(cell); }, search.budget - kept, Random(search.seed, 0),
        cancel);
    try {
      optimiser.search(run);
    } catch (const RunEnded&) {
    }
    while (repeats && static_cast<int64_t>(caller.calls().size()) < search.budget && !caller.points().empty()) {
      const std::optional<std::size_t> next = next_repeat(caller.points());
      if (!next) break;
      caller.call(caller.cell(*next));
    }
  } catch (const SearchStopped&) {
  }
}

std::string axis_text(const SearchAxis& axis) {
  std::string text = axis.name + "=";
  if (axis.kind != SearchAxis::Kind::list)
    return text + formatted("%.17g", axis.low) + (axis.kind == SearchAxis::Kind::real ? ":" : "..") +
           formatted("%.17g", axis.high);
  for (const std::string& item : axis.items) text += item + ",";
  return text;
}

}  // namespace

std::vector<std::string> ProgramSearch::identity(const ScoreSource& source) const {
  std::vector<std::string> all = {"budget " + std::to_string(budget), "seed " + std::to_string(seed), optimiser,
                                  direction == Direction::minimise ? "minimise" : "maximise"};
  if (timeout) all.push_back("timeout " + formatted("%.17g", *timeout));
  if (stop.seconds) all.push_back("seconds " + formatted("%.17g", *stop.seconds));
  if (stop.failures) all.push_back("failures " + std::to_string(*stop.failures));
  if (stop.score) all.push_back("score " + formatted("%.17g", *stop.score));
  for (const SearchAxis& axis : axes) all.push_back(axis_text(axis));
  const std::vector<std::string> words = source.identity();
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Result<const Optimiser*> search_optimiser(const std::string& name, const std::vector<SearchAxis>& axes,
                                          int64_t budget) {
  const bool reals = has_reals(axes) || landscape_of(axes).cells() > Landscape::most_listed;
  if (name == "auto") {
    if (budget <= few_calls) return find_optimiser("surrogate");
    return find_optimiser(reals ? "differential_evolution" : "first_ils");
  }
  TL_TRY(const Optimiser* const found, find_optimiser(name));
  if (!reals || found->takes_reals) return found;
  std::string names = "auto";
  for (const Optimiser& one : optimisers())
    if (one.takes_reals) names += ", " + std::string(one.name);
  return invalid("the optimiser searches lists of values alone, and there are real numbers or too many integers", name,
                 "There are: " + names);
}

Result<ProgramSearchResult> search_program(const ProgramSearch& search, ScoreSource& source, CallJournal& journal,
                                           const CancelToken& cancel,
                                           const std::function<void(const std::vector<JournalCall>&)>& progress) {
  TL_TRY(check_axes(search.axes));
  TL_TRY(const Optimiser* const optimiser, search_optimiser(search.optimiser, search.axes, search.budget));
  const Landscape landscape = landscape_of(search.axes);
  Caller caller(search, landscape, source, journal, cancel, progress);
  try {
    run_calls(search, landscape, *optimiser, caller, cancel);
  } catch (const Failure& failure) {
    if (caller.calls().empty()) journal.remove();  // there is nothing to go on from
    return failure.error();
  }
  if (caller.calls().size() < journal.earlier().size())
    return invalid("the journal has more calls than this search makes", "journal",
                   "Delete the journal to begin the search again");
  ProgramSearchResult result;
  result.calls = caller.calls();
  result.resumed = journal.earlier().size();
  result.optimiser = std::string(optimiser->name);
  result.stopped = !caller.stopped().empty()                                    ? caller.stopped()
                   : static_cast<int64_t>(result.calls.size()) >= search.budget ? "the budget is spent"
                                                                                : "nothing is left that would say more";
  if (caller.points().empty()) {
    // Nothing of it is worth going on from: the program will be corrected.
    journal.remove();
    return invalid("all calls failed (" + std::to_string(result.calls.size()) +
                       "), the first one by: " + result.calls.front().outcome.failure,
                   "", "Run the program once by hand with these values");
  }
  result.estimate = judge_search(search.axes, landscape, caller.points());
  const auto best = std::min_element(caller.points().begin(), caller.points().end(),
                                     [](const ScoredPoint& a, const ScoredPoint& b) { return a.mean() < b.mean(); });
  const double sign = search.direction == Direction::minimise ? 1 : -1;
  for (std::size_t i = 0; i < search.axes.size(); ++i)
    result.best_call.values.push_back(search.axes[i].text_of(best->point[i]));
  result.best_call.outcome.score = sign * best->mean();
  result.estimate.score *= sign;
  return result;
}

}  // namespace tl::tune
