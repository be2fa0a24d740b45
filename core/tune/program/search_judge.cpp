// The estimate from a model of the scores, or from repeated calls.
#include "core/tune/program/search_judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/text.h"
#include "core/tune/search/surrogate_model.h"

namespace tl::tune {
namespace {

constexpr std::size_t most_modelled = 300;  // the model costs the cube of them
constexpr double as_good = 2;               // sigmas within which two scores cannot be distinguished
constexpr double far_away = 4;              // sigmas, and
constexpr double far_share = .05;           // share of the range from which on another minimum is another one
constexpr double flat_share = .29;          // sigma of what is known of nothing but the range: 1 / sqrt(12)
// The model takes its kernel for known, and the points were chosen by the scores: in searches with a noise of 1 % of
// each score its sigma was 1.7 times too small, in those with the same noise everywhere 1.4 times too large
// (benchmarks.md).
constexpr double unknown_kernel = 1.5;
constexpr double least_evidence = 3;  // e^3: the model against a constant

const ScoredPoint& best_of(const std::vector<ScoredPoint>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const ScoredPoint& a, const ScoredPoint& b) { return a.mean() < b.mean(); });
}

void worsen(SearchEstimate& e, SearchVerdict verdict, std::string why) {
  if (verdict <= e.verdict) return;
  e.verdict = verdict;
  e.why = std::move(why);
}

std::string values_text(const std::vector<SearchAxis>& axes, const AxisPoint& point) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += (i == 0 ? "" : ", ") + axes[i].name + " = " + axes[i].text_of(point[i]);
  return text;
}

void find_railed_integers(const std::vector<SearchAxis>& axes, SearchEstimate& e) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].kind != SearchAxis::Kind::integer || axes[i].count() < 3) continue;
    if (e.best[i] != axes[i].low && e.best[i] != axes[i].high) continue;
    worsen(e, SearchVerdict::railed, axes[i].name + " is at the end of its range: the best may lie beyond");
  }
}

// Of spaces without real axes.
SearchEstimate judge_choices(const std::vector<SearchAxis>& axes, const std::vector<ScoredPoint>& points) {
  const ScoredPoint& best = best_of(points);
  SearchEstimate e;
  e.best = best.point;
  e.score = best.mean();
  e.uncertainty.resize(axes.size());
  e.noise = repeated_noise(points);
  find_railed_integers(axes, e);
  if (!e.noise) {
    worsen(e, SearchVerdict::ambiguous, "no values were called twice, so the noise of the scores is not known");
    return e;
  }
  const auto count = [](const ScoredPoint& p) { return static_cast<double>(p.scores.size()); };
  e.score_uncertainty = *e.noise / std::sqrt(count(best));
  std::vector<double> spread(axes.size(), 0.0);
  double weights = 0;
  std::size_t rivals = 0;
  for (const ScoredPoint& p : points) {
    const double sd = *e.noise * std::sqrt(1 / count(p) + 1 / count(best)), behind = p.mean() - best.mean();
    const double weight = behind <= 0 ? 1 : sd > 0 ? std::exp(-behind * behind / (2 * sd * sd)) : 0;
    weights += weight;
    bool is_near = true;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const double apart = p.point[i] - best.point[i];
      spread[i] += weight * apart * apart;
      is_near = is_near && (axes[i].is_ordered ? std::abs(apart) <= 1 : apart == 0);
    }
    if (&p == &best || behind > as_good * sd) continue;
    ++rivals;
    if (!is_near) worsen(e, SearchVerdict::ambiguous, values_text(axes, p.point) + " is as good within the noise");
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].is_ordered) e.uncertainty[i] = std::sqrt(spread[i] / weights);
  if (points.size() > 1 && rivals + 1 == points.size())
    worsen(e, SearchVerdict::flat, "the scores differ by no more than their noise");
  return e;
}

struct ModelledAxes {
  std::vector<bool> not_real;
  std::vector<std::size_t> real;
};

SurrogateModel model_of(const std::vector<SearchAxis>& axes, std::vector<const ScoredPoint*> chosen) {
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const ScoredPoint* a, const ScoredPoint* b) { return a->mean() < b->mean(); });
  chosen.resize(std::min(chosen.size(), most_modelled));
  SurrogateModel::Data data;
  for (const SearchAxis& axis : axes) data.unordered.push_back(!axis.is_ordered);
  for (const ScoredPoint* p : chosen)
    for (const double score : p->scores) {
      RealPoint& x = data.x.emplace_back();
      for (std::size_t i = 0; i < axes.size(); ++i) x.push_back(axes[i].unit_of(p->point[i]));
      data.scores.push_back(score);
    }
  return SurrogateModel::fit(std::move(data), nullptr);
}

