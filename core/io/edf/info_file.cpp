// Reads the .info file of an ESRF scan. Its units are conventions: PixelSize in um, Distance in mm, Energy in keV,
// ScanRange in degrees.
#include "core/io/edf/info_file.h"

#include <cmath>

#include "core/base/units.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/key_value_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// A number of the file; an impossible value is left out and noted.
std::optional<double> number_if_sound(const KeyValueFile& text, const std::string& key, Bounds bounds,
                                      std::vector<std::string>& notes) {
  const auto value = text.number(key, bounds);
  if (value.ok()) return value.value();
  notes.push_back(text.file().path.filename().string() + ": " + value.error().what + ". It is left out.");
  return std::nullopt;
}

int64_t count_if_sound(const KeyValueFile& text, const std::string& key, std::vector<std::string>& notes) {
  constexpr double most = 1 << 24;
  const std::optional<double> value = number_if_sound(text, key, {1, most}, notes);
  return value && *value == std::floor(*value) ? static_cast<int64_t>(*value) : 0;
}

// A length or energy; 0 means not known.
std::optional<Found<double>> quantity_if_sound(const KeyValueFile& text, const std::string& key, Unit unit,
                                               std::vector<std::string>& notes) {
  constexpr double most = 1e9;
  const std::optional<double> value = number_if_sound(text, key, {0, most}, notes);
  if (!value || *value == 0) return std::nullopt;
  return Found<double>{to_stored(*value, unit), Origin::file, text.file().path.filename().string() + ": " + key};
}

}  // namespace

std::optional<fs::path> find_esrf_info(const fs::path& folder, const std::string& name) {
  std::error_code failed;
  const std::string shorter = name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
  for (const std::string& stem : {name, shorter, shorter + "_"})
    if (const fs::path file = folder / (stem + ".info"); fs::is_regular_file(file, failed)) return file;
  const auto all = files_in(folder, [](const fs::path& file) { return file.extension() == ".info"; });
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

Result<EsrfInfo> read_esrf_info(const fs::path& path) {
  constexpr double widest = 1e6;  // [deg]
  TL_TRY(const KeyValueFile text, KeyValueFile::open(path, KeyCase::is_ignored));
  EsrfInfo info;
  info.file = text.file();
  info.views = count_if_sound(text, "TOMO_N", info.notes);
  info.darks = count_if_sound(text, "DARK_N", info.notes);
  const std::optional<double> range = number_if_sound(text, "ScanRange", {-widest, widest}, info.notes);
  if (range && *range != 0) info.range = to_stored(*range, Unit::deg);
  info.pixel_size = quantity_if_sound(text, "PixelSize", Unit::um, info.notes);
  info.energy = quantity_if_sound(text, "Energy", Unit::keV, info.notes);
  info.axis_to_detector = quantity_if_sound(text, "Distance", Unit::mm, info.notes);
  return info;
}

}  // namespace tl::io
