// Lays a graph out as the canvas does: cards from declarations and notes, links between their ports.
#include "core/history/report/drawing.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/graph/auto_layout.h"
#include "core/graph/card_parameters.h"
#include "core/history/report/svg.h"

namespace tl::history {
namespace {

using Layout = nlohmann::json;

// Same sizes as in widgets/canvas/items/card.
constexpr double card_width = 188, one_line_title = 32, two_line_title = 48, row_height = 24, foot_height = 22,
                 port_step = 20, title_room = 146;
constexpr double farthest = 1e6;  // limit of every coordinate: layouts in files are untrusted
constexpr std::size_t longest_text = 2000;

std::optional<double> number_in(const Layout& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return {};
  const auto value = found->get<double>();
  return std::isfinite(value) ? std::optional(std::clamp(value, -farthest, farthest)) : std::nullopt;
}

std::string text_in(const Layout& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>().substr(0, longest_text) : "";
}

Layout member(const Layout& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? Layout() : *found;
}

// The title in one or two lines, broken at a space.
std::vector<std::string> title_lines(const std::string& title) {
  constexpr double size = 13;
  if (text_width(title, size) <= title_room) return {title};
  std::size_t at = 0;
  for (std::size_t space = title.find(' '); space != std::string::npos; space = title.find(' ', space + 1))
    if (text_width(title.substr(0, space), size) <= title_room) at = space;
  if (at == 0) return {fitted_text(title, title_room, size)};
  return {title.substr(0, at), fitted_text(title.substr(at + 1), title_room, size)};
}

std::string value_on_card(const ParamDecl& decl, const ParamValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (text != nullptr && decl.path != PathRole::none) return std::filesystem::path(*text).filename().string();
  if (text != nullptr)
    for (const Choice& choice : decl.choices)
      if (choice.name == *text) return choice.title;
  return to_text(value);
}

void add_rows_and_ports(DrawnCard& card, const Graph& graph, const NodeType& type, const std::string& id,
                        const NodeNotes& notes) {
  const GraphNode& node = graph.nodes.at(id);
  for (const PortDecl& port : type.outputs)
    if (const auto found = notes.values.find(port.name); found != notes.values.end() && is_number(port.type))
      card.rows.push_back(found->second);
  for (std::size_t i = 0; i < type.inputs.size(); ++i)
    card.ports.push_back({0, one_line_title + 18 + port_step * static_cast<double>(i), type.inputs[i].type});
  for (std::size_t i = 0; i < type.outputs.size(); ++i)
    card.ports.push_back({card_width, one_line_title + 18 + port_step * static_cast<double>(i), type.outputs[i].type});
  for (const std::string& name : parameters_on_card(graph, type, id)) {
    const ParamDecl& decl = *type.param(name);
    if (graph.link_into(id, name) != nullptr)
      card.ports.push_back({0, card.title_height + row_height * (static_cast<double>(card.rows.size()) + 0.5),
                            parameter_driving_type()});
    if (const auto noted = notes.values.find(name); noted != notes.values.end() && noted->second.found) {
      card.rows.push_back(noted->second);
      continue;
    }
    const auto set = node.params.find(name);
    card.rows.push_back({decl.title.empty() ? name : decl.title,
                         value_on_card(decl, set == node.params.end() ? decl.initial : set->second)});
  }
}

// The position of a port on its card; the middle of the side if the type has no such port.
DrawnPort port_of(const Graph& graph, const Registry& registry, const DrawnCard& card, const std::string& id,
                  const std::string& name, bool is_output) {
  const NodeType* const type = registry.find(graph.nodes.at(id).type);
  DrawnPort at{is_output ? card_width : 0, card.height / 2, parameter_driving_type()};
  if (type == nullptr) return at;
  const auto& ports = is_output ? type->outputs : type->inputs;
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (ports[i].name == name) return card.ports[is_output ? type->inputs.size() + i : i];
  std::size_t driven = type->inputs.size() + type->outputs.size();
  for (const std::string& parameter : parameters_on_card(graph, *type, id)) {
    if (graph.link_into(id, parameter) == nullptr) continue;
    if (parameter == name) return card.ports[driven];
    ++driven;
  }
  return at;
}

void add_frames(PipelineDrawing& drawing, const Layout& layout) {
  for (const Layout& frame : member(layout, "frames")) {
    if (!frame.is_object()) continue;
    const auto x = number_in(frame, "x"), y = number_in(frame, "y"), width = number_in(frame, "width"),
               height = number_in(frame, "height");
    if (x && y && width && height && *width > 0 && *height > 0)
      drawing.frames.push_back({*x, *y, *width, *height, text_in(frame, "comment")});
  }
}

}  // namespace

PipelineDrawing drawing_of(const Graph& graph, const Registry& registry,
                           const std::map<std::string, NodeNotes>& notes) {
  const Layout layout = Layout::parse(graph.ui.empty() ? "{}" : graph.ui, nullptr, false);
  const Layout places = layout.is_object() ? member(layout, "nodes") : Layout();
  const auto place_of = [&places](const std::string& id) {
    const Layout place = places.is_object() ? member(places, id) : Layout();
    return place.is_object() ? place : Layout::object();
  };
  std::map<std::string, DrawnCard> cards;
  std::map<std::string, NodeSize> sizes;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* const type = registry.find(node.type);
    const auto noted = notes.find(id);
    const NodeNotes of_node = noted == notes.end() ? NodeNotes() : noted->second;
    DrawnCard card;
    const std::string own_title = text_in(place_of(id), "title");
    card.title = title_lines(!own_title.empty() ? own_title : type == nullptr ? node.type : type->title);
    card.width = card_width;
    card.title_height = card.title.size() > 1 ? two_line_title : one_line_title;
    card.row_height = row_height;
    card.category = type == nullptr ? "" : type->category;
    card.is_used = node.use == NodeUse::active;
    if (!card.is_used) card.state = to_string(node.use);
    card.foot = of_node.foot.empty() ? card.category : of_node.foot;
    if (type != nullptr) add_rows_and_ports(card, graph, *type, id, of_node);
    card.height = card.title_height + row_height * static_cast<double>(card.rows.size()) + foot_height + 2;
    for (const DrawnPort& port : card.ports) card.height = std::max(card.height, port.y + 14);
    sizes[id] = {card.width, card.height};
    cards[id] = std::move(card);
  }
  const auto arranged = auto_layout(graph, sizes);
  const bool are_placed = std::all_of(cards.begin(), cards.end(), [&](const auto& card) {
    const Layout place = place_of(card.first);
    return number_in(place, "x") && number_in(place, "y");
  });
  PipelineDrawing drawing;
  for (auto& [id, card] : cards) {
    const Layout place = place_of(id);
    const auto free = arranged.find(id);
    card.x = are_placed ? *number_in(place, "x") : free == arranged.end() ? 0 : free->second.x;
    card.y = are_placed ? *number_in(place, "y") : free == arranged.end() ? 0 : free->second.y;
  }
  for (const Link& link : graph.links) {
    const auto from = cards.find(link.from_node), to = cards.find(link.to_node);
    if (from == cards.end() || to == cards.end()) continue;
    const DrawnPort a = port_of(graph, registry, from->second, from->first, link.from_port, true);
    const DrawnPort b = port_of(graph, registry, to->second, to->first, link.to_port, false);
    drawing.links.push_back(
        {from->second.x + a.x, from->second.y + a.y, to->second.x + b.x, to->second.y + b.y, a.type});
  }
  for (auto& [id, card] : cards) drawing.cards.push_back(std::move(card));
  if (are_placed && layout.is_object()) add_frames(drawing, layout);
  return drawing;
}

}  // namespace tl::history
