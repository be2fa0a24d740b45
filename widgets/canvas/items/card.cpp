// Card: collects the contents of a node's card from declaration, graph, layout and live session, and lays out its
// parts.
#include "widgets/canvas/items/card.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "core/graph/card_parameters.h"
#include "widgets/language/translated.h"
#include "widgets/session/live_session.h"
#include "widgets/text/error_text.h"
#include "widgets/text/found_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/typeset.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr std::size_t max_found_rows = 4;

QString words(const std::string& text) { return QString::fromStdString(text); }

// The value as in the form, but of a path only the file name, since cards are narrow.
QString short_value(const ParamDecl& decl, const ParamValue& value) {
  const auto* path = std::get_if<std::string>(&value);
  if (path == nullptr) return typeset(shown_value(decl, value));
  if (decl.path == PathRole::none) return shown_value(decl, value);
  return path->empty() ? QCoreApplication::translate("tl::ui::Card", "choose…") : QFileInfo(words(*path)).fileName();
}

const ParamValue& param_value(const GraphNode& node, const ParamDecl& decl) {
  const auto set = node.params.find(decl.name);
  return set == node.params.end() ? decl.initial : set->second;
}

void add_ports(Card& card, const NodeType& type) {
  const auto stand = [&](double x, std::size_t i) {
    return QPointF(x, card_size::title + 18 + card_size::port_step * static_cast<double>(i));
  };
  for (std::size_t i = 0; i < type.inputs.size(); ++i) {
    const PortDecl& p = type.inputs[i];
    card.ports.push_back({words(p.name), p.type, Side::input, p.required, false, translated(p.help), {}, stand(0, i)});
  }
  for (std::size_t i = 0; i < type.outputs.size(); ++i) {
    const PortDecl& p = type.outputs[i];
    card.ports.push_back(
        {words(p.name), p.type, Side::output, true, false, translated(p.help), {}, stand(card_size::width, i)});
  }
}

// For a node of an unknown type: adds the ports named by links, with the types at their other ends.
void add_ports_of_links(Card& card, const Graph& graph, const Registry& registry, const std::string& id) {
  const auto add = [&](const std::string& name, Side side, PortType type) {
    if (card.port(words(name), side) != nullptr) return;
    const auto before =
        std::count_if(card.ports.begin(), card.ports.end(), [&](const auto& p) { return p.side == side; });
    const QPointF at(side == Side::input ? 0 : card_size::width,
                     card_size::title + 18 + card_size::port_step * static_cast<double>(before));
    card.ports.push_back({words(name), type, side, false, false, {}, {}, at});
  };
  for (const Link& link : graph.links) {
    if (link.to_node == id) {
      const NodeType* from = find_node_type(graph, registry, link.from_node);
      const PortDecl* port = from == nullptr ? nullptr : from->output(link.from_port);
      add(link.to_port, Side::input, port == nullptr ? PortType{} : port->type);
    } else if (link.from_node == id) {
      const NodeType* to = find_node_type(graph, registry, link.to_node);
      const PortDecl* port = to == nullptr ? nullptr : to->input(link.to_port);
      add(link.from_port, Side::output, port == nullptr ? PortType{} : port->type);
    }
  }
}

void add_rows(Card& card, const Graph& graph, const NodeType& type, const std::string& id) {
  const GraphNode& node = graph.nodes.at(id);
  for (const std::string& name : parameters_on_card(graph, type, id)) {
    const ParamDecl& decl = *type.param(name);
    const bool driven = graph.link_into(id, decl.name) != nullptr;
    CardRow row;
    row.param = words(name);
    row.label = decl.title.empty() ? words(decl.name) : translated(decl.title);
    row.value = short_value(decl, param_value(node, decl));
    row.learnable = decl.learnable;
    row.driven = driven;
    const auto* path = std::get_if<std::string>(&param_value(node, decl));
    row.to_choose = !driven && decl.path != PathRole::none && path != nullptr && path->empty();
    if (driven) row.value = QCoreApplication::translate("tl::ui::Card", "driven");
    card.rows.push_back(row);
    if (driven)
      card.ports.push_back({words(name),
                            parameter_driving_type(),
                            Side::input,
                            false,
                            true,
                            translated(decl.help),
                            {},
                            {0, card.row_area(card.rows.size() - 1).center().y()}});
  }
}

