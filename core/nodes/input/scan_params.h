// ScanParams: the parameters of the load node: the scan, metadata stated by the user, and which part of the scan is
// loaded and how.
#pragma once

#include <string>

#include "core/io/reader/scan_choices.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/scan_geometry.h"
#include "core/nodes/input/scan_views.h"

namespace tl {

struct ScanParams : io::ScanChoices, ViewChoice, ScanOverrides {
  std::string file, format;  // the id of a format; empty: detected
};

// All but the file.
void declare_scan_params(NodeBuilder<ScanParams>& n);

}  // namespace tl
