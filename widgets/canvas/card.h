// Card: what a node shows on the canvas, as plain values, and where its parts stand on the card.
#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <optional>
#include <vector>

#include "core/graph/graph.h"
#include "core/live/engine.h"
#include "widgets/session/layout.h"

namespace tl::ui {

class Document;
class LiveSession;

enum class Side { input, output };

// A port of a card; parameters that a link drives have one too.
struct CardPort {
  QString name;
  PortType type = PortType::projections;
  Side side = Side::input;
  bool required = true;
  bool drives = false;  // ends at a parameter
  QString help;
  QString known;  // what flows there: "181 x 2 x 640 · absorption", or a found value; empty: not known
  QPointF at;     // on the card
  friend bool operator==(const CardPort&, const CardPort&) = default;
};

// One line of a card: a parameter that can be edited in place, or an output that holds a found value.
struct CardRow {
  QString param;   // empty: not a parameter
  QString output;  // the port that a found value comes from
  QString label, value;
  bool learnable = false, driven = false, found = false;
  friend bool operator==(const CardRow&, const CardRow&) = default;
};

struct Card {
  QString id, title, category, summary;
  NodeUse use = NodeUse::active;
  live::State state = live::State::ready;
  double fraction = 0;  // of the running part, below 0 = not known
  QString state_text;   // the word, with per cent while running
  QString foot, error, hint;
  std::vector<CardRow> rows;
  std::vector<CardPort> ports;
  QImage picture;
  bool has_picture = false;  // room for one is kept
  bool collapsed = false;
  QSizeF size;

  [[nodiscard]] const CardPort* port(const QString& name, Side side) const;
  [[nodiscard]] QRectF title_area() const;
  [[nodiscard]] QRectF picture_area() const;
  [[nodiscard]] QRectF row_area(std::size_t row) const;
  [[nodiscard]] QRectF foot_area() const;
  [[nodiscard]] std::optional<std::size_t> row_at(const QPointF& at) const;
};

namespace card_size {
inline constexpr double width = 188, title = 32, picture = 92, row = 24, foot = 22, port_step = 20, port_radius = 5.5;
}  // namespace card_size

// Everything but what the session knows: enough for its size and ports. Room for pictures is counted where cards are
// placed even while none are shown, so that showing them makes no card overlap another.
enum class CardPictures { shown, hidden };
Card plain_card(const Graph& graph, const Registry& registry, const std::string& node, const Layout::Card& layout,
                CardPictures pictures = CardPictures::shown);
// The same with states, found values and pictures.
Card make_card(const Document& document, const LiveSession& session, const std::string& node,
               const Layout::Card& layout);

// Names of the parameters that say most about a node: what was set by hand and files first, then choices and learnable
// values, two of them; driven ones always.
std::vector<QString> telling_parameters(const Graph& graph, const NodeType& type, const std::string& node);

}  // namespace tl::ui
