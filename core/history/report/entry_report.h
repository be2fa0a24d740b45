// Reports of entries of the history: what a record and the files next to it say, without the window that made them.
#pragma once

#include <filesystem>

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/history/entry.h"
#include "core/history/report/report.h"
#include "core/io/output/output_rules.h"
#include "core/picture/image.h"

namespace tl::history {

// The slice before costs a reconstruction of one slice from the scan, if that is still there.
enum class SliceBefore { leave_out, compute };

// Of an entry with its record (Store::get()). Reads the first volume that it wrote; where that is gone, the thumbnail
// stands for it. Not for a GUI thread. What is missing is left out, and said in the report's messages.
Report report_of(const Entry& entry, const Registry& registry, SliceBefore before, const CancelToken& cancel = {});

// Invalid unless the name ends in .html or .htm.
Result<void> check_report_name(const std::filesystem::path& file);
// Writes the whole page or nothing. Errors: invalid (an input, or check_report_name()), io.
Result<void> write_report(const Report& report, const std::filesystem::path& file, const io::OutputRules& rules);

// An image as PNG, with the grey levels of its percentiles; empty without pixels.
std::string png_of(const picture::Image& image);

}  // namespace tl::history
