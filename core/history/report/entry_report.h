// Reports of entries of the history, from the record and the files next to it, without the window that made them.
#pragma once

#include <filesystem>

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/history/entry.h"
#include "core/history/report/report.h"
#include "core/io/output/output_rules.h"
#include "core/picture/image.h"

namespace tl::history {

// Computing the uncorrected slice costs one reconstruction from the scan, if the scan still exists.
enum class SliceBefore { leave_out, compute };

// The report of an entry with its record (Store::get()). Reads the first volume that the entry wrote; if the volume is
// gone, shows the thumbnail. Not for a GUI thread. Missing parts are left out, and listed in the report's messages.
Report report_of(const Entry& entry, const Registry& registry, SliceBefore before, const CancelToken& cancel = {});

// Invalid unless the name ends in .html or .htm.
Result<void> check_report_name(const std::filesystem::path& file);
// Writes the whole page or nothing. Errors: invalid (an input, or check_report_name()), io.
Result<void> write_report(const Report& report, const std::filesystem::path& file, const io::OutputRules& rules);

// An image as PNG, with grey levels from percentiles of its values; empty without pixels.
std::string png_of(const picture::Image& image);

}  // namespace tl::history
