// Autosave: saves a copy of a modified pipeline, through QSaveFile a moment after a change; removes it once
// the pipeline is saved.
#include "widgets/window/files/autosave.h"

#include <QFileInfo>
#include <QSaveFile>

#include "core/graph/graph_json.h"

namespace tl::ui {
namespace {

constexpr int pause_ms = 1000;  // a kill loses two seconds at most

}  // namespace

Autosave::Autosave(Document& document, const QString& folder, QObject* parent)
    : QObject(parent), document_(document), records_(folder) {
  timer_.setSingleShot(true);
  timer_.setInterval(pause_ms);
  connect(&timer_, &QTimer::timeout, this, &Autosave::save_now);
  const auto changed = [this] {
    // Not restarted: otherwise painting without a pause would never be saved.
    if (document_.is_modified() && !timer_.isActive()) timer_.start();
  };
  connect(&document_, &Document::graph_changed, this, changed);
  connect(&document_, &Document::layout_changed, this, changed);
  connect(&document_, &Document::title_changed, this, [this] {
    records_.set_pipeline(document_.path(), document_.content());
    if (!document_.is_modified()) discard();
  });
  records_.set_pipeline(document_.path(), document_.content());
}

bool Autosave::has_copy() const { return QFileInfo::exists(records_.copy_file()); }

bool Autosave::save_now() {
  if (!document_.is_modified()) return false;
  QSaveFile out(records_.copy_file());
  if (!out.open(QIODevice::WriteOnly)) return false;  // autosave fails silently, so as not to interrupt the user
  out.write(QByteArray::fromStdString(to_json(document_.saved_graph())));
  return out.commit();
}

void Autosave::discard() {
  timer_.stop();
  QFile::remove(records_.copy_file());
}

}  // namespace tl::ui
