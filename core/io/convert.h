// Conversion of volume files: copies a box of a volume to a file of another format or type, slab by slab.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/cancel.h"
#include "core/io/output/volume_writer.h"
#include "core/io/volumes/clipped_voxels.h"
#include "core/io/volumes/format.h"
#include "core/io/volumes/label_table.h"
#include "core/io/volumes/volume.h"

namespace tl::io {

struct VolumeConversion {
  std::filesystem::path output;
  const VolumeFormat* format = nullptr;
  // None: that of the source if it can be written, and if other programs read the scale of integers; otherwise float32,
  // or uint16. int32 is of labels alone, whose numbers stay.
  std::optional<SampleType> type;
  std::optional<double> low, high;  // for integers; none: those of the source if its integers fit
  Compression compression = Compression::none;
  std::optional<GridBox> box;  // none: all voxels
  std::string description;     // text to embed: the source's, with paths that are right in the output's folder
  LabelTable labels;           // what the numbers mean: kept in the output, or next to it; empty: not known
  OutputRules rules;
};

// "z0:z1,y0:y1,x0:x1" with ends not included; what is left out begins or ends with the volume. Invalid if it is not of
// this form or not in the volume.
Result<GridBox> parse_box(const std::string& text, const VolumeGrid& grid);

// What is to be written: grid, type, range and unit. Invalid: integers without a range, a range for float32, a type or
// compression that the format does not have.
Result<VolumeTarget> conversion_target(const VolumeFileInfo& source, const VolumeConversion& wanted);

// Reads the whole source: the range of its finite values, if integers are to be written, nobody gave a range, and the
// format has no floats; otherwise what was wanted. Invalid if all voxels are equal.
Result<VolumeConversion> with_measured_range(VolumeReader& source, VolumeConversion wanted, const CancelToken& cancel);

// Reads the whole source, and counts what a given range will clip; nothing is clipped, and nothing read, without one.
Result<ClippedVoxels> count_clipped(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel);

// Writes and commits the output. Needs memory for some slices only. `done` gets the number of slices written so far.
Result<void> convert_volume(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel,
                            const std::function<void(int64_t slices, int64_t all)>& done);

}  // namespace tl::io
