// Writes nodes' values as text for display: sizes and found values.
#include "core/live/describe.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/measured.h"
#include "core/base/text.h"

namespace tl::live {
namespace {

std::string count(int64_t n) { return std::to_string(n); }

// Voxel sizes [mm] in the unit that reads best.
std::string length_text(double x, double y, double z) {
  const Unit unit = x < 1e-3 ? Unit::nm : x < 0.1 ? Unit::um : Unit::mm;
  const auto shown = [unit](double mm) { return formatted("%.4g", from_stored(mm, unit)); };
  std::string text = shown(x);
  if (shown(y) != text || shown(z) != text) text += " x " + shown(y) + " x " + shown(z);
  return text + " " + std::string(symbol(unit));
}

std::string shape_of(const VolumeGrid& g) {
  return count(g.nx) + " x " + count(g.ny) + " x " + count(g.nz) + " voxels";
}
std::string grid_text(const VolumeGrid& g) {
  return shape_of(g) + " · " + length_text(norm(g.step_x), norm(g.step_y), norm(g.step_z));
}

// Angles are stored in radians and shown in degrees.
Unit shown_unit(Unit unit) { return unit == Unit::rad ? Unit::deg : unit; }

// The value rounded to the digits that its uncertainty justifies.
std::string scalar_text(const Scalar& s) {
  const Unit shown = shown_unit(s.unit);
  const double value = from_stored(s.value.item<double>(), shown);
  const double sigma = std::abs(from_stored(s.uncertainty, shown));
  // An exact number is not a measurement.
  const std::string text = sigma > 0 ? measured_text(value, sigma) : formatted("%.6g", value);
  const std::string unit(symbol(shown));
  return unit.empty() ? text : text + " " + unit;
}

}  // namespace

std::string summary_of(const Info& info) {
  if (const auto* p = std::get_if<ProjectionsInfo>(&info)) {
    const DetectorShape& d = p->geometry.detector();
    return count(p->geometry.views()) + " x " + count(d.rows) + " x " + count(d.cols) + " · " +
           std::string(to_string(p->kind));
  }
  // A guessed voxel size gives no lengths.
  if (const auto* v = std::get_if<VolumeInfo>(&info))
    return is_in_pixels(info) ? shape_of(v->grid) : grid_text(v->grid);
  const auto* maps = std::get_if<MapsInfo>(&info);
  const std::string number =
      maps == nullptr || maps->channels.empty() ? "" : count(static_cast<int64_t>(maps->channels.size())) + " maps · ";
  const VolumeGrid* grid = grid_of(info);
  return grid == nullptr ? std::string() : number + grid_text(*grid);
}

std::map<std::string, std::string> found_texts(const Findings& findings) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : findings.values)
    if (const auto* s = std::get_if<Scalar>(&value); s != nullptr && s->value.defined()) texts[name] = scalar_text(*s);
  return texts;
}

Verdict verdict_of(const Findings& findings) {
  Verdict worst = Verdict::none;
  for (const auto& [name, value] : findings.values)
    if (const auto* s = std::get_if<Scalar>(&value)) worst = std::max(worst, s->verdict);
  return worst;
}

std::vector<PlainColumn> plain_columns(const std::string& name, const Value& value) {
  std::vector<PlainColumn> columns;
  if (const auto* s = std::get_if<Scalar>(&value)) {
    if (s->value.defined())
      columns.push_back({name, std::string(symbol(s->unit)), {from_stored(s->value.item<double>(), s->unit)}});
  } else if (const auto* t = std::get_if<Table>(&value)) {
    for (const Table::Column& c : t->columns) {
      PlainColumn& column = columns.emplace_back(PlainColumn{c.name, std::string(symbol(c.unit)), c.values});
      for (double& v : column.values) v = from_stored(v, c.unit);
    }
  } else if (const auto* e = std::get_if<Spectrum>(&value)) {
    columns = {{"energy", std::string(symbol(Unit::keV)), e->energy}, {"weight", {}, e->weight}};
  }
  return columns;
}

}  // namespace tl::live
