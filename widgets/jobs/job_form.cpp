// JobForm: makes fields, and fills and enables them.
#include "widgets/jobs/job_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "widgets/jobs/job_page.h"
#include "widgets/theme/compact_form.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr int min_letters = 12;  // minimum width of a list: the form's width limits it, not its longest item
}

JobForm::JobForm(JobSession& job, QWidget* parent)
    : QWidget(parent), job_(job), column_(new QVBoxLayout(this)), rows_(new QFormLayout) {
  spaced(column_, 1);
  column_->addLayout(rows_);
  set_up_compact_form(*rows_);
  connect(&job_, &JobSession::settings_changed, this, &JobForm::refresh);
  connect(&job_, &JobSession::state_changed, this, &JobForm::refresh);
}

void JobForm::fold(const QString& title) {
  auto* body = new QWidget(this);
  add_fold(*column_, title, body);
  rows_ = new QFormLayout(body);
  set_up_compact_form(*rows_);
  rows_->setContentsMargins(Theme::space(2), 0, 0, 0);
}

void JobForm::add_row(const QString& title, QWidget* field, const QString& help) {
  field->setAccessibleName(title);
  field->setToolTip(help);
  rows_->addRow(title, field);
  fields_.push_back(field);
}

QDoubleSpinBox* JobForm::add_number(const NumberRow& row, std::function<double()> get,
                                    std::function<void(double)> set) {
  auto* box = new QDoubleSpinBox(this);
  box->setDecimals(row.decimals);
  box->setRange(row.low, row.high);
  box->setSingleStep(row.step);
  box->setSuffix(row.suffix);
  box->setSpecialValueText(row.at_lowest);
  box->setKeyboardTracking(false);
  connect(box, &QDoubleSpinBox::valueChanged, this, std::move(set));
  shows_.emplace_back([box, get = std::move(get)] {
    const QSignalBlocker quiet(box);
    box->setValue(get());
  });
  add_row(row.title, box, row.help);
  return box;
}

QComboBox* JobForm::add_list(const QString& title, const QString& help, const std::vector<ListItem>& items,
                             std::function<QVariant()> get, std::function<void(const QVariant&)> set) {
  auto* list = new QComboBox(this);
  list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list->setMinimumContentsLength(min_letters);
  for (const ListItem& item : items) {
    list->addItem(item.text, item.value);
    list->setItemData(list->count() - 1, item.help, Qt::ToolTipRole);
  }
  connect(list, &QComboBox::activated, this, [list, set = std::move(set)](int index) { set(list->itemData(index)); });
  shows_.emplace_back([list, get = std::move(get)] { list->setCurrentIndex(list->findData(get())); });
  add_row(title, list, help);
  return list;
}

void JobForm::add_text(const TextRow& row, std::function<QString()> get, std::function<void(const QString&)> set) {
  auto* line = new QLineEdit(this);
  line->setPlaceholderText(row.placeholder);
  connect(line, &QLineEdit::editingFinished, this, [line, set = std::move(set)] { set(line->text()); });
  shows_.emplace_back([line, get = std::move(get)] { line->setText(get()); });
  add_row(row.title, line, row.help);
}

void JobForm::add_check(const QString& text, std::function<bool()> get, std::function<void(bool)> set) {
  auto* box = new QCheckBox(text, this);
  connect(box, &QCheckBox::clicked, this, std::move(set));
  shows_.emplace_back([box, get = std::move(get)] { box->setChecked(get()); });
  rows_->addRow(box);
  fields_.push_back(box);
}

QWidget* JobForm::add_file(const QString& title, QLineEdit* line, const QString& button_help,
                           std::function<void()> choose) {
  auto* field = new QWidget(this);
  auto* row = spaced(new QHBoxLayout(field), 1);
  auto* browse = new QToolButton(field);
  browse->setIcon(glyph_icon(Glyph::folder));
  browse->setToolTip(button_help);
  browse->setAccessibleName(button_help);
  connect(browse, &QToolButton::clicked, this, std::move(choose));
  row->addWidget(line, 1);
  row->addWidget(browse);
  rows_->addRow(title, field);
  return field;
}

QLabel* JobForm::add_note() {
  auto* note = as_note(new QLabel(this));
  column_->addWidget(note);
  return note;
}

void JobForm::show_row(QWidget* field, bool shown) {
  for (QFormLayout* rows : findChildren<QFormLayout*>())
    if (rows->indexOf(field) >= 0) rows->setRowVisible(field, shown);
}

void JobForm::refresh() {
  for (const auto& show : shows_) show();
  for (QWidget* field : fields_) field->setEnabled(!job_.is_busy());
  for (const auto& refresh : refreshes_) refresh();
}

}  // namespace tl::ui
