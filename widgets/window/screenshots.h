// Screenshots: images of every workspace in every theme, and of the steps of the user guide, for documentation and
// for reviews of the design.
#pragma once

#include <QSize>
#include <QString>

#include "core/base/error.h"

namespace tl::ui {

class MainWindow;

struct ScreenshotRequest {
  QString folder;
  QString scan = {};      // a scan, a pipeline or a result; empty: the simulated example
  QSize size{1440, 900};  // of the window; the guide is written for this size only
};

// Writes FOLDER/NAME-THEME-SCALE.png of the welcome page and of every workspace, and for windows of the default size
// FOLDER/guide-N-NAME.png of the steps from a scan to a volume, in light colours. Learning is always shown on its
// simulated example. Blocks until all are written and runs the event loop meanwhile.
Result<void> write_screenshots(MainWindow& window, const ScreenshotRequest& request);

}  // namespace tl::ui
