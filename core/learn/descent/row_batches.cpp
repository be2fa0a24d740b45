// Divides the rows of a scan into batches, and draws their order at random.
#include "core/learn/descent/row_batches.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"

namespace tl::learn {
namespace {

// Adds bands as equal as possible, none larger than `size`.
void add_bands(Range rows, int64_t size, std::vector<Range>& bands) {
  if (rows.begin >= rows.end) return;
  const int64_t count = (rows.size() + size - 1) / size;
  for (int64_t i = 0; i < count; ++i)
    bands.push_back({rows.begin + i * rows.size() / count, rows.begin + (i + 1) * rows.size() / count});
}

}  // namespace

RowBatches::RowBatches(int64_t rows, const Settings& settings)
    : rows_(rows), out_(settings.held_out), seed_(settings.seed) {
  size_ = std::clamp<int64_t>(std::llround(static_cast<double>(rows) * settings.subsets.rows), 1,
                              std::max<int64_t>(rows, 1));
  if (!check().ok()) return;
  add_bands({0, out_.first}, size_, bands_);
  add_bands({out_.first + out_.rows, rows_}, size_, bands_);
}

Result<void> RowBatches::check() const {
  if (out_.first + out_.rows <= rows_ && out_.rows < rows_) return ok();
  return invalid("rows " + std::to_string(out_.first) + " to " + std::to_string(out_.first + out_.rows - 1) +
                     " are to be held out of " + std::to_string(rows_),
                 "learning.held_out", "Hold out some of the rows, not all");
}

Range RowBatches::at(int64_t iteration) const {
  const int64_t epoch = iteration / this->epoch();
  const Philox random{seed_, 0xe90c};
  std::vector<std::size_t> order(bands_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    const double share = random.uniform(static_cast<uint64_t>(epoch) * order.size() + i);
    std::swap(order[i], order[std::min(static_cast<std::size_t>(share * static_cast<double>(i + 1)), i)]);
  }
  return bands_[order[static_cast<std::size_t>(iteration % this->epoch())]];
}

std::vector<Range> RowBatches::held_out() const {
  std::vector<Range> bands;
  add_bands({out_.first, out_.first + out_.rows}, size_, bands);
  return bands;
}

}  // namespace tl::learn
