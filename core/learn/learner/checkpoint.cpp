// Turns the state of a learning run into a list of numbers, and back.
#include "core/learn/learner/checkpoint.h"
#include "core/learn/learning.h"

#include <limits>

namespace tl::learn {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

// Reads numbers in the order in which they were written; after the end it returns zeros and sets a flag.
class Reader {
 public:
  explicit Reader(const std::vector<double>& numbers) : numbers_(numbers) {}
  double number() { return at_ < numbers_.size() ? numbers_[at_++] : (complete_ = false, 0.0); }
  int64_t whole() { return static_cast<int64_t>(number()); }
  std::optional<double> perhaps() {
    const double v = number();
    return v == v ? std::optional(v) : std::nullopt;
  }
  Vector list(std::size_t size) {
    if (numbers_.size() - at_ < size) {
      complete_ = false;
      return {};
    }
    const auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += size;
    return {first, first + static_cast<std::ptrdiff_t>(size)};
  }
  [[nodiscard]] std::size_t left() const { return numbers_.size() - at_; }
  [[nodiscard]] bool read_all() const { return complete_ && left() == 0; }

 private:
  const std::vector<double>& numbers_;
  std::size_t at_ = 0;
  bool complete_ = true;
};

void add(std::vector<double>& out, const Point& p) {
  out.insert(out.end(), {p.loss, p.held_out.value_or(absent)});
  out.insert(out.end(), p.z.begin(), p.z.end());
  out.insert(out.end(), p.gradient.begin(), p.gradient.end());
}
Point point(Reader& in, std::size_t size) {
  Point p;
  p.loss = in.number();
  p.held_out = in.perhaps();
  p.z = in.list(size);
  p.gradient = in.list(size);
  return p;
}

constexpr std::size_t numbers_of_progress = 8;  // besides those of its values

void add(std::vector<double>& out, const Progress& p) {
  out.insert(out.end(), {static_cast<double>(p.phase), static_cast<double>(p.descent), static_cast<double>(p.iteration),
                         static_cast<double>(p.evaluations), p.loss, p.best, p.seconds, p.held_out.value_or(absent)});
  for (const TargetValue& v : p.values) {
    out.push_back(v.size);
    out.insert(out.end(), v.value.begin(), v.value.end());
  }
}
Progress progress(Reader& in, const std::vector<TargetValue>& shape) {
  Progress p;
  p.phase = static_cast<Progress::Phase>(in.whole());
  p.descent = in.whole();
  p.iteration = in.whole();
  p.evaluations = in.whole();
  p.loss = in.number();
  p.best = in.number();
  p.seconds = in.number();
  p.held_out = in.perhaps();
  p.values = shape;
  for (TargetValue& v : p.values) {
    v.size = in.number();
    v.value = in.list(v.value.size());
  }
  return p;
}

}  // namespace

std::vector<double> numbers_of(const Checkpoint& c) {
  const AdamState& s = c.descent;
  std::vector<double> out{static_cast<double>(s.iteration),
                          static_cast<double>(s.last_best),
                          s.scale,
                          s.rate,
                          s.standing.best,
                          static_cast<double>(s.standing.since),
                          static_cast<double>(s.steps),
                          static_cast<double>(c.evaluations),
                          c.first_loss};
  add(out, s.now);
  add(out, s.best);
  out.insert(out.end(), s.mean.begin(), s.mean.end());
  out.insert(out.end(), s.mean_square.begin(), s.mean_square.end());
  out.push_back(static_cast<double>(c.history.size()));
  for (const Progress& p : c.history) add(out, p);
  return out;
}

std::optional<Checkpoint> checkpoint_of(const std::vector<double>& numbers, const Problem& problem) {
  const std::size_t size = problem.size();
  Reader in(numbers);
  Checkpoint c;
  AdamState& s = c.descent;
  s.iteration = in.whole();
  s.last_best = in.whole();
  s.scale = in.number();
  s.rate = in.number();
  s.standing.best = in.number();
  s.standing.since = in.whole();
  s.steps = in.whole();
  c.evaluations = in.whole();
  c.first_loss = in.number();
  s.now = point(in, size);
  s.best = point(in, size);
  s.mean = in.list(size);
  s.mean_square = in.list(size);
  Progress shape{};
  shape.values = problem.values_at(Vector(size, 0.0));
  drop_arrays(shape);
  const auto entries = in.whole();
  if (entries < 0 || static_cast<std::size_t>(entries) > in.left() / numbers_of_progress) return std::nullopt;
  for (int64_t i = 0; i < entries; ++i) c.history.push_back(progress(in, shape.values));
  return in.read_all() ? std::optional(std::move(c)) : std::nullopt;
}

}  // namespace tl::learn
