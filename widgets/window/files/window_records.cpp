// WindowRecords: a record in JSON, a lock and perhaps a copy per window, named by machine, process and time.
#include "widgets/window/files/window_records.h"

#include <fcntl.h>
#include <sys/file.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSet>
#include <QSysInfo>
#include <QThread>
#include <algorithm>
#include <cerrno>

#include "widgets/session/strokes_files.h"

namespace tl::ui {
namespace {

constexpr int renewed_every_ms = 30'000;
constexpr int longest_save_ms = 2000, look_every_ms = 10;
constexpr qint64 gone_after_s = 180;  // [s] for a window on another machine; renewals may be late if the disk is slow

QString this_host() { return QSysInfo::machineHostName(); }

// Whether a process holds the lock; false if the lock file does not exist.
bool is_locked(const QString& file) {
  const io::FileDescriptor lock(::open(QFile::encodeName(file).constData(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  return lock.is_open() && flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// Canonical path, so that a file has one name, however it was opened.
QString same_name(const QString& pipeline) {
  const QString canonical = QFileInfo(pipeline).canonicalFilePath();
  return canonical.isEmpty() ? QFileInfo(pipeline).absoluteFilePath() : canonical;
}

}  // namespace

const QString WindowRecords::copy_ending = QStringLiteral(".json");
const QString WindowRecords::record_ending = QStringLiteral(".window");
const QString WindowRecords::lock_ending = QStringLiteral(".lock");

WindowRecords::WindowRecords(const QString& folder, QObject* parent)
    : QObject(parent), folder_(folder.isEmpty() ? folder_of_unsaved() + QStringLiteral("/windows") : folder) {
  QDir().mkpath(folder_);
  static const QRegularExpression not_in_names(QStringLiteral("[^A-Za-z0-9-]"));
  const QString start = QStringLiteral("%1-%2-%3")
                            .arg(this_host().replace(not_in_names, QStringLiteral("_")))
                            .arg(QCoreApplication::applicationPid())
                            .arg(QDateTime::currentMSecsSinceEpoch());
  // Exclusive: two windows of one process may begin in the same millisecond.
  for (int i = 1; i < 100 && !lock_.is_open(); ++i) {
    name_ = i == 1 ? start : QStringLiteral("%1-%2").arg(start).arg(i);
    lock_ = io::FileDescriptor(::open(QFile::encodeName(file(name_, lock_ending)).constData(),
                                      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  }
  if (lock_.is_open()) (void)flock(lock_.get(), LOCK_EX | LOCK_NB);
  write();
  heartbeat_.setInterval(renewed_every_ms);
  connect(&heartbeat_, &QTimer::timeout, this, &WindowRecords::write);
  heartbeat_.start();
}

WindowRecords::~WindowRecords() {
  if (!QFileInfo::exists(copy_file())) QFile::remove(file(name_, record_ending));
  QFile::remove(file(name_, lock_ending));
}

QString WindowRecords::file(const QString& name, const QString& ending) const {
  return folder_ + QLatin1Char('/') + name + ending;
}

void WindowRecords::set_pipeline(const QString& path, const QByteArray& content) {
  const QString named = path.isEmpty() ? QString() : same_name(path);
  if (named == pipeline_ && content == content_) return;
  if (named != pipeline_) opened_ = QDateTime::currentDateTimeUtc();
  pipeline_ = named;
  content_ = content;
  write();
}

// If the record cannot be written (full disk), the window is only invisible to other windows.
void WindowRecords::write() const {
  const QJsonObject record{{QStringLiteral("host"), this_host()},
                           {QStringLiteral("process"), QCoreApplication::applicationPid()},
                           {QStringLiteral("pipeline"), pipeline_},
                           {QStringLiteral("opened"), opened_.toString(Qt::ISODate)},
                           {QStringLiteral("content"), QString::fromLatin1(content_.toHex())}};
  QSaveFile out(file(name_, record_ending));
  if (!out.open(QIODevice::WriteOnly)) return;
  out.write(QJsonDocument(record).toJson());
  out.commit();
}

WindowRecord WindowRecords::record_of(const QString& name) const {
  WindowRecord window;
  window.name = file(name, {});
  QFile in(file(name, record_ending));
  const QJsonObject record =
      in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll()).object() : QJsonObject();
  window.host = record[QStringLiteral("host")].toString(this_host());
  window.process = record[QStringLiteral("process")].toInteger();
  window.pipeline = record[QStringLiteral("pipeline")].toString();
  window.opened = QDateTime::fromString(record[QStringLiteral("opened")].toString(), Qt::ISODate);
  window.content = QByteArray::fromHex(record[QStringLiteral("content")].toString().toLatin1());
  if (const QFileInfo copy(file(name, copy_ending)); copy.isFile()) {
    window.copy = copy.filePath();
    window.changed = copy.lastModified();
  }
  return window;
}

bool WindowRecords::is_alive(const WindowRecord& window) const {
  if (is_locked(window.name + lock_ending)) return true;
  const QFileInfo record(window.name + record_ending);
  return window.host != this_host() && record.exists() &&
         record.lastModified().secsTo(QDateTime::currentDateTime()) < gone_after_s;
}

std::vector<WindowRecord> WindowRecords::others() const {
  QSet<QString> names;
  for (const QString& ending : {record_ending, copy_ending})
    for (const QString& found : QDir(folder_).entryList({QLatin1Char('*') + ending}, QDir::Files))
      names.insert(found.chopped(ending.size()));
  names.remove(name_);
  std::vector<WindowRecord> all;
  for (const QString& name : names) all.push_back(record_of(name));
  return all;
}

std::vector<WindowRecord> WindowRecords::others_with(const QString& pipeline) const {
  std::vector<WindowRecord> all = others();
  const QString wanted = same_name(pipeline);
  std::erase_if(all, [&](const WindowRecord& w) { return w.pipeline != wanted || !is_alive(w); });
  return all;
}

std::vector<WindowRecord> WindowRecords::left_copies() const {
  std::vector<WindowRecord> all = others();
  std::erase_if(all, [&](const WindowRecord& w) { return is_alive(w); });
  for (const WindowRecord& w : all)
    if (w.copy.isEmpty()) discard(w);
  std::erase_if(all, [](const WindowRecord& w) { return w.copy.isEmpty(); });
  add_copies_of_earlier_versions(all);
  std::sort(all.begin(), all.end(), [](const WindowRecord& a, const WindowRecord& b) { return a.changed > b.changed; });
  return all;
}

// unsaved.json, unsaved.json.old and unsaved.json.PROCESS, in the folder above.
void WindowRecords::add_copies_of_earlier_versions(std::vector<WindowRecord>& all) const {
  static const QRegularExpression copies(QStringLiteral("^unsaved\\.json(\\.old|\\.\\d+)?$"));
  const QDir above = QFileInfo(folder_).dir();
  for (const QFileInfo& found : above.entryInfoList({QStringLiteral("unsaved.json*")}, QDir::Files)) {
    if (!copies.match(found.fileName()).hasMatch()) continue;
    WindowRecord gone;
    gone.host = this_host();
    gone.copy = found.filePath();
    gone.changed = found.lastModified();
    all.push_back(gone);
  }
}

void WindowRecords::discard(const WindowRecord& gone) {
  if (!gone.copy.isEmpty()) QFile::remove(gone.copy);
  if (gone.name.isEmpty()) return;
  QFile::remove(gone.name + record_ending);
  QFile::remove(gone.name + lock_ending);
}

io::FileDescriptor WindowRecords::lock_saving() const {
  const QByteArray name = QFile::encodeName(folder_ + QStringLiteral("/saving"));
  io::FileDescriptor lock(::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  for (int waited = 0; lock.is_open() && waited < longest_save_ms; waited += look_every_ms) {
    if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) break;
    QThread::msleep(look_every_ms);
  }
  return lock;
}

QString owner_text(const WindowRecord& window) {
  const bool here = window.host == this_host();
  return here ? WindowRecords::tr("process %1 on this machine").arg(window.process)
              : WindowRecords::tr("process %1 on %2").arg(window.process).arg(window.host);
}

}  // namespace tl::ui
