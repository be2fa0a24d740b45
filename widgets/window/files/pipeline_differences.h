// Differences between two versions of a pipeline, as lines of text.
#pragma once

#include <QStringList>

#include "core/graph/graph.h"

class QWidget;

namespace tl::ui {

// `file`: as it is on disk; `window`: as it is shown. One line each: "Axis of set: 3 px in the file, 4 px here".
QStringList pipeline_differences(const Graph& file, const Graph& window, const Registry& registry);

// Lines to read, in a window of their own over `parent`.
struct LinesToShow {
  QString title;
  QStringList lines;
};
void show_lines(QWidget* parent, const LinesToShow& what);

}  // namespace tl::ui
