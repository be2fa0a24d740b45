// GuidePanel: guided mode: steps through the pipeline with Back and Next. It only changes the selection; form and
// images are those of the window.
#pragma once

#include <QWidget>

#include "widgets/session/selection.h"
#include "widgets/window/guide/guide_model.h"

class QLabel;
class QListView;
class QPushButton;

namespace tl::ui {

class GuidePanel final : public QWidget {
  Q_OBJECT
 public:
  GuidePanel(LiveSession& session, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] GuideModel& steps() { return model_; }

 Q_SIGNALS:
  void open_wanted();
  void run_wanted();
  void leave_wanted();

 private:
  void go(int row);
  void show_step();
  LiveSession& session_;
  Selection& selection_;
  GuideModel model_;
  QListView* list_;
  QLabel* advice_;
  QPushButton *back_, *next_;
};

}  // namespace tl::ui
