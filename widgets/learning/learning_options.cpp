// LearningOptions: edits the settings of learning that are rarely changed, in a collapsed form.
#include "widgets/learning/learning_options.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <limits>

#include "widgets/text/found_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr std::array methods{learn::Method::automatic, learn::Method::newton,   learn::Method::lbfgs,
                             learn::Method::adam,      learn::Method::nesterov, learn::Method::sgd};
constexpr int max_iterations = 100'000, max_restarts = 100;

}  // namespace

LearningOptions::LearningOptions(LearningSession& learning, QWidget* parent)
    : QWidget(parent),
      learning_(learning),
      fold_(new QToolButton(this)),
      body_(new QWidget(this)),
      method_(new QComboBox(body_)),
      iterations_(new QSpinBox(body_)),
      restarts_(new QSpinBox(body_)),
      seed_(new QSpinBox(body_)),
      views_(new QDoubleSpinBox(body_)),
      rows_(new QDoubleSpinBox(body_)),
      survey_(new QCheckBox(tr("Look for other optima first"), body_)),
      errors_(new QCheckBox(tr("Estimate uncertainties"), body_)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  fold_->setProperty("role", "fold");
  fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold_->setText(tr("How it is learned"));
  fold_->setCheckable(true);
  connect(fold_, &QToolButton::toggled, this, &LearningOptions::open);
  column->addWidget(fold_, 0, Qt::AlignLeft);
  column->addWidget(body_);
  make_fields();
  open(false);
  connect(&learning_, &LearningSession::settings_changed, this, &LearningOptions::refresh);
  connect(&learning_, &LearningSession::state_changed, this, &LearningOptions::refresh);
  refresh();
}

void LearningOptions::open(bool is_open) {
  fold_->setChecked(is_open);
  fold_->setIcon(glyph_icon(is_open ? Glyph::chevron_down : Glyph::chevron_right));
  body_->setVisible(is_open);
}

void LearningOptions::make_fields() {
  auto* form = new QFormLayout(body_);
  form->setContentsMargins(Theme::space(2), 0, 0, 0);
  form->setVerticalSpacing(Theme::space(1));
  const auto change = [this](const std::function<void(learn::Settings&)>& edit) {
    learning_.change(tr("Change how it is learned"), edit);
  };
  for (const learn::Method m : methods) method_->addItem(method_name(m), static_cast<int>(m));
  connect(method_, &QComboBox::activated, this, [this, change](int index) {
    change([&](learn::Settings& s) { s.method = static_cast<learn::Method>(method_->itemData(index).toInt()); });
  });
  const auto whole = [&](QSpinBox* box, int low, int high, const std::function<void(learn::Settings&, int)>& set) {
    box->setRange(low, high);
    box->setKeyboardTracking(false);
    connect(box, &QSpinBox::valueChanged, this,
            [change, set](int value) { change([&](learn::Settings& s) { set(s, value); }); });
  };
  const auto share = [&](QDoubleSpinBox* box, double learn::Subsets::*member) {
    box->setRange(1, 100);
    box->setDecimals(0);
    box->setSuffix(QStringLiteral(" %"));
    box->setKeyboardTracking(false);
    connect(box, &QDoubleSpinBox::valueChanged, this,
            [change, member](double value) { change([&](learn::Settings& s) { s.subsets.*member = value / 100; }); });
  };
  whole(iterations_, 1, max_iterations, [](learn::Settings& s, int v) { s.stop.iterations = v; });
  whole(restarts_, 0, max_restarts, [](learn::Settings& s, int v) { s.restarts = v; });
  whole(seed_, 0, std::numeric_limits<int>::max(),
        [](learn::Settings& s, int v) { s.seed = static_cast<uint64_t>(v); });
  share(views_, &learn::Subsets::views);
  share(rows_, &learn::Subsets::rows);
  connect(survey_, &QCheckBox::clicked, this, [change](bool on) {
    change([&](learn::Settings& s) { s.survey = on ? learn::Survey::coarse : learn::Survey::none; });
  });
  connect(errors_, &QCheckBox::clicked, this, [change](bool on) {
    change([&](learn::Settings& s) { s.errors = on ? learn::Errors::sandwich : learn::Errors::none; });
  });
  const auto add = [&](const QString& title, QWidget* field, const QString& help) {
    field->setAccessibleName(title);
    field->setToolTip(help);
    form->addRow(title, field);
  };
  add(tr("Method"), method_, tr("Automatic: Newton for a few numbers, L-BFGS for many."));
  add(tr("At most"), iterations_, tr("Iterations of one descent."));
  iterations_->setSuffix(tr(" iterations"));
  add(tr("Restarts"), restarts_, tr("Further descents, from points drawn within reach."));
  add(tr("Views each time"), views_, tr("The share of the views that an iteration sees."));
  add(tr("Rows each time"), rows_, tr("The share of the detector rows that an iteration sees."));
  add(tr("Seed"), seed_, tr("Seed of all random numbers: the same seed gives the same run."));
  form->addRow(survey_);
  form->addRow(errors_);
}

void LearningOptions::refresh() {
  const learn::Settings& s = learning_.settings();
  const QSignalBlocker quiet[] = {QSignalBlocker(iterations_), QSignalBlocker(restarts_), QSignalBlocker(seed_),
                                  QSignalBlocker(views_), QSignalBlocker(rows_)};
  method_->setCurrentIndex(method_->findData(static_cast<int>(s.method)));
  iterations_->setValue(static_cast<int>(std::min<int64_t>(s.stop.iterations, max_iterations)));
  restarts_->setValue(static_cast<int>(s.restarts));
  seed_->setValue(static_cast<int>(std::min<uint64_t>(s.seed, std::numeric_limits<int>::max())));
  views_->setValue(100 * s.subsets.views);
  rows_->setValue(100 * s.subsets.rows);
  survey_->setChecked(s.survey == learn::Survey::coarse);
  errors_->setChecked(s.errors == learn::Errors::sandwich);
  body_->setEnabled(!learning_.is_busy());
}

}  // namespace tl::ui
