// Preferences: rows of labels and editors; every change is stored at once.
#include "widgets/window/preferences.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "widgets/language/language.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int dialog_width = 520;  // px
constexpr int label_width = 96;    // px
const QString field_label_name = QStringLiteral("field_label");
constexpr int max_memory = 4096;  // GB

QFormLayout* section_of(QVBoxLayout& column, const QString& title) {
  auto* heading = as_heading(new QLabel(title));
  column.addWidget(heading);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(Theme::space(4));
  form->setVerticalSpacing(Theme::space(2));
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  column.addLayout(form);
  return form;
}

// Labels of equal width, so that the fields of all sections form one column.
QLabel* field_label(const QString& text) {
  auto* label = new QLabel(text);
  label->setObjectName(field_label_name);
  return label;
}
void align_field_labels(const QWidget& form) {
  int width = label_width;
  const QList<QLabel*> labels = form.findChildren<QLabel*>(field_label_name);
  for (const QLabel* label : labels) width = std::max(width, label->sizeHint().width());
  for (QLabel* label : labels) label->setMinimumWidth(width);
}

QSpinBox* add_amount(QFormLayout& form, const QString& name, int most, const QString& unit, const QString& automatic,
                     int value, const std::function<void(int)>& take) {
  auto* box = new QSpinBox;
  box->setRange(0, most);
  box->setSuffix(unit);
  box->setSpecialValueText(automatic);
  box->setValue(value);
  box->setAccessibleName(name);
  QObject::connect(box, &QSpinBox::valueChanged, box, take);
  form.addRow(field_label(name), box);
  return box;
}

void folder_row(QFormLayout& form, const QString& name, const QString& automatic, const QString& value,
                const std::function<void(const QString&)>& take) {
  auto* whole = new QWidget;
  auto* row = spaced(new QHBoxLayout(whole), 2);
  auto* line = new QLineEdit(value);
  line->setPlaceholderText(automatic);
  line->setAccessibleName(name);
  auto* choose = new QPushButton(Preferences::tr("Choose…"));
  choose->setAutoDefault(false);
  row->addWidget(line, 1);
  row->addWidget(choose);
  QObject::connect(line, &QLineEdit::textEdited, line, [take](const QString& text) { take(text.trimmed()); });
  QObject::connect(choose, &QPushButton::clicked, line, [line, name, take] {
    const QString folder = QFileDialog::getExistingDirectory(line->window(), name, line->text());
    if (folder.isEmpty()) return;
    line->setText(QDir::toNativeSeparators(folder));
    take(folder);
  });
  form.addRow(field_label(name), whole);
}

}  // namespace

Preferences::Preferences(Settings& settings, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      computing_(settings.computing()),
      begun_(settings.computing_at_start()),
      begun_scale_(settings.scale_at_start()),
      begun_language_(settings.language_at_start()),
      restart_(new QLabel(this)) {
  setWindowTitle(tr("Preferences"));
  auto* column = spaced(new QVBoxLayout(this), 3, {5, 4, 5, 4});
  // Not the minimum width of the dialog, which then could not grow with longer words.
  column->addStrut(dialog_width - Theme::space(10));
  add_look(*column);
  add_computing(*column);
  add_folders(*column);
  align_field_labels(*this);
  restart_->setWordWrap(true);
  restart_->setProperty("tone", "warning");
  restart_->setText(tr("Some changes take effect at the next start."));
  column->addWidget(restart_);
  column->addStretch(1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  note_restart();
}

void Preferences::add_look(QVBoxLayout& column) {
  QFormLayout* form = section_of(column, tr("Look"));
  auto* theme = new QComboBox(this);
  theme->setAccessibleName(tr("Theme"));
  for (const QString& name : Theme::names()) theme->addItem(Theme::title(name), name);
  theme->setCurrentIndex(theme->findData(Theme::instance().name()));
  connect(theme, &QComboBox::activated, this, [this, theme] { Q_EMIT theme_wanted(theme->currentData().toString()); });
  form->addRow(field_label(tr("Theme")), theme);
  connect(&Theme::instance(), &Theme::changed, theme,
          [theme] { theme->setCurrentIndex(theme->findData(Theme::instance().name())); });
  auto* scale = new QComboBox(this);
  scale->setAccessibleName(tr("Scale"));
  for (const int percent : Settings::scales()) scale->addItem(tr("%1 %").arg(percent), percent);
  scale->setCurrentIndex(scale->findData(settings_.scale_percent()));
  connect(scale, &QComboBox::activated, this, [this, scale] {
    settings_.set_scale_percent(scale->currentData().toInt());
    note_restart();
  });
  form->addRow(field_label(tr("Scale")), scale);
  auto* language = new QComboBox(this);
  language->setAccessibleName(tr("Language"));
  language->addItem(tr("of the system"), QString());
  for (const Language& one : languages()) language->addItem(one.title, one.key);
  language->setCurrentIndex(std::max(0, language->findData(settings_.language())));
  connect(language, &QComboBox::activated, this, [this, language] {
    settings_.set_language(language->currentData().toString());
    note_restart();
  });
  form->addRow(field_label(tr("Language")), language);
}

void Preferences::add_computing(QVBoxLayout& column) {
  QFormLayout* form = section_of(column, tr("Computing"));
  const auto store = [this] {
    settings_.set_computing(computing_);
    note_restart();
  };
  add_amount(*form, tr("Threads"), 2 * QThread::idealThreadCount(), {},
             tr("automatic: %1").arg(QThread::idealThreadCount()), computing_.threads, [this, store](int value) {
               computing_.threads = value;
               store();
             });
  add_amount(*form, tr("Memory"), max_memory, tr(" GB"), tr("automatic: 80 % of the free memory"), computing_.memory_gb,
             [this, store](int value) {
               computing_.memory_gb = value;
               store();
             })
      ->setToolTip(tr("Memory that a run may use, including the cache."));
  add_amount(*form, tr("Cache"), max_memory, tr(" GB"), tr("automatic: a quarter of the memory"), computing_.cache_gb,
             [this, store](int value) {
               computing_.cache_gb = value;
               store();
             })
      ->setToolTip(tr("Memory for cached results: a part of the memory above, at most half of it."));
}

void Preferences::add_folders(QVBoxLayout& column) {
  QFormLayout* form = section_of(column, tr("Folders"));
  const auto store = [this] {
    settings_.set_computing(computing_);
    note_restart();
  };
  folder_row(*form, tr("Results"), tr("where the studio was started"), computing_.results,
             [this, store](const QString& f) {
               computing_.results = f;
               store();
             });
  folder_row(*form, tr("Scratch files"), tr("automatic: TMPDIR or /var/tmp"), computing_.scratch,
             [this, store](const QString& f) {
               computing_.scratch = f;
               store();
             });
}

void Preferences::note_restart() {
  restart_->setVisible(!(computing_ == begun_) || settings_.scale_percent() != begun_scale_ ||
                       settings_.language() != begun_language_);
}

}  // namespace tl::ui
