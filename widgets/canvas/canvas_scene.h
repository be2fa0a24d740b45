// CanvasScene: the items of the canvas; follows document, layout, selection and live session.
#pragma once

#include <QGraphicsScene>
#include <QHash>
#include <QMap>
#include <QTimer>
#include <memory>
#include <optional>

#include "widgets/canvas/graph_editor.h"
#include "widgets/canvas/items/frame_item.h"
#include "widgets/canvas/items/link_item.h"
#include "widgets/canvas/items/node_item.h"
#include "widgets/session/live_session.h"

namespace tl::ui {

class CanvasScene final : public QGraphicsScene {
  Q_OBJECT
 public:
  CanvasScene(GraphEditor& editor, LiveSession& session, QObject* parent = nullptr);
  ~CanvasScene() override;

  [[nodiscard]] GraphEditor& editor() { return editor_; }
  [[nodiscard]] RepaintBudget& repaint_budget() { return repaint_budget_; }
  [[nodiscard]] NodeItem* node(const QString& id) const { return nodes_.value(id); }
  [[nodiscard]] QList<NodeItem*> nodes() const { return nodes_.values(); }
  [[nodiscard]] QSet<QString> node_ids() const;
  [[nodiscard]] const std::vector<LinkItem*>& links() const { return links_; }
  [[nodiscard]] const std::vector<FrameItem*>& frames() const { return frames_; }

  // The item at a point of the scene; nullptr or nullopt if there is none.
  [[nodiscard]] NodeItem* node_at(const QPointF& at) const;        // by its card
  [[nodiscard]] NodeItem* port_owner_at(const QPointF& at) const;  // by one of its ports
  [[nodiscard]] LinkItem* link_at(const QPointF& at) const;
  [[nodiscard]] std::optional<std::size_t> frame_at(const QPointF& at) const;         // by its title line
  [[nodiscard]] std::optional<std::size_t> frame_corner_at(const QPointF& at) const;  // by its resize handle
  [[nodiscard]] QStringList nodes_in(const QRectF& area) const;
  [[nodiscard]] QRectF all_cards() const;
  [[nodiscard]] QRectF cards(const QStringList& nodes) const;

  // At most one link or frame is selected; selecting one clears the selection of nodes, and vice versa.
  void choose_link(LinkItem* link);
  void choose_frame(const std::optional<std::size_t>& frame);
  [[nodiscard]] LinkItem* chosen_link() const { return chosen_link_; }
  [[nodiscard]] const std::optional<std::size_t>& chosen_frame() const { return chosen_frame_; }
  void hover(LinkItem* link);

  void place(const QString& node, const QPointF& at);  // called during a drag; the document is not changed
  void sync();                                         // resets all items to the document's state
  // Frames and plain links: the background behind cards, which stays the same while the pipeline does not change.
  void paint_behind_cards(QPainter& painter, const QRectF& area);

 Q_SIGNALS:
  void synced();

 protected:
  void drawBackground(QPainter* painter, const QRectF& area) override;  // for images of the whole scene

 private:
  void sync_nodes();
  void sync_links();
  void sync_frames();
  void update_card(const QString& node);
  void place_links();
  void mark_selection();
  GraphEditor& editor_;
  LiveSession& session_;
  RepaintBudget repaint_budget_;
  Layout layout_;
  QMap<QString, NodeItem*> nodes_;
  std::vector<LinkItem*> links_;
  QSet<QString> dragged_;  // cards being dragged over links, whose own links do not move
  std::vector<FrameItem*> frames_;
  LinkItem* chosen_link_ = nullptr;
  LinkItem* hovered_ = nullptr;
  std::optional<std::size_t> chosen_frame_;
};

}  // namespace tl::ui
