// Frames of a stream whose pixels encode their number and kind, for tests.
#pragma once

#include <cstring>

#include "core/stream/frames/frame.h"

namespace tl::test {

// Views are darker than flats and brighter than darks of similar number, so that they count as views with beam.
inline int64_t stream_pixel(int64_t number, stream::FrameKind kind, int64_t pixel) {
  const int64_t of_kind = kind == stream::FrameKind::flat ? 2000 : kind == stream::FrameKind::view ? 1000 : 0;
  return of_kind + 10 * number + pixel;
}

inline stream::Frame stream_frame(int64_t number, stream::FrameKind kind = stream::FrameKind::view, int64_t rows = 3,
                                  int64_t cols = 4) {
  stream::Frame frame;
  frame.number = number;
  frame.kind = kind;
  frame.rows = rows;
  frame.cols = cols;
  frame.type = stream::PixelType::uint16;
  if (kind == stream::FrameKind::view) frame.angle = 1.5 * static_cast<double>(number);
  frame.sender_time = 0.25 * static_cast<double>(number);
  frame.arrival_time = 1000 + 0.25 * static_cast<double>(number);
  frame.pixels.resize(static_cast<std::size_t>(rows * cols) * sizeof(uint16_t));
  for (int64_t i = 0; i < rows * cols; ++i) {
    const auto value = static_cast<uint16_t>(stream_pixel(number, kind, i));
    std::memcpy(frame.pixels.data() + static_cast<std::size_t>(i) * sizeof(value), &value, sizeof(value));
  }
  return frame;
}

inline stream::FramePtr shared_frame(int64_t number, stream::FrameKind kind = stream::FrameKind::view) {
  return std::make_shared<const stream::Frame>(stream_frame(number, kind));
}

}  // namespace tl::test
