// Brightness: whether there was beam in a view, by its mean relative to flats and darks.
#pragma once

#include "core/stream/frames/frame.h"

namespace tl::stream {

// The mean of a part of the pixels, spread over the frame: of some thousands.
double sampled_mean(const Frame& frame);

class Brightness {
 public:
  // Flats and darks, as they come. The last ones count.
  void add_reference(const Frame& frame);
  // False only for a view below a twentieth of the flats, with the darks taken off both. Without flats nobody knows.
  [[nodiscard]] bool has_beam(const Frame& view) const;

  static constexpr double least = 0.05;  // of the flats

 private:
  std::optional<double> flat_, dark_;
};

}  // namespace tl::stream
