// Describes a scan's metadata as text and JSON, with the origin of every value.
#include "core/io/reader/describe.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/angle_order.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/wording.h"

namespace tl::io {
namespace {

using Json = nlohmann::ordered_json;

std::string short_text(double value) { return formatted("%.6g", value == 0 ? 0.0 : value); }  // no "-0"

std::string line(const Fact& fact) {
  if (fact.value.empty()) return "  " + fact.name + ": the scan does not say\n";
  std::string out = formatted("  %-18s ", fact.name.c_str()) + printable(fact.value);
  if (fact.origin)
    out += "  [" + std::string(to_string(*fact.origin)) +
           (fact.source.empty() ? "]" : ": " + printable(fact.source) + "]");
  return out + "\n";
}

// Non-finite values become null. The source text may contain any bytes: dump() replaces those that are not UTF-8.
Json found_json(double value, const Found<double>& f) {
  return {
      {"value", std::isfinite(value) ? Json(value) : Json()}, {"origin", to_string(f.origin)}, {"source", f.source}};
}

std::string_view beam_name(Beam beam) { return beam == Beam::parallel ? "parallel" : "cone"; }

struct Angles {
  double first = 0, last = 0, step = 0, spread = 0;  // [deg]; spread: largest deviation of a step from the mean step
  // Steps of both directions, or steps of 0: number of different angles, and the range that they cover [deg].
  bool mixed = false;
  std::size_t different = 0;
  double covered = 0;
};

Angles summarise(const std::vector<double>& radians) {
  const auto deg = [](double v) { return from_stored(v, Unit::deg); };
  Angles a;
  if (radians.empty()) return a;
  a.first = deg(radians.front());
  a.last = deg(radians.back());
  if (radians.size() < 2) return a;
  a.step = (a.last - a.first) / static_cast<double>(radians.size() - 1);
  for (std::size_t i = 1; i < radians.size(); ++i) {
    const double step = deg(radians[i] - radians[i - 1]);
    a.spread = std::max(a.spread, std::abs(step - a.step));
    a.mixed = a.mixed || !(step * a.step > 0);
  }
  const AngleOrder order = angle_order(radians);
  a.covered = deg(order.covered);
  a.different = order.groups.size();
  return a;
}

// The largest absolute value.
double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

std::string angles_text(const Angles& a) {
  if (a.mixed)
    return short_text(a.first) + " to " + short_text(a.last) +
           " deg, not in one sweep: " + std::to_string(a.different) + " different angles cover " +
           short_text(a.covered) + " deg";
  std::string text = short_text(a.first) + " to " + short_text(a.last) + " deg, step " + short_text(a.step) + " deg";
  if (a.spread > 0.01 * std::abs(a.step)) text += " (uneven: steps differ by up to " + short_text(a.spread) + " deg)";
  return text;
}

}  // namespace

std::vector<Fact> facts(const ScanInfo& s) {
  const Angles angles = summarise(s.angles.value);
  std::vector<Fact> all = {
      {"format",
       s.format + ", " + s.pixel_type + ", " + std::string(to_string(s.kind)) + ", " + std::string(beam_name(s.beam)) +
           " beam",
       {},
       {}},
      {"size",
       std::to_string(s.views) + " views of " + std::to_string(s.cols) + " x " + std::to_string(s.rows) +
           " pixels (columns x rows)",
       {},
       {}},
      {"references", std::to_string(s.flats) + " flats, " + std::to_string(s.darks) + " darks", {}, {}},
      {"gantry angles", angles_text(angles), s.angles.origin, s.angles.source}};
  all.back().brief = short_text(std::round(10 * angles.first) / 10) + " to " +
                     short_text(std::round(10 * angles.last) / 10) + " " + std::string(symbol(Unit::deg));
  const auto add_shifts = [&](const char* name, const std::optional<Found<std::vector<double>>>& f) {
    if (f) all.push_back({name, "up to " + short_text(largest(f->value)) + " px", f->origin, f->source});
  };
  if (s.vectors)
    all.push_back({"geometry", "positions of source and detector in each view", s.vectors->origin, s.vectors->source});
  add_shifts("shifts along u", s.shift_u);
  add_shifts("shifts along v", s.shift_v);
  const auto with_unit = [](double value, Unit unit) {
    return short_text(from_stored(value, unit)) + " " + std::string(symbol(unit));
  };
  const auto add = [&](const char* name, const Found<double>& f, Unit unit) {
    const bool long_one = unit == Unit::um && f.value >= 1;
    all.push_back({name, with_unit(f.value, unit), f.origin, f.source, long_one ? with_unit(f.value, Unit::mm) : ""});
  };
  const auto add_optional = [&](const char* name, const std::optional<Found<double>>& f, Unit unit) {
    if (f) {
      add(name, *f, unit);
    } else {
      all.push_back({name, {}, {}, {}});
    }
  };
  add("pixel size u", s.pixel_size_u, Unit::um);
  add("pixel size v", s.pixel_size_v, Unit::um);
  if (s.beam != Beam::parallel || s.source_to_axis) add_optional("source to axis", s.source_to_axis, Unit::mm);
  add_optional("axis to detector", s.axis_to_detector, Unit::mm);
  const auto add_stated = [&](const char* name, const std::optional<Found<double>>& f, Unit unit) {
    if (f) add(name, *f, unit);
  };
  add_stated("rotation axis", s.offsets.axis, Unit::px);
  add_stated("tilt of the axis", s.offsets.tilt, Unit::deg);
  add_stated("source shift u", s.offsets.source_shift_u, Unit::mm);
  add_stated("source shift v", s.offsets.source_shift_v, Unit::mm);
  add_optional("energy", s.energy, Unit::keV);
  if (s.axis_hint)
    all.push_back({"rotation axis",
                   short_text(s.axis_hint->value) + " px from the centre (column " +
                       short_text(s.axis_hint->value + 0.5 * static_cast<double>(s.cols - 1)) + "), not used unasked",
                   s.axis_hint->origin, s.axis_hint->source});
  return all;
}

std::string describe(const ScanInfo& s) {
  std::string text = s.path.string() + "\n";
  for (const Fact& f : facts(s)) text += line(f);
  for (const std::string& note : s.notes) text += "  note: " + wording_for(FrontEnd::command_line, note) + "\n";
  for (const Doubt& d : s.doubts) text += "  doubt: " + d.text() + "\n";
  return text;
}

std::string describe_json(const ScanInfo& s) {
  const Angles a = summarise(s.angles.value);
  Json j = {{"path", s.path.string()},
            {"format", s.format},
            {"pixel_type", s.pixel_type},
            {"kind", to_string(s.kind)},
            {"beam", beam_name(s.beam)},
            {"views", s.views},
            {"rows", s.rows},
            {"cols", s.cols},
            {"flats", s.flats},
            {"darks", s.darks}};
  j["angles_deg"] = {{"first", a.first},
                     {"last", a.last},
                     {"step", a.step},
                     {"largest_step_deviation", a.spread},
                     {"origin", to_string(s.angles.origin)},
                     {"source", s.angles.source}};
  const auto shifts = [&](const char* name, const std::optional<Found<std::vector<double>>>& f) {
    j[name] =
        f ? Json{{"largest", largest(f->value)}, {"origin", to_string(f->origin)}, {"source", f->source}} : Json();
  };
  shifts("shifts_u_px", s.shift_u);
  shifts("shifts_v_px", s.shift_v);
  if (s.vectors)
    j["geometry"] = {{"positions_of_views", s.vectors->value.size() / 12},
                     {"origin", to_string(s.vectors->origin)},
                     {"source", s.vectors->source}};
  j["pixel_size_u_um"] = found_json(from_stored(s.pixel_size_u.value, Unit::um), s.pixel_size_u);
  j["pixel_size_v_um"] = found_json(from_stored(s.pixel_size_v.value, Unit::um), s.pixel_size_v);
  const auto optional = [&](const char* name, const std::optional<Found<double>>& f) {
    j[name] = f ? found_json(f->value, *f) : Json();
  };
  optional("source_to_axis_mm", s.source_to_axis);
  optional("axis_to_detector_mm", s.axis_to_detector);
  optional("energy_kev", s.energy);
  optional("axis_hint_px", s.axis_hint);
  optional("axis_px", s.offsets.axis);
  optional("tilt_rad", s.offsets.tilt);
  optional("source_shift_u_mm", s.offsets.source_shift_u);
  optional("source_shift_v_mm", s.offsets.source_shift_v);
  j["notes"] = Json::array();
  for (const std::string& note : s.notes) j["notes"].push_back(wording_for(FrontEnd::command_line, note));
  j["doubts"] = Json::array();
  for (const Doubt& d : s.doubts) j["doubts"].push_back(d.text());
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tl::io
