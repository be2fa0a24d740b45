// PerViewDialog: edits a table with one number per view, which can be typed, pasted or loaded from a text file.
#include "widgets/inspector/editors/per_view_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/inspector/editors/per_view_model.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr qint64 largest_file = 16 << 20;  // bytes, enough for a million views
}

PerViewDialog::PerViewDialog(const ParamDecl& decl, const NumberList& list, QWidget* parent)
    : QDialog(parent), decl_(decl), model_(new PerViewModel(decl, list, this)), problem_(new QLabel(this)) {
  setWindowTitle(translated(decl.title));
  resize(Theme::space(90), Theme::space(120));
  auto* help = as_note(new QLabel(translated(decl.help), this));
  auto* table = new QTableView(this);
  table->setModel(model_);
  table->horizontalHeader()->setStretchLastSection(true);
  table->setAccessibleName(windowTitle());
  problem_->setProperty("tone", "error");
  problem_->setWordWrap(true);
  problem_->hide();

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  auto* load_button = buttons->addButton(tr("Load text file…"), QDialogButtonBox::ActionRole);
  auto* paste = buttons->addButton(tr("Paste"), QDialogButtonBox::ActionRole);
  auto* clear = buttons->addButton(tr("Clear"), QDialogButtonBox::ResetRole);
  connect(load_button, &QPushButton::clicked, this, [this] {
    const QString file = QFileDialog::getOpenFileName(this, tr("Load one number per view"));
    if (!file.isEmpty()) load(file);
  });
  connect(paste, &QPushButton::clicked, this, [this] { take_text(QApplication::clipboard()->text()); });
  connect(clear, &QPushButton::clicked, this, [this] { model_->set_list({{}, decl_.unit}); });
  connect(buttons, &QDialogButtonBox::accepted, this, &PerViewDialog::accept_list);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* column = spaced(new QVBoxLayout(this), 3, {4, 4, 4, 4});
  column->addWidget(help);
  column->addWidget(table, 1);
  column->addWidget(problem_);
  column->addWidget(buttons);
}

void PerViewDialog::load(const QString& file) {
  QFile text(file);
  if (!text.open(QIODevice::ReadOnly) || text.size() > largest_file) {
    problem_->setText(text.size() > largest_file ? tr("The file is too large for a list of numbers.")
                                                 : text.errorString());
    problem_->show();
    return;
  }
  take_text(QString::fromUtf8(text.readAll()));
}

void PerViewDialog::take_text(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
  const QString joined = text.split(between, Qt::SkipEmptyParts).join(QChar(','));
  const Result<ParamValue> value = parse_value(decl_, joined.toStdString());
  problem_->setVisible(!value.ok());
  if (value.ok()) {
    model_->set_list(std::get<NumberList>(value.value()));
  } else {
    problem_->setText(reason_text(value.error()));
  }
}

void PerViewDialog::accept_list() {
  const Result<void> valid = decl_.validate(ParamValue{model_->list()});
  problem_->setVisible(!valid.ok());
  if (!valid.ok()) {
    problem_->setText(reason_text(valid.error()));
    return;
  }
  Q_EMIT chosen(model_->list());
  accept();
}

}  // namespace tl::ui
