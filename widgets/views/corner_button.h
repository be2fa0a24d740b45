// CornerButton: shows the kind of a pane over its image and opens the pane's menu; painted like the captions.
#pragma once

#include <QAbstractButton>

namespace tl::ui {

class CornerButton final : public QAbstractButton {
  Q_OBJECT
 public:
  explicit CornerButton(QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;
  void enterEvent(QEnterEvent*) override { update(); }
  void leaveEvent(QEvent*) override { update(); }
};

}  // namespace tl::ui
