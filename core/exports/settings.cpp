// Converts the settings of an export to JSON, and back with checks.
#include "core/exports/settings.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tl::exports {
namespace {

using json = nlohmann::ordered_json;
constexpr const char* block = "export";
constexpr std::array<const char*, 4> range_words{"window", "percentiles", "full", "fixed"};
constexpr int64_t most_voxels_along = int64_t{1} << 40;

json object_of(const std::string& ui) {
  json all = json::parse(ui, nullptr, false);
  return all.is_object() ? all : json::object();
}

void read(const json& from, const char* name, std::string& to) {
  if (const auto found = from.find(name); found != from.end() && found->is_string()) to = found->get<std::string>();
}
void read(const json& from, const char* name, bool& to) {
  if (const auto found = from.find(name); found != from.end() && found->is_boolean()) to = found->get<bool>();
}
void read(const json& from, const char* name, double low, double high, double& to) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_number()) return;
  if (const auto value = found->get<double>(); value >= low && value <= high) to = value;
}

json of_range(Range r) { return json{r.begin, r.end}; }
std::optional<Range> range_of(const json& box, const char* axis) {
  const auto found = box.find(axis);
  if (found == box.end() || !found->is_array() || found->size() != 2) return std::nullopt;
  if (!(*found)[0].is_number_integer() || !(*found)[1].is_number_integer()) return std::nullopt;
  const Range r{(*found)[0].get<int64_t>(), (*found)[1].get<int64_t>()};
  return r.begin >= 0 && r.begin < r.end && r.end <= most_voxels_along ? std::optional(r) : std::nullopt;
}

}  // namespace

std::string with_settings(const std::string& ui, const Settings& s) {
  json all = object_of(ui);
  json kept = {{"format", s.format},
               {"file", std::filesystem::path(s.file).filename().string()},
               {"type", s.type},
               {"range", range_words.at(static_cast<std::size_t>(s.range))},
               {"percentiles", {s.percent_below, s.percent_above}},
               {"bin", s.bin},
               {"labels", s.labels},
               {"parameters", s.parameters},
               {"mesh", s.mesh}};
  if (s.range == RangeMode::fixed) {
    kept["low"] = s.low;
    kept["high"] = s.high;
  }
  if (s.box) kept["box"] = {{"x", of_range(s.box->x)}, {"y", of_range(s.box->y)}, {"z", of_range(s.box->z)}};
  all[block] = std::move(kept);
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

Settings read_settings(const std::string& ui) {
  Settings s;
  const json all = object_of(ui);
  const auto kept = all.find(block);
  if (kept == all.end() || !kept->is_object()) return s;
  read(*kept, "format", s.format);
  read(*kept, "file", s.file);
  s.file = std::filesystem::path(s.file).filename().string();
  read(*kept, "type", s.type);
  std::string range;
  read(*kept, "range", range);
  for (std::size_t i = 0; i < range_words.size(); ++i)
    if (range == range_words.at(i)) s.range = static_cast<RangeMode>(i);
  if (const auto percent = kept->find("percentiles"); percent != kept->end() && percent->is_array() &&
                                                      percent->size() == 2 && (*percent)[0].is_number() &&
                                                      (*percent)[1].is_number()) {
    const double below = (*percent)[0].get<double>(), above = (*percent)[1].get<double>();
    if (below >= 0 && below < above && above <= 100) {
      s.percent_below = below;
      s.percent_above = above;
    }
  }
  constexpr double largest = 1e30;
  read(*kept, "low", -largest, largest, s.low);
  read(*kept, "high", -largest, largest, s.high);
  double bin = 1;
  constexpr double most_binned = 64;
  read(*kept, "bin", 1, most_binned, bin);
  s.bin = static_cast<int64_t>(bin);
  read(*kept, "labels", s.labels);
  read(*kept, "parameters", s.parameters);
  read(*kept, "mesh", s.mesh);
  if (const auto box = kept->find("box"); box != kept->end() && box->is_object()) {
    const auto x = range_of(*box, "x"), y = range_of(*box, "y"), z = range_of(*box, "z");
    if (x && y && z) s.box = GridBox{*z, *y, *x};
  }
  return s;
}

}  // namespace tl::exports
