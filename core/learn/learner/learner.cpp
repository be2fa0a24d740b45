// Learns parameters in one run: survey on coarse data, descent, restarts, judgement.
#include "core/learn/learner/learner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>
#include <utility>

#include "core/base/random.h"
#include "core/learn/descent/descent.h"
#include "core/learn/descent/row_batches.h"
#include "core/learn/descent/survey.h"
#include "core/learn/learner/checkpoint.h"
#include "core/learn/learning.h"
#include "core/learn/problem.h"
#include "core/learn/verdict/identity.h"
#include "core/learn/verdict/judge.h"
#include "core/learn/verdict/scatter.h"
#include "gpu/device/cancel_points.h"

namespace tl::learn {
namespace {

using Clock = std::chrono::steady_clock;

// For more unknowns the curvature is not stored as a matrix.
constexpr std::size_t max_for_newton = 48;
// Natural steps: shorter steps would follow kinks of the interpolation. The judge makes the last step.
constexpr double left_to_settle = 0.1;
// Natural steps, for a start found on coarse data: long enough not to take kinks for curvature.
constexpr double refined_step = 0.5;

class Learner {
 public:
  Learner(Problem& problem, Executor& executor, const LearnOptions& options, Journal* journal)
      : problem_(problem), executor_(executor), options_(options), journal_(journal), settings_(problem.settings()) {
    for (const auto& [node, stats] : executor.stats()) node_seconds_[node] = stats.seconds;
    problem_.use_observer([this](const Vector& z, double loss, const DataSubset& subset) { keep(z, loss, subset); });
  }
  ~Learner() { problem_.use_observer({}); }
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  Result<Learned> run() {
    if (settings_.held_out.rows > 0) TL_TRY(RowBatches(problem_.rows(), settings_).check());
    TL_TRY(problem_.data());
    phase_ended("data");
    TL_TRY(curvature_scale_, problem_.scale_arrays(subset_of(0)));
    if (problem_.has_arrays()) phase_ended("natural steps");
    TL_TRY(const std::vector<Vector> starts, find_starts());
    phase_ended("survey");
    TL_TRY(report_start(starts.front()));
    std::vector<Descent> descents;
    starts_ = starts.size();
    for (const Vector& start : starts) {
      if (!descents.empty() && ended_) break;
      TL_TRY(Descent done, descend(start, static_cast<int64_t>(descents.size())));
      descents.push_back(std::move(done));
    }
    seconds_descent_ = seconds();
    phase_ended("descent");
    const auto best = std::min_element(descents.begin(), descents.end(), [](const Descent& a, const Descent& b) {
      return a.best.held_out.value_or(a.best.loss) < b.best.held_out.value_or(b.best.loss);
    });
    phase_ = Progress::Phase::errors;
    Judge judge(problem_, [this] { return keep_going(); });
    Scatter scatter;
    const bool many = problem_.has_arrays() && problem_.size() > Judge::max_judged;
    if (settings_.errors == Errors::sandwich && many && !in_parts()) {
      const auto from = [this](const Vector& start) { return task_from(start); };
      TL_TRY(scatter, bootstrap_scatter(problem_, best->best.z, from, [this] { return keep_going(); }));
    }
    TL_TRY(Learned learned, judge.judge(descents, static_cast<std::size_t>(best - descents.begin()), survey_, scatter));
    learned.held_out = best->best.held_out;
    learned.first_loss = first_loss_;
    learned.evaluations = problem_.evaluations();
    report_rest(best->best);
    phase_ended("verdict");
    learned.phase_times = std::move(phase_times_);
    learned.seconds = seconds();
    learned.seconds_descent = seconds_descent_;
    learned.history = std::move(history_);
    return learned;
  }

