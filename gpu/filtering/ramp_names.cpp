// Converts filter names of other packages to ramp windows and back, by a table.
#include "gpu/filtering/ramp_names.h"

#include <array>
#include <span>
#include <utility>

namespace tl::ops {
namespace {

using Named = std::pair<std::string_view, RampWindow>;

constexpr std::array<Named, 5> tomopy = {{{"ramlak", RampWindow::ram_lak},
                                          {"shepp", RampWindow::shepp_logan},
                                          {"cosine", RampWindow::cosine},
                                          {"hann", RampWindow::hann},
                                          {"hamming", RampWindow::hamming}}};
constexpr std::array<Named, 16> astra = {{{"ram-lak", RampWindow::ram_lak},
                                          {"shepp-logan", RampWindow::shepp_logan},
                                          {"cosine", RampWindow::cosine},
                                          {"hamming", RampWindow::hamming},
                                          {"hann", RampWindow::hann},
                                          {"tukey", RampWindow::tukey},
                                          {"lanczos", RampWindow::lanczos},
                                          {"triangular", RampWindow::triangular},
                                          {"gaussian", RampWindow::gaussian},
                                          {"barlett-hann", RampWindow::bartlett_hann},
                                          {"blackman", RampWindow::blackman},
                                          {"nuttall", RampWindow::nuttall},
                                          {"blackman-harris", RampWindow::blackman_harris},
                                          {"blackman-nuttall", RampWindow::blackman_nuttall},
                                          {"flat-top", RampWindow::flat_top},
                                          {"parzen", RampWindow::parzen}}};
constexpr std::array<Named, 7> nabu = {{{"ramlak", RampWindow::ram_lak},
                                        {"shepp-logan", RampWindow::shepp_logan},
                                        {"cosine", RampWindow::cosine},
                                        {"hamming", RampWindow::hamming},
                                        {"hann", RampWindow::hann},
                                        {"tukey", RampWindow::tukey},
                                        {"lanczos", RampWindow::lanczos}}};

std::span<const Named> names_of(Package package) {
  switch (package) {
    case Package::tomopy: return tomopy;
    case Package::astra: return astra;
    case Package::nabu: break;
  }
  return nabu;
}

}  // namespace

std::optional<RampWindow> window_of(Package package, std::string_view name) {
  for (const auto& [known, window] : names_of(package))
    if (known == name) return window;
  return std::nullopt;
}

std::optional<std::string_view> ramp_name_in(Package package, RampWindow window) {
  for (const auto& [name, known] : names_of(package))
    if (known == window) return name;
  return std::nullopt;
}

}  // namespace tl::ops
