// Tour: shows the parts of the window one after the other, each framed and with a few words. It can be left at any time
// and changes only the display.
#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace tl::ui {

struct TourStop {
  QWidget* place;  // may be hidden until `show` is called
  QString title, text;
  std::function<void()> show;  // makes the widget visible; empty: it is always visible
};

// A card over `window`. Next, Back and Leave, or the arrow keys and Esc. GUI thread only.
class Tour final : public QFrame {
  Q_OBJECT
 public:
  Tour(QWidget& window, std::vector<TourStop> stops);  // at least one stop
  ~Tour() override;
  void begin();
  void leave();
  [[nodiscard]] std::size_t stop() const { return stop_; }

 Q_SIGNALS:
  void left();  // also after the last stop

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void go(std::size_t stop);
  void place();
  QWidget& window_;
  std::vector<TourStop> stops_;
  std::size_t stop_ = 0;
  QPointer<QWidget> rim_;  // around the place
  QLabel *title_, *text_;
  QPushButton *back_, *next_;
};

}  // namespace tl::ui
