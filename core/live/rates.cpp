// Fits the costs per call, per number read and per number computed to the latest measurements of each node type.
#include "core/live/rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace tl::live {
namespace {

constexpr std::size_t max_samples = 24;
// Weight of a sample relative to the next one: older ones had other settings or a busier machine.
constexpr double forgetting = 0.85;
// The first execution of a type loads code, makes plans and allocates memory. It counts until there are so many other
// samples.
constexpr int64_t samples_without_first = 3;
constexpr double min_seconds = 1e-7;
// If the samples cannot separate the parts, the time is divided among them.
constexpr double sharing = 1e-3;

constexpr int parts = 3;
using Parts = std::array<double, parts>;
using Matrix = std::array<Parts, parts>;

Parts amounts(const NodeWork& work) { return {static_cast<double>(work.calls), work.read, work.made}; }

// Solves the equations of the parts in `subset` by elimination; the others are 0. Nothing if a solution is negative.
std::optional<Parts> solved(Matrix m, Parts v, unsigned subset) {
  const auto in = [subset](int i) { return (subset >> static_cast<unsigned>(i) & 1U) != 0; };
  for (int i = 0; i < parts; ++i) {
    if (!in(i)) continue;
    for (int k = i + 1; k < parts; ++k) {
      if (!in(k)) continue;
      const double factor = m[k][i] / m[i][i];  // positive definite: no pivoting
      for (int j = i; j < parts; ++j) m[k][j] -= factor * m[i][j];
      v[k] -= factor * v[i];
    }
  }
  Parts x{};
  for (int i = parts - 1; i >= 0; --i) {
    if (!in(i)) continue;
    double rest = v[i];
    for (int j = i + 1; j < parts; ++j)
      if (in(j)) rest -= m[i][j] * x[j];
    x[i] = rest / m[i][i];
    if (x[i] < 0) return {};
  }
  return x;
}

// Non-negative costs of the parts by weighted least squares. A long execution is the sum of many short ones, so the
// variance of a sample is assumed proportional to its time.
Parts fitted(const std::deque<NodeWork>& samples) {
  Matrix m{};
  Parts v{}, scale{}, costs{};
  double all = 0, age = 1;
  for (auto s = samples.rbegin(); s != samples.rend(); ++s, age *= forgetting) {
    const double time = std::max(s->seconds, min_seconds), weight = age * time;
    Parts row = amounts(*s);
    for (double& a : row) a /= time;
    for (int i = 0; i < parts; ++i) {
      for (int j = 0; j < parts; ++j) m[i][j] += weight * row[i] * row[j];
      v[i] += weight * row[i];
    }
    all += weight;
  }
  unsigned possible = 0;
  for (int i = 0; i < parts; ++i) {
    scale[i] = std::sqrt(m[i][i] / all);
    if (scale[i] > 0) possible |= 1U << static_cast<unsigned>(i);
  }
  for (int i = 0; i < parts; ++i) {
    if (!(scale[i] > 0)) continue;
    v[i] /= all * scale[i];
    for (int j = 0; j < parts; ++j)
      if (scale[j] > 0) m[i][j] /= all * scale[i] * scale[j];
    m[i][i] += sharing;
  }
  // Tries all subsets of the parts: the best fit whose costs are all positive.
  double best = 0;
  for (unsigned subset = 1; subset < 1U << parts; ++subset) {
    if ((subset & ~possible) != 0) continue;
    const auto x = solved(m, v, subset);
    if (!x) continue;
    double gain = 0;
    for (int i = 0; i < parts; ++i) gain += v[i] * (*x)[i];
    if (gain <= best) continue;
    best = gain;
    for (int i = 0; i < parts; ++i) costs[i] = scale[i] > 0 ? (*x)[i] / scale[i] : 0;
  }
  return costs;
}

}  // namespace

Rates::News Rates::learn(const Executor& executor, const Registry& registry, const Graph& graph) {
  return learn(executor.stats(), registry, graph);
}

Rates::News Rates::learn(const RunReport& run, const Registry& registry, const Graph& graph) {
  const auto others = std::exchange(last_stats_, {});
  const News news = learn(run.nodes, registry, graph);
  last_stats_ = others;
  return news;
}

Rates::News Rates::learn(const std::map<std::string, NodeStats>& stats, const Registry& registry, const Graph& graph) {
  News news = News::none;
  for (const auto& [node, now] : stats) {
    NodeStats& before = last_stats_[node];
    const auto in_graph = graph.nodes.find(node);
    const NodeType* type = in_graph == graph.nodes.end() ? nullptr : registry.find(in_graph->second.type);
    NodeWork more = now.work;
    more.calls -= before.work.calls;
    more.read -= before.work.read;
    more.made -= before.work.made;
    more.seconds -= before.work.seconds;
    if (type != nullptr && (more.calls > 0 || more.seconds > 0)) {
      add(type->id, more);
      news = News::some;
    }
    if (type != nullptr && now.measuring != before.measuring) {
      measuring_[type->id] = now.measuring;
      news = News::some;
    }
    before = now;
  }
  return news;
}

void Rates::add(const std::string& type, const NodeWork& work) {
  Samples& samples = samples_[type];
  auto& kept = samples.newest_last;
  if (work.calls == 0) {  // the rest of work that was already added
    if (!kept.empty()) kept.back().seconds += work.seconds;
    return;
  }
  kept.push_back(work);
  if (++samples.added == samples_without_first) kept.pop_front();
  if (kept.size() > max_samples) kept.pop_front();
}

double Rates::seconds(const std::string& type, const NodeWork& work) const {
  const auto found = samples_.find(type);
  if (found == samples_.end()) return -1;
  const Parts costs = fitted(found->second.newest_last), of = amounts(work);
  double sum = 0;
  for (int i = 0; i < parts; ++i) sum += costs[i] * of[i];
  return sum;
}

double Rates::measuring(const std::string& type) const {
  const auto found = measuring_.find(type);
  return found == measuring_.end() ? -1 : found->second;
}

}  // namespace tl::live
