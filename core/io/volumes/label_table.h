// Tables of classes of labels, as JSON embedded in a volume or in a file next to it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/io/output/output_file.h"
#include "core/io/voxels/volume_info.h"
#include "core/values/label_table.h"

namespace tl::io {

// The numbers of classes and objects are below it: of int32, all but the largest (saturated()).
inline constexpr int64_t max_label_numbers = std::numeric_limits<int32_t>::max();

// {"classes": [{"number": 1, "name": "pore", "colour": "#3366cc"}, ...], "not_labelled": 0}; files next to a volume
// have "volume" too, the checksum of its voxels.
std::string to_json_text(const LabelTable& table);
// invalid: no such JSON, a number that is not one or stands twice, a colour of another form; `where` names the file.
Result<LabelTable> label_table_from_json(const std::string& text, const std::string& where);

// The text that a volume of labels embeds: `description`, an object of JSON or empty, with the member "labels".
std::string with_label_table(const std::string& description, const LabelTable& table);
// Whether a text that a volume embeds says that its voxels are labels, which have no means.
bool describes_labels(const std::string& description);

// NAME.labels.json next to a volume: for formats that embed no text, and for tables written by hand.
std::filesystem::path label_table_file(const std::filesystem::path& volume);
// The table file that exists next to l.nrrd: l.nrrd.labels.json, or l.labels.json; nothing if there is neither.
std::optional<std::filesystem::path> label_table_next_to(const std::filesystem::path& volume);
// The table in the file next to a volume, else the embedded one; empty if there is neither. invalid: that file was
// written for other voxels.
Result<LabelTable> label_table_of(const VolumeFileInfo& volume);
// Writes the table file of a volume that is complete but not yet renamed, as its companion, with the checksum of the
// volume, so that neither is taken for that of another one if a run is killed between their renames.
Result<void> add_label_table(OutputFile& volume, const std::filesystem::path& volume_name, const LabelTable& table,
                             const OutputRules& rules);

// The numbers of voxels, float32 or int32, as int32. invalid, with the value and `where`: a fraction, NaN, a negative
// number, one of max_label_numbers and above, or a float of 2^24 and above, which may stand for several numbers.
Result<at::Tensor> label_numbers(const at::Tensor& voxels, const std::string& where);

}  // namespace tl::io
