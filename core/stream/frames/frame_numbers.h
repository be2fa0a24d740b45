// FrameNumbers: which frames of a stream arrived, and which are missing between them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/stream/frames/frame.h"

namespace tl::stream {

// How a sender counts: all kinds of frames together, or each kind from 0.
enum class Numbering : uint8_t { through_all_kinds, per_kind };

// A set of integers stored as ranges: small, even with many integers, as long as they are mostly consecutive.
class IntegerSet {
 public:
  // False: it was there.
  bool add(int64_t number);
  [[nodiscard]] bool has(int64_t number) const;
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] int64_t lowest() const { return ranges_.begin()->first; }
  [[nodiscard]] int64_t highest() const { return ranges_.rbegin()->second - 1; }
  // The nearest integers in it below and above `number`.
  [[nodiscard]] std::optional<int64_t> below(int64_t number) const;
  [[nodiscard]] std::optional<int64_t> above(int64_t number) const;
  // The integers from `begin` to before `end` that are not in it.
  [[nodiscard]] std::vector<int64_t> absent(int64_t begin, int64_t end) const;

 private:
  std::map<int64_t, int64_t> ranges_;  // begin -> end
};

class FrameNumbers {
 public:
  enum class Added : uint8_t { taken, duplicate, implausible };

  // Most senders do not state how they count: with `through_all_kinds`, a number that occurs again for another kind
  // shows that each kind is counted separately, and the numbering changes.
  explicit FrameNumbers(Numbering numbering = Numbering::through_all_kinds) : numbering_(numbering) {}

  // Implausible: negative, or so far above all others that a damaged header is likelier than a gap.
  Added add(FrameKind kind, int64_t number);
  // Whether a frame of this kind and number has arrived.
  [[nodiscard]] bool has(FrameKind kind, int64_t number) const;
  // The lowest number of this kind only.
  [[nodiscard]] std::optional<int64_t> lowest_of_kind(FrameKind kind) const;
  // Whether a frame of this kind is next to another one of its kind without a view in between. Only if all kinds are
  // numbered together.
  [[nodiscard]] bool continues_a_series(FrameKind kind, int64_t number) const;
  [[nodiscard]] Numbering numbering() const { return numbering_; }
  // Sets that each kind is numbered separately.
  void count_each_kind() { numbering_ = Numbering::per_kind; }
  // Numbers up to about this one are plausible.
  void expect(int64_t number) { expected_ = number; }
  // The highest number with which numbers of this kind are compared.
  [[nodiscard]] std::optional<int64_t> highest(FrameKind kind) const;
  [[nodiscard]] std::optional<int64_t> lowest(FrameKind kind) const;
  // Missing between the lowest and the highest number, in order; counted through all kinds, `kind` does not matter.
  [[nodiscard]] std::vector<int64_t> missing(FrameKind kind = FrameKind::view) const;
  // Missing numbers from `begin` up to, but excluding, `end`, as stated by the sender at the end of the scan.
  [[nodiscard]] std::vector<int64_t> missing_in(int64_t begin, int64_t end) const;

  static constexpr int64_t max_jump = 100'000;

 private:
  [[nodiscard]] const IntegerSet& compared_with(FrameKind kind) const;

  Numbering numbering_;
  std::array<IntegerSet, frame_kinds> of_kind_;
  IntegerSet all_;
  int64_t expected_ = 0;
};

}  // namespace tl::stream
