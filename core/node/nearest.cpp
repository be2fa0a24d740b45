// Finds the nearest known name, by the edit distance (Levenshtein) of short names.
#include "core/node/nearest.h"

#include <algorithm>
#include <numeric>

namespace tl {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view wanted, const std::vector<std::string>& candidates) {
  wanted = wanted.substr(0, 200);  // names are short, but texts from files may be long
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& c : candidates) {
    const std::size_t d = distance(wanted, c);
    if (d < best_distance) {
      best_distance = d;
      best = c;
    }
  }
  return best;
}

std::string suggest(std::string_view wanted, const std::vector<std::string>& candidates) {
  const std::string match = nearest(wanted, candidates);
  if (!match.empty()) return "Did you mean \"" + match + "\"?";
  std::string list;
  for (const std::string& c : candidates) list += (list.empty() ? "" : ", ") + c;
  return list.empty() ? "There are none" : "Known: " + list;
}

}  // namespace tl
