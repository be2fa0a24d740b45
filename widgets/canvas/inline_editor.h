// InlineEditor: a line of text that is edited where it stands on the canvas: a value, a title, a comment.
#pragma once

#include <QLineEdit>
#include <functional>

namespace tl::ui {

class InlineEditor final : public QLineEdit {
  Q_OBJECT
 public:
  explicit InlineEditor(QWidget* parent);

  // Opens over an area of the parent. `take` is given the text on Enter or when the focus leaves, and answers "" when
  // it took it, else why not: the editor then stays and shows the reason.
  void edit(const QRect& area, const QString& text, const QString& name, std::function<QString(const QString&)> take);

 Q_SIGNALS:
  void complaint(const QString& why);
  void closed();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  enum class Leave { stay_on_error, go };
  void finish(Leave leave);
  void close_editor();
  std::function<QString(const QString&)> take_;
};

}  // namespace tl::ui
