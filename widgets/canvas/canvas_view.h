// CanvasView: the graphics view of the canvas: pans, zooms, and starts the tool that a mouse press selects.
#pragma once

#include <QGraphicsView>
#include <QRubberBand>

#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/hint_label.h"
#include "widgets/canvas/link_drag.h"
#include "widgets/canvas/move_drag.h"

namespace tl::ui {

// MIME type of a node type dragged out of a list; the data is its type id.
inline constexpr const char* node_mime_type = "application/x-tomoloom-node";

class CanvasView final : public QGraphicsView {
  Q_OBJECT
 public:
  explicit CanvasView(CanvasScene& scene, QWidget* parent = nullptr);
  ~CanvasView() override;

  void zoom_by(double factor, const QPoint& about);
  void pan_by(const QPoint& pixels);
  // Fits the area into the view, at a scale of at most 1 and at least `min_zoom`.
  void show_area(const QRectF& scene_area, double min_zoom = 0);
  void scroll_by_hand(const QPointF& centre);  // centres the view on this point
  [[nodiscard]] QRectF shown_area() const;     // in scene coordinates
  void set_snap(Snap snap) { snap_ = snap; }
  [[nodiscard]] Snap snap() const { return snap_; }
  [[nodiscard]] QPointF mouse_in_scene() const;  // the middle of the view if the mouse is outside
  [[nodiscard]] bool is_dragging() const;
  void abort_drag();

 Q_SIGNALS:
  void palette_wanted(const QPointF& at);  // Space, double click
  // dropped on the background, or on a card to choose a parameter
  void link_dropped(const tl::ui::LinkDrag::Drop& drop, const QPointF& at);
  void link_opened(const tl::Link& link, const QPointF& at);  // double click on a link
  void title_edit_wanted(const QString& node);
  void row_edit_wanted(const QString& node, int row);  // double click
  void row_clicked(const QString& node, int row);      // without a drag
  void moved_by_hand();                                // panned or zoomed by the user
  void comment_edit_wanted(int frame);
  void form_wanted(const QString& node);
  void node_dropped(const QString& type, const QPointF& at);
  void walk_wanted(int key);  // an arrow key
  void stop_wanted();         // Esc twice
  void menu_wanted(const QPoint& global, const QPointF& at);
  void view_changed();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dropEvent(QDropEvent* event) override;  // a node type from a list; the window takes files
  void paintEvent(QPaintEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& area) override;
  void scrollContentsBy(int dx, int dy) override;
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  enum class Tool { none, pan, band, move, link };
  void press(QMouseEvent* event);
  void choose_card(const NodeItem& item, Qt::KeyboardModifiers keys);
  void click(const QPointF& at);
  [[nodiscard]] bool is_to_choose(const QPointF& at) const;  // whether a row "choose…" is at this position
  void band_to(const QPoint& at);
  void escape();
  void set_detail(NodeItem::Detail detail);
  void paint_ground(QPainter& painter, const QRectF& area) const;
  CanvasScene& scene_;
  LinkDrag link_drag_;
  MoveDrag move_drag_;
  QRubberBand band_;
  HintLabel hint_;
  Tool tool_ = Tool::none;
  Snap snap_ = Snap::free;
  QPoint press_, last_;
  QStringList before_band_;
  bool space_held_ = false, space_used_ = false;
  qint64 last_escape_ = 0;
  QTimer next_frame_timer_;  // starts another frame for cards that were not repainted in time
  QTimer zoom_end_timer_;    // cards are repainted sharply when zooming pauses
};

}  // namespace tl::ui
