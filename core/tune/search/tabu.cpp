// Tabu search over Hamming neighbours.
#include "core/tune/search/tabu.h"

#include <deque>
#include <unordered_set>

namespace tl::tune {
namespace {

// The last configurations, forgotten in order.
class TabuList {
 public:
  explicit TabuList(std::size_t length) : length_(length) {}
  [[nodiscard]] bool has(int64_t cell) const { return cells_.count(cell) != 0; }
  void add(int64_t cell) {
    if (!cells_.insert(cell).second) return;
    order_.push_back(cell);
    if (order_.size() <= length_) return;
    cells_.erase(order_.front());
    order_.pop_front();
  }

 private:
  std::size_t length_;
  std::deque<int64_t> order_;
  std::unordered_set<int64_t> cells_;
};

}  // namespace

void search_with_tabu(Run& run, TabuStep step, std::size_t length) {
  TabuList forbidden(length);
  std::vector<int64_t> neighbours;
  int64_t at = run.random_cell();
  double score = run(at);
  for (;;) {
    forbidden.add(at);
    neighbours_of(run.landscape(), at, Neighbourhood::hamming, neighbours);
    run.random().shuffle(neighbours);
    int64_t next = -1;
    double best = 0;
    for (const int64_t cell : neighbours) {
      if (forbidden.has(cell)) continue;
      const double other = run(cell);
      if (next < 0 || other < best) {
        next = cell;
        best = other;
      }
      if (step == TabuStep::first && other < score) break;
    }
    at = next >= 0 ? next : run.random_cell();
    score = run(at);
  }
}

}  // namespace tl::tune
