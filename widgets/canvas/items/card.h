// Card: the contents of a node's card on the canvas as plain values, and the geometry of its parts.
#pragma once

#include <QFont>
#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/graph/graph.h"
#include "core/live/state.h"
#include "widgets/session/layout.h"

namespace tl::ui {

class Document;
class LiveSession;

enum class Side { input, output };

// A port of a card. A parameter driven by a link has a port too.
struct CardPort {
  QString name;
  PortType type{};
  Side side = Side::input;
  bool required = true;
  bool drives = false;  // the port of a driven parameter
  QString help;
  QString known;  // info of its data: "181 x 2 x 640 · absorption", or a found value; empty: not known
  QPointF at;     // in card coordinates
  friend bool operator==(const CardPort&, const CardPort&) = default;
};

// One row of a card: a parameter that can be edited in place, or an output with a found value.
struct CardRow {
  QString param;   // empty if not a parameter
  QString output;  // the port of a found value
  QString label, value;
  bool learnable = false, driven = false, found = false;
  bool to_choose = false;  // a file that has not been chosen yet: one click opens the dialog
  friend bool operator==(const CardRow&, const CardRow&) = default;
};

struct Card {
  QString id, title, category, summary;
  NodeUse use = NodeUse::active;
  live::State state = live::State::ready;
  double fraction = 0;  // progress of the running work; negative: not known
  QString state_text;   // the state in words, with per cent while running
  QString foot, error, hint;
  std::vector<CardRow> rows;
  std::vector<CardPort> ports;
  QImage picture;
  bool has_picture = false;  // space for an image is reserved
  bool collapsed = false;
  QStringList title_lines;  // one or two; a longer title is truncated
  double title_height = 0;
  QSizeF size;

  [[nodiscard]] const CardPort* port(const QString& name, Side side) const;
  // Bypassed or muted, or needs a muted node.
  [[nodiscard]] bool is_unused() const { return state == live::State::bypassed || state == live::State::muted; }
  [[nodiscard]] QRectF title_area() const;
  [[nodiscard]] QRectF picture_area() const;
  [[nodiscard]] QRectF row_area(std::size_t row) const;
  [[nodiscard]] QRectF foot_area() const;
  [[nodiscard]] std::optional<std::size_t> row_at(const QPointF& at) const;
};

namespace card_size {
inline constexpr double width = 188, title = 32, two_line_title = 48, picture = 92, row = 24, foot = 22, port_step = 20,
                        port_radius = 5.5;
inline constexpr double stripe = 4, pad = 10,
                        glyph = 18;  // left edge of the title, margins, space for the state's symbol
inline constexpr double title_text = width - stripe - (pad - 2) - pad - glyph - 4;  // width available for the title
}  // namespace card_size

// The parts of a card that need no live session: sufficient for its size and ports. Layouts reserve the image's space
// even while images are hidden, so that no cards overlap when they are shown.
enum class CardPictures { shown, hidden };
Card plain_card(const Graph& graph, const Registry& registry, const std::string& node, const Layout::Card& layout,
                CardPictures pictures = CardPictures::shown);
// The complete card, with states, found values and images from the session.
Card make_card(const Document& document, const LiveSession& session, const std::string& node,
               const Layout::Card& layout);

QFont card_title_font();

}  // namespace tl::ui
