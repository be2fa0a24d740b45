// HintLabel: a line of text that floats over the canvas: why a link is refused, what was just done.
#pragma once

#include <QLabel>
#include <QTimer>

namespace tl::ui {

class HintLabel final : public QLabel {
  Q_OBJECT
 public:
  explicit HintLabel(QWidget* parent);

  enum class Tone { plain, refusal };
  // Beside a point of the parent, until hide() or another call.
  void show_beside(const QPoint& at, const QString& text, Tone tone);
  // At the lower edge, for a few seconds.
  void show_notice(const QString& text, Tone tone);

 private:
  void put(const QString& text, Tone tone);
  QTimer leave_;
};

}  // namespace tl::ui