// Adds uncertainty and verdict to values that were found by learning and that the pipeline still has.
void add_learned(Card& card, const Graph& graph, const NodeType& type, const std::string& id) {
  const auto learnable = [](const ParamDecl& d) { return d.learnable; };
  if (graph.learning.empty() || std::none_of(type.params.begin(), type.params.end(), learnable)) return;
  const std::vector<learn::RunRecord> records = learn::records_of(graph);
  std::optional<learn::Trust> worst;
  for (CardRow& row : card.rows) {
    const auto value = learn::found_of(records, graph, id, row.param.toStdString());
    if (!value) continue;
    row.value = found_text(*value);
    row.found = true;
    worst = worst ? std::max(*worst, value->trust) : value->trust;
  }
  if (!worst) return;
  CardRow verdict;
  verdict.label = QCoreApplication::translate("tl::ui::Card", "Verdict");
  verdict.value = trust_word(*worst);
  card.rows.push_back(verdict);
}

// Adds rows for scalars that a node finds: one if the node has parameters, otherwise up to four.
void add_found_rows(Card& card, const NodeType& type) {
  if (!static_cast<bool>(type.measure) && !static_cast<bool>(type.accumulate)) return;
  const std::size_t most = type.params.empty() ? max_found_rows : 1;
  for (const PortDecl& port : type.outputs) {
    if (!is_number(port.type) || card.rows.size() >= most) continue;
    CardRow row;
    row.output = words(port.name);
    row.label = translated(port.name);
    row.label[0] = row.label[0].toUpper();
    row.value = QStringLiteral("–");
    card.rows.push_back(row);
  }
}

// A title that is too long for one line next to the state's glyph gets two.
void add_title_lines(Card& card) {
  const QFont font = card_title_font();
  const QFontMetricsF metrics(font);
  card.title_height = card_size::title;
  card.title_lines = {card.title};
  if (metrics.horizontalAdvance(card.title) <= card_size::title_text) return;
  QTextLayout layout(card.title, font);
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  QTextLine first = layout.createLine();
  first.setLineWidth(card_size::title_text);
  layout.endLayout();
  const QString rest = card.title.mid(first.textLength()).trimmed();
  card.title_lines = {card.title.left(first.textLength()).trimmed(),
                      metrics.elidedText(rest, Qt::ElideRight, card_size::title_text)};
  card.title_height = card_size::two_line_title;
}

void add_size(Card& card) {
  using namespace card_size;
  double bottom = card.title_height;
  if (!card.collapsed) bottom = card.foot_area().bottom() + 2;
  for (const CardPort& p : card.ports) bottom = std::max(bottom, p.at.y() + 14);
  if (card.collapsed) bottom = card.title_height;
  card.size = {width, bottom};
}

// Moves the ports of a collapsed card to its title line.
void fold_ports(Card& card) {
  if (!card.collapsed) return;
  for (CardPort& p : card.ports) p.at.setY(card.title_height / 2);
}

void add_status(Card& card, const live::NodeStatus& status, const Graph& graph, const NodeType& type) {
  card.state = shown_state(card.use, status);
  card.fraction = status.fraction;
  card.state_text = Theme::state_word(card.state);
  if (card.state == live::State::running && status.fraction > 0)
    card.state_text = QStringLiteral("%1 %").arg(static_cast<int>(status.fraction * 100));
  if (status.error && card.use == NodeUse::active) {
    card.error = window_text(status.error->what);
    card.hint = window_text(status.error->hint);
  }
  QStringList foot;
  if (!status.summary.empty()) foot << typeset(translated(status.summary));
  if (status.seconds >= 0)
    foot << (status.seconds < 1 ? QStringLiteral("%1 ms").arg(std::lround(status.seconds * 1000))
                                : QStringLiteral("%1 s").arg(status.seconds, 0, 'f', 1));
  card.foot = foot.isEmpty() ? translated(card.category.toStdString()) : foot.join(QStringLiteral(" · "));
  for (CardRow& row : card.rows) {
    const auto measured = status.found.find(row.output.toStdString());
    if (!row.output.isEmpty() && measured != status.found.end()) {
      row.value = typeset(words(measured->second));
      row.found = true;
    }
    const auto found = status.found.find(row.param.toStdString());
    const ParamDecl* decl = type.param(row.param.toStdString());
    const bool automatic = decl != nullptr && std::holds_alternative<std::monostate>(
                                                  param_value(graph.nodes.at(card.id.toStdString()), *decl));
    if (found == status.found.end() || !(automatic || row.driven)) continue;
    row.value = typeset(words(found->second));
    row.found = true;
  }
}

