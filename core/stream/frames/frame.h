// Frame: one image of a stream, with its number, its kind and the values sent with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tl::stream {

enum class FrameKind : uint8_t { view, flat, dark };
inline constexpr int64_t frame_kinds = 3;
std::string_view to_string(FrameKind kind);

enum class PixelType : uint8_t { uint8, uint16, float32 };
int64_t bytes_per_pixel(PixelType type);
std::string_view to_string(PixelType type);

// A number that was measured next to a frame: temperature, load, ring current.
struct NearbyValue {
  std::string name;
  double value = 0;
  std::string unit;
};

inline constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

// A value of a log, with the time of its measurement.
struct TimedValue : NearbyValue {
  double time = no_time;  // [s] since 1970; absent: use the time of arrival
};

// Larger integers are not exact in a double: such numbers in a message are treated as damaged.
inline constexpr int64_t max_frame_number = int64_t{1} << 53;

struct Frame {
  std::optional<int64_t> number;  // absent: the sender does not number frames; Intake numbers them
  FrameKind kind = FrameKind::view;
  std::optional<double> angle;    // of the stage [deg]
  double sender_time = no_time;   // by the sender's clock, which has its own origin [s]
  double arrival_time = no_time;  // by ours, since 1970 [s]
  int64_t rows = 0, cols = 0;
  PixelType type = PixelType::uint16;
  std::vector<std::byte> pixels;  // [row, col], little-endian, without padding
  std::vector<NearbyValue> values;
  bool has_beam = true;  // false: the frame is recorded, but not used otherwise
  int64_t scan = 0;      // the number of its scan in the stream, see Scans
};
// Shared by the ring and the recorder, and never changed after it arrived.
using FramePtr = std::shared_ptr<const Frame>;

}  // namespace tl::stream
