// FileOpener: looks at a file off the window's thread and says what it is: a pipeline, a result that holds one, or a
// scan for which a pipeline is chosen.
#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <optional>

#include "core/graph/graph.h"
#include "core/io/scan_info.h"

namespace tl::ui {

struct Opened {
  Graph graph;
  QString pipeline_file;        // where saving writes to; empty: the file is a scan or a result
  QStringList reasons, doubts;  // of the choice, for a scan
  std::optional<Error> error;   // the graph is empty
};

class FileOpener final : public QObject {
  Q_OBJECT
 public:
  explicit FileOpener(const Registry& registry, QObject* parent = nullptr);
  ~FileOpener() override;  // waits for a look that is under way
  void open(const QString& path, io::OutsideLinks outside_links = io::OutsideLinks::refuse);
  // Not for the window's thread.
  static Opened look_at(const QString& path, const Registry& registry,
                        io::OutsideLinks outside_links = io::OutsideLinks::refuse);

 Q_SIGNALS:
  void opened(const QString& path, const tl::ui::Opened& what);

 private:
  const Registry& registry_;
  QThreadPool pool_;
  int newest_ = 0;  // answers to older questions are dropped
};

}  // namespace tl::ui
