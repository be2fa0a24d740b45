// Screenshots of one running window.
#include "widgets/window/screenshots.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QTimer>

#include "widgets/theme/theme.h"
#include "widgets/window/file_flows.h"
#include "widgets/window/main_window.h"
#include "widgets/window/pipeline_templates.h"

namespace tl::ui {
namespace {

constexpr int settle_ms = 1500;   // for layouts and pictures
constexpr int compute_ms = 9000;  // for the first pictures of the example

void wait(int ms) {
  QEventLoop loop;
  QTimer::singleShot(ms, &loop, &QEventLoop::quit);
  loop.exec();
}

Result<void> write(MainWindow& window, const QString& folder, const QString& name) {
  const int percent = qRound(100 * window.devicePixelRatioF());
  const QString file = QStringLiteral("%1/%2-%3-%4.png").arg(folder, name, Theme::instance().name()).arg(percent);
  if (!window.grab().save(file)) return io_error("the picture cannot be written", file.toStdString());
  return ok();
}

}  // namespace

Result<void> write_screenshots(MainWindow& window, const QString& folder) {
  if (!QDir().mkpath(folder)) return io_error("the folder cannot be made", folder.toStdString());
  window.resize(1440, 900);
  window.show();
  const QString before = Theme::instance().name();
  bool computed = false;
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    window.show_welcome();
    wait(settle_ms);
    TL_TRY(write(window, folder, QStringLiteral("welcome")));
    if (!computed) window.files().open_template(example_template);
    window.show_pipeline();
    for (const Workspace workspace : all_workspaces) {
      window.choose_node(workspace == Workspace::learn ? NodeChoice::measuring : NodeChoice::last);
      window.workspaces().show(workspace);
      wait(computed ? settle_ms : compute_ms);
      TL_TRY(write(window, folder, workspace_name(workspace)));
    }
    computed = true;
  }
  Theme::instance().set(before);
  return ok();
}

}  // namespace tl::ui
