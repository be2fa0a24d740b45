// Wire: one form of messages in which frames arrive, as pure functions of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/stream/frames/frame.h"
#include "core/stream/frames/frame_numbers.h"

namespace tl::stream {

// The parts of one message.
using Bytes = std::span<const std::byte>;
using Parts = std::span<const Bytes>;
using OwnedParts = std::vector<std::vector<std::byte>>;

// Positions of source and detector in the following views, in ASTRA's convention. A view's number modulo the number of
// views is its index.
struct StreamGeometry {
  Beam beam = Beam::parallel;
  int64_t rows = 0, cols = 0, views = 0;
  std::vector<double> angles;   // [deg], one per view; empty if vectors are given
  std::vector<double> vectors;  // twelve numbers per view
  // For a cone beam; lengths in a unit that the sender does not state.
  std::optional<double> source_to_axis, axis_to_detector, pitch_u, pitch_v;
  friend bool operator==(const StreamGeometry&, const StreamGeometry&) = default;
};
// Settings of the scan that the sender announces.
struct ScanSettings {
  int64_t darks = 0, flats = 0;
  bool linear = false;  // the views are negative logarithms already
};
// The sender has finished. `first` and `frames`, if stated, count all frames, including those lost.
struct EndOfStream {
  std::optional<int64_t> first, frames;
};
// Numbers of a log (core/stream/values), and the number of damaged lines.
struct LogLines {
  std::vector<TimedValue> values;
  int64_t bad = 0;
};
using Message = std::variant<Frame, StreamGeometry, ScanSettings, EndOfStream, LogLines>;

// One wire (message format), in its own file in core/stream/wires. `decode` checks every size against the received
// bytes before it allocates memory; the bytes are untrusted. `encode` is for the simulator; a message that the format
// does not support gives no parts.
struct Wire {
  std::string_view id;       // "array"
  std::string_view summary;  // one sentence, for the help
  Numbering numbering = Numbering::through_all_kinds;
  bool (*recognises)(Parts parts);  // by the first bytes alone
  Result<Message> (*decode)(Parts parts);
  OwnedParts (*encode)(const Message& message);
};

// A larger image cannot come from a detector.
inline constexpr int64_t max_side = 65536;  // [px]

}  // namespace tl::stream
