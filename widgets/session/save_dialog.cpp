// Asks for a file to save in. Qt's own question about an existing file comes before the ending is added, so it would be
// about another file.
#include "widgets/session/save_dialog.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

namespace tl::ui {
namespace {

QString words(const char* text) { return QCoreApplication::translate("SaveDialog", text); }

}  // namespace

bool may_replace(QWidget* parent, const QString& path) {
  QMessageBox box(QMessageBox::NoIcon, words("The file exists"),
                  words("Replace %1?").arg(QDir::toNativeSeparators(path)), QMessageBox::NoButton, parent);
  box.setTextFormat(Qt::PlainText);
  QPushButton* replace = box.addButton(words("Replace"), QMessageBox::AcceptRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == replace;
}

QString with_ending(const QString& name, const QStringList& endings) {
  const auto has = [&](const QString& ending) {
    return !ending.isEmpty() && QFileInfo(name).fileName().size() > ending.size() &&
           name.endsWith(ending, Qt::CaseInsensitive);
  };
  if (endings.isEmpty() || std::any_of(endings.begin(), endings.end(), has)) return name;
  return name + endings.constFirst();
}

QString ask_for_file(QWidget* parent, const SaveQuestion& question, AskReplace replace) {
  QString path = question.name;
  while (true) {
    path = QFileDialog::getSaveFileName(parent, question.title, path, question.filter, nullptr,
                                        QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty()) return {};
    path = with_ending(path, question.endings);
    if (replace == AskReplace::later || !QFileInfo::exists(path) || may_replace(parent, path)) return path;
  }
}

}  // namespace tl::ui
