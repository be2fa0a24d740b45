// Chooses the format of a volume by its content, or by the name of a file that is to be written.
#include "core/io/volumes/format.h"

#include <algorithm>
#include <sstream>

#include "core/base/text.h"
#include "core/io/output/samples.h"
#include "core/io/voxels/raw_volume_writer.h"

// Defined in the generated volume_format_list.cpp.
std::vector<::tl::io::VolumeFormat> tl_volume_format_list();

namespace tl::io {
namespace {

namespace fs = std::filesystem;

std::string known_formats() {
  std::string text;
  for (const VolumeFormat& f : volume_formats()) text += (text.empty() ? "" : ", ") + std::string(f.id);
  return text;
}

Result<StoredVolume> open_by_content(const fs::path& path, const VolumeAccess& access) {
  const VolumeFormat* best = nullptr;
  int highest = 0;
  std::string tried;
  for (const VolumeFormat& f : volume_formats()) {
    tried += (tried.empty() ? "" : ", ") + std::string(f.title);
    const int score = f.sniff(path);
    if (score <= highest) continue;
    highest = score;
    best = &f;
  }
  if (best != nullptr) return best->open(path, access);
  return invalid("the content is not of a known volume format", path.string(),
                 "Tried: " + tried + ". Check that the file was copied whole and not renamed");
}

}  // namespace

std::span<const VolumeFormat> volume_formats() {
  static const std::vector<VolumeFormat> all = tl_volume_format_list();
  return all;
}

const VolumeFormat* find_volume_format(std::string_view id) {
  for (const VolumeFormat& f : volume_formats())
    if (f.id == id) return &f;
  return nullptr;
}

bool name_fits(const VolumeFormat& format, const fs::path& path) {
  const fs::path named = path.has_filename() ? path : path.parent_path();
  const std::string name = lower_case(named.filename().string());
  if (format.extensions.empty()) return !named.has_extension();
  std::istringstream words{std::string(format.extensions)};
  for (std::string ending; words >> ending;)
    if (name.size() > ending.size() && name.ends_with(ending)) return true;
  return false;
}

bool VolumeFormat::stores(SampleType type) const {
  if (type == SampleType::int32) return wide_labels != WideLabels::never && stores(SampleType::float32);
  const std::vector<std::string> names = words_of(types);
  return std::find(names.begin(), names.end(), sample_type_name(type)) != names.end();
}

std::string VolumeFormat::note_on_scale(const VolumeTarget& target) const {
  const double largest = largest_sample(target.type);
  const bool is_value = target.type == SampleType::float32 || (target.low == 0 && target.high == largest);
  if (is_value || integer_scale == IntegerScale::by_all) return {};
  return std::string(integer_scale == IntegerScale::by_imagej ? "Only Fiji, ImageJ and Tomoloom read"
                                                              : "Only Tomoloom reads") +
         " the values " + number_text(target.low) + " to " + number_text(target.high) + " from integers in " +
         std::string(title) + ": other programs read 0 to " + number_text(largest) + ". Write float32 for them.";
}

Result<void> VolumeFormat::check_compression(Compression wanted) const {
  if (wanted == Compression::none || compression != Compression::none) return ok();
  return invalid(std::string(title) + " is written without compression", "compression",
                 "Choose none, or another format");
}

std::vector<std::string> volume_extensions() {
  std::vector<std::string> all;
  for (const VolumeFormat& f : volume_formats()) {
    std::istringstream words{std::string(f.extensions)};
    for (std::string ending; words >> ending;)
      if (std::find(all.begin(), all.end(), ending) == all.end()) all.push_back(ending);
  }
  return all;
}

Result<const VolumeFormat*> volume_format_by_name(const fs::path& path) {
  std::string endings;
  for (const VolumeFormat& f : volume_formats()) {
    if (name_fits(f, path)) return &f;
    if (!f.extensions.empty()) endings += std::string(f.extensions) + " ";
  }
  return invalid("no volume format has names that end in \"" + path.extension().string() + "\"", path.string(),
                 "End the name in one of " + endings + "or in nothing for a folder of slices, or name the format");
}

Result<StoredVolume> open_volume_here(const fs::path& path, std::string_view format, const VolumeAccess& access) {
  const VolumeFormat* named = find_volume_format(format);
  if (!format.empty() && named == nullptr)
    return invalid("unknown volume format \"" + std::string(format) + "\"", path.string(), "Known: " + known_formats());
  Result<StoredVolume> volume = named != nullptr ? named->open(path, access) : open_by_content(path, access);
  // Without a refused file the volume would look like another one.
  if (access.sources->refused())
    return io_error("the volume is linked to files outside its own folder, or to what is not a file", path.string(),
                    "Copy it and the files that it is linked to into one folder");
  if (!volume.ok()) return volume.error();
  if (std::string note = volume.value().voxels->note(); !note.empty())
    volume.value().info.notes.push_back(std::move(note));
  if (volume.value().info.unit == Unit::none)
    volume.value().info.notes.emplace_back("The file does not say in which unit its values are.");
  if (volume.value().info.position == Origin::guessed)
    volume.value().info.notes.emplace_back("The file does not say where the volume is: it is centred on the origin.");
  return volume;
}

}  // namespace tl::io
