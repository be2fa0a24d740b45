// NumberField: line editor for an optional number with a unit.
#pragma once

#include <QWidget>
#include <optional>

#include "core/node/params.h"

namespace tl::ui {

class EntryLine;

class NumberField final : public QWidget {
  Q_OBJECT
 public:
  // `name`: accessible name. Numbers are shown in `unit`; compatible units may be typed ("1.2 mm").
  NumberField(const QString& name, Unit unit, QWidget* parent = nullptr);
  void show_number(const std::optional<Number>& number);
  void set_placeholder(const QString& text);  // explains what an empty field means
  void set_unit(Unit unit);
  [[nodiscard]] const std::optional<Number>& number() const { return number_; }

 Q_SIGNALS:
  void changed(const std::optional<tl::Number>& number);

 private:
  void take(const QString& text);
  void show_refused(const QString& why);
  EntryLine* line_;
  Unit unit_;
  std::optional<Number> number_;
};

}  // namespace tl::ui
