// SliderScale: maps values to slider positions: linearly, logarithmically, or logarithmically to both sides of zero.
#include "widgets/inspector/editors/slider_scale.h"

#include <algorithm>
#include <cmath>

namespace tl::ui {
namespace {

constexpr double wide = 1000;   // ratio of positive limits, or magnitude of others, above which a scale is logarithmic
constexpr double places = 200;  // distinguishable positions of a slider
constexpr double figures = 3;
constexpr double near_zero = 1;  // where a two-sided scale changes from linear to logarithmic

// The largest of 1, 2, 5 times a power of ten that is not larger than x.
double nice_step(double x) {
  const double decade = std::pow(10, std::floor(std::log10(x)));
  for (const double f : {5.0, 2.0})
    if (f * decade <= x) return f * decade;
  return decade;
}

double rounded(double value) {
  if (value == 0) return 0;
  const double step = std::pow(10, std::floor(std::log10(std::abs(value))) - figures + 1);
  // Fractional steps are applied by division: 0.07, not 0.07000000000000001.
  return step >= 1 ? std::round(value / step) * step : std::round(value / step) / std::round(1 / step);
}

}  // namespace

std::optional<SliderScale> SliderScale::of(const ParamDecl& decl) {
  if (decl.kind != ParamKind::number && decl.kind != ParamKind::integer) return {};
  if (!decl.low || !decl.high || !(*decl.low < *decl.high)) return {};
  SliderScale scale;
  scale.low_ = *decl.low;
  scale.high_ = *decl.high;
  const double largest = std::max(std::abs(scale.low_), std::abs(scale.high_));
  if (scale.low_ > 0 && scale.high_ / scale.low_ >= wide) scale.kind_ = Kind::decades;
  if (scale.low_ <= 0 && largest >= wide) scale.kind_ = Kind::both_sides;
  scale.step_ = nice_step((scale.high_ - scale.low_) / places);
  if (decl.kind == ParamKind::integer) scale.step_ = std::max(1.0, std::round(scale.step_));
  return scale;
}

double SliderScale::bend(double value) const {
  switch (kind_) {
    case Kind::decades: return std::log(value);
    case Kind::both_sides: return std::asinh(value / near_zero);
    case Kind::even: break;
  }
  return value;
}
double SliderScale::unbend(double bent) const {
  switch (kind_) {
    case Kind::decades: return std::exp(bent);
    case Kind::both_sides: return std::sinh(bent) * near_zero;
    case Kind::even: break;
  }
  return bent;
}

double SliderScale::to_slider(double value) const {
  const double low = bend(low_), high = bend(high_);
  return (bend(std::clamp(value, low_, high_)) - low) / (high - low);
}

double SliderScale::to_value(double place) const {
  if (place <= 0) return low_;
  if (place >= 1) return high_;
  const double low = bend(low_), high = bend(high_);
  double value = unbend(low + place * (high - low));
  if (kind_ == Kind::even) {
    value = step_ >= 1 ? std::round(value / step_) * step_ : std::round(value / step_) / std::round(1 / step_);
  } else {
    value = rounded(value);
  }
  return std::clamp(value, low_, high_);
}

}  // namespace tl::ui
