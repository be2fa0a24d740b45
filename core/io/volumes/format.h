// Volume formats: one file per format, registered by a generated list, shared by all that reads or writes volumes.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/io/output/volume_writer.h"
#include "core/io/reader/source_files.h"
#include "core/io/voxels/stored_volume.h"

namespace tl::io {

// What a format's reader may access.
struct VolumeAccess {
  std::shared_ptr<SourceFiles> sources;
  int64_t threads = 1;
};

// Who reads the scale of integers (value = low + stored * step) from files of a format: all programs, because the
// format has fields for it; those that know ImageJ's calibration; or Tomoloom alone.
enum class IntegerScale : uint32_t { by_all, by_imagej, by_tomoloom };

// Whether labels can be stored as int32: formats with float32 can, unless they have no integers of 32 bits.
enum class WideLabels : uint32_t { where_floats_are, never };

// One volume format. `sniff` examines names and the first bytes only: 0 = not this format, up to 100 = certainly this
// format. `open` must not allocate by a number in the file before checking it against the file's length. Both run in a
// separate process, which may crash. `write` stores the types that stores() names, and refuses others.
struct VolumeFormat {
  std::string_view id;          // "nrrd"
  std::string_view title;       // "NRRD"
  std::string_view extensions;  // ".nrrd .nhdr"; the first one is used for new files; empty: names without one
  std::string_view summary;     // one sentence for the reference
  std::string_view lacks;       // what files of this format cannot state, as a sentence; empty: nothing
  int (*sniff)(const std::filesystem::path& path);
  Result<StoredVolume> (*open)(const std::filesystem::path& path, const VolumeAccess& access);
  Result<std::unique_ptr<VolumeWriter>> (*write)(const VolumeTarget& target);

  OutputKind output_kind = OutputKind::file;
  // Of the values that are written. Formats with float32 also have int32, for labels, unless wide_labels says
  // otherwise.
  std::string_view types = "float32 uint16 uint8";
  Compression compression = Compression::gzip;  // none: what is written cannot be compressed

  IntegerScale integer_scale = IntegerScale::by_all;
  WideLabels wide_labels = WideLabels::where_floats_are;

  [[nodiscard]] bool stores(SampleType type) const;
  // What other programs read instead of the values of integers, as a sentence; empty: the same values.
  [[nodiscard]] std::string note_on_scale(const VolumeTarget& target) const;
  // Invalid if files of this format cannot be compressed by that method.
  [[nodiscard]] Result<void> check_compression(Compression wanted) const;
};

// All formats, in a fixed order (generated from core/io/volume/CMakeLists.txt).
std::span<const VolumeFormat> volume_formats();
// Nothing if there is no format of that id.
const VolumeFormat* find_volume_format(std::string_view id);
// The format of a new file by the end of its name: a folder if it has none. Invalid, with all endings, for others.
Result<const VolumeFormat*> volume_format_by_name(const std::filesystem::path& path);
// Whether a name ends in one of the format's extensions, or in none for a folder; capitals do not count.
bool name_fits(const VolumeFormat& format, const std::filesystem::path& path);

// Opens a volume with the format that sniffs highest, or with the named one; called by the reading process.
Result<StoredVolume> open_volume_here(const std::filesystem::path& path, std::string_view format,
                                      const VolumeAccess& access);

}  // namespace tl::io
