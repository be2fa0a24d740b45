// ValueRows: names with their values, and notes, one below the other, as on the card of a network.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace tl::ui {

class ValueRows final : public QWidget {
  Q_OBJECT
 public:
  explicit ValueRows(QWidget* parent = nullptr);
  enum class Weight { normal, strong };
  void add_row(const QString& name, const QString& value, Weight weight);
  void add_class_row(const QString& name, const QString& value, QRgb color);  // of a class of labels
  struct Badge {
    QString word, tone, meaning;
  };
  void add_judged_row(const QString& name, const QString& value, const Badge& verdict);
  void add_note(const QString& text);  // empty: none

 private:
  QHBoxLayout* add(const QString& name, const QString& value, Weight weight, const QColor& mark);
  QVBoxLayout* column_;
};

}  // namespace tl::ui
