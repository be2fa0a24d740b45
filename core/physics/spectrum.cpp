// Parses, checks and filters spectra of a beam.
#include "core/physics/spectrum.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <sstream>

#include "core/physics/materials.h"
#include "core/values/values.h"

namespace tl {
namespace {

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<void> check_spectrum(const std::vector<double>& energies, const std::vector<double>& weights) {
  if (energies.empty()) return invalid("a spectrum needs an energy", "energies", "For one energy, give that alone");
  if (energies.size() != weights.size())
    return invalid(
        "there are " + std::to_string(energies.size()) + " energies and " + std::to_string(weights.size()) + " weights",
        "weights", "Give one weight for every energy");
  const auto falls = std::adjacent_find(energies.begin(), energies.end(), [](double a, double b) { return !(a < b); });
  if (falls != energies.end())
    return invalid(
        "after " + format_quantity(*falls, Unit::keV) + " comes " + format_quantity(*std::next(falls), Unit::keV),
        "energies", "Sort the energies; each may be there once");
  if (std::any_of(weights.begin(), weights.end(), [](double w) { return !(w >= 0 && std::isfinite(w)); }))
    return invalid("a weight is negative or not a number", "weights");
  if (!(std::accumulate(weights.begin(), weights.end(), 0.0) > 0))
    return invalid("all weights are 0", "weights", "Give at least one energy a weight");
  return ok();
}

Result<Spectrum> filtered_spectrum(const std::vector<double>& energies, const std::vector<double>& weights,
                                   const BeamFilter& filter) {
  TL_TRY(check_spectrum(energies, weights));
  Spectrum s{energies, weights};
  const double before = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < energies.size(); ++i) {
    s.weight[i] /= before;
    if (!(filter.thickness > 0)) continue;
    TL_TRY(const RefractiveIndex index, refractive_index(filter.material, filter.density, energies[i]));
    s.weight[i] *= std::exp(-index.attenuation * filter.thickness);
  }
  const double left = std::accumulate(s.weight.begin(), s.weight.end(), 0.0);
  if (!(left > 0))
    return invalid("nothing gets through " + format_quantity(filter.thickness, Unit::mm) + " of " + filter.material,
                   "filter_thickness", "Check the unit of the thickness");
  for (double& w : s.weight) w /= left;
  return s;
}

double effective_energy(const Spectrum& spectrum, DetectorResponse detector) {
  double signal = 0, energy = 0;
  for (std::size_t i = 0; i < spectrum.energy.size(); ++i) {
    const double detected = spectrum.weight[i] * (detector == DetectorResponse::integrating ? spectrum.energy[i] : 1);
    signal += detected;
    energy += detected * spectrum.energy[i];
  }
  return energy / signal;
}

Result<SpectrumColumns> parse_spectrum(const std::string& text) {
  SpectrumColumns columns;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
    std::istringstream words(line);
    std::vector<std::string> word;
    for (std::string w; words >> w;) word.push_back(w);
    const bool title = word.empty() || word[0][0] == '#' || std::isalpha(static_cast<unsigned char>(word[0][0])) != 0;
    if (title) continue;
    const auto energy = number_of(word[0]);
    const auto weight = word.size() < 2 ? std::nullopt : number_of(word[1]);
    if (!energy || !weight)
      return invalid("line " + std::to_string(number) + " has no energy and weight", "spectrum",
                     "Each line must contain an energy in keV and a weight");
    columns.energies.push_back(*energy);
    columns.weights.push_back(*weight);
  }
  if (columns.energies.empty()) return invalid("the text holds no numbers", "spectrum");
  return columns;
}

}  // namespace tl
