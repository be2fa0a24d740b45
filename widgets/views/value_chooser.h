// ValueChooser: input of another value of a parameter: a list of the declared choices, or else a text line.
#pragma once

#include <QWidget>

#include "core/node/params.h"

class QComboBox;
class QLineEdit;

namespace tl::ui {

// GUI thread only.
class ValueChooser final : public QWidget {
  Q_OBJECT
 public:
  explicit ValueChooser(QWidget* parent = nullptr);
  // Initially without a value; `now` is the parameter's value as text, shown until another one is entered. `decl` may
  // be null.
  void set_parameter(const ParamDecl* decl, const QString& now);
  // Text as on the command line; empty while no value is entered.
  [[nodiscard]] QString value() const;
  void set_value(const QString& value);

 Q_SIGNALS:
  void entered();

 private:
  QLineEdit* line_;
  QComboBox* list_;
};

}  // namespace tl::ui
