// ViewSettings: checked conversion from JSON, and conversion to JSON.
#include "widgets/views/state/view_settings.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "widgets/views/scene/volume_presets.h"

namespace tl::ui {
namespace {

using ViewJson = nlohmann::ordered_json;
constexpr const char* settings_block = "view_settings";
constexpr int64_t max_label_number = 2147483647;  // of int32
constexpr std::size_t max_label_numbers = 65536;
constexpr std::size_t max_surfaces = 100, max_opacity_points = 100;
constexpr std::array<const char*, 2> style_keys{"cloud", "surface"};
constexpr std::array<const char*, 4> slices_keys{"hidden", "frames", "pixels", "cut"};

template <class Keys>
std::optional<std::size_t> key_at(const ViewJson& json, const char* member, const Keys& keys) {
  const auto found = json.find(member);
  if (found == json.end() || !found->is_string()) return std::nullopt;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (found->template get<std::string>() == keys.at(i)) return i;
  return std::nullopt;
}

// Sets the default if it is missing or unknown.
void read_colors(const ViewJson& json, ColorMap& colors) {
  const auto found = json.find("colors");
  if (found == json.end() || !found->is_string()) return;
  colors = find_color_map(QString::fromStdString(found->get<std::string>())).value_or(colors);
}

bool is_known_tint(const QString& id) {
  return id == automatic_tint || id == window_tint || find_volume_preset(id) != nullptr;
}

std::optional<std::array<double, 6>> read_clip(const ViewJson& json) {
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

bool is_fraction(const ViewJson& json) {
  return json.is_number() && json.get<double>() >= 0 && json.get<double>() <= 1;
}

std::optional<std::vector<OpacityPoint>> read_opacity(const ViewJson& json) {
  const auto found = json.find("opacity");
  if (found == json.end() || !found->is_array() || found->size() < 2 || found->size() > max_opacity_points)
    return std::nullopt;
  std::vector<OpacityPoint> points;
  for (const ViewJson& point : *found) {
    if (!point.is_array() || point.size() != 2 || !is_fraction(point[0]) || !is_fraction(point[1])) return std::nullopt;
    points.push_back({point[0].get<double>(), point[1].get<double>()});
    if (points.size() > 1 && points.back().position < points[points.size() - 2].position) return std::nullopt;
  }
  return points;
}

VolumeView read_volume_view(const ViewJson& json) {
  VolumeView view;
  if (const auto style = key_at(json, "style", style_keys)) view.style = static_cast<VolumeStyle>(*style);
  if (const auto slices = key_at(json, "slices", slices_keys)) view.slices = static_cast<VolumeSlices>(*slices);
  read_colors(json, view.colors);
  if (const auto tint = json.find("tint"); tint != json.end() && tint->is_string()) {
    const QString id = QString::fromStdString(tint->get<std::string>());
    if (is_known_tint(id)) view.preset = id;
  }
  if (const auto found = json.find("class_surfaces"); found != json.end() && found->is_boolean())
    view.class_surfaces = found->get<bool>();
  view.clip = read_clip(json).value_or(whole_box);
  view.opacity = read_opacity(json).value_or(VolumeView().opacity);
  const auto surfaces = json.find("surface_values");
  if (surfaces == json.end() || !surfaces->is_object()) return view;
  for (const auto& [output, value] : surfaces->items())
    if (value.is_number() && std::isfinite(value.get<double>()) && view.surface_values.size() < max_surfaces)
      view.surface_values[QString::fromStdString(output)] = value.get<double>();
  return view;
}

std::set<int64_t> read_numbers(const ViewJson& json, const char* member) {
  std::set<int64_t> numbers;
  const auto found = json.find(member);
  if (found == json.end() || !found->is_array() || found->size() > max_label_numbers) return numbers;
  for (const ViewJson& number : *found)
    if (number.is_number_integer() && number.get<int64_t>() >= 0 && number.get<int64_t>() <= max_label_number)
      numbers.insert(number.get<int64_t>());
  return numbers;
}

LabelView read_label_view(const ViewJson& json) {
  LabelView view;
  const auto read = [&json](const char* member, bool& value) {
    if (const auto found = json.find(member); found != json.end() && found->is_boolean()) value = found->get<bool>();
  };
  read("visible", view.visible);
  read("outlined", view.outlined);
  if (const auto found = json.find("opacity"); found != json.end() && is_fraction(*found))
    view.opacity = found->get<double>();
  if (const auto found = json.find("current"); found != json.end() && found->is_number_integer())
    view.current = std::clamp<int64_t>(found->get<int64_t>(), 0, max_label_number);
  view.hidden = read_numbers(json, "hidden");
  view.locked = read_numbers(json, "locked");
  return view;
}

ViewJson to_json(const LabelView& view) {
  const LabelView first;
  ViewJson json = ViewJson::object();
  if (view.visible != first.visible) json["visible"] = view.visible;
  if (view.outlined != first.outlined) json["outlined"] = view.outlined;
  if (view.opacity != first.opacity) json["opacity"] = view.opacity;
  if (view.current != first.current) json["current"] = view.current;
  if (!view.hidden.empty()) json["hidden"] = view.hidden;
  if (!view.locked.empty()) json["locked"] = view.locked;
  return json;
}

ViewJson to_json(const VolumeView& view) {
  const VolumeView first;
  ViewJson json = ViewJson::object();
  if (view.style != first.style) json["style"] = style_keys.at(static_cast<std::size_t>(view.style));
  if (view.preset != first.preset) json["tint"] = view.preset.toStdString();
  if (view.colors != first.colors) json["colors"] = color_map_key(view.colors).toStdString();
  if (view.opacity != first.opacity)
    for (const OpacityPoint& p : view.opacity) json["opacity"].push_back(ViewJson::array({p.position, p.opacity}));
  if (view.clip != first.clip) json["clip"] = view.clip;
  if (view.slices != first.slices) json["slices"] = slices_keys.at(static_cast<std::size_t>(view.slices));
  if (view.class_surfaces) json["class_surfaces"] = *view.class_surfaces;
  for (const auto& [output, value] : view.surface_values) json["surface_values"][output.toStdString()] = value;
  return json;
}

}  // namespace

ViewSettings read_view_settings(const std::string& ui) {
  ViewSettings settings;
  if (ui.find(settings_block) == std::string::npos) return settings;
  const ViewJson root = ViewJson::parse(ui, nullptr, false);
  if (!root.is_object()) return settings;
  const auto json = root.find(settings_block);
  if (json == root.end() || !json->is_object()) return settings;
  read_colors(*json, settings.colors);
  if (const auto labels = json->find("labels"); labels != json->end() && labels->is_object())
    settings.labels = read_label_view(*labels);
  if (const auto volume = json->find("volume"); volume != json->end() && volume->is_object())
    settings.volume = read_volume_view(*volume);
  return settings;
}

std::string with_view_settings(const std::string& ui, const ViewSettings& settings) {
  ViewJson root = ui.empty() ? ViewJson::object() : ViewJson::parse(ui, nullptr, false);
  if (!root.is_object()) root = ViewJson::object();
  ViewJson json = ViewJson::object();
  if (settings.colors != ColorMap::grey) json["colors"] = color_map_key(settings.colors).toStdString();
  if (ViewJson labels = to_json(settings.labels); !labels.empty()) json["labels"] = std::move(labels);
  if (ViewJson volume = to_json(settings.volume); !volume.empty()) json["volume"] = std::move(volume);
  root.erase(settings_block);
  if (!json.empty()) root[settings_block] = std::move(json);
  return root.empty() ? "" : root.dump(-1, ' ', false, ViewJson::error_handler_t::replace);
}

}  // namespace tl::ui
