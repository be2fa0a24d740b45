// ViewBar: the tools of a pane, in a bar over its image while the mouse is over it or it has the keyboard.
#pragma once

#include <QWidget>
#include <vector>

class QToolButton;

namespace tl::ui {

class ImagePane;

// Every button has the effect of its key in the pane. If the pane is narrow, the last ones are left out; the pane's
// menu has all of them. GUI thread only.
class ViewBar final : public QWidget {
  Q_OBJECT
 public:
  explicit ViewBar(ImagePane& pane);       // a child of the pane
  static constexpr int strip_height = 36;  // px below the label area, kept free for the bar
  // Moves it to its position, and shows as many buttons as fit.
  void place();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent*) override;

 private:
  void send(int key);
  void show_state();
  void look(QEvent::Type event);
  ImagePane& pane_;
  std::vector<QToolButton*> buttons_;  // in the order of the table of tools
};

}  // namespace tl::ui
