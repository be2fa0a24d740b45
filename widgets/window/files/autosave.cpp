// Autosave: saves a copy of a modified pipeline, through QSaveFile a moment after a change; removes it once
// the pipeline is saved.
#include "widgets/window/files/autosave.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include "core/graph/graph_json.h"
#include "widgets/session/strokes_files.h"

namespace tl::ui {
namespace {

constexpr int pause_ms = 1500;  // a kill loses two seconds at most

QString user_file() { return folder_of_unsaved() + QStringLiteral("/unsaved.json"); }

}  // namespace

Autosave::Autosave(Document& document, const QString& file, QObject* parent)
    : QObject(parent), document_(document), file_(file.isEmpty() ? user_file() : file) {
  QDir().mkpath(QFileInfo(file_).absolutePath());
  lock_ = std::make_unique<QLockFile>(file_ + QStringLiteral(".lock"));
  // never stale by age, for a studio may run for weeks; a crashed owner is recognised by its process id
  lock_->setStaleLockTime(0);
  if (!lock_->tryLock()) {
    file_ += QStringLiteral(".%1").arg(QCoreApplication::applicationPid());
  } else if (has_copy()) {
    recovery_ = file_ + QStringLiteral(".old");
    QFile::remove(recovery_);
    QFile::rename(file_, recovery_);
  }
  timer_.setSingleShot(true);
  timer_.setInterval(pause_ms);
  connect(&timer_, &QTimer::timeout, this, &Autosave::save_now);
  const auto changed = [this] {
    // Not begun anew: who paints without a pause is saved too.
    if (document_.is_modified() && !timer_.isActive()) timer_.start();
  };
  connect(&document_, &Document::graph_changed, this, changed);
  connect(&document_, &Document::layout_changed, this, changed);
  connect(&document_, &Document::title_changed, this, [this] {
    if (!document_.is_modified()) discard();
  });
}

bool Autosave::has_copy() const { return QFileInfo::exists(file_); }

void Autosave::save_now() {
  if (!document_.is_modified()) return;
  QSaveFile out(file_);
  if (!out.open(QIODevice::WriteOnly)) return;  // autosave fails silently, so as not to interrupt the user
  out.write(QByteArray::fromStdString(to_json(document_.saved_graph())));
  out.commit();
}

void Autosave::discard_recovery() {
  QFile::remove(recovery_);
  recovery_.clear();
}

void Autosave::discard() {
  timer_.stop();
  QFile::remove(file_);
}

}  // namespace tl::ui
