// PruningForm: edits the plan of the next pruning.
#include "widgets/training/pruning_form.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "widgets/session/save_dialog.h"
#include "widgets/theme/compact_form.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int own_file = 1;  // index of the list
constexpr int max_pruning_steps = 1000, max_epochs_between = 100'000, max_steps_of_epoch = 1'000'000;
constexpr double min_per_cent = 0.1, max_per_cent = 99;

QString network_files() { return PruningForm::tr("Networks (*.safetensors *.onnx)"); }
QString core_text(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

}  // namespace

PruningForm::PruningForm(PruningSession& pruning, QWidget* parent)
    : QWidget(parent),
      pruning_(pruning),
      form_(new QFormLayout),
      origin_(new QComboBox(this)),
      method_(new QComboBox(this)),
      file_(new QLineEdit(this)),
      output_(new QLineEdit(this)),
      note_(new QLabel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  column->addLayout(form_);
  set_up_compact_form(*form_);
  make_network_fields();
  make_method_fields();
  make_training_fields();
  make_output_field();
  note_->setProperty("role", "second");
  note_->setWordWrap(true);
  column->addWidget(note_);
  connect(&pruning_, &PruningSession::settings_changed, this, &PruningForm::refresh);
  connect(&pruning_, &PruningSession::state_changed, this, &PruningForm::refresh);
  refresh();
}

void PruningForm::change(const std::function<void(train::PruningPlan&)>& edit) {
  train::PruningPlan plan = pruning_.plan();
  edit(plan);
  pruning_.set_plan(plan);
}

void PruningForm::add_row(const QString& title, QWidget* field, const QString& help) {
  field->setAccessibleName(title);
  field->setToolTip(help);
  form_->addRow(title, field);
  fields_.push_back(field);
}

QWidget* PruningForm::row_with_button(QLineEdit* line, const QString& help, const std::function<void()>& choose) {
  auto* field = new QWidget(this);
  auto* row = new QHBoxLayout(field);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::space(1));
  auto* browse = new QToolButton(field);
  browse->setIcon(glyph_icon(Glyph::folder));
  browse->setToolTip(help);
  browse->setAccessibleName(help);
  connect(browse, &QToolButton::clicked, this, choose);
  row->addWidget(line, 1);
  row->addWidget(browse);
  return field;
}

QSpinBox* PruningForm::whole(int low, int high, int64_t train::PruningPlan::*member) {
  auto* box = new QSpinBox(this);
  box->setRange(low, high);
  box->setKeyboardTracking(false);
  connect(box, &QSpinBox::valueChanged, this,
          [this, member](int value) { change([&](train::PruningPlan& p) { p.*member = value; }); });
  shows_.emplace_back([box, member](const train::PruningPlan& p) {
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(std::min<int64_t>(p.*member, std::numeric_limits<int>::max())));
  });
  return box;
}

QDoubleSpinBox* PruningForm::share() {
  auto* box = new QDoubleSpinBox(this);
  box->setDecimals(1);
  box->setRange(min_per_cent, max_per_cent);
  box->setSuffix(tr(" % of the filters"));
  box->setKeyboardTracking(false);
  connect(box, &QDoubleSpinBox::valueChanged, this,
          [this](double value) { change([&](train::PruningPlan& p) { p.keep = value / 100; }); });
  shows_.emplace_back([box](const train::PruningPlan& p) {
    const QSignalBlocker quiet(box);
    box->setValue(100 * p.keep);
  });
  return box;
}

void PruningForm::make_network_fields() {
  origin_->addItems({tr("the network of the node"), tr("a network file…")});
  add_row(tr("Prune"), origin_, tr("The network of the node Network that is selected, or any other one."));
  connect(origin_, &QComboBox::activated, this, [this](int index) {
    if (index == own_file) return choose_network();
    change([](train::PruningPlan& p) { p.network.clear(); });
  });
  file_->setReadOnly(true);
  file_->setAccessibleName(tr("Network to prune"));
  file_->setPlaceholderText(tr("none"));
  QWidget* row = row_with_button(file_, tr("Choose another network to prune"), [this] { choose_network(); });
  form_->addRow(tr("File"), row);
  fields_.push_back(row);
}

