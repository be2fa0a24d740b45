// LinkDrag: pulling a link out of a port: what lights up, what refuses and why, and what a drop does.
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

  // From a port; from an input that has a link, that link is picked up at its other end.
  void begin(const NodeItem& node, const CardPort& port);
  [[nodiscard]] bool active() const { return line_ != nullptr; }
  // Follows the mouse; gives why a link to what is under it is refused ("" when it is not).
  QString follow(const QPointF& at);
  // What a drop at a point comes to.
  struct Drop {
    enum class Kind { linked, refused, nothing, open, choose } kind = Kind::nothing;
    LinkEnd end;                      // open: a palette of what fits may be shown
    std::optional<Link> picked;       // the link that was picked up
    QString node;                     // choose: the node whose parameters may be driven
    std::vector<std::string> inputs;  // choose: their names
    PortType type = PortType::projections;
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
  PortType type_ = PortType::projections;
  std::optional<Link> picked_;
  QPointF anchor_;
};

}  // namespace tl::ui
