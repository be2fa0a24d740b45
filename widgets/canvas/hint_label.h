// HintLabel: a line of text floating over the canvas: why a link is refused, or the effect of an action.
#pragma once

#include <QLabel>
#include <QTimer>

namespace tl::ui {

class HintLabel final : public QLabel {
  Q_OBJECT
 public:
  explicit HintLabel(QWidget* parent);

  enum class Tone { plain, refusal };
  // Shows the text near a point of the parent until hide() or the next call.
  void show_comparison(const QPoint& at, const QString& text, Tone tone);
  // Shows the text at the lower edge for some seconds, a longer one longer.
  void show_notice(const QString& text, Tone tone);

 private:
  void put(const QString& text, Tone tone);
  QTimer leave_;
};

// Lists in the middle of an empty canvas the possible first steps.
class EmptyHint final : public QLabel {
  Q_OBJECT
 public:
  explicit EmptyHint(QWidget* parent);
  void update_position();

 Q_SIGNALS:
  void node_wanted();
  void template_wanted(const QPoint& global);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void write();
};

}  // namespace tl::ui
