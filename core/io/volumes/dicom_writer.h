// Writer of DICOM series.
#pragma once

#include <memory>

#include "core/io/output/volume_writer.h"

namespace tl::io {

// A folder of CT images NAME_00000.dcm..., explicit little endian, uint16 with slope and intercept: x, y, z of the scan
// are the patient's left, posterior and superior. The first slice embeds the text in a private element. Invalid for
// other types, and for slices of more than 65535 rows or columns.
Result<std::unique_ptr<VolumeWriter>> write_dicom(const VolumeTarget& target);

}  // namespace tl::io
