// Layout: where the cards of a pipeline stand and what they are called; read from and written to Graph::ui.
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

// A value. Files are untrusted: what has another type than expected is ignored, coordinates and sizes are limited, keys
// that are not ours are kept.
class Layout {
 public:
  struct Card {
    std::optional<QPointF> at;  // upper left corner; none: never placed
    bool collapsed = false;
    QString title;  // empty: the title of its type
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
  [[nodiscard]] std::string text() const;  // "" when there is nothing to keep

  [[nodiscard]] Card card(const std::string& node) const;
  static constexpr double farthest = 1e6;       // px, of any coordinate
  static constexpr double smallest_frame = 60;  // px, each side
  static constexpr int longest_text = 2000;

 private:
  nlohmann::ordered_json others_ = nlohmann::ordered_json::object();  // as it was read
};

}  // namespace tl::ui
