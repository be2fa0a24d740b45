// Layout: converts positions, titles and frames of the canvas to JSON and, checked, from it.
#include "widgets/session/layout.h"

#include <algorithm>
#include <cmath>

namespace tl::ui {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t max_frames = 1000;

// The number at `key`; nullopt if it is missing, not finite or beyond Layout::coordinate_limit.
std::optional<double> number_of_key(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return {};
  const double value = found->get<double>();
  if (!std::isfinite(value) || std::abs(value) > Layout::coordinate_limit) return {};
  return value;
}

QString string_of_key(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return {};
  return QString::fromStdString(found->get<std::string>()).left(Layout::max_text_length);
}

// Tenths of a pixel are enough: files are shorter and the same on every machine.
double rounded(double value) {
  return std::round(std::clamp(value, -Layout::coordinate_limit, Layout::coordinate_limit) * 10) / 10;
}

void put_text(Json& object, const char* key, const QString& text) {
  if (text.isEmpty())
    object.erase(key);
  else
    object[key] = text.left(Layout::max_text_length).toStdString();
}

Json& object_at(Json& root, const char* key) {
  Json& member = root[key];
  if (!member.is_object()) member = Json::object();
  return member;
}

}  // namespace

Layout::Layout(const std::string& ui) {
  Json root = ui.empty() ? Json::object() : Json::parse(ui, nullptr, false);
  if (!root.is_object()) return;
  if (const auto nodes = root.find("nodes"); nodes != root.end() && nodes->is_object()) {
    for (const auto& [id, json] : nodes->items()) {
      if (!json.is_object()) continue;
      Card card;
      const auto x = number_of_key(json, "x"), y = number_of_key(json, "y");
      if (x && y) card.at = QPointF(*x, *y);
      card.collapsed = json.value("collapsed", Json(false)) == Json(true);
      card.title = string_of_key(json, "title");
      cards[id] = card;
    }
  }
  if (const auto list = root.find("frames"); list != root.end() && list->is_array()) {
    for (const Json& json : *list) {
      if (!json.is_object() || frames.size() == max_frames) continue;
      const auto x = number_of_key(json, "x"), y = number_of_key(json, "y"), w = number_of_key(json, "width"),
                 h = number_of_key(json, "height");
      if (!x || !y || !w || !h) continue;
      frames.push_back(
          {{*x, *y, std::max(*w, smallest_frame), std::max(*h, smallest_frame)}, string_of_key(json, "comment")});
    }
  }
  json_as_read_ = std::move(root);
}

std::string Layout::text() const {
  Json root = json_as_read_;
  Json old_nodes = root.contains("nodes") && root["nodes"].is_object() ? root["nodes"] : Json::object();
  Json nodes = Json::object();
  for (const auto& [id, card] : cards) {
    Json json = old_nodes.contains(id) && old_nodes[id].is_object() ? old_nodes[id] : Json::object();
    if (card.at) {
      json["x"] = rounded(card.at->x());
      json["y"] = rounded(card.at->y());
    }
    if (card.collapsed)
      json["collapsed"] = true;
    else
      json.erase("collapsed");
    put_text(json, "title", card.title);
    if (!json.empty()) nodes[id] = std::move(json);
  }
  Json list = Json::array();
  for (const Frame& frame : frames) {
    Json json{{"x", rounded(frame.area.x())},
              {"y", rounded(frame.area.y())},
              {"width", rounded(frame.area.width())},
              {"height", rounded(frame.area.height())}};
    put_text(json, "comment", frame.comment);
    list.push_back(std::move(json));
  }
  root.erase("nodes");
  root.erase("frames");
  if (!nodes.empty()) object_at(root, "nodes") = std::move(nodes);
  if (!list.empty()) root["frames"] = std::move(list);
  return root.empty() ? "" : root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Layout::Card Layout::card(const std::string& node) const {
  const auto found = cards.find(node);
  return found == cards.end() ? Card{} : found->second;
}

}  // namespace tl::ui
