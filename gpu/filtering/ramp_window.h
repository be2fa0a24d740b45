// Apodisation windows of the ramp filter.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tl::ops {

// Each window is a row of the table in ramp_window.cpp: to add one, append a row. Windows that code refers to are named
// here, in the order of the rows.
enum class RampWindow : int {
  ram_lak,
  shepp_logan,
  cosine,
  hamming,
  hann,
  tukey,
  lanczos,
  triangular,
  gaussian,
  bartlett_hann,
  blackman,
  nuttall,
  blackman_harris,
  blackman_nuttall,
  flat_top,
  parzen,
  kaiser
};

struct RampWindowEntry {
  std::string_view name, title;  // in files: "ram_lak"; on screen: "Ram-Lak"
  double (*value)(double x);     // see ramp_window_value()
};

// All windows, by the number of RampWindow.
std::span<const RampWindowEntry> ramp_windows();
std::string_view to_string(RampWindow window);
std::optional<RampWindow> parse_ramp_window(std::string_view name);

// Value at x = frequency / cutoff frequency, for 0 <= x <= 1; 1 at x = 0. The tapers are those of Harris, "On the use
// of windows for harmonic analysis with the discrete Fourier transform", Proc. IEEE 66, 51 (1978), with Tukey 0.5,
// Gaussian sigma 0.4, Blackman 0.16 and Kaiser-Bessel alpha 3; flat top as in ISO 18431-1.
double ramp_window_value(RampWindow window, double x);

}  // namespace tl::ops
