// Writer of NIfTI files, and what it has in common with their reader.
#pragma once

#include <memory>

#include "core/io/output/volume_writer.h"

namespace tl::io {

inline constexpr std::size_t nifti_1_bytes = 348, nifti_2_bytes = 540;
inline constexpr int32_t comment_extension = 6;  // code of an extension that is plain text
inline constexpr int64_t longest_nifti_comment = int64_t{8} << 20;
inline constexpr const char* nifti_unit = "values in ";

// .nii, or .nii.gz, which is compressed.
Result<std::unique_ptr<VolumeWriter>> write_nifti(const VolumeTarget& target);

}  // namespace tl::io
