// Where the best values of a program are, how well they are known, and whether that is a result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tune/program/search_axis.h"

namespace tl::tune {

// The worst last, as learning orders them (core/learn/learning_types.h).
enum class SearchVerdict {
  resolved,   // a minimum within the ranges, better than everything away from it
  railed,     // at the end of a range: it may lie outside
  ambiguous,  // other values are as good within the noise, or too little is known
  flat,       // the scores differ by no more than their noise
};
std::string_view to_string(SearchVerdict verdict);

// One choice of values and all scores that calls with it gave: at least one; less is better.
struct ScoredPoint {
  AxisPoint point;
  std::vector<double> scores;
  [[nodiscard]] double mean() const;
};
// One sigma of a single score, from choices that were called several times; nothing if none was.
std::optional<double> repeated_noise(const std::vector<ScoredPoint>& points);

struct SearchEstimate {
  AxisPoint best;
  std::vector<std::optional<double>> uncertainty;  // by axis, one sigma; nothing for lists without order, and where
                                                   // railed or flat
  double score = 0;                                // expected there
  std::optional<double> score_uncertainty;         // one sigma of that
  std::optional<double> noise;                     // one sigma of a single score
  SearchVerdict verdict = SearchVerdict::resolved;
  std::string why;  // one sentence; empty where resolved
};

// With real axes: the minimum of a model of all scores (SurrogateModel; the 300 best of more), its uncertainty from the
// curvature there and the noise. Otherwise the choice with the least mean, and how far choices that are as good within
// the noise lie from it. `points` are not empty.
SearchEstimate judge_search(const std::vector<SearchAxis>& axes, const Landscape& landscape,
                            const std::vector<ScoredPoint>& points);

}  // namespace tl::tune
