// FileOpener: loads a file on a worker thread as a pipeline: a stored one, one embedded in a result, one of another
// program, one chosen for a scan, or one that loads a volume.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <optional>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/hdf5/tree.h"
#include "core/io/reader/scan_info.h"

namespace tl::ui {

// How a scan is opened.
struct ScanOpening {
  io::OutsideLinks outside_links = io::OutsideLinks::refuse;
  std::vector<std::string> load;  // settings of the load node: "data=/scan/images"
};

struct Opened {
  Graph graph;
  QString pipeline_file;               // the file that Save writes; empty if a scan or a result was opened
  QByteArray content;                  // content_hash() of that file, from before it was read
  bool is_automatic = false;           // a scan was opened: the graph was chosen for it
  QStringList choice_reasons, doubts;  // for a scan: why this pipeline was chosen, and what is uncertain
  std::optional<Error> error;          // if set, the graph is empty
  // For an HDF5 file that is not a scan of a known layout: its contents, and the settings of the load node with which
  // it was opened.
  std::optional<io::Hdf5Tree> tree;
  ScanOpening opening;
  // For a pipeline of another program: the program, and settings of the file without counterpart here.
  QString program;
  QStringList lost;
};

class FileOpener final : public QObject {
  Q_OBJECT
 public:
  explicit FileOpener(const Registry& registry, QObject* parent = nullptr);
  ~FileOpener() override;  // waits for reading in progress
  void open(const QString& path, const ScanOpening& opening = {});
  void drop() { ++newest_; }  // the file being read will not be opened
  // Blocking; not for the GUI thread.
  static Opened classify_file(const QString& path, const Registry& registry, const ScanOpening& opening = {});

 Q_SIGNALS:
  void opened(const QString& path, const tl::ui::Opened& what);

 private:
  const Registry& registry_;
  QThreadPool pool_;
  int newest_ = 0;  // number of the latest call of open(); results of earlier calls are dropped
};

}  // namespace tl::ui
