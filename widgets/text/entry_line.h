// EntryLine: a line of text that is taken over on Enter or when the focus leaves, and given up on Escape; with a unit
// at its right end.
#pragma once

#include <QLineEdit>

class QLabel;

namespace tl::ui {

enum class Validity { valid, invalid };

class EntryLine final : public QLineEdit {
  Q_OBJECT
 public:
  explicit EntryLine(QWidget* parent = nullptr);
  void set_suffix(const QString& text);
  void show_validity(Validity validity);
  void show_learned(bool learned);
  // Shows a text that counts as untouched: in full while somebody may edit it, in brief (if there is a brief form)
  // otherwise.
  void show_text(const QString& full, const QString& brief = {});

 Q_SIGNALS:
  void committed(const QString& text);
  void given_up();
  void stepped(int steps);  // arrow keys up and down

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void commit();
  void place_suffix();
  void show_form();
  QLabel* suffix_;
  QString full_;
  QString brief_;
  QString shown_;
};

}  // namespace tl::ui
