// ProjectionBar: slider below the projections, and the choice between views, flat fields and dark frames.
#pragma once

#include <QWidget>

class QButtonGroup;
class QSlider;

namespace tl::ui {

class ProjectionPane;

// GUI thread only. The pane must outlive it.
class ProjectionBar final : public QWidget {
  Q_OBJECT
 public:
  explicit ProjectionBar(ProjectionPane& pane, QWidget* parent = nullptr);
  void refresh();

 private:
  ProjectionPane& pane_;
  QSlider* slider_;
  QButtonGroup* series_;
};

}  // namespace tl::ui
