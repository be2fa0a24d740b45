// Decides from distances and the type of the source whether a beam is parallel or a cone.
#include "core/io/scans/distances.h"

#include <cmath>

#include "core/base/text.h"

namespace tl::io {
namespace {

// A smaller magnification at the detector counts as parallel beam (synchrotrons, too, may state a source distance).
constexpr double smallest_magnification = 1.01;

}  // namespace

double magnification_of(const ScanInfo& info) {
  if (!info.source_to_axis) return 1;
  const double behind = info.axis_to_detector ? info.axis_to_detector->value : 0;
  return (info.source_to_axis->value + behind) / info.source_to_axis->value;
}

void set_beam_kind(const std::string& source_type, ScanInfo& info) {
  if (info.source_to_axis) {
    if (info.source_to_axis->value < 0)
      info.notes.emplace_back("The source distance is negative (before the sample): its absolute value is used.");
    info.source_to_axis->value = std::abs(info.source_to_axis->value);
    if (info.source_to_axis->value == 0) info.source_to_axis.reset();
  }
  if (info.axis_to_detector && info.axis_to_detector->value < 0) {
    info.notes.emplace_back("The detector's distance is negative: its amount is used.");
    info.axis_to_detector->value = std::abs(info.axis_to_detector->value);
  }
  if (!info.source_to_axis) return;
  const std::string type = lower_case(source_type);
  const bool tube = type.find("tube") != std::string::npos || type.find("anode") != std::string::npos ||
                    type.find("metal jet") != std::string::npos;
  const double magnification = magnification_of(info);
  const std::string text = std::to_string(magnification);
  if (tube || magnification > smallest_magnification) {
    info.beam = Beam::cone;
    info.notes.push_back("Cone beam: " + (tube ? "the source is of type \"" + type + "\"" : "magnification " + text) +
                         ".");
  } else {
    info.notes.push_back("Parallel beam: the distances give a magnification of " + text +
                         " only; a pixel size on the detector is divided by it.");
  }
}

}  // namespace tl::io
