// ValueEditor: base class of the editors in a form; one derived class per kind of parameter.
#pragma once

#include <QString>
#include <QWidget>

#include "core/node/params.h"
#include "widgets/text/entry_line.h"

namespace tl::ui {

// A separate undo step, or one of many changes during a drag.
enum class Change { step, drag };

// Shows a value and emits what the user enters. Values are not validated here, but by the ParamField.
class ValueEditor : public QWidget {
  Q_OBJECT
 public:
  ValueEditor(const ParamDecl& decl, QWidget* parent);
  [[nodiscard]] const ParamDecl& decl() const { return decl_; }

  virtual void show_value(const ParamValue& value) = 0;  // std::monostate: "auto"
  // The standard deviation of the value shown next; 0 = not known. While not editing, digits below it are omitted.
  virtual void set_sigma(double sigma) { Q_UNUSED(sigma); }
  virtual void show_validity(Validity validity) = 0;
  virtual void show_learned(bool learned) { Q_UNUSED(learned); }

 Q_SIGNALS:
  void entered(const tl::ParamValue& value, tl::ui::Change change);
  void unreadable(const tl::Error& error);  // the text is not a value of this kind
  void left();                              // editing was cancelled: the owner shows the previous value again

 protected:
  // Makes `field` the only content, below the title of the parameter.
  void hold(QWidget* field);
  // Parses the text (`unit` applies to numbers without one) and emits entered() or unreadable().
  void enter_text(const QString& text, Unit unit, Change change);

 private:
  const ParamDecl& decl_;
};

// Creates the editor for the declaration.
ValueEditor* make_editor(const ParamDecl& decl, QWidget* parent);

}  // namespace tl::ui
