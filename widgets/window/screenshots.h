// Screenshots: pictures of every workspace in every theme, for the user guide and for people who judge the looks.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace tl::ui {

class MainWindow;

// Writes FOLDER/NAME-THEME-SCALE.png of the welcome page and every workspace with the example in it. Returns when all
// are written; runs the event loop meanwhile.
Result<void> write_screenshots(MainWindow& window, const QString& folder);

}  // namespace tl::ui
