// Finds the program of the command line.
#include "widgets/session/command_line.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace tl::ui {

QString command_line_program() {
  const QString given = qEnvironmentVariable(command_line_variable);
  if (!given.isEmpty()) return given;
  const QString name = QStringLiteral("tomoloom");
  const QFileInfo sibling(QDir(QCoreApplication::applicationDirPath()).filePath(name));
  return sibling.isExecutable() ? sibling.absoluteFilePath() : QStandardPaths::findExecutable(name);
}

}  // namespace tl::ui
