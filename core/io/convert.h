// Conversion of volume files: copies a box of a volume to a file of another format or number type, slab by slab.
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
  // None: the type of the source if it can be written, and if other programs read its integer scale; otherwise float32,
  // or uint16. int32 is for labels only, whose numbers are kept.
  std::optional<SampleType> type;
  std::optional<double> low, high;  // range for integers; none: the range of the source if its integers fit
  Compression compression = Compression::none;
  std::optional<GridBox> box;  // none: all voxels
  std::string description;     // text to embed: the text of the source, with paths relative to the output's folder
  LabelTable labels;           // names of the labels: stored in the output, or next to it; empty: not known
  OutputRules rules;
};

// "z0:z1,y0:y1,x0:x1", ends excluded; a missing number means the begin or end of the volume. Invalid if the text has
// another form or the box is not inside the volume.
Result<GridBox> parse_box(const std::string& text, const VolumeGrid& grid);

// The properties of the output: grid, type, range and unit. Invalid: integers without a range, a range for float32, a
// type or compression that the format does not have.
Result<VolumeTarget> conversion_target(const VolumeFileInfo& source, const VolumeConversion& wanted);

// Reads the whole source to find the range of its finite values, if integers are to be written, no range is given, and
// the format has no floats; otherwise returns `wanted` unchanged. Invalid if all voxels are equal.
Result<VolumeConversion> with_measured_range(VolumeReader& source, VolumeConversion wanted, const CancelToken& cancel);

// Reads the whole source, and counts the voxels that a given range will clip; without a range, nothing is read or
// clipped.
Result<ClippedVoxels> count_clipped(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel);

// Writes and commits the output. Needs memory for some slices only. `done` gets the number of slices written so far.
Result<void> convert_volume(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel,
                            const std::function<void(int64_t slices, int64_t all)>& done);

}  // namespace tl::io
