// The scan that the cases of bench_stream send: a disc in front of a detector while the stage turns, without end.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>

#include "core/graph/graph.h"
#include "core/stream/frames/frame.h"

namespace tl::bench {

// `views` make half a turn and are one batch.
struct SentScan {
  int64_t views = 60, hop = 6, rows = 647, cols = 768;

  static constexpr int64_t darks = 2, flats = 3, first_view = darks + flats;  // numbers of frames, in this order
  [[nodiscard]] static stream::FrameKind kind(int64_t number) {
    return number < darks        ? stream::FrameKind::dark
           : number < first_view ? stream::FrameKind::flat
                                 : stream::FrameKind::view;
  }
  // Counts of 16 bits. All rows are equal but for some counts.
  [[nodiscard]] stream::Frame frame(int64_t number) const {
    constexpr double beam = 12000, dark = 100, half_turn = 180;
    stream::Frame frame;
    frame.number = number;
    frame.kind = kind(number);
    frame.rows = rows;
    frame.cols = cols;
    const double degrees = half_turn / static_cast<double>(views) * static_cast<double>(number - first_view);
    if (frame.kind == stream::FrameKind::view) frame.angle = degrees;
    const double radius = 0.2 * static_cast<double>(cols),
                 middle = 0.5 * static_cast<double>(cols) + radius * std::cos(degrees * std::numbers::pi / half_turn);
    std::vector<uint16_t> line(static_cast<std::size_t>(cols));
    for (int64_t col = 0; col < cols; ++col) {
      const double u = static_cast<double>(col) - middle;
      const double path = std::sqrt(std::max(0.0, radius * radius - u * u)) / radius;
      const double counts = frame.kind == stream::FrameKind::dark   ? 0
                            : frame.kind == stream::FrameKind::flat ? beam
                                                                    : beam * std::exp(-path);
      line[static_cast<std::size_t>(col)] = static_cast<uint16_t>(dark + counts);
    }
    const std::size_t bytes = line.size() * sizeof(uint16_t);
    frame.pixels.resize(static_cast<std::size_t>(rows) * bytes);
    for (int64_t row = 0; row < rows; ++row) {
      constexpr int64_t pattern = 7;
      line.front() = static_cast<uint16_t>(dark + beam + static_cast<double>(row % pattern));
      if (frame.kind != stream::FrameKind::dark)
        std::memcpy(frame.pixels.data() + static_cast<std::size_t>(row) * bytes, line.data(), bytes);
    }
    return frame;
  }
  [[nodiscard]] stream::FramePtr shared_frame(int64_t number) const {
    return std::make_shared<const stream::Frame>(frame(number));
  }

  // Flat correction, axis, FBP.
  [[nodiscard]] static Graph pipeline() {
    Graph g;
    g.nodes["load"] = {"input.load_scan", 1, {{"pixel_size", Number{1, Unit::mm}}}};
    g.nodes["flat_field"] = {"correct.flat_field", 1, {{"change", std::string("before")}}};
    g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{3.5, Unit::px}}}};
    g.nodes["fbp"] = {"recon.fbp", 1, {}};
    g.links = {{"load", "projections", "flat_field", "projections"},
               {"flat_field", "projections", "axis", "projections"},
               {"axis", "projections", "fbp", "projections"}};
    return g;
  }
};

}  // namespace tl::bench
