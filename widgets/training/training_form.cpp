// TrainingForm: edits the plan of the next training.
#include "widgets/training/training_form.h"

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
#include <cmath>
#include <limits>

#include "widgets/theme/compact_form.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int max_batch = 64, max_patch = 4096, max_epochs = 1'000'000, max_gap = 10'000;

}  // namespace

TrainingForm::TrainingForm(TrainingSession& training, QWidget* parent)
    : QWidget(parent),
      training_(training),
      form_(new QFormLayout),
      begin_(new QComboBox(this)),
      planes_(new QComboBox(this)),
      file_(new QLineEdit(this)),
      file_row_(new QWidget(this)),
      more_(new QToolButton(this)),
      more_body_(new QWidget(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  column->addLayout(form_);
  set_up_compact_form(*form_);
  make_network_fields(*form_);
  make_sample_fields(*form_);
  more_->setProperty("role", "fold");
  more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  more_->setText(tr("How it is trained"));
  more_->setCheckable(true);
  connect(more_, &QToolButton::toggled, this, &TrainingForm::open_more);
  column->addWidget(more_, 0, Qt::AlignLeft);
  column->addWidget(more_body_);
  auto* more = new QFormLayout(more_body_);
  set_up_compact_form(*more);
  more->setContentsMargins(Theme::space(2), 0, 0, 0);
  make_more_fields(*more);
  open_more(false);
  connect(&training_, &TrainingSession::settings_changed, this, &TrainingForm::refresh);
  connect(&training_, &TrainingSession::state_changed, this, &TrainingForm::refresh);
  refresh();
}

void TrainingForm::open_more(bool open) {
  more_->setIcon(glyph_icon(open ? Glyph::chevron_down : Glyph::chevron_right));
  more_body_->setVisible(open);
}

void TrainingForm::change(const std::function<void(train::TrainingPlan&)>& edit) {
  train::TrainingPlan plan = training_.plan();
  edit(plan);
  training_.set_plan(plan);
}

void TrainingForm::add_row(QFormLayout& form, const QString& title, QWidget* field, const QString& help) {
  field->setAccessibleName(title);
  field->setToolTip(help);
  form.addRow(title, field);
  fields_.push_back(field);
}

QSpinBox* TrainingForm::whole(int low, int high, int64_t train::TrainingPlan::*member) {
  auto* box = new QSpinBox(this);
  box->setRange(low, high);
  box->setKeyboardTracking(false);
  connect(box, &QSpinBox::valueChanged, this,
          [this, member](int value) { change([&](train::TrainingPlan& p) { p.*member = value; }); });
  shows_.emplace_back([box, member](const train::TrainingPlan& p) {
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(std::min<int64_t>(p.*member, std::numeric_limits<int>::max())));
  });
  return box;
}

QDoubleSpinBox* TrainingForm::rate() {
  auto* box = new QDoubleSpinBox(this);
  box->setDecimals(4);
  box->setRange(1e-4, 1);
  box->setSingleStep(1e-4);
  box->setKeyboardTracking(false);
  connect(box, &QDoubleSpinBox::valueChanged, this,
          [this](double value) { change([&](train::TrainingPlan& p) { p.rate = value; }); });
  shows_.emplace_back([box](const train::TrainingPlan& p) {
    const QSignalBlocker quiet(box);
    box->setValue(p.rate);
  });
  return box;
}

QSpinBox* TrainingForm::share() {
  auto* box = new QSpinBox(this);
  box->setRange(5, 90);
  box->setSuffix(QStringLiteral(" %"));
  box->setKeyboardTracking(false);
  connect(box, &QSpinBox::valueChanged, this,
          [this](int value) { change([&](train::TrainingPlan& p) { p.share = value / 100.0; }); });
  shows_.emplace_back([box](const train::TrainingPlan& p) {
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(std::lround(100 * p.share)));
  });
  return box;
}

void TrainingForm::make_network_fields(QFormLayout& form) {
  QString advice = tr("A network with random weights, or one that was trained before.");
  for (const net::Architecture& a : net::architectures()) {
    if (!a.offer) continue;
    begin_->addItem(tr("a new %1").arg(QString::fromUtf8(a.offer->title)), QString::fromLatin1(a.name));
    advice += QLatin1Char(' ') + QString::fromUtf8(a.offer->advice);
  }
  begin_->addItem(tr("a network file…"), QString(""));
  add_row(form, tr("Begin with"), begin_, advice);
  connect(begin_, &QComboBox::activated, this, [this](int index) {
    const std::string network = begin_->itemData(index).toString().toStdString();
    if (network.empty()) return choose_file();
    change([&](train::TrainingPlan& p) {
      p.weights.clear();
      p.network = network;
    });
  });
  for (const net::Architecture& a : net::architectures())
    for (const net::Setting& s : a.settings)
      if (a.offer && s.field) add_setting(form, a.name, s);
  auto* row = new QHBoxLayout(file_row_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::space(1));
  file_->setReadOnly(true);
  file_->setAccessibleName(tr("Network file"));
  auto* browse = new QToolButton(file_row_);
  browse->setIcon(glyph_icon(Glyph::folder));
  browse->setToolTip(tr("Choose another network file"));
  browse->setAccessibleName(browse->toolTip());
  connect(browse, &QToolButton::clicked, this, &TrainingForm::choose_file);
  row->addWidget(file_, 1);
  row->addWidget(browse);
  form.addRow(tr("File"), file_row_);
  fields_.push_back(file_row_);
}