// The minimum of the mean; integers and items of lists are rounded to their own values first, then the rest follows.
RealPoint least_of(const SurrogateModel& model, const std::vector<SearchAxis>& axes, const ModelledAxes& kinds) {
  RealPoint start = model.data().x.front();
  for (const RealPoint& x : model.data().x)
    if (model.mean(x) < model.mean(start)) start = x;
  RealPoint x = model.least_mean(start, model.data().unordered);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!kinds.not_real[i]) continue;
    const auto count = static_cast<double>(axes[i].count());
    x[i] = (std::clamp(std::floor(x[i] * count), 0.0, count - 1) + .5) / count;
  }
  return model.least_mean(x, kinds.not_real);
}

double coordinate_of(const SearchAxis& axis, double unit) {
  if (axis.kind == SearchAxis::Kind::real) return axis.low + unit * (axis.high - axis.low);
  const auto count = static_cast<double>(axis.count());
  const double index = std::clamp(std::floor(unit * count), 0.0, count - 1);
  return axis.kind == SearchAxis::Kind::integer ? axis.low + index : index;
}

// Sigma of each real axis that is not at the end of its range, as a share of the range; railed and flat ones have none.
std::vector<std::optional<double>> real_sigmas(const SurrogateModel& model, const std::vector<SearchAxis>& axes,
                                               const ModelledAxes& kinds, const RealPoint& x, SearchEstimate& e) {
  constexpr double at_end = 1e-4;  // of the range
  std::vector<std::optional<double>> sigmas(axes.size());
  std::vector<std::size_t> inside;
  for (const std::size_t i : kinds.real) {
    if (x[i] > at_end && x[i] < 1 - at_end) {
      inside.push_back(i);
    } else {
      worsen(e, SearchVerdict::railed, axes[i].name + " is at the end of its range: the best may lie beyond");
    }
  }
  const auto covariance = model.minimum_covariance(x, inside);
  for (std::size_t k = 0; k < inside.size(); ++k) {
    const std::size_t i = inside[k];
    const double variance = covariance ? (*covariance)[k * inside.size() + k] : 1;
    if (!covariance || !(variance < flat_share * flat_share)) {
      worsen(e, SearchVerdict::flat, "the scores do not say where " + axes[i].name + " is best");
      continue;
    }
    sigmas[i] = unknown_kernel * std::sqrt(std::max(variance, 0.0));
  }
  return sigmas;
}

// Values away from the minimum that are as good within what is known.
void find_rivals(const SurrogateModel& model, const std::vector<SearchAxis>& axes, const ModelledAxes& kinds,
                 const RealPoint& best, const std::vector<std::optional<double>>& sigmas, SearchEstimate& e) {
  const double least = model.mean(best);
  // The best that the model expects of each other item of a list. It cannot expect anything of an item that was called
  // less often than a parabola along the real axes has unknowns.
  constexpr int64_t most_items = 30;
  const auto enough = static_cast<std::ptrdiff_t>(2 * kinds.real.size() + 1);
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (int64_t item = 0; !axes[i].is_ordered && item < std::min(axes[i].count(), most_items); ++item) {
      RealPoint x = best;
      x[i] = axes[i].unit_of(static_cast<double>(item));
      if (x[i] == best[i]) continue;
      const auto calls = std::count_if(model.data().x.begin(), model.data().x.end(),
                                       [&](const RealPoint& one) { return one[i] == x[i]; });
      x = model.least_mean(x, kinds.not_real);
      if (calls < enough || model.mean(x) - least <= as_good * model.difference_sd(x, best))
        worsen(e, SearchVerdict::ambiguous,
               axes[i].name + " = " + axes[i].items[static_cast<std::size_t>(item)] + " may be as good");
    }
  for (const RealPoint& x : model.data().x) {
    bool is_far = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const double apart = std::abs(x[i] - best[i]);
      if (axes[i].kind == SearchAxis::Kind::real) {
        is_far = is_far || (sigmas[i] && apart > std::max(far_share, far_away * *sigmas[i]));
      } else {
        is_far = is_far || apart > (axes[i].is_ordered ? 1.5 / static_cast<double>(axes[i].count()) : 0);
      }
    }
    if (!is_far || model.mean(x) - least > as_good * model.difference_sd(x, best)) continue;
    AxisPoint there;
    for (std::size_t i = 0; i < axes.size(); ++i) there.push_back(coordinate_of(axes[i], x[i]));
    worsen(e, SearchVerdict::ambiguous, values_text(axes, there) + " is as good within the noise");
    return;
  }
}