 private:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  // Adds the time since the last phase ended to this phase.
  void phase_ended(const char* name) {
    const double now = seconds();
    PhaseTime time{name, now - phase_begun_, problem_.evaluations() - phase_evaluations_, {}};
    for (const auto& [node, stats] : executor_.stats()) {
      const double here = stats.seconds - std::exchange(node_seconds_[node], stats.seconds);
      if (here > 0) time.nodes.emplace_back(node, here);
    }
    std::sort(time.nodes.begin(), time.nodes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    phase_begun_ = now;
    phase_evaluations_ = problem_.evaluations();
    if (time.seconds > 0) phase_times_.push_back(std::move(time));
  }

  // Waits while paused. false: no more iterations are wanted.
  Result<bool> keep_going() {
    for (;;) {
      if (executor_.options().cancel.cancelled()) return cancelled();
      const LearnCommand command = options_.hooks.command ? options_.hooks.command() : LearnCommand::go_on;
      if (command == LearnCommand::finish) ended_ = true;
      if (command != LearnCommand::pause) return !ended_;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  Result<std::vector<Vector>> find_starts() {
    const Vector zero(problem_.size(), 0.0);
    std::vector<Vector> starts;
    if (settings_.survey == Survey::coarse) {
      phase_ = Progress::Phase::survey;
      TL_TRY(survey_, survey(problem_));
      starts = survey_.optima;
    }
    if (starts.empty()) starts.push_back(zero);
    for (int64_t i = 0; i < settings_.restarts; ++i) starts.push_back(drawn(i));
    phase_ = Progress::Phase::descent;
    return starts;
  }

  // A survey replaces the start that the user set, but the reported course still begins there.
  Result<void> report_start(const Vector& surveyed) {
    const Vector zero(problem_.size(), 0.0);
    if (surveyed == zero || in_parts()) return ok();
    const auto at_start = problem_.evaluate(zero, EvaluationKind::loss);
    // An objective may refuse the user's start: the survey then found a better one.
    if (!at_start.ok()) return at_start.error().kind == ErrorKind::invalid ? ok() : Result<void>(at_start.error());
    first_loss_ = at_start.value().loss;
    before_ = 1;
    report({phase_, 0, 0, problem_.evaluations(), first_loss_, first_loss_, problem_.values_at(zero), seconds()});
    return ok();
  }

  void report(Progress p) {
    history_.push_back(p);
    drop_arrays(history_.back());
    p.evaluated = std::exchange(evaluated_, {});
    if (options_.hooks.progress) options_.hooks.progress(p);
  }

  // Reports the judge's evaluations; they are not an iteration.
  void report_rest(const Point& best) {
    if (!options_.hooks.progress || evaluated_.empty()) return;
    options_.hooks.progress({phase_, 0, 0, problem_.evaluations(), best.loss, best.loss, problem_.values_at(best.z),
                             seconds(), std::exchange(evaluated_, {})});
  }

  void keep(const Vector& z, double loss, const DataSubset& subset) {
    if (!options_.hooks.progress) return;
    Evaluated e{subset.everything() ? Evaluated::Data::all : Evaluated::Data::part, loss, {}};
    for (const ParameterBlock& b : problem_.parameter_blocks())
      if (b.size == 1 && b.shape.empty())
        e.values.push_back(
            {b.target.node, b.target.name, b.decl->unit, {from_stored(b.value(z[b.offset], 0), b.decl->unit)}, {}, 0});
    evaluated_.push_back(std::move(e));
  }

  // A random point within reach of the start; within a natural step if no reach is given.
  [[nodiscard]] Vector drawn(int64_t number) const {
    const Philox random{settings_.seed, 0x5747};
    Vector z(problem_.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
      const ParameterBlock& b = problem_.parameter_block_of(i);
      const double reach = b.reach > 0 ? b.reach : 2;
      const double share = 2 * random.uniform(static_cast<uint64_t>(number) * z.size() + i) - 1;
      z[i] = std::clamp(share * reach, problem_.low(i), problem_.high(i));
    }
    return z;
  }

  // Another part of the data at every iteration: equidistant views with a random offset, a band of rows.
  [[nodiscard]] DataSubset subset_of(int64_t iteration) const {
    DataSubset subset;
    if (settings_.held_out.rows > 0) {
      const RowBatches batches(problem_.rows(), settings_);
      subset.rows = batches.at(iteration);
    }
    const Philox random{settings_.seed, 0xba7c};
    const auto draw = [&](uint64_t which, int64_t count) {
      const double share = random.uniform(2 * static_cast<uint64_t>(iteration) + which);
      return std::min(static_cast<int64_t>(share * static_cast<double>(count)), count - 1);
    };
    if (settings_.subsets.views < 1 && problem_.views() > 1) {
      subset.view_stride = std::clamp<int64_t>(std::llround(1 / settings_.subsets.views), 1, problem_.views());
      subset.first_view = draw(0, subset.view_stride);
    }
    const int64_t all = problem_.rows();
    if (settings_.subsets.rows < 1 && all > 1 && !subset.rows) {
      const auto wanted = static_cast<double>(all) * settings_.subsets.rows;
      const int64_t rows = std::clamp<int64_t>(std::llround(wanted), 1, all);
      const int64_t first = draw(1, all - rows + 1);
      subset.rows = Range{first, first + rows};
    }
    return subset;
  }

  [[nodiscard]] bool in_parts() const { return !settings_.subsets.all() || settings_.held_out.rows > 0; }

  // The mean of the objective over batches of the held-out rows.
  Result<double> held_out_loss(const Vector& z) {
    double sum = 0;
    for (const Range& rows : RowBatches(problem_.rows(), settings_).held_out()) {
      DataSubset subset;
      subset.rows = rows;
      TL_TRY(const Evaluation e, problem_.evaluate(z, EvaluationKind::loss, subset));
      sum += e.loss * static_cast<double>(rows.size());
    }
    return sum / static_cast<double>(settings_.held_out.rows);
  }

  // Settings that are common to all descents.
  [[nodiscard]] DescentTask task_from(const Vector& start) const {
    DescentTask task;
    task.start = start;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      task.low.push_back(problem_.low(i));
      task.high.push_back(problem_.high(i));
      task.start[i] = std::clamp(task.start[i], task.low[i], task.high[i]);
    }
    task.curvature_scale = curvature_scale_;
    task.stop = settings_.stop;
    if (settings_.errors == Errors::sandwich && problem_.size() <= Judge::max_exact) task.settled = left_to_settle;
    task.subsets = settings_.subsets;
    task.method = settings_.method;
    task.rate = settings_.rate;
    if (survey_.made && !survey_.optima.empty()) task.first_step = refined_step;
    if (task.method == Method::automatic) {
      task.method = problem_.size() <= max_for_newton ? Method::newton : Method::lbfgs;
      if (in_parts()) task.method = Method::adam;
    }
    return task;
  }

  Result<Descent> descend(const Vector& start, int64_t number) {
    DescentTask task = task_from(start);
    if (settings_.held_out.rows > 0) {
      task.held_out = [this](const Vector& z) { return held_out_loss(z); };
      const int64_t every = settings_.held_out.every;
      task.held_out_every = every > 0 ? every : RowBatches(problem_.rows(), settings_).epoch();
    }
    const EvaluationKind kind =
        task.method == Method::newton ? EvaluationKind::gradient_and_curvature : EvaluationKind::gradient;
    task.evaluate = [this, kind](const Vector& z, int64_t iteration) -> Result<Point> {
      TL_TRY(Evaluation e, problem_.evaluate(z, kind, in_parts() ? subset_of(iteration) : DataSubset{}));
      return Point{z, e.loss, std::move(e.gradient), std::move(e.curvature)};
    };
    task.keep_going = [this, number](const Point& now, const Point& best, int64_t iteration) -> Result<bool> {
      if (number == 0 && iteration == 0 && before_ == 0) first_loss_ = now.loss;
      report({phase_,
              number,
              iteration + (number == 0 ? before_ : 0),
              problem_.evaluations(),
              now.loss,
              best.loss,
              problem_.values_at(now.z),
              seconds(),
              {},
              now.held_out});
      return keep_going();
    };
    if (journal_ != nullptr && task.method == Method::adam && in_parts() && starts_ == 1) keep_state(task);
    return tl::learn::descend(task);
  }

  // A descent on parts of the data is long: the journal stores its present state instead of all evaluations so far.
  void keep_state(DescentTask& task) {
    task.checkpoint_every = options_.checkpoint_every;
    task.checkpoint = [this](const AdamState& state) {
      return journal_->replace_by(numbers_of({state, problem_.evaluations(), first_loss_, history_}));
    };
    const auto numbers = journal_->begin_descent();
    auto known = numbers ? checkpoint_of(*numbers, problem_) : std::nullopt;
    if (!known) return;
    task.resume = std::move(known->descent);
    problem_.count_evaluations_from(known->evaluations);
    first_loss_ = known->first_loss;
    history_ = std::move(known->history);
    if (history_.empty()) return;
    // Time spent before the interruption counts as well.
    begun_ -= std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::max(0.0, history_.back().seconds - seconds())));
    if (options_.hooks.progress)
      for (const Progress& p : history_) options_.hooks.progress(p);
  }