void TrainingForm::add_setting(QFormLayout& form, const std::string& network, const net::Setting& setting) {
  auto* box = new QSpinBox(this);
  box->setRange(static_cast<int>(setting.low), static_cast<int>(setting.field->high));
  box->setSuffix(QString::fromUtf8(setting.field->suffix));
  box->setKeyboardTracking(false);
  connect(box, &QSpinBox::valueChanged, this, [this, name = std::string(setting.name)](int value) {
    change([&](train::TrainingPlan& p) { p.settings[name] = value; });
  });
  add_row(form, QString::fromUtf8(setting.field->title), box, QString::fromUtf8(setting.field->help));
  shows_.emplace_back([this, box, network, setting](const train::TrainingPlan& p) {
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(train::chosen_setting(p, setting)));
    show_row(box, p.weights.empty() && p.network == network);
  });
}

void TrainingForm::show_row(QWidget* field, bool shown) {
  field->setVisible(shown);
  form_->labelForField(field)->setVisible(shown);
}

void TrainingForm::make_sample_fields(QFormLayout& form) {
  for (const auto& choice : train::choices_of<train::Planes>())
    planes_->addItem(QString::fromStdString(choice.title), QString::fromStdString(choice.name));
  add_row(form, tr("Learns from"), planes_,
          tr("Planes of all directions are for networks that are to label oblique slices."));
  connect(planes_, &QComboBox::activated, this, [this](int index) {
    const std::string name = planes_->itemData(index).toString().toStdString();
    change(
        [&](train::TrainingPlan& p) { p.planes = choice_with_name(train::choices_of<train::Planes>(), name)->value; });
  });
  QSpinBox* patch = whole(0, max_patch, &train::TrainingPlan::patch);
  patch->setSuffix(tr(" voxels"));
  patch->setSpecialValueText(tr("whole slices"));
  add_row(form, tr("Patches of"), patch, tr("Edge of the patches that the network is trained on; 0: whole slices."));
  add_row(form, tr("Epochs"), whole(1, max_epochs, &train::TrainingPlan::epochs),
          tr("At most: it ends sooner when no better epoch comes."));
  add_row(form, tr("Steps in each"), whole(1, max_epochs, &train::TrainingPlan::steps),
          tr("Patches that the network is trained on before it is validated again."));
}

void TrainingForm::make_more_fields(QFormLayout& form) {
  add_row(form, tr("Learning rate"), rate(), tr("Smaller is steadier and slower."));
  add_row(form, tr("Patches in a step"), whole(1, max_batch, &train::TrainingPlan::batch),
          tr("More are steadier and take longer. Of whole slices there are several only where all are squares of one "
             "size."));
  QSpinBox* patience = whole(0, max_epochs, &train::TrainingPlan::patience);
  patience->setSuffix(tr(" epochs"));
  patience->setSpecialValueText(tr("never"));
  add_row(form, tr("Ends early after"), patience, tr("Epochs without a lower validation loss; 0: never."));
  add_row(form, tr("Validates with"), share(),
          tr("Share of the labelled voxels for validation: the network is not trained on them, but scored by them."));
  QSpinBox* gap = whole(0, max_gap, &train::TrainingPlan::gap);
  gap->setSuffix(tr(" voxels"));
  add_row(form, tr("Gap"), gap,
          tr("Gap between training and validation block, since neighbouring slices are nearly equal."));
}

void TrainingForm::choose_file() {
  const QString before = QString::fromStdString(training_.plan().weights.string());
  const QString file = QFileDialog::getOpenFileName(this, tr("Begin with a network"), before,
                                                    tr("Networks (*.safetensors *.onnx);;All files (*)"));
  if (!file.isEmpty()) change([&](train::TrainingPlan& p) { p.weights = file.toStdString(); });
  refresh();  // the list, where nothing was chosen
}

void TrainingForm::refresh() {
  const train::TrainingPlan& plan = training_.plan();
  const bool is_new = plan.weights.empty();
  for (const auto& show : shows_) show(plan);
  begin_->setCurrentIndex(begin_->findData(is_new ? QString::fromStdString(plan.network) : QString("")));
  planes_->setCurrentIndex(planes_->findData(QString::fromStdString(train::word_of(plan.planes))));
  const QString file = QString::fromStdString(plan.weights.string());
  file_->setText(QFileInfo(file).fileName());
  file_->setToolTip(file);
  show_row(file_row_, !is_new);
  for (QWidget* field : fields_) field->setEnabled(!training_.is_busy());
}

}  // namespace tl::ui
