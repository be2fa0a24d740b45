// Measurement store: checked conversion from JSON, and conversion to JSON.
#include "widgets/views/measure/measurement_store.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tl::ui {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t max_measurements = 1000;
constexpr double farthest = 1e9;  // mm or px
constexpr const char* block = "measurements";

std::optional<QPointF> read_point(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array() || found->size() != 2) return std::nullopt;
  std::array<double, 2> at{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!(*found)[i].is_number()) return std::nullopt;
    at[i] = (*found)[i].get<double>();
    if (!(std::abs(at[i]) <= farthest)) return std::nullopt;
  }
  return QPointF(at[0], at[1]);
}

std::optional<Measurement> read_measurement(const Json& object) {
  const auto kind = object.find("kind");
  if (kind == object.end() || !kind->is_string()) return std::nullopt;
  for (const MeasureKind one : all_measure_kinds()) {
    if (kind->get<std::string>() != measure_kind_key(one)) continue;
    const auto a = read_point(object, "a"), b = read_point(object, "b"), c = read_point(object, "c");
    if (!a || (!b && one != MeasureKind::probe) || (!c && one == MeasureKind::angle)) return std::nullopt;
    return Measurement{one, *a, b.value_or(*a), c.value_or(QPointF())};
  }
  return std::nullopt;
}

Json point_json(QPointF p) { return Json::array({p.x(), p.y()}); }

}  // namespace

MeasurementsByView read_measurements(const std::string& ui) {
  MeasurementsByView all;
  if (ui.find(block) == std::string::npos) return all;
  const Json root = Json::parse(ui, nullptr, false);
  if (!root.is_object()) return all;
  const auto list = root.find(block);
  if (list == root.end() || !list->is_array()) return all;
  std::size_t count = 0;
  for (const Json& json : *list) {
    if (!json.is_object() || count == max_measurements) continue;
    const auto view = json.find("view");
    const auto one = read_measurement(json);
    if (!one || view == json.end() || !view->is_string()) continue;
    all[QString::fromStdString(view->get<std::string>()).left(40)].push_back(*one);
    ++count;
  }
  return all;
}

std::string with_measurements(const std::string& ui, const MeasurementsByView& all) {
  Json root = ui.empty() ? Json::object() : Json::parse(ui, nullptr, false);
  if (!root.is_object()) root = Json::object();
  Json list = Json::array();
  for (const auto& [view, measurements] : all)
    for (const Measurement& m : measurements) {
      Json json{{"view", view.toStdString()}, {"kind", measure_kind_key(m.kind)}, {"a", point_json(m.a)}};
      if (m.kind != MeasureKind::probe) json["b"] = point_json(m.b);
      if (m.kind == MeasureKind::angle) json["c"] = point_json(m.c);
      list.push_back(std::move(json));
    }
  root.erase(block);
  if (!list.empty()) root[block] = std::move(list);
  return root.empty() ? "" : root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tl::ui
