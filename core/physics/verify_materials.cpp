// Verifies A4: refractive indices of water at 16 keV and chalk at 25.3 keV against published constants.
#include "core/physics/verify_materials.h"

#include <cmath>

#include "core/physics/materials.h"

namespace tl {

CheckTable verify_materials() {
  CheckTable table;
  const auto row = [&](const std::string& what, double value, double wanted) {
    const double error = std::abs(value / wanted - 1);
    table.push_back({"A4", what, "xraylib tables", "float64", error, 1e-5, error <= 1e-5});
  };
  const RefractiveIndex water = refractive_index("H2O", 1.0, 16).or_throw();
  row("delta of water, 16 keV", water.delta, 9.012268e-7);
  row("beta of water, 16 keV", water.beta, 8.679286e-10);
  const RefractiveIndex chalk = refractive_index("CaCO3", 2.71, 25.3).or_throw();
  row("ln delta of CaCO3, 25.3 keV", std::log(chalk.delta), -13.9426918);
  row("ln beta of CaCO3, 25.3 keV", std::log(chalk.beta), -19.5888176);
  return table;
}

}  // namespace tl
