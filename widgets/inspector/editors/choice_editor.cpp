// ChoiceEditor: edits a named choice with a combo box.
#include "widgets/inspector/editors/choice_editor.h"

#include <QComboBox>
#include <QEvent>

#include "widgets/language/translated.h"
#include "widgets/theme/style_property.h"

namespace tl::ui {

ChoiceEditor::ChoiceEditor(const ParamDecl& decl, QWidget* parent)
    : ValueEditor(decl, parent), box_(new QComboBox(this)) {
  hold(box_);
  box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box_->setMinimumContentsLength(6);
  box_->setFocusPolicy(Qt::StrongFocus);
  // The item without data is "auto".
  if (!decl.automatic.empty()) box_->addItem(tr("auto: %1").arg(translated(decl.automatic)));
  for (const Choice& c : decl.choices) box_->addItem(translated(c.title), QString::fromStdString(c.name));
  connect(box_, &QComboBox::activated, this, [this](int index) {
    const QVariant name = box_->itemData(index);
    Q_EMIT entered(name.isValid() ? ParamValue{name.toString().toStdString()} : ParamValue{}, Change::step);
  });
}

void ChoiceEditor::show_value(const ParamValue& value) {
  const auto* name = std::get_if<std::string>(&value);
  box_->setCurrentIndex(name != nullptr ? box_->findData(QString::fromStdString(*name)) : 0);
}
void ChoiceEditor::show_validity(Validity validity) {
  set_style_property(*box_, "invalid", validity == Validity::invalid);
}

}  // namespace tl::ui