  Problem& problem_;
  Executor& executor_;
  const LearnOptions& options_;
  Journal* journal_;
  const Settings settings_;
  Clock::time_point begun_ = Clock::now();
  Progress::Phase phase_ = Progress::Phase::survey;
  std::vector<Progress> history_;
  std::vector<Evaluated> evaluated_;  // since the last Progress
  SurveyFinding survey_;
  Vector curvature_scale_;
  std::size_t starts_ = 1;
  int64_t before_ = 0;  // reported points before the first descent
  double first_loss_ = 0, seconds_descent_ = 0;
  std::vector<PhaseTime> phase_times_;
  double phase_begun_ = 0;
  int64_t phase_evaluations_ = 0;
  std::map<std::string, double> node_seconds_;
  bool ended_ = false;
};

}  // namespace

Result<bool> can_resume_from(const std::filesystem::path& journal, Executor& executor, const Registry& registry,
                             const Graph& graph, const Settings& settings) {
  std::error_code ignored;
  if (!std::filesystem::exists(journal, ignored)) return false;
  TL_TRY(Problem problem, Problem::make(executor, registry, graph, settings));
  TL_TRY(const std::string identity, identity_of(problem, executor, graph));
  return Journal::is_of(journal, identity);
}

Result<Learned> learn(Executor& executor, const Registry& registry, const Graph& graph, const Settings& settings,
                      const LearnOptions& options) {
  const CancelPoints points(executor.options().cancel);  // the backward pass of an objective has no other
  TL_TRY(Problem problem, Problem::make(executor, registry, graph, settings));
  TL_TRY(problem.sees_unknowns());
  std::unique_ptr<Journal> journal;
  if (!options.journal.empty()) {
    TL_TRY(const std::string identity, identity_of(problem, executor, graph));
    TL_TRY(journal, Journal::open(options.journal, identity, options.rules));
    problem.use_journal(journal.get());
  }
  return Learner(problem, executor, options, journal.get()).run();
}

}  // namespace tl::learn
