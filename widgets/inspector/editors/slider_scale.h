// SliderScale: maps values of a range to positions of a slider and back.
#pragma once

#include <optional>

#include "core/node/params.h"

namespace tl::ui {

// Linear; logarithmic if both limits are positive and their ratio is at least 1000; logarithmic to both sides of zero
// if the lower limit is not positive and a limit reaches 1000 in magnitude.
class SliderScale {
 public:
  // nullopt if the declaration is not a number or lacks a limit.
  static std::optional<SliderScale> of(const ParamDecl& decl);
  [[nodiscard]] double to_slider(double value) const;  // 0 to 1
  // Rounded: to three significant figures on logarithmic scales, to steps of 1, 2 or 5 on linear ones.
  [[nodiscard]] double to_value(double place) const;

 private:
  enum class Kind { even, decades, both_sides };
  [[nodiscard]] double bend(double value) const;
  [[nodiscard]] double unbend(double bent) const;
  Kind kind_ = Kind::even;
  double low_ = 0, high_ = 1, step_ = 0;
};

}  // namespace tl::ui
