// SliderScale: where a value of a range stands on a slider, and which value a place means.
#pragma once

#include <optional>

#include "core/node/params.h"

namespace tl::ui {

// Even for a range of a few decades at most, by decades for wider ones, by decades to both sides of zero where the
// range crosses it.
class SliderScale {
 public:
  // None when the declaration is no number or has no range on both sides.
  static std::optional<SliderScale> of(const ParamDecl& decl);
  [[nodiscard]] double to_place(double value) const;  // 0 to 1
  // Rounded as a person would: three figures by decades, steps of 1, 2 or 5 on an even scale.
  [[nodiscard]] double to_value(double place) const;

 private:
  enum class Kind { even, decades, both_sides };
  [[nodiscard]] double bend(double value) const;
  [[nodiscard]] double unbend(double bent) const;
  Kind kind_ = Kind::even;
  double low_ = 0, high_ = 1, step_ = 0;
};

}  // namespace tl::ui
