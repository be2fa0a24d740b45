// core/nodes/input/number.cpp: a number that drives parameters of several nodes.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"

namespace tl {
namespace input_number_node {

struct UnitChoice {
  const char* name;  // in files
  Unit unit;
};
constexpr UnitChoice units[] = {{"none", Unit::none},
                                {"px", Unit::px},
                                {"mm", Unit::mm},
                                {"um", Unit::um},
                                {"deg", Unit::deg},
                                {"kev", Unit::keV},
                                {"per_cm", Unit::per_cm},
                                {"g_per_cm3", Unit::g_per_cm3},
                                {"nyquist", Unit::nyquist},
                                {"percent", Unit::percent},
                                {"s", Unit::s}};

enum class In : int { plain };  // or another of `units`, of which it is the first

struct Params {
  Learnable<double> value;
  In unit = In::plain;
};

Unit unit_of(const Params& p) { return units[static_cast<std::size_t>(p.unit)].unit; }

std::vector<Choice> unit_choices() {
  std::vector<Choice> choices;
  for (const UnitChoice& c : units)
    choices.push_back({c.name, c.unit == Unit::none ? "Plain number" : std::string(symbol(c.unit))});
  return choices;
}

Result<void> run(const Params& p, NodeRun& r) {
  const Unit unit = unit_of(p), stored = stored_unit(dimension(unit));
  const double factor = to_stored(1, unit);
  r.out("number", Scalar{factor == 1 ? tensor_of(p.value) : tensor_of(p.value) * factor, stored});
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.number", 1).title("Number").category("Input").partition(Partition::whole);
  n.summary("One number for parameters of several nodes: link it to them.");
  n.description(
      "What several nodes share, such as the refractive index of the material in two phase retrievals, is set and "
      "learned in one place: gradients of all parameters that it drives are added. A plain number counts in the "
      "unit in which a parameter is stored: mm, rad, keV, 1/mm; numbers with a unit are converted. Learn numbers "
      "that may change by orders of magnitude on the logarithmic scale.");
  n.synonyms({"constant", "value", "scalar", "variable", "shared parameter", "slider"});
  n.output<Scalar>("number", "The number.");
  n.param("value", &Params::value).title("Value").range(-1e30, 1e30).learnable().help("The number, in the unit below.");
  n.param("unit", &Params::unit, unit_choices())
      .title("Unit")
      .help("The unit of the number. Parameters of another dimension refuse it.");
  n.run(run);
}

}  // namespace input_number_node

TL_NODE(input_number)

}  // namespace tl
