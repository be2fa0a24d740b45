// Exports: writing of files that the user exports: tables, plots, images, reports.
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

#include "core/io/output/output_rules.h"

namespace tl::ui {

// Returns the rules for an export: existing files may be replaced (the file dialog has asked), inputs of the pipeline
// may not.
using ExportRules = std::function<io::OutputRules()>;
ExportRules no_pipeline();  // for panels without a pipeline: no file is protected

// Writes the whole file or nothing. Errors: invalid (`path` is an input of the pipeline), io.
Result<void> write_export(const QString& path, const QByteArray& bytes, const ExportRules& rules);

}  // namespace tl::ui
