// ValueEditor: the part of a form in which one value is changed; one kind of editor for each kind of parameter.
#pragma once

#include <QString>
#include <QWidget>

#include "core/node/params.h"
#include "widgets/text/entry_line.h"

namespace tl::ui {

// A step of its own, or one of the many while a slider is dragged.
enum class Change { step, drag };

// Shows a value and hands over what the user makes of it, unchecked: the field that owns it validates.
class ValueEditor : public QWidget {
  Q_OBJECT
 public:
  ValueEditor(const ParamDecl& decl, QWidget* parent);
  [[nodiscard]] const ParamDecl& decl() const { return decl_; }

  virtual void show_value(const ParamValue& value) = 0;  // std::monostate: "auto"
  virtual void show_validity(Validity validity) = 0;
  virtual void show_learned(bool learned) { Q_UNUSED(learned); }

 Q_SIGNALS:
  void entered(const tl::ParamValue& value, tl::ui::Change change);
  void unreadable(const tl::Error& error);  // what stands there is no value of this kind
  void left();                              // given up: the value of before is to be shown again

 protected:
  // Reads a text, with `unit` for a number that has none, and emits entered or unreadable.
  void enter_text(const QString& text, Unit unit, Change change);

 private:
  const ParamDecl& decl_;
};

// The editor that fits the declaration.
ValueEditor* make_editor(const ParamDecl& decl, QWidget* parent);

}  // namespace tl::ui
