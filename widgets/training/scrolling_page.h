// ScrollingPage: a page of the learning dock: one column that scrolls.
#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace tl::ui {

class ScrollingPage : public QScrollArea {
  Q_OBJECT
 public:
  explicit ScrollingPage(const QString& name, QWidget* parent = nullptr);  // `name`: accessible name

 protected:
  [[nodiscard]] QVBoxLayout& column() { return *column_; }
  // The wheel scrolls the page also over its fields: it would change one unnoticed. Once all are there.
  void scroll_over_fields();
  void show_soon(QWidget* part);  // scrolls to it, once it has its size
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QVBoxLayout* column_;
};

}  // namespace tl::ui
