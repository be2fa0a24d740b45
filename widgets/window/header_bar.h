// HeaderBar: pipeline name, workspaces, action search, computing device, forecast of a run, and Run.
#pragma once

#include <QList>
#include <QWidget>

#include "widgets/session/live_session.h"

class QAction;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace tl::ui {

class HeaderBar final : public QWidget {
  Q_OBJECT
 public:
  static constexpr int height = 46;  // px
  struct Actions {
    QList<QAction*> workspaces;
    QAction *search, *run, *stop;
    QMenu* menu;
  };
  HeaderBar(LiveSession& session, const Actions& actions, QWidget* parent);
  void set_workspaces_enabled(bool enabled);
  [[nodiscard]] QSize minimumSizeHint() const override;  // any width: chips are hidden when narrow

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_title();
  void show_forecast();
  void show_run();
  void fit_chips();
  LiveSession& session_;
  Actions actions_;
  QWidget* tabs_;
  QLabel *title_, *dirty_;
  QToolButton *search_, *device_, *forecast_;
  QPushButton* run_;
};

}  // namespace tl::ui
