// Measurement store: measurements of all views as stored in the ui block of a pipeline.
#pragma once

#include <map>
#include <string>

#include "widgets/views/measure/measurements.h"

namespace tl::ui {

// By kind of pane: "xy", "xz", "yz", "oblique", "projection", "sinogram".
using MeasurementsByView = std::map<QString, std::vector<Measurement>>;

// Files are untrusted: what is not a measurement, and coordinates beyond the limit, are left out.
MeasurementsByView read_measurements(const std::string& ui);
// The ui block with these measurements; everything else in it stays.
std::string with_measurements(const std::string& ui, const MeasurementsByView& all);

}  // namespace tl::ui
