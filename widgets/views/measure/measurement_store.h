// Measurement store: measurements of all views as stored in the ui block of a pipeline.
#pragma once

#include <map>
#include <string>

#include "widgets/views/measure/measurements.h"

namespace tl::ui {

// By kind of pane: "xy", "xz", "yz", "oblique", "projection", "sinogram".
using MeasurementsByView = std::map<QString, std::vector<Measurement>>;

// Files are untrusted: invalid measurements and coordinates beyond the limit are left out.
MeasurementsByView read_measurements(const std::string& ui);
// The ui block with these measurements; the rest of it is unchanged.
std::string with_measurements(const std::string& ui, const MeasurementsByView& all);

}  // namespace tl::ui
