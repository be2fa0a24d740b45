// HeaderBar: pipeline name, workspaces, action search, computing device, forecast of a run, and Run.
#pragma once

#include <QList>
#include <QWidget>

#include "widgets/session/live_session.h"

class QAction;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace tl::ui {

// For a given width of the window, the tabs of the workspaces do not move: the name of the pipeline is shortened and
// chips are hidden to make space next to them.
class HeaderBar final : public QWidget {
  Q_OBJECT
 public:
  static constexpr int height = 46;  // px
  struct Actions {
    QList<QAction*> workspaces;
    QAction *search, *run, *stop, *preferences;
    QMenu* menu;
  };
  HeaderBar(LiveSession& session, const Actions& actions, QWidget* parent);
  void set_workspaces_enabled(bool enabled);
  // Text of the run button while the queue is shown, which F5 then starts or pauses; empty: the text for the
  // pipeline.
  void show_queue(const QString& words);
  [[nodiscard]] QSize minimumSizeHint() const override;  // any width: chips are hidden when narrow

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make_left();
  void make_tabs();
  void make_right();
  void place();
  [[nodiscard]] int run_width() const;
  int search_icon_width();  // leaves it without words
  void fit_title(int room);
  void fit_chips(int room);
  void show_title();
  void show_forecast();
  void show_run();
  void open_forecast();
  LiveSession& session_;
  Actions actions_;
  QWidget *left_, *tabs_, *right_;
  QToolButton* mark_;
  QLabel *title_, *dirty_;
  QToolButton *search_, *device_, *forecast_;
  QPushButton* run_;
  QString queue_;
};

}  // namespace tl::ui
