// The form for the resources of a Slurm job, and the log of a job.
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
  QString basis;  // origin of the numbers, as a sentence
};
// Asks; nothing: the user cancels.
std::optional<JobResources> ask_for_resources(QWidget* parent, const SlurmRequest& request);

// Shows the end of a log in a separate window, with a button to read it again.
void show_log(QWidget* parent, const QString& title, const std::filesystem::path& log);

}  // namespace tl::ui
