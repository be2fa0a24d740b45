// Exports: files that the window writes on somebody's wish: tables, plots, pictures, reports.
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

#include "core/io/output/output_rules.h"

namespace tl::ui {

// What an export may replace: files that the dialog asked about, but nothing that the pipeline reads.
using ExportRules = std::function<io::OutputRules()>;
ExportRules no_pipeline();  // for panels that belong to none

// The whole file or nothing. Errors: invalid (an input of the pipeline), io.
Result<void> write_export(const QString& path, const QByteArray& bytes, const ExportRules& rules);

}  // namespace tl::ui
