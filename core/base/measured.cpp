// Rounds a value and its uncertainty to the same decimal.
#include "core/base/measured.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace tl {
namespace {

constexpr int figures_without_sigma = 4;
constexpr int max_decimals = 7;  // beyond, and from max_plain on, with an exponent
constexpr double max_plain = 1e7;

enum class Notation { plain, exponent };

bool is_known(double sigma) { return sigma > 0 && std::isfinite(sigma); }

// The last decimal place that is shown: 2 = hundredths, -1 = tens.
int last_decimal(double sigma) {
  const int magnitude = static_cast<int>(std::floor(std::log10(sigma)));
  const double leading = std::round(sigma * std::pow(10.0, 1 - magnitude));  // its first two figures
  constexpr double two_figures = 35;
  return leading <= two_figures ? 1 - magnitude : -magnitude;
}

double rounded(double number, int decimal) {
  const double scale = std::pow(10.0, std::abs(decimal));
  const double at = decimal >= 0 ? std::round(number * scale) / scale : std::round(number / scale) * scale;
  return at == 0 ? 0 : at;  // no "-0"
}

// `decimal` as in last_decimal().
std::string digits(double number, int decimal, Notation notation) {
  const double at = rounded(number, decimal);
  if (notation == Notation::plain) return formatted("%.*f", std::max(decimal, 0), at);
  const int magnitude = at == 0 ? -decimal : static_cast<int>(std::floor(std::log10(std::abs(at)) + 1e-9));
  return formatted("%.*e", std::clamp(magnitude + decimal, 0, 15), at);
}

Notation notation_for(double value, int decimal) {
  return decimal > max_decimals || std::abs(value) >= max_plain ? Notation::exponent : Notation::plain;
}

}  // namespace

std::string measured_value(double value, double sigma) {
  if (!std::isfinite(value)) return "–";
  if (!is_known(sigma)) return formatted("%.*g", figures_without_sigma, value);
  const int decimal = last_decimal(sigma);
  return digits(value, decimal, notation_for(value, decimal));
}

std::string measured_text(double value, double sigma) {
  if (!std::isfinite(value) || !is_known(sigma)) return measured_value(value, sigma);
  const int decimal = last_decimal(sigma);
  return measured_value(value, sigma) + " ± " + digits(sigma, decimal, notation_for(value, decimal));
}

}  // namespace tl
