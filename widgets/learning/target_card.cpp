// TargetCard: edits start, range and scale of one parameter to learn, and unmarks it.
#include "widgets/learning/target_card.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/learning/number_field.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

TargetCard::TargetCard(const Shown& shown, QWidget* parent)
    : QFrame(parent),
      target_(shown.target),
      title_(new QLabel(this)),
      present_(new QLabel(this)),
      remove_(new QToolButton(this)) {
  setProperty("role", "card");
  auto* column = spaced(new QVBoxLayout(this), 1, {2, 1, 1, 2});
  auto* head = new QHBoxLayout;
  head->setSpacing(Theme::space(2));
  auto* nabla = new QLabel(QStringLiteral("∇"), this);
  nabla->setProperty("tone", "learnable");
  head->addWidget(nabla);
  title_->setWordWrap(true);
  head->addWidget(title_, 1);
  present_->setProperty("role", "second");
  present_->setFont(Theme::number_font());
  head->addWidget(present_);
  remove_->setIcon(glyph_icon(Glyph::cross));
  remove_->setAutoRaise(true);
  remove_->setToolTip(tr("Do not learn this parameter"));
  remove_->setAccessibleName(tr("Do not learn %1").arg(shown.title));
  head->addWidget(remove_);
  column->addLayout(head);
  connect(remove_, &QToolButton::clicked, this, &TargetCard::unmarked);
  if (shown.decl != nullptr && !shown.decl->per_view && shown.decl->kind != ParamKind::array) make_fields(shown);
  show_target(shown);
}

void TargetCard::make_fields(const Shown& shown) {
  const Unit unit = shown.decl->unit;
  auto* grid = framed(new QGridLayout, {0, 0, 1, 0});
  grid->setHorizontalSpacing(Theme::space(1));
  grid->setVerticalSpacing(1);
  const auto add = [&](int column, const QString& title, QWidget* field) {
    auto* label = new QLabel(title, this);
    label->setProperty("role", "second");
    QFont font = Theme::text_font();
    font.setPixelSize(11);
    label->setFont(font);
    grid->addWidget(label, 0, column);
    grid->addWidget(field, 1, column);
    grid->setColumnStretch(column, 1);
  };
  const auto number = [&](const QString& title, std::optional<Number> learn::Target::*member) {
    auto* field = new NumberField(tr("%1 of %2").arg(title, shown.title), unit, this);
    connect(field, &NumberField::changed, this, [this, member](const std::optional<Number>& value) {
      target_.*member = value;
      Q_EMIT edited(target_);
    });
    return field;
  };
  start_ = number(tr("Start"), &learn::Target::start);
  low_ = number(tr("From"), &learn::Target::low);
  high_ = number(tr("To"), &learn::Target::high);
  scale_ = new QComboBox(this);
  scale_->addItem(tr("linear"), static_cast<int>(learn::Scale::linear));
  scale_->addItem(tr("log"), static_cast<int>(learn::Scale::logarithmic));
  scale_->setAccessibleName(tr("Scale of %1").arg(shown.title));
  scale_->setToolTip(tr("Steps are equal in the value, or in its logarithm, which keeps it positive."));
  connect(scale_, &QComboBox::activated, this, [this](int index) {
    target_.scale = static_cast<learn::Scale>(scale_->itemData(index).toInt());
    Q_EMIT edited(target_);
  });
  add(0, tr("Start"), start_);
  add(1, tr("From"), low_);
  add(2, tr("To"), high_);
  add(3, tr("Scale"), scale_);
  low_->set_placeholder(bound_text(shown.decl->low));
  high_->set_placeholder(bound_text(shown.decl->high));
  static_cast<QVBoxLayout*>(layout())->addLayout(grid);
}

void TargetCard::show_target(const Shown& shown) {
  target_ = shown.target;
  const QString unit = shown.decl == nullptr ? QString() : unit_text(shown.decl->unit);
  const QString dark = unit.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(unit);
  title_->setText(QStringLiteral("<b>%1</b>%2 · %3")
                      .arg(shown.title.toHtmlEscaped(), dark.toHtmlEscaped(), shown.node_title.toHtmlEscaped()));
  present_->setText(shown.present);
  if (start_ == nullptr) return;
  start_->set_placeholder(shown.present.section(QLatin1Char(' '), 0, 0));
  start_->show_number(target_.start);
  low_->show_number(target_.low);
  high_->show_number(target_.high);
  scale_->setCurrentIndex(scale_->findData(static_cast<int>(target_.scale)));
}

void TargetCard::set_editable(bool editable) {
  remove_->setEnabled(editable);
  if (start_ == nullptr) return;
  for (QWidget* field : {static_cast<QWidget*>(start_), static_cast<QWidget*>(low_), static_cast<QWidget*>(high_),
                         static_cast<QWidget*>(scale_)})
    field->setEnabled(editable);
}

}  // namespace tl::ui
