// OverflowRow: a row of controls of any width: those that do not fit are in a menu at its end.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

class QMenu;
class QToolButton;

namespace tl::ui {

// GUI thread only.
class OverflowRow final : public QWidget {
  Q_OBJECT
 public:
  // `name` of the menu, for its tool tip.
  explicit OverflowRow(const QString& name, QWidget* parent = nullptr);
  // The row owns the control. While it does not fit, `fill` adds its actions to the menu. The last control is hidden
  // first.
  void add(QWidget& control, std::function<void(QMenu&)> fill);
  // The button of the menu; hidden while all controls fit.
  [[nodiscard]] QToolButton& more() const { return *more_; }

  [[nodiscard]] QSize sizeHint() const override;         // all controls
  [[nodiscard]] QSize minimumSizeHint() const override;  // the menu alone

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Entry {
    QWidget* control;
    std::function<void(QMenu&)> fill;
  };
  void update_layout();
  void fill_menu();
  std::vector<Entry> entries_;
  QToolButton* more_;
};

}  // namespace tl::ui
