// LinkDrag: dragging a link from a port: highlights fitting ports, reports why a target is refused, and makes the link.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "widgets/canvas/canvas_scene.h"

namespace tl::ui {

class LinkDrag final {
 public:
  explicit LinkDrag(CanvasScene& scene) : scene_(scene) {}
  ~LinkDrag() { cancel(); }

  // Starts at a port. At a linked input, the existing link is picked up and its other end stays fixed.
  void begin(const NodeItem& node, const CardPort& port);
  [[nodiscard]] bool active() const { return line_ != nullptr; }
  // Moves the loose end; returns why a link to the item at this point is refused, "" if it is allowed.
  QString follow(const QPointF& at);
  // The result of dropping the link at a point.
  struct Drop {
    enum class Kind { linked, refused, nothing, open, choose } kind = Kind::nothing;
    LinkEnd end;                      // open: the fixed end, to which the palette may add a fitting node
    std::optional<Link> picked;       // the link that was detached and is being dragged
    QString node;                     // choose: the node with a parameter that can be driven
    std::vector<std::string> inputs;  // choose: names of these parameters
    PortType type{};
  };
  Drop drop(const QPointF& at);
  void cancel();

 private:
  void light();
  [[nodiscard]] std::optional<Link> candidate(const QPointF& at, QString* why) const;
  [[nodiscard]] Link link_with(const QString& node, const QString& port) const;
  [[nodiscard]] Graph graph_without_picked() const;
  CanvasScene& scene_;
  std::unique_ptr<LinkItem> line_;
  LinkEnd end_;
  PortType type_{};
  std::optional<Link> picked_;
  QPointF anchor_;
};

}  // namespace tl::ui
