// FlagEditor: edits yes or no with a check box.
#include "widgets/inspector/editors/flag_editor.h"

#include <QCheckBox>

#include "widgets/language/translated.h"

namespace tl::ui {

FlagEditor::FlagEditor(const ParamDecl& decl, QWidget* parent) : ValueEditor(decl, parent), box_(new QCheckBox(this)) {
  hold(box_);
  box_->setTristate(false);
  connect(box_, &QCheckBox::clicked, this, [this](bool on) { Q_EMIT entered(ParamValue{on}, Change::step); });
}
void FlagEditor::show_value(const ParamValue& value) {
  const auto* flag = std::get_if<bool>(&value);
  box_->setChecked(flag != nullptr && *flag);
  box_->setText(flag == nullptr ? tr("auto: %1").arg(translated(decl().automatic)) : *flag ? tr("yes") : tr("no"));
}

}  // namespace tl::ui
