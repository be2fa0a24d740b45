// VolumeView: checked conversion from JSON, and conversion to JSON.
#include "widgets/views/volume/volume_view.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "widgets/views/volume/volume_presets.h"

namespace tl::ui {
namespace {

using VolumeJson = nlohmann::ordered_json;
constexpr const char* volume_block = "volume_view";
constexpr std::size_t most_surfaces = 100;
constexpr std::array<const char*, 2> style_keys{"cloud", "surface"};
constexpr std::array<const char*, 4> slices_keys{"hidden", "frames", "pixels", "cut"};

template <class Keys>
std::optional<std::size_t> key_at(const VolumeJson& json, const char* member, const Keys& keys) {
  const auto found = json.find(member);
  if (found == json.end() || !found->is_string()) return std::nullopt;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (found->template get<std::string>() == keys.at(i)) return i;
  return std::nullopt;
}

bool is_known_tint(const QString& id) {
  return id == automatic_tint || id == window_tint || find_volume_preset(id) != nullptr;
}

std::optional<std::array<double, 6>> read_clip(const VolumeJson& json) {
  const auto found = json.find("clip");
  if (found == json.end() || !found->is_array() || found->size() != whole_box.size()) return std::nullopt;
  std::array<double, 6> clip{};
  for (std::size_t i = 0; i < clip.size(); ++i) {
    if (!(*found)[i].is_number()) return std::nullopt;
    clip.at(i) = (*found)[i].get<double>();
    if (!(clip.at(i) >= 0 && clip.at(i) <= 1)) return std::nullopt;
    if (i % 2 == 1 && clip.at(i) <= clip.at(i - 1)) return std::nullopt;
  }
  return clip;
}

}  // namespace

VolumeView read_volume_view(const std::string& ui) {
  VolumeView view;
  if (ui.find(volume_block) == std::string::npos) return view;
  const VolumeJson root = VolumeJson::parse(ui, nullptr, false);
  if (!root.is_object()) return view;
  const auto json = root.find(volume_block);
  if (json == root.end() || !json->is_object()) return view;
  if (const auto style = key_at(*json, "style", style_keys)) view.style = static_cast<VolumeStyle>(*style);
  if (const auto slices = key_at(*json, "slices", slices_keys)) view.slices = static_cast<VolumeSlices>(*slices);
  if (const auto tint = json->find("tint"); tint != json->end() && tint->is_string()) {
    const QString id = QString::fromStdString(tint->get<std::string>());
    if (is_known_tint(id)) view.preset = id;
  }
  view.clip = read_clip(*json).value_or(whole_box);
  const auto surfaces = json->find("surface_values");
  if (surfaces == json->end() || !surfaces->is_object()) return view;
  for (const auto& [output, value] : surfaces->items())
    if (value.is_number() && std::isfinite(value.get<double>()) && view.surface_values.size() < most_surfaces)
      view.surface_values[QString::fromStdString(output)] = value.get<double>();
  return view;
}

std::string with_volume_view(const std::string& ui, const VolumeView& view) {
  VolumeJson root = ui.empty() ? VolumeJson::object() : VolumeJson::parse(ui, nullptr, false);
  if (!root.is_object()) root = VolumeJson::object();
  const VolumeView first;
  VolumeJson json = VolumeJson::object();
  if (view.style != first.style) json["style"] = style_keys.at(static_cast<std::size_t>(view.style));
  if (view.preset != first.preset) json["tint"] = view.preset.toStdString();
  if (view.clip != first.clip) json["clip"] = view.clip;
  if (view.slices != first.slices) json["slices"] = slices_keys.at(static_cast<std::size_t>(view.slices));
  for (const auto& [output, value] : view.surface_values) json["surface_values"][output.toStdString()] = value;
  root.erase(volume_block);
  if (!json.empty()) root[volume_block] = std::move(json);
  return root.empty() ? "" : root.dump(-1, ' ', false, VolumeJson::error_handler_t::replace);
}

}  // namespace tl::ui
