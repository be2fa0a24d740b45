// ParamField: shows and edits one parameter; an entered value that the declaration does not allow is marked red and not
// emitted.
#include "widgets/inspector/param_field.h"

#include <QContextMenuEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <algorithm>

#include "widgets/language/translated.h"
#include "widgets/text/entry_line.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int title_width = 104, widest_title = 150;  // [px]
constexpr int mark_width = 20;                        // [px]

QToolButton* small_button(QWidget* parent, Glyph glyph, const QString& name) {
  auto* button = new QToolButton(parent);
  button->setIcon(glyph_icon(glyph));
  button->setFixedSize(mark_width, mark_width);
  button->setIconSize({12, 12});
  button->setToolTip(name);
  button->setAccessibleName(name);
  return button;
}

}  // namespace

ParamField::ParamField(const ParamDecl& decl, QWidget* parent)
    : QWidget(parent),
      decl_(decl),
      title_(new QLabel(this)),
      reason_(new QLabel(this)),
      stack_(new QStackedLayout),
      marks_(new QHBoxLayout) {
  setObjectName(QStringLiteral("field.") + QString::fromStdString(decl.name));
  setToolTip(tooltip_of(decl));
  const QString title = translated(decl.title);
  title_->setText(title);
  title_->setWordWrap(true);
  title_->setFixedWidth(title_width);
  title_->setMinimumHeight(26);
  title_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  reset_ = small_button(this, Glyph::reset, tr("Back to the default: %1").arg(shown_value(decl, decl.initial)));
  auto policy = reset_->sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(policy);
  connect(reset_, &QToolButton::clicked, this, &ParamField::reset);

  editor_ = make_editor(decl, this);
  stack_->addWidget(editor_);
  stack_->addWidget(make_driven_row());
  setFocusProxy(editor_);
  connect(editor_, &ValueEditor::entered, this, &ParamField::take);
  connect(editor_, &ValueEditor::unreadable, this, [this](const Error& error) { refuse(reason_text(error)); });
  connect(editor_, &ValueEditor::left, this, [this] { show_state(state_); });

  reason_->setObjectName(QStringLiteral("reason"));
  reason_->setProperty("tone", "error");
  reason_->setWordWrap(true);
  reason_->hide();
  auto* grid = framed(new QGridLayout(this));
  grid->setHorizontalSpacing(Theme::space(1));
  grid->setVerticalSpacing(0);
  // Row 0 is for a title that is too long for the first column.
  grid->addWidget(title_, 1, 0, Qt::AlignTop);
  grid->addLayout(stack_, 1, 1);
  marks_->setContentsMargins(0, 3, 0, 0);
  marks_->setSpacing(0);
  add_marks(*marks_);
  grid->addLayout(marks_, 1, 2, Qt::AlignTop);
  grid->addWidget(reason_, 2, 1, 1, 2);
  grid->setColumnStretch(1, 1);
}

int ParamField::longest_word() const {
  int longest = 0;
  for (const QString& word : title_->text().split(QLatin1Char(' ')))
    longest = std::max(longest, title_->fontMetrics().horizontalAdvance(word) + 1);
  return longest;
}
int ParamField::wanted_title_width() const { return std::clamp(longest_word(), title_width, widest_title); }
void ParamField::set_title_width(int width) {
  if (longest_word() <= width) return title_->setFixedWidth(width);
  auto* grid = static_cast<QGridLayout*>(layout());
  grid->removeWidget(title_);
  title_->setMaximumWidth(QWIDGETSIZE_MAX);
  title_->setMinimumWidth(0);
  grid->addWidget(title_, 0, 0, 1, 3);
}

void ParamField::reserve_learn_mark() {
  if (learn_ == nullptr) marks_->insertSpacing(0, mark_width);
}

void ParamField::add_marks(QHBoxLayout& row) {
  if (decl_.learnable) {
    learn_ = small_button(this, Glyph::nabla, tr("Learn this value"));
    learn_->setCheckable(true);
    row.addWidget(learn_);
    connect(learn_, &QToolButton::clicked, this, &ParamField::learn_toggled);
  }
  row.addWidget(reset_);
}

QWidget* ParamField::make_driven_row() {
  auto* row = new QWidget(this);
  auto* layout = framed(new QHBoxLayout(row));
  auto* sign = new QLabel(row);
  sign->setPixmap(glyph_icon(Glyph::link, Token::accent).pixmap(14, 14));
  driver_ = new QLabel(row);
  driver_->setObjectName(QStringLiteral("driver"));
  driver_->setWordWrap(true);
  auto* cut = small_button(row, Glyph::cross, tr("Remove the driving link"));
  layout->addWidget(sign);
  layout->addWidget(driver_, 1);
  layout->addWidget(cut);
  connect(cut, &QToolButton::clicked, this, [this] { Q_EMIT drive_wanted({}); });
  return row;
}

QString ParamField::reason() const { return reason_->isHidden() ? QString() : reason_->text(); }

void ParamField::take(const ParamValue& value, Change change) {
  if (const Result<void> valid = decl_.validate(value); !valid.ok()) {
    refuse(reason_text(valid.error()));
    return;
  }
  reason_->hide();
  editor_->show_validity(Validity::valid);
  Q_EMIT changed(value, change);
}

void ParamField::refuse(const QString& reason) {
  reason_->setText(reason);
  reason_->show();
  editor_->show_validity(Validity::invalid);
}

void ParamField::show_state(const FieldState& state) {
  state_ = state;
  editor_->set_sigma(state.sigma);
  editor_->show_value(state.value);
  editor_->show_learned(state.learned);
  reset_->setVisible(!state.is_default);
  if (learn_ != nullptr) {
    learn_->setChecked(state.learned);
    learn_->setIcon(glyph_icon(Glyph::nabla, state.learned ? Token::learnable : Token::text_second));
  }
  driver_->setText(state.driven_by);
  stack_->setCurrentIndex(state.driven_by.isEmpty() ? 0 : 1);
  if (state.problem.isEmpty()) {
    reason_->hide();
    editor_->show_validity(Validity::valid);
  } else {
    refuse(state.problem);
  }
}

void ParamField::fill_menu(QMenu& menu) {
  menu.addAction(glyph_icon(Glyph::reset), tr("Back to the default"), this, &ParamField::reset)
      ->setEnabled(!state_.is_default);
  if (!decl_.automatic.empty())
    menu.addAction(tr("Automatic: %1").arg(translated(decl_.automatic)), this,
                   [this] { take(ParamValue{}, Change::step); });
  if (learn_ != nullptr) {
    QAction* learn = menu.addAction(tr("Learn this value"), this, &ParamField::learn_toggled);
    learn->setCheckable(true);
    learn->setChecked(state_.learned);
  }
  if (decl_.kind != ParamKind::number && decl_.kind != ParamKind::integer) return;
  menu.addAction(tr("Sweep this…"), this, &ParamField::sweep_wanted);
  QMenu* drive = menu.addMenu(glyph_icon(Glyph::link), tr("Drive this by a link"));
  drive->setEnabled(!state_.sources.isEmpty());
  for (const QString& source : state_.sources)
    drive->addAction(source, this, [this, source] { Q_EMIT drive_wanted(source); });
  if (!state_.driven_by.isEmpty())
    menu.addAction(tr("Remove the driving link"), this, [this] { Q_EMIT drive_wanted({}); });
}

void ParamField::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu;
  fill_menu(menu);
  menu.exec(event->globalPos());
}

}  // namespace tl::ui
