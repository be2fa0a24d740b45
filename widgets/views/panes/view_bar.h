// ViewBar: the tools of a pane, in a bar over its image while the mouse is over it or it has the keyboard.
#pragma once

#include <QWidget>
#include <vector>

class QToolButton;

namespace tl::ui {

class ImagePane;

// Every button does what its key does in the pane. Where the pane is narrow, the last ones are left out; the pane's
// menu has them all. GUI thread only.
class ViewBar final : public QWidget {
  Q_OBJECT
 public:
  explicit ViewBar(ImagePane& pane);       // a child of the pane
  static constexpr int strip_height = 36;  // px below the area of labels, kept free for it
  // Moves it to its position, and shows as many buttons as there is room for.
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
