// Follows default, signal, axes and NAME_indices of NXdata groups to frames and their angles.
#include "core/io/scans/nxdata.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/base/units.h"

namespace tl::io {
namespace {

constexpr std::size_t max_groups = 64;  // of an entry; files of whole beamtimes have thousands

// How well a dataset serves as the angles of views: lower is better, none if it is not one. A unit decides; without
// one the name does. A set point is where a motor was sent; where it was read back is better.
std::optional<int> rank_as_angles(const Hdf5File& file, const std::string& path) {
  const auto data = file.dataset(path);
  if (!data.ok() || data.value().shape().size() != 1) return std::nullopt;
  auto units = data.value().attribute("units");
  if (!units) units = data.value().attribute("unit");
  const std::string name = lower_case(path.substr(path.rfind('/') + 1));
  int rank = 0;
  if (units && !units->empty()) {
    const auto unit = parse_unit(*units);
    if (!unit.ok() || dimension(unit.value()) != Dimension::angle) return std::nullopt;
  } else {
    constexpr std::array<std::string_view, 6> words = {"angle", "theta", "rot", "omega", "phi", "gonio"};
    if (std::none_of(words.begin(), words.end(), [&](std::string_view w) { return name.find(w) != std::string::npos; }))
      return std::nullopt;
    rank = 2;
  }
  const bool set_point = name.ends_with("_set") || name.ends_with("_demand") || name.ends_with("_setpoint");
  return rank + (set_point ? 1 : 0);
}

// Axes along the first dimension: those whose NAME_indices begins with 0, and the first of `axes`.
std::string angles_along_frames(const Hdf5File& file, const std::string& group) {
  const std::vector<std::string> axes = file.attribute_texts(group, "axes");
  std::vector<std::pair<int, std::string>> found;
  for (const std::string& name : file.children(group)) {
    const std::vector<int64_t> indices = file.attribute_integers(group, name + "_indices");
    const bool along = indices.empty() ? !axes.empty() && axes.front() == name : indices.front() == 0;
    if (!along) continue;
    const std::string path = group + "/" + name;
    if (const auto rank = rank_as_angles(file, path)) found.emplace_back(*rank, path);
  }
  const auto best =
      std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return best == found.end() ? std::string() : best->second;
}

std::optional<NxData> read_group(const Hdf5File& file, const std::string& group) {
  if (file.attribute(group, "NX_class").value_or("") != "NXdata") return std::nullopt;
  const std::string signal = group + "/" + file.attribute(group, "signal").value_or("data");
  if (!file.has_dataset(signal)) return std::nullopt;
  const auto data = file.dataset(signal);
  if (!data.ok() || data.value().shape().size() != 3) return std::nullopt;
  return NxData{group, signal, angles_along_frames(file, group)};
}

}  // namespace

std::vector<NxData> plotted_frames(const Hdf5File& file, const std::string& entry) {
  std::vector<std::string> names = file.children(entry);
  // The default of an entry is the name of a group in it, or a path below it.
  if (const auto chosen = file.attribute(entry, "default")) {
    std::erase(names, *chosen);
    names.insert(names.begin(), *chosen);
  }
  if (names.size() > max_groups) names.resize(max_groups);
  std::vector<NxData> found;
  for (const std::string& name : names)
    if (auto data = read_group(file, entry + "/" + name)) found.push_back(std::move(*data));
  return found;
}

}  // namespace tl::io
