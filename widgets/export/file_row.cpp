// FileRow: the ending follows the format.
#include "widgets/export/file_row.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/export/range_form.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

FileRow::FileRow(ExportSession& session, QWidget* parent)
    : QWidget(parent), session_(session), name_(new QLineEdit), folder_(new QLabel) {
  auto* choose = new QPushButton(tr("Folder…"));
  choose->setAutoDefault(false);
  name_->setAccessibleName(tr("File"));
  name_->setToolTip(tr("The ending follows the format."));
  folder_->setProperty("role", "second");
  folder_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  auto* row = new QHBoxLayout;
  row->addWidget(export_row_label(tr("File")));
  row->addWidget(name_, 1);
  row->addWidget(choose);
  auto* below = new QHBoxLayout;
  below->addWidget(export_row_label({}));
  below->addWidget(folder_, 1);
  column->addLayout(row);
  column->addLayout(below);
  const auto folder = [this] { return QFileInfo(QString::fromStdString(session_.settings().file)).path(); };
  connect(name_, &QLineEdit::textEdited, this, [this, folder](const QString& name) { set(folder(), name); });
  connect(name_, &QLineEdit::editingFinished, this, [this] {
    const exports::Format* const format = session_.format();
    if (format == nullptr || name_->text().isEmpty()) return;
    const std::string named = exports::named_for(*format, session_.formats(), session_.settings().file);
    if (named != session_.settings().file) session_.change([&](exports::Settings& s) { s.file = named; });
  });
  connect(choose, &QPushButton::clicked, this, [this, folder] {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Export to"), folder());
    if (!chosen.isEmpty()) set(chosen, name_->text());
  });
  connect(&session_, &ExportSession::changed, this, &FileRow::show_session);
  show_session();
}

// If `name` contains a folder, `folder` is ignored.
void FileRow::set(const QString& folder, const QString& name) {
  const QString path = name.isEmpty() ? folder + QLatin1Char('/') : QDir(folder).filePath(name.trimmed());
  session_.change([&](exports::Settings& s) { s.file = path.toStdString(); });
}

void FileRow::take_keyboard() {
  name_->setFocus();
  name_->selectAll();
}

void FileRow::show_session() {
  const QFileInfo file(QString::fromStdString(session_.settings().file));
  if (!name_->hasFocus() || QFileInfo(name_->text()).fileName() != file.fileName()) name_->setText(file.fileName());
  folder_->setText(tr("in %1").arg(QDir::toNativeSeparators(file.path())));
  folder_->setToolTip(folder_->text());
}

}  // namespace tl::ui
