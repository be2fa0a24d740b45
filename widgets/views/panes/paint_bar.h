// PaintBar: the painting tools of a pane, in a bar at its left edge while one of them is active.
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QToolButton;

namespace tl::ui {

class PanePainting;
class SlicePane;

// Every button has the effect of its key in the pane. GUI thread only.
class PaintBar final : public QWidget {
  Q_OBJECT
 public:
  PaintBar(SlicePane& pane, PanePainting& painting);  // a child of the pane, like its mode label
  void place();                                       // shows or hides it, at the left edge

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent*) override;

 private:
  void show_state();
  void place_mode(int left, int top);
  void press(int key, Qt::KeyboardModifiers modifiers);
  SlicePane& pane_;
  PanePainting& painting_;
  std::vector<QToolButton*> buttons_;  // in the order of the table
  QLabel* mode_;                       // next to it: what is painted, and how to end it
};

}  // namespace tl::ui
