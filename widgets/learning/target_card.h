// TargetCard: settings of one parameter to learn: start, range, scale.
#pragma once

#include <QFrame>

#include "core/learn/learning_types.h"
#include "core/node/params.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace tl::ui {

class NumberField;

// One line of the Learning panel: start, range and scale of a parameter to learn, and a button that unmarks it.
class TargetCard final : public QFrame {
  Q_OBJECT
 public:
  struct Shown {
    learn::Target target;
    const ParamDecl* decl = nullptr;
    QString title, node_title, present;  // "Axis", "Set geometry", "0 px"
  };
  TargetCard(const Shown& shown, QWidget* parent);
  void show_target(const Shown& shown);
  void set_editable(bool editable);

 Q_SIGNALS:
  void edited(const tl::learn::Target& target);
  void unmarked();

 private:
  void make_fields(const Shown& shown);
  learn::Target target_;
  QLabel *title_, *present_;
  QToolButton* remove_;
  NumberField *start_ = nullptr, *low_ = nullptr, *high_ = nullptr;
  QComboBox* scale_ = nullptr;
};

}  // namespace tl::ui