SearchEstimate measured_best(const std::vector<SearchAxis>& axes, const std::vector<ScoredPoint>& points) {
  SearchEstimate e;
  e.best = best_of(points).point;
  e.score = best_of(points).mean();
  e.uncertainty.resize(axes.size());
  e.noise = repeated_noise(points);
  return e;
}

}  // namespace

std::string_view to_string(SearchVerdict verdict) {
  switch (verdict) {
    case SearchVerdict::resolved: return "resolved";
    case SearchVerdict::railed: return "railed";
    case SearchVerdict::ambiguous: return "ambiguous";
    case SearchVerdict::flat: return "flat";
  }
  return "flat";
}

double ScoredPoint::mean() const {
  return std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
}

std::optional<double> repeated_noise(const std::vector<ScoredPoint>& points) {
  double squares = 0, freedom = 0;
  for (const ScoredPoint& p : points) {
    const double mean = p.mean();
    for (const double s : p.scores) squares += (s - mean) * (s - mean);
    freedom += static_cast<double>(p.scores.size()) - 1;
  }
  if (freedom < 1) return std::nullopt;
  return std::sqrt(squares / freedom);
}

SearchEstimate judge_search(const std::vector<SearchAxis>& axes, const Landscape& landscape,
                            const std::vector<ScoredPoint>& points) {
  TL_CHECK(landscape.dims() == axes.size() && !points.empty(), "points of these axes");
  if (!has_reals(axes)) return judge_choices(axes, points);
  SearchEstimate e = measured_best(axes, points);
  const std::size_t fewest = 2 * axes.size() + 3;
  if (points.size() < fewest) {
    worsen(e, SearchVerdict::ambiguous,
           std::to_string(points.size()) + " scores are too few to say how well the best values are known; give " +
               std::to_string(fewest) + " or more");
    return e;
  }
  std::vector<const ScoredPoint*> chosen;
  for (const ScoredPoint& p : points) chosen.push_back(&p);
  const SurrogateModel model = model_of(axes, std::move(chosen));
  e.noise = model.score_noise(e.score);
  if (model.evidence() < least_evidence) {
    worsen(e, SearchVerdict::flat, "the scores differ by no more than their noise");
    return e;
  }
  ModelledAxes kinds;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    kinds.not_real.push_back(axes[i].kind != SearchAxis::Kind::real);
    if (!kinds.not_real.back()) kinds.real.push_back(i);
  }
  RealPoint x = least_of(model, axes, kinds);
  const SurrogateModel::Prediction p = model.predict(x);
  const double expected = model.score_of(p.mean);
  // The best of many noisy scores is two or three sigmas below what it measures. `slack`, in the model's values, of
  // which the scores have variance 1: less does not matter.
  constexpr double worse_than_measured = 4, slack = .01;
  const double limit = p.mean - worse_than_measured * std::hypot(model.noise(), p.sd) - slack;
  if (e.score < model.score_of(limit)) {
    for (std::size_t i = 0; i < axes.size(); ++i) x[i] = axes[i].unit_of(e.best[i]);
    worsen(e, SearchVerdict::ambiguous,
           "no smooth curve goes through the scores: these are the best values of the calls");
  } else {
    for (std::size_t i = 0; i < axes.size(); ++i) e.best[i] = coordinate_of(axes[i], x[i]);
    e.score = expected;
    e.score_uncertainty = (model.score_of(p.mean + p.sd) - model.score_of(p.mean - p.sd)) / 2;
    e.noise = model.score_noise(e.score);
  }
  const std::vector<std::optional<double>> sigmas = real_sigmas(model, axes, kinds, x, e);
  for (const std::size_t i : kinds.real)
    if (sigmas[i]) e.uncertainty[i] = *sigmas[i] * axes[i].range();
  find_railed_integers(axes, e);
  find_rivals(model, axes, kinds, x, sigmas, e);
  return e;
}

}  // namespace tl::tune
