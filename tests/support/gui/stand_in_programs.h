// Programs in a separate folder, first in PATH, that replace others: those of Slurm, or the command line program.
#pragma once

#include <QFile>
#include <QTemporaryDir>

namespace tl::test {

class StandInPrograms {
 public:
  StandInPrograms() : before_(qgetenv("PATH")) { qputenv("PATH", folder_.path().toUtf8() + ":" + before_); }
  ~StandInPrograms() {
    qputenv("PATH", before_);
    qunsetenv("TL_COMMAND_LINE");
  }
  StandInPrograms(const StandInPrograms&) = delete;
  StandInPrograms& operator=(const StandInPrograms&) = delete;
  [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
  void write(const QString& name, const QByteArray& text) const {
    QFile file(path(name));
    if (file.open(QIODevice::WriteOnly)) file.write(text);
  }
  void program(const QString& name, const QByteArray& body) const {
    write(name, "#!/bin/sh\n" + body + "\n");
    QFile::setPermissions(path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  void command_line(const QByteArray& body) const {
    program(QStringLiteral("tomoloom"), body);
    qputenv("TL_COMMAND_LINE", path(QStringLiteral("tomoloom")).toUtf8());
  }
  [[nodiscard]] QByteArray text(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

 private:
  QTemporaryDir folder_;
  QByteArray before_;
};

}  // namespace tl::test
