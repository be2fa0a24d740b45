// Folders of slices as scanners and NRecon write them, read only: BMP, PNG or TIFF, one a slice, with or without the
// file *_rec.log of NRecon (Bruker SkyScan).
//
// Keys of the log as NRecon writes them: "Pixel Size (um)", "Filename Prefix", "Section to Section Step"; grey 0 is
// "Minimum for CS to Image Conversion" and the largest grey "Maximum for CS to Image Conversion" [1/mm].
#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/io/bytes/reader_limits.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/key_value_file.h"
#include "core/io/text/numbered_frames.h"
#include "core/io/volumes/format.h"
#include "core/io/volumes/grey_picture.h"
#include "core/io/volumes/tiff_volume.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

bool is_rec_log(const fs::path& path) { return lower_case(path.filename().string()).ends_with("_rec.log"); }
bool is_picture(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  return ending == ".bmp" || ending == ".png";
}

// The folder and its log, of a folder or of the log itself.
struct PictureFolder {
  fs::path folder;
  std::optional<fs::path> log;
};
PictureFolder picture_folder(const fs::path& path) {
  if (is_rec_log(path)) return {path.parent_path(), path};
  const std::vector<fs::path> logs = io::files_in(path, is_rec_log);
  return {path, logs.size() == 1 ? std::optional(logs.front()) : std::nullopt};
}

int sniff_picture_slices(const fs::path& path) {
  std::error_code failed;
  const bool is_log = is_rec_log(path) && fs::is_regular_file(path, failed);
  if (!is_log && !fs::is_directory(path, failed)) return 0;
  const PictureFolder all = picture_folder(path);
  const bool pictures = !io::files_in(all.folder, is_picture).empty();
  if (all.log && (pictures || has_tiff_files(all.folder))) return is_log ? 90 : 70;
  return pictures ? 55 : 0;
}

class PictureVoxels final : public StoredVoxels {
 public:
  PictureVoxels(std::vector<fs::path> files, int64_t rows, int64_t cols, int bits)
      : files_(std::move(files)), rows_(rows), cols_(cols), bits_(bits) {}

  Result<void> read(const GridBox& box, const at::Tensor& out) override {
    for (int64_t k = 0; k < box.z.size(); ++k) {
      const fs::path& file = files_[static_cast<std::size_t>(box.z.begin + k)];
      allow_more_cpu_time(cpu_time_for(rows_ * cols_ * static_cast<int64_t>(sizeof(double))));
      TL_TRY(const GreyPicture picture, read_grey_picture(file));
      if (picture.rows != rows_ || picture.cols != cols_ || picture.bits != bits_)
        return invalid(formatted("the slice has %lld x %lld pixels of %d bits, the first one %lld x %lld of %d",
                                 static_cast<long long>(picture.rows), static_cast<long long>(picture.cols),
                                 picture.bits, static_cast<long long>(rows_), static_cast<long long>(cols_), bits_),
                       file.string(), "All slices of a volume have one size and type: remove the odd one");
      const int64_t at = k * out.stride(0);
      if (out.scalar_type() == at::kInt)
        copy(picture, box, out.data_ptr<int32_t>() + at);
      else
        copy(picture, box, out.data_ptr<float>() + at);
    }
    return ok();
  }

 private:
  template <class T>
  void copy(const GreyPicture& picture, const GridBox& box, T* to) const {
    for (int64_t r = box.y.begin; r < box.y.end; ++r)
      for (int64_t c = box.x.begin; c < box.x.end; ++c)
        *to++ = static_cast<T>(picture.pixels[static_cast<std::size_t>(r * cols_ + c)]);
  }
  std::vector<fs::path> files_;
  int64_t rows_, cols_;
  int bits_;
};

// Names that begin as the log says and end in digits; without a log those that end in digits. Of the kinds of files
// the first that has any.
std::vector<fs::path> slices_in(const PictureFolder& all, const std::string& prefix, std::vector<std::string>& notes) {
  const auto is_tiff = [](const fs::path& path) { return is_tiff_name(path); };
  const std::string begin = lower_case(prefix);
  for (const bool tiff : {false, true}) {
    if (tiff && !all.log) break;
    const std::vector<fs::path> there = io::files_in(all.folder, tiff ? +is_tiff : is_picture);
    std::vector<fs::path> slices;
    for (const fs::path& file : there) {
      const std::string stem = lower_case(file.stem().string());
      const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
      const bool same_kind = slices.empty() || slices.front().extension() == file.extension();
      if (digits < stem.size() && stem.starts_with(begin) && same_kind) slices.push_back(file);
    }
    if (slices.empty()) continue;
    if (const auto others = std::ssize(there) - std::ssize(slices); others > 0)
      notes.push_back(counted(others, "other picture") + " next to the slices left out.");
    return slices;
  }
  return {};
}

