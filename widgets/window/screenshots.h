// Screenshots: pictures of every workspace in every theme, and of the steps of the user guide, for the guide and for
// people who judge the looks.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace tl::ui {

class MainWindow;

struct ScreenshotRequest {
  QString folder;
  QString scan;  // a scan, a pipeline or a result; empty: the simulated example
};

// Learning is always shown on its simulated example. Writes FOLDER/NAME-THEME-SCALE.png of the welcome page and every
// workspace, and FOLDER/guide-N-NAME.png, smaller, of the way from a scan to a volume. Returns when all are written;
// runs the event loop meanwhile.
Result<void> write_screenshots(MainWindow& window, const ScreenshotRequest& request);

}  // namespace tl::ui
