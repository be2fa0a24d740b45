// Explain button: next to a verdict or a hint; opens the guide at its explanation.
#pragma once

#include <QEvent>
#include <QString>

class QToolButton;
class QWidget;

namespace tl::ui {

// Passed from the button to its parents until one accepts it: the main window, which searches the guide for the words.
class ExplainEvent final : public QEvent {
 public:
  explicit ExplainEvent(QString words);  // not accepted
  [[nodiscard]] static Type kind();
  [[nodiscard]] const QString& words() const { return words_; }

 private:
  QString words_;
};

// `words`: all occur on the page of the explanation, which begins at the first one. `what`: "the verdict on Axis", for
// the tip and for screen readers.
QToolButton* explain_button(const QString& words, const QString& what, QWidget* parent);

// Words that find the table of verdicts.
inline constexpr const char* words_on_verdicts = "resolved railed ambiguous";

}  // namespace tl::ui