void PruningForm::make_method_fields() {
  for (const net::PruneMethod m : net::prune_methods) {
    method_->addItem(core_text(net::title_of(m)), static_cast<int>(m));
    method_->setItemData(method_->count() - 1, core_text(net::what_is_kept_by(m)), Qt::ToolTipRole);
  }
  add_row(tr("Method"), method_, {});
  connect(method_, &QComboBox::activated, this, [this](int index) {
    change([&](train::PruningPlan& p) { p.method = static_cast<net::PruneMethod>(method_->itemData(index).toInt()); });
  });
  add_row(tr("Keep"), share(), tr("Share of the filters that is left at the end."));
  add_row(tr("Steps"), whole(1, max_pruning_steps, &train::PruningPlan::steps),
          tr("Each keeps the same share of what the step before left."));
}

void PruningForm::make_training_fields() {
  epochs_ = whole(0, max_epochs_between, &train::PruningPlan::epochs);
  epochs_->setSuffix(tr(" epochs"));
  epochs_->setSpecialValueText(tr("not at all"));
  add_row(tr("Trained for"), epochs_,
          tr("Training of what is left on the labels of the pipeline, after each step; 0: none. Slices, patches, "
             "learning rate "
             "and what validates are those of the tab Network."));
  epoch_steps_ = whole(1, max_steps_of_epoch, &train::PruningPlan::epoch_steps);
  add_row(tr("Steps in each"), epoch_steps_, tr("Patches that are shown in an epoch of this training."));
}

void PruningForm::make_output_field() {
  output_->setAccessibleName(tr("Name of the pruned network"));
  QWidget* row = row_with_button(output_, tr("Choose where the pruned network goes"), [this] { choose_output(); });
  form_->addRow(tr("Save as"), row);
  connect(output_, &QLineEdit::editingFinished, this, [this] {
    if (output_->isModified()) pruning_.set_output(output_->text().trimmed());
    output_->setModified(false);
  });
}

void PruningForm::choose_network() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Prune a network"), pruning_.network_file(),
                                                    network_files() + QStringLiteral(";;") + tr("All files (*)"));
  if (!file.isEmpty()) change([&](train::PruningPlan& p) { p.network = file.toStdString(); });
  refresh();  // the list, where nothing was chosen
}

// Whether it replaces a file is asked when it is saved.
void PruningForm::choose_output() {
  const QString file = ask_for_file(
      this, {tr("Save the pruned network"), pruning_.output().network, network_files(), PruningSession::endings()},
      AskReplace::later);
  if (!file.isEmpty()) pruning_.set_output(file);
}

void PruningForm::refresh() {
  const train::PruningPlan& plan = pruning_.plan();
  for (const auto& show : shows_) show(plan);
  origin_->setCurrentIndex(plan.network.empty() ? 0 : own_file);
  method_->setCurrentIndex(method_->findData(static_cast<int>(plan.method)));
  method_->setToolTip(tr("Keeps %1.").arg(core_text(net::what_is_kept_by(plan.method))));
  const QString file = pruning_.network_file();
  file_->setText(QFileInfo(file).fileName());
  file_->setToolTip(file);
  const PrunedOutput output = pruning_.output();
  output_->setText(QFileInfo(output.network).fileName());
  output_->setToolTip(output.network.isEmpty()
                          ? tr("Name of the pruned network (.safetensors, .onnx)")
                          : tr("%1\nThe report with norm and fate of every filter goes next to it: %2")
                                .arg(output.network, QFileInfo(output.report).fileName()));
  output_->setEnabled(!output.network.isEmpty());
  for (QWidget* field : fields_) field->setEnabled(!pruning_.is_busy());
  const bool has_labels = pruning_.has_labels();
  epochs_->setEnabled(!pruning_.is_busy() && has_labels);
  if (!has_labels) {
    const QSignalBlocker quiet(epochs_);
    epochs_->setValue(0);
  }
  epoch_steps_->setEnabled(epochs_->isEnabled() && plan.epochs > 0);
  note_->setVisible(!pruning_.trains());
  note_->setText(has_labels
                     ? tr("Nothing is trained after the steps: the filters that are left keep their weights, and the "
                          "network segments worse than it could.")
                     : tr("Nothing is labelled in this pipeline, so that nothing is trained after the steps: the "
                          "filters that are left keep their weights, and the network segments worse than it could."));
}

}  // namespace tl::ui
