// core/nodes/input/number.cpp: a number that drives parameters of several nodes.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"

namespace tl::input_number_node {

struct Params {
  Learnable<double> value;
  Unit unit = Unit::none;
};

Choices<Unit> unit_choices() {
  Choices<Unit> all = {{Unit::none, "none", "Plain number"}};
  for (const auto& [unit, name] : {std::pair(Unit::px, "px"),
                                   {Unit::mm, "mm"},
                                   {Unit::um, "um"},
                                   {Unit::deg, "deg"},
                                   {Unit::keV, "kev"},
                                   {Unit::per_cm, "per_cm"},
                                   {Unit::g_per_cm3, "g_per_cm3"},
                                   {Unit::nyquist, "nyquist"},
                                   {Unit::percent, "percent"},
                                   {Unit::s, "s"}})
    all.push_back({unit, name, std::string(symbol(unit))});
  return all;
}

Result<void> run(const Params& p, NodeRun& r) {
  const Unit stored = stored_unit(dimension(p.unit));
  const double factor = to_stored(1, p.unit);
  return r.done("number", Scalar{factor == 1 ? tensor_of(p.value) : tensor_of(p.value) * factor, stored});
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.number", 1).title("Number").category("Input").partition(Partition::whole);
  n.summary("One number for parameters of several nodes: link it to them.");
  n.description(
      "A value that several nodes share, such as the refractive index of the material in two phase retrievals, is set "
      "and learned in one node: gradients of all parameters that it drives are added. A number without unit is in the "
      "unit in which a parameter is stored: mm, rad, keV, 1/mm; numbers with a unit are converted. Learn numbers that "
      "may change by orders of magnitude on the logarithmic scale.");
  n.synonyms({"constant", "value", "scalar", "variable", "shared parameter", "slider"});
  n.output<Scalar>("number", "The number.");
  n.param("value", "Value", &Params::value).range(-1e30, 1e30).learnable().help("The number, in the unit below.");
  n.param("unit", "Unit", &Params::unit, unit_choices())
      .help("The unit of the number. Parameters of another dimension refuse it.");
  n.run(run);
}

}  // namespace tl::input_number_node

TL_NODE(input_number)