// What the log says about the size of voxels and their values.
Result<void> apply_log(const KeyValueFile& log, int64_t pages, int64_t rows, int64_t cols, double largest,
                       StoredVolume& volume) {
  constexpr Bounds sizes{1e-6, 1e6}, steps{1, 1e6}, values{-1e6, 1e6};  // [um], [slices], [1/mm]
  VolumeFileInfo& info = volume.info;
  TL_TRY(const auto size, log.number("Pixel Size (um)", sizes));
  TL_TRY(const auto step, log.number("Section to Section Step", steps));
  if (size) {
    const double mm = 1e-3 * *size;
    set_grid(usual_axes(pages, rows, cols, {mm, mm, mm * step.value_or(1)}), volume);
    info.voxel_size = Origin::file;
    info.voxel_size_source = "Pixel Size (um)";
  }
  TL_TRY(const auto low, log.number("Minimum for CS to Image Conversion", values));
  TL_TRY(const auto high, log.number("Maximum for CS to Image Conversion", values));
  if (!low || !high || !(*high > *low) || !(largest > 0)) return ok();
  info.scale = ValueScale{*low, (*high - *low) / largest};
  info.unit = Unit::per_mm;
  info.notes.push_back("Greys are values from " + formatted("%g to %g", *low, *high) +
                       " per mm (Minimum and Maximum for CS to Image Conversion).");
  return ok();
}

Result<StoredVolume> open_picture_slices(const fs::path& path, const VolumeAccess& /*access*/) {
  const PictureFolder all = picture_folder(path);
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "picture_slices";
  std::optional<KeyValueFile> log;
  std::string prefix;
  if (all.log) {
    TL_TRY(log, KeyValueFile::open(*all.log, KeyCase::is_ignored, DecimalSign::point_or_comma));
    TL_TRY(const auto stated, log->text("Filename Prefix"));
    prefix = stated.value_or("");
    volume.files.push_back(log->file());
  }
  const std::vector<fs::path> files = slices_in(all, prefix, info.notes);
  if (files.empty())
    return invalid("the folder holds no slices" + (prefix.empty() ? "" : " called " + printable(prefix) + "NUMBER"),
                   path.string(), "Slices are BMP or PNG pictures whose names end in a number");
  for (const fs::path& file : files) volume.files.push_back({file, stamp_of(file)});
  if (const auto numbers = numbered_frames(files); numbers && numbers->count_missing() > 0)
    info.notes.push_back(missing_frames_note(*numbers, "slices"));
  int64_t pages = std::ssize(files), rows = 0, cols = 0;
  if (is_tiff_name(files.front())) {
    TL_TRY(TiffFile first, TiffFile::open(files.front()));
    TL_TRY(const TiffPage page, first.page(0));
    rows = page.rows;
    cols = page.cols;
    info.voxel_type = page.type;
    TL_TRY(std::vector<TiffFrame> frames, tiff_frames(files));
    pages = std::ssize(frames);
    TL_TRY(volume.voxels, tiff_voxels(std::move(frames)));
  } else {
    TL_TRY(const GreyPicture first, read_grey_picture(files.front()));
    rows = first.rows;
    cols = first.cols;
    info.voxel_type = first.bits == 16 ? "uint16" : "uint8";
    volume.voxels = std::make_unique<PictureVoxels>(files, rows, cols, first.bits);
  }
  TL_TRY(check_volume_sizes(pages, rows, cols, path.string()));
  set_grid(usual_axes(pages, rows, cols, {1, 1, 1}), volume);
  const double largest = info.voxel_type == "uint8" ? 255 : info.voxel_type == "uint16" ? 65535 : 0;
  if (log) TL_TRY(apply_log(*log, pages, rows, cols, largest, volume));
  if (info.voxel_size == Origin::guessed) guess_voxel_size(info);
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_picture_slices() {
  return {"picture_slices",
          "Folder of pictures",
          "",
          "One BMP or PNG per slice, or TIFFs, with the file _rec.log of NRecon (Bruker SkyScan) where there is one.",
          "",
          tl::io::sniff_picture_slices,
          tl::io::open_picture_slices,
          nullptr};
}
