// Canvas: the node editor: graphics view, minimap, palette, inline editors and notices, and all actions on the graph.
#pragma once

#include <QAction>
#include <QMenu>
#include <QWidget>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/graph_actions.h"
#include "widgets/canvas/inline_editor.h"
#include "widgets/canvas/minimap.h"
#include "widgets/canvas/palette/palette.h"

namespace tl::ui {

class Canvas final : public QWidget {
  Q_OBJECT
 public:
  Canvas(LiveSession& session, Selection& selection, QWidget* parent = nullptr);
  ~Canvas() override;

  [[nodiscard]] GraphEditor& editor() { return editor_; }
  [[nodiscard]] GraphActions& graph_actions() { return actions_; }
  [[nodiscard]] CanvasScene& scene() { return *scene_; }
  [[nodiscard]] CanvasView& view() { return *view_; }
  [[nodiscard]] Palette& palette_popup() { return *palette_; }

  void fit_all();
  void fit_selection();
  void refit();                          // fits as after opening, because the layout of the window has changed
  void reveal(const QString& node);      // scrolls no more than needed to show the card
  void add_here(const QString& type);    // after the current node, like Tab; in the middle of the view if there is none
  void open_palette(const QPointF& at);  // in scene coordinates

 Q_SIGNALS:
  void form_wanted(const QString& node);       // Enter or double click on a card
  void stop_wanted();                          // Esc twice
  void template_wanted(const QPoint& global);  // the user asked for a pipeline from a template, on the empty canvas
  void refused(const QString& why);            // for the message list; the canvas shows a notice as well

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void connect_view();
  void connect_actions();
  void link_dropped(const LinkDrag::Drop& drop, const QPointF& at);
  void choose_parameter(const LinkDrag::Drop& drop, const QPointF& at);
  void palette_for(const Link& link, const QPointF& at);
  void add_at(const QString& type, const QPointF& at);
  void open_palette_after_current();
  void edit_row(const QString& node, int row);
  void row_clicked(const QString& node, int row);
  void choose_file(const QString& node, const ParamDecl& decl);
  void choose_value(const QString& node, const ParamDecl& decl, const QPoint& global);
  void edit_title(const QString& node);
  void edit_comment(int frame);
  void walk(int key);
  void remove(edit::Gap gap);
  void zoom_by_hand(double factor);
  void fit_if_followed();
  void follow_edit();
  void show_menu(const QPoint& global, const QPointF& at);
  [[nodiscard]] QRect on_view(const NodeItem& item, const QRectF& card_area) const;
  [[nodiscard]] QPoint global(const QPointF& scene) const;

  LiveSession& session_;
  GraphEditor editor_;
  GraphActions actions_;
  CanvasScene* scene_;
  CanvasView* view_;
  Minimap* minimap_;
  Palette* palette_;
  InlineEditor* inline_;
  HintLabel* notice_;
  EmptyHint* empty_hint_;
  QSet<QString> known_;  // nodes before the last edit
  // everything: the view fits the whole pipeline when it is resized or gets new nodes, until the user scrolls or zooms.
  enum class Follow { everything, hand } follow_ = Follow::everything;
  bool opened_ = false;  // another pipeline was loaded, and its first change signal is still to come
};

}  // namespace tl::ui
