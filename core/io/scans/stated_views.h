// Scans whose file states where source and detector are in every view.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/io/reader/scan_choices.h"

namespace tl::io {

// Sets beam and vectors of a scan, and about the same in angles and distances: the angles of the source, and means over
// all views. `source` is the file or key that states the views. Invalid, with the path of `info`: no view, pixels
// without a size, numbers that are not finite.
Result<void> state_views(Beam beam, const std::vector<View>& views, Origin origin, const std::string& source,
                         ScanInfo& info);

// Invalid if the user gives angles, distances or another beam than `beam`, which would contradict such a file, or says
// that frames are sinograms.
Result<void> check_views_stay_as_stated(const ScanChoices& choices, Beam beam, const std::filesystem::path& path);

}  // namespace tl::io
