// Computes the spectrum of a tube as tensors.
#include "core/nodes/tube_params.h"

#include <ATen/ATen.h>

#include <cmath>

namespace tl {
namespace {

std::optional<double> number_of(const std::optional<Density>& density) {
  return density ? std::optional(density->value) : std::nullopt;
}

}  // namespace

Result<TubeBeam> tube_beam(const TubeParams& p) {
  const double voltage = p.voltage.value.value, low = p.lowest.value, step = p.energy_step.value;
  TubeBeam beam;
  // Also checks the numbers.
  TL_TRY(beam.energies, equidistant_energies(low, voltage, 2));
  beam.energies.clear();
  // While the voltage is being learned, its value at present is in the tensor.
  const double top = tensor_of(Learnable<double>{voltage, p.voltage.tensor}).detach().item<double>();
  for (int64_t i = 0; low + static_cast<double>(i) * step < top; ++i)
    beam.energies.push_back(low + static_cast<double>(i) * step);
  if (beam.energies.size() < 2)
    return invalid("fewer than two energies lie between " + format_quantity(low, Unit::keV) + " and the voltage",
                   "voltage", "Lower the lowest energy or the energy step");
  TL_TRY(const std::vector<double> recorded,
         scintillator_response(beam.energies,
                               {p.scintillator, number_of(p.scintillator_density), p.scintillator_thickness.value}));
  const at::Tensor kilovolts = tensor_of(Learnable<double>{voltage, p.voltage.tensor});
  beam.weight =
      (kilovolts / at::tensor(beam.energies, at::kDouble) - 1).clamp_min(0) * at::tensor(recorded, at::kDouble);
  const bool filtered = p.filter_thickness.value.value > 0 || p.filter_thickness.tensor.defined();
  if (!filtered) return beam;
  TL_TRY(const std::vector<double> mu, attenuations(p.filter, number_of(p.filter_density), beam.energies));
  const at::Tensor thickness = tensor_of(Learnable<double>{p.filter_thickness.value.value, p.filter_thickness.tensor});
  beam.weight = beam.weight * at::exp(-thickness * at::tensor(mu, at::kDouble));
  if (!(beam.weight.detach().sum().item<double>() > 0))
    return invalid("nothing gets through the filter", "filter_thickness", "Check the unit of the thickness");
  return beam;
}

Result<at::Tensor> attenuation_tensor(const std::string& materials, const std::vector<double>& energies) {
  TL_TRY(const std::vector<LabelMaterial> list, parse_materials(materials));
  TL_TRY(const std::vector<std::vector<double>> mu, attenuations(list, energies));
  std::vector<at::Tensor> rows;
  for (const std::vector<double>& one : mu) rows.push_back(at::tensor(one, at::kDouble));
  return at::stack(rows);
}

}  // namespace tl
