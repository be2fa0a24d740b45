// InlineEditor: a line editor placed over the canvas to edit a value, a title or a comment.
#pragma once

#include <QLineEdit>
#include <functional>

namespace tl::ui {

class InlineEditor final : public QLineEdit {
  Q_OBJECT
 public:
  explicit InlineEditor(QWidget* parent);

  // Opens over an area of the parent. On Enter or loss of focus `take` gets the text and returns "" if accepted, else
  // the reason: after Enter the editor then stays open and emits complaint().
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
