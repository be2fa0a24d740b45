// ValueChooser: flags are choices of yes and no.
#include "widgets/views/value_chooser.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

#include "widgets/language/translated.h"
#include "widgets/theme/layouts.h"

namespace tl::ui {
namespace {
constexpr int chooser_width = 130;  // px
}

ValueChooser::ValueChooser(QWidget* parent) : QWidget(parent), line_(new QLineEdit), list_(new QComboBox) {
  auto* row = framed(new QHBoxLayout(this));
  for (QWidget* editor : {static_cast<QWidget*>(line_), static_cast<QWidget*>(list_)}) {
    editor->setAccessibleName(tr("Value of the parameter in B"));
    row->addWidget(editor, 0, Qt::AlignLeft);
  }
  line_->setFixedWidth(chooser_width);
  list_->setMinimumWidth(chooser_width);
  list_->hide();
  setFocusProxy(line_);
  connect(line_, &QLineEdit::editingFinished, this, &ValueChooser::entered);
  connect(list_, &QComboBox::activated, this, &ValueChooser::entered);
}

void ValueChooser::set_parameter(const ParamDecl* decl, const QString& now) {
  const QString hint = decl == nullptr ? QString() : tr("now %1").arg(now);
  line_->clear();
  line_->setPlaceholderText(hint);
  list_->clear();
  list_->setPlaceholderText(hint);
  const bool is_flag = decl != nullptr && decl->kind == ParamKind::flag;
  const bool is_list = is_flag || (decl != nullptr && decl->kind == ParamKind::choice);
  if (is_list && !decl->automatic.empty()) list_->addItem(tr("auto"), QStringLiteral("auto"));
  if (is_flag) {
    list_->addItem(tr("yes"), QStringLiteral("true"));
    list_->addItem(tr("no"), QStringLiteral("false"));
  } else if (is_list) {
    for (const Choice& choice : decl->choices)
      list_->addItem(translated(choice.title), QString::fromStdString(choice.name));
  }
  list_->setCurrentIndex(-1);
  list_->setVisible(is_list);
  line_->setVisible(!is_list);
  setFocusProxy(is_list ? static_cast<QWidget*>(list_) : line_);
}

QString ValueChooser::value() const { return list_->count() > 0 ? list_->currentData().toString() : line_->text(); }

void ValueChooser::set_value(const QString& value) {
  list_->setCurrentIndex(list_->findData(value));
  line_->setText(value);
  line_->setCursorPosition(0);
}

}  // namespace tl::ui
