// EntryLine: a line editor that commits on Enter and on loss of focus, and restores its text on Escape; with a unit at
// its right end.
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
  // Sets the text without committing it: `full` while the line has the focus, otherwise `brief` if it is not empty.
  void show_text(const QString& full, const QString& brief = {});

 Q_SIGNALS:
  void committed(const QString& text);
  void editing_cancelled();
  void stepped(int steps);  // arrow keys: up is positive

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
