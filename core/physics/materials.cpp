// Computes the refractive index of compounds from xraylib's tables.
#include "core/physics/materials.h"

#include <xraylib.h>

#include <memory>

#include "core/base/units.h"

namespace tl {
namespace {

// Owns an error of xraylib, which the caller must free.
struct XrlError {
  xrl_error* error = nullptr;
  XrlError() = default;
  XrlError(const XrlError&) = delete;
  XrlError& operator=(const XrlError&) = delete;
  ~XrlError() { xrl_clear_error(&error); }
  [[nodiscard]] std::string text() const { return error == nullptr ? "" : error->message; }
};

std::optional<double> tabulated_density(const std::string& name) {
  XrlError ignored;
  const std::unique_ptr<compoundDataNIST, void (*)(compoundDataNIST*)> data(
      GetCompoundDataNISTByName(name.c_str(), &ignored.error), FreeCompoundDataNIST);
  if (data) return data->density;
  XrlError unknown;
  const int element = SymbolToAtomicNumber(name.c_str(), &unknown.error);
  if (element == 0) return std::nullopt;
  const double density = ElementDensity(element, &unknown.error);
  return density > 0 ? std::optional(density) : std::nullopt;
}

Result<double> density_used(const std::string& material, const std::optional<double>& density, double energy) {
  if (!(energy >= 1 && energy <= 200))
    return invalid("the energy is " + format_quantity(energy, Unit::keV), "energy", "The tables contain 1 to 200 keV");
  const std::optional<double> tabulated = tabulated_density(material);
  if (!density && !tabulated)
    return invalid("\"" + material + "\" has no tabulated density", "density",
                   "Give the density, an element (Al), or a NIST name such as \"Water, Liquid\"");
  const double used = density.value_or(tabulated.value_or(0));
  if (!(used > 0)) return invalid("the density must be positive", "density");
  return used;
}

Error unknown_material(const std::string& material, const XrlError& error) {
  return invalid("xraylib does not know \"" + material + "\": " + error.text(), "material",
                 "Give a chemical formula (CaCO3) or a NIST name (Water, Liquid)");
}

}  // namespace

Result<RefractiveIndex> refractive_index(const std::string& material, const std::optional<double>& density,
                                         double energy) {
  RefractiveIndex index;
  TL_TRY(index.density, density_used(material, density, energy));
  XrlError error;
  index.delta = 1 - Refractive_Index_Re(material.c_str(), energy, index.density, &error.error);
  if (error.error == nullptr) index.beta = Refractive_Index_Im(material.c_str(), energy, index.density, &error.error);
  const double per_gram = error.error == nullptr ? CS_Total_CP(material.c_str(), energy, &error.error) : 0;  // cm2/g
  if (error.error != nullptr) return unknown_material(material, error);
  index.attenuation = to_stored(per_gram * index.density, Unit::per_cm);
  return index;
}

Result<double> photo_absorption(const std::string& material, const std::optional<double>& density, double energy) {
  TL_TRY(const double used, density_used(material, density, energy));
  XrlError error;
  const double per_gram = CS_Photo_CP(material.c_str(), energy, &error.error);  // cm2/g
  if (error.error != nullptr) return unknown_material(material, error);
  return to_stored(per_gram * used, Unit::per_cm);
}

}  // namespace tl
