// Builds the form for the resources of a job, and the window of its log.
#include "widgets/queue/slurm_forms.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/theme/layouts.h"

namespace tl::ui {
namespace {

constexpr double gigabyte = 1e9;
constexpr int most_cores = 4096, most_gpus = 64, most_minutes = 10 * 366 * 24 * 60;
constexpr double most_gigabytes = 1e6;

QSpinBox* number(QWidget* parent, int64_t value, int low, int high) {
  auto* box = new QSpinBox(parent);
  box->setRange(low, high);
  box->setValue(static_cast<int>(std::clamp<int64_t>(value, low, high)));
  return box;
}

QString end_of(const std::filesystem::path& log) {
  constexpr qint64 most = 200'000;
  QFile file(QFile::decodeName(log.c_str()));
  if (!file.open(QIODevice::ReadOnly)) return {};
  if (file.size() > most) file.seek(file.size() - most);
  return QString::fromUtf8(file.read(most));
}

}  // namespace

std::optional<JobResources> ask_for_resources(QWidget* parent, const SlurmRequest& request) {
  QDialog dialog(parent);
  dialog.setWindowTitle(QDialog::tr("Send to Slurm"));
  JobResources r = request.resources;
  auto* cores = number(&dialog, r.cores, 1, most_cores);
  auto* gpus = number(&dialog, r.gpus, 0, most_gpus);
  auto* memory = new QDoubleSpinBox(&dialog);
  memory->setRange(0.1, most_gigabytes);
  memory->setDecimals(1);
  memory->setSuffix(QStringLiteral(" GB"));
  // Rounded up, so that the forecast fits.
  memory->setValue(std::ceil(10 * static_cast<double>(r.memory) / gigabyte) / 10);
  auto* minutes = number(&dialog, r.minutes, 0, most_minutes);
  minutes->setSuffix(QDialog::tr(" min"));
  minutes->setSpecialValueText(QDialog::tr("as the partition allows"));
  auto* partition = new QLineEdit(QString::fromStdString(r.partition), &dialog);
  auto* account = new QLineEdit(QString::fromStdString(r.account), &dialog);
  partition->setPlaceholderText(QDialog::tr("the cluster's default"));
  account->setPlaceholderText(QDialog::tr("yours"));
  auto* form = new QFormLayout;
  form->addRow(QDialog::tr("Cores of a scan"), cores);
  form->addRow(QDialog::tr("Memory of a scan"), memory);
  form->addRow(QDialog::tr("Time of a scan at most"), minutes);
  form->addRow(QDialog::tr("GPUs of a scan"), gpus);
  form->addRow(QDialog::tr("Partition"), partition);
  form->addRow(QDialog::tr("Account"), account);
  auto* note = as_note(new QLabel(request.basis, &dialog));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, &dialog);
  auto* send = buttons->addButton(
      request.rows == 1 ? QDialog::tr("Send 1 scan") : QDialog::tr("Send %1 scans").arg(request.rows),
      QDialogButtonBox::AcceptRole);
  send->setProperty("role", "primary");
  send->setDefault(true);
  auto* column = spaced(new QVBoxLayout(&dialog), 3, {4, 4, 4, 4});
  column->addLayout(form);
  column->addWidget(note);
  column->addWidget(buttons);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  r.cores = cores->value();
  r.gpus = gpus->value();
  r.memory = static_cast<int64_t>(memory->value() * gigabyte);
  r.minutes = minutes->value();
  r.partition = partition->text().trimmed().toStdString();
  r.account = account->text().trimmed().toStdString();
  return r;
}

void show_log(QWidget* parent, const QString& title, const std::filesystem::path& log) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->resize(Theme::space(180), Theme::space(120));
  auto* text = new QPlainTextEdit(dialog);
  text->setReadOnly(true);
  text->setPlaceholderText(QDialog::tr("The job has written nothing yet"));
  text->setAccessibleName(title);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  auto* again = buttons->addButton(QDialog::tr("Read again"), QDialogButtonBox::ActionRole);
  auto* column = spaced(new QVBoxLayout(dialog), 3, {4, 4, 4, 4});
  column->addWidget(text, 1);
  column->addWidget(as_note(new QLabel(QFile::decodeName(log.c_str()), dialog)));
  column->addWidget(buttons);
  const auto read = [text, log] {
    text->setPlainText(end_of(log));
    text->moveCursor(QTextCursor::End);
  };
  QObject::connect(again, &QPushButton::clicked, dialog, read);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  read();
  dialog->show();
}

}  // namespace tl::ui