// Adds to each port the info of its data.
void add_known(Card& card, const Graph& graph, const LiveSession& session) {
  const auto known_of = [&](const QString& node, const QString& port) {
    const Info* info = session.info(node, port);
    QString text = info == nullptr ? QString() : translated(live::summary_of(*info));
    if (!text.isEmpty()) return text;
    const live::NodeStatus status = session.status(node);
    const auto found = status.found.find(port.toStdString());
    return found == status.found.end() ? QString() : words(found->second);
  };
  for (CardPort& port : card.ports) {
    const Link* link = graph.link_into(card.id.toStdString(), port.name.toStdString());
    if (port.side == Side::output)
      port.known = known_of(card.id, port.name);
    else if (link != nullptr)
      port.known = known_of(words(link->from_node), words(link->from_port));
  }
}

}  // namespace

const CardPort* Card::port(const QString& name, Side side) const {
  const auto found =
      std::find_if(ports.begin(), ports.end(), [&](const CardPort& p) { return p.side == side && p.name == name; });
  return found == ports.end() ? nullptr : &*found;
}
QRectF Card::title_area() const { return {0, 0, card_size::width, title_height}; }
QRectF Card::picture_area() const {
  return {0, title_height, card_size::width, has_picture && !collapsed ? card_size::picture : 0};
}
QRectF Card::row_area(std::size_t row) const {
  return {0, picture_area().bottom() + card_size::row * static_cast<double>(row), card_size::width, card_size::row};
}
QRectF Card::foot_area() const { return {0, row_area(rows.size()).top(), card_size::width, card_size::foot}; }
std::optional<std::size_t> Card::row_at(const QPointF& at) const {
  if (collapsed) return {};
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (row_area(i).contains(at)) return i;
  return {};
}

QFont card_title_font() {
  QFont font = Theme::text_font();
  font.setWeight(QFont::DemiBold);
  return font;
}

Card plain_card(const Graph& graph, const Registry& registry, const std::string& id, const Layout::Card& layout,
                CardPictures pictures) {
  const GraphNode& node = graph.nodes.at(id);
  const NodeType* type = registry.find(node.type);
  Card card;
  card.id = words(id);
  card.use = node.use;
  card.collapsed = layout.collapsed;
  card.title = !layout.title.isEmpty() ? layout.title : type == nullptr ? words(node.type) : translated(type->title);
  add_title_lines(card);
  if (type != nullptr) {
    card.category = words(type->category);
    card.summary = translated(type->summary);
    // A node that finds a value shows that value instead of an image of its pass-through output; labels do not count as
    // a value.
    const bool finds_value =
        static_cast<bool>(type->measure) && !type->outputs.empty() && !is_labels(type->outputs.front().type);
    card.has_picture = pictures == CardPictures::shown && !type->outputs.empty() &&
                       is_image(type->outputs.front().type) && !finds_value;
    add_ports(card, *type);
    add_found_rows(card, *type);
    add_rows(card, graph, *type, id);
    add_learned(card, graph, *type, id);
  } else {
    add_ports_of_links(card, graph, registry, id);
  }
  add_size(card);
  fold_ports(card);
  return card;
}

Card make_card(const Document& document, const LiveSession& session, const std::string& id,
               const Layout::Card& layout) {
  const CardPictures pictures = session.switches().thumbnails ? CardPictures::shown : CardPictures::hidden;
  Card card = plain_card(document.graph(), document.registry(), id, layout, pictures);
  const NodeType* type = document.registry().find(document.graph().nodes.at(id).type);
  if (type != nullptr) {
    add_status(card, session.status(card.id), document.graph(), *type);
  } else {
    card.state = live::State::unconfigured;
    card.state_text = Theme::state_word(card.state);
    card.error = QCoreApplication::translate("tl::ui::Card", "This program does not know the node");
    card.hint = QCoreApplication::translate("tl::ui::Card", "It is kept unchanged, and saved with the pipeline");
  }
  if (card.has_picture) card.picture = session.thumbnail(card.id);
  add_known(card, document.graph(), session);
  return card;
}

}  // namespace tl::ui
