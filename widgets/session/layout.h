// Layout: positions and titles of the nodes' cards and the frames on the canvas; read from and written to Graph::ui.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tl::ui {

// A value type. Files are untrusted: members of an unexpected type are ignored, coordinates and sizes are limited, and
// unknown keys are kept.
class Layout {
 public:
  struct Card {
    std::optional<QPointF> at;  // upper left corner; none: not placed yet
    bool collapsed = false;
    QString title;  // empty: the title of the node type
    friend bool operator==(const Card&, const Card&) = default;
  };
  struct Frame {
    QRectF area;
    QString comment;
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  std::map<std::string, Card> cards;  // by node id
  std::vector<Frame> frames;

  Layout() = default;
  explicit Layout(const std::string& ui);
  [[nodiscard]] std::string text() const;  // "" if the layout is empty

  [[nodiscard]] Card card(const std::string& node) const;
  static constexpr double coordinate_limit = 1e6;  // px, limit of every coordinate
  static constexpr double smallest_frame = 60;     // px, lower limit of each side
  static constexpr int max_text_length = 2000;

 private:
  nlohmann::ordered_json json_as_read_ = nlohmann::ordered_json::object();  // the JSON as read, with unknown keys
};

}  // namespace tl::ui
