// The form of what a job of Slurm asks for, and the log of a job.
#pragma once

#include <QString>
#include <filesystem>
#include <optional>

#include "core/run/cluster/slurm.h"

class QWidget;

namespace tl::ui {

// The resources that the rows need: the form is filled with them.
struct SlurmRequest {
  JobResources resources;  // by the forecast
  qint64 rows = 0;
  QString basis;  // where the numbers come from, in a sentence
};
// Asks; nothing: the user cancels.
std::optional<JobResources> ask_for_resources(QWidget* parent, const SlurmRequest& request);

// The end of a log, in a window of its own; it is read again with a button.
void show_log(QWidget* parent, const QString& title, const std::filesystem::path& log);

}  // namespace tl::ui
