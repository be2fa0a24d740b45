// RunsStudio: a studio with a pipeline for scans of discs, its queue in the workspace Runs, and scans in its folder.
#pragma once

#include <QDir>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/studio.h"
#include "widgets/queue/runs_area.h"

namespace tl::test {

struct RunsStudio : Studio {
  [[nodiscard]] ui::QueueTable& table() { return window.runs().queue().table(); }
  [[nodiscard]] QString file(const QString& name) const { return folder.filePath(name); }
  QString scan(const QString& name, const DiscScan& size = {60, 8, 64}) const {
    QDir().mkpath(QFileInfo(file(name)).absolutePath());
    write_disc_scan(file(name).toStdString(), size);
    return file(name);
  }
  [[nodiscard]] bool show_pipeline() {
    window.resize(1680, 1020);
    if (!open()) return false;
    document.reset(disc_pipeline());
    window.show_main_page();
    return true;
  }
  [[nodiscard]] bool show_runs() {
    if (!show_pipeline()) return false;
    QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier);
    return window.runs().isVisible() && window.workspaces().current() == ui::Workspace::runs;
  }
  // Names of the rows of the queue.
  [[nodiscard]] QStringList names() {
    QStringList all;
    for (const ScanRow& row : window.queue().rows()) all << QString::fromStdString(row.name);
    return all;
  }
  // Both lines of a cell.
  [[nodiscard]] QString cell(int row, ui::QueueModel::Column column) {
    const QModelIndex index = table().model()->index(row, column);
    return index.data().toString() + QLatin1Char('|') + index.data(ui::QueueModel::second_role).toString();
  }
};

}  // namespace tl::test
