// Brightness: whether there was beam in a view, by its mean relative to flats and darks.
#pragma once

#include "core/stream/frames/frame.h"

namespace tl::stream {

// The mean of some thousand pixels, spread over the frame.
double sampled_mean(const Frame& frame);

class Brightness {
 public:
  // Adds flats and darks as they arrive. The latest ones count.
  void add_reference(const Frame& frame);
  // False only for a view below a twentieth of the flats, after subtraction of the darks from both. True without flats.
  [[nodiscard]] bool has_beam(const Frame& view) const;

  static constexpr double least = 0.05;  // of the flats

 private:
  std::optional<double> flat_, dark_;
};

}  // namespace tl::stream
