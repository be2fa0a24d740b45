// BackgroundWork: starts the command line in a session of its own, and reads the result from its folder.
#include "widgets/window/files/background_work.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QUuid>

#include "widgets/session/command_line.h"
#include "widgets/session/strokes_files.h"

namespace tl::ui {
namespace {

constexpr int look_ms = 5000;
constexpr qint64 start_s = 30;  // time until the shell has written its process id

// Arguments: the job's folder, the folder to run in, the file whose lock is waited for, the texts at a good and a bad
// end, then the command. The end is there as a whole or not at all.
constexpr const char* script =
    "job=$1; folder=$2; lock=$3; good=$4; bad=$5; shift 5\n"
    "echo $$ > \"$job/process\"\n"
    "cd \"$folder\" || exit 1\n"
    "if [ -n \"$lock\" ] && [ -e \"$lock\" ]; then flock -w 60 \"$lock\" true; fi\n"
    "\"$@\" > \"$job/log\" 2>&1\n"
    "code=$?\n"
    "echo $code > \"$job/end.part\" && mv \"$job/end.part\" \"$job/end\"\n"
    "[ $code -eq 0 ] && text=$good || text=$bad\n"
    "if command -v notify-send > /dev/null; then notify-send -a Tomoloom Tomoloom \"$text\"; fi\n";

QByteArray content(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.read(1 << 16) : QByteArray();
}

// The process id may belong to another process by now: the job's command contains the folder of the job.
bool is_alive(const QString& place) {
  const qint64 process = content(place + QStringLiteral("/process")).trimmed().toLongLong();
  return process > 0 && content(QStringLiteral("/proc/%1/cmdline").arg(process)).contains(QFile::encodeName(place));
}

}  // namespace

QString BackgroundJob::log() const { return place + QStringLiteral("/log"); }

BackgroundWork::BackgroundWork(const QString& folder, QObject* parent)
    : QObject(parent), folder_(folder.isEmpty() ? folder_of_unsaved() + QStringLiteral("/background") : folder) {
  timer_.setInterval(look_ms);
  connect(&timer_, &QTimer::timeout, this, &BackgroundWork::look);
}

QString BackgroundWork::obstacle() const {
  return command_line_program().isEmpty() ? tr("The program tomoloom is not installed") : QString();
}

Result<QString> BackgroundWork::new_job_folder() const {
  const QString place = folder_ + QDateTime::currentDateTimeUtc().toString(QStringLiteral("/yyyyMMdd-HHmmss-")) +
                        QUuid::createUuid().toString(QUuid::Id128).left(8);
  if (QDir().mkpath(place)) return place;
  return io_error("the folder of the work cannot be made", place.toStdString(), "Free some space on this disk");
}

Result<void> BackgroundWork::start(const QString& place, const BackgroundRequest& request) {
  const QJsonObject about{{QStringLiteral("title"), request.title},
                          {QStringLiteral("folder"), request.folder},
                          {QStringLiteral("begun"), QDateTime::currentDateTimeUtc().toString(Qt::ISODate)}};
  QFile file(place + QStringLiteral("/about.json"));
  const QByteArray text = QJsonDocument(about).toJson();
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
    return io_error("the work cannot be described", file.fileName().toStdString(), "Free some space on this disk");
  file.close();
  const QStringList arguments = QStringList{QStringLiteral("-c"),
                                            QString::fromLatin1(script),
                                            QStringLiteral("tomoloom-background"),
                                            place,
                                            request.folder,
                                            request.waits_for,
                                            tr("%1: done").arg(request.title),
                                            tr("%1: failed").arg(request.title)} +
                                request.words;
  if (!QProcess::startDetached(QStringLiteral("/bin/sh"), arguments))
    return io_error("the program of the command line cannot be started", command_line_program().toStdString());
  return ok();
}

BackgroundJob BackgroundWork::job_at(const QString& place) const {
  BackgroundJob job;
  job.place = place;
  const QJsonObject about = QJsonDocument::fromJson(content(place + QStringLiteral("/about.json"))).object();
  job.title = about.value(QStringLiteral("title")).toString();
  job.folder = about.value(QStringLiteral("folder")).toString();
  job.begun = QDateTime::fromString(about.value(QStringLiteral("begun")).toString(), Qt::ISODate);
  const QByteArray end = content(place + QStringLiteral("/end")).trimmed();
  if (!end.isEmpty()) {
    job.state = end == "0" ? BackgroundJob::State::done : BackgroundJob::State::failed;
  } else {
    const bool begins = !QFileInfo::exists(place + QStringLiteral("/process")) &&
                        job.begun.secsTo(QDateTime::currentDateTimeUtc()) < start_s;
    job.state = begins || is_alive(place) ? BackgroundJob::State::running : BackgroundJob::State::failed;
  }
  return job;
}

std::vector<BackgroundJob> BackgroundWork::jobs() const {
  std::vector<BackgroundJob> all;
  for (const QString& name : QDir(folder_).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    const QString place = folder_ + QLatin1Char('/') + name;
    const bool is_known = QFileInfo::exists(place + QStringLiteral("/reported"));
    BackgroundJob job = job_at(place);
    if (!is_known && job.begun.isValid()) all.push_back(std::move(job));
  }
  return all;
}

void BackgroundWork::look() {
  bool runs = false;
  for (const BackgroundJob& job : jobs()) {
    if (job.state == BackgroundJob::State::running) {
      runs = true;
      if (!seen_.contains(job.place)) Q_EMIT goes_on(job);
      seen_ << job.place;
      continue;
    }
    // The window that creates this file reports the end.
    QFile reported(job.place + QStringLiteral("/reported"));
    if (reported.open(QIODevice::WriteOnly | QIODevice::NewOnly)) Q_EMIT ended(job);
  }
  if (runs)
    timer_.start();
  else
    timer_.stop();
}

}  // namespace tl::ui
