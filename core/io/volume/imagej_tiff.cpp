// One TIFF of many pages: ImageJ's stacks with their calibration, BigTIFF, and plain multi-page TIFFs.
#include "core/io/header_text.h"
#include "core/io/tiff/file.h"
#include "core/io/volume/format.h"
#include "core/io/volume/raw_voxels.h"
#include "core/io/volume/tiff_volume.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

int sniff_imagej_tiff(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed) && TiffFile::is_tiff(path) ? 60 : 0;
}

// Beyond 4 GiB ImageJ lists the first page alone; the samples of the others follow it.
Result<std::unique_ptr<StoredVoxels>> samples_behind_first(TiffFile& file, const fs::path& path, const TiffPage& page,
                                                           int64_t pages) {
  TL_TRY(const TiffSamples samples, file.samples());
  RawBlock block;
  block.file = path;
  block.type = page.type;
  block.order = samples.big_endian ? ByteOrder::big : ByteOrder::little;
  block.pages = pages;
  block.rows = page.rows;
  block.cols = page.cols;
  block.offset = samples.offset;
  return raw_voxels(block);
}

Result<StoredVolume> open_imagej_volume(const fs::path& path, const VolumeAccess& /*access*/) {
  TL_TRY(TiffFile file, TiffFile::open(path));
  const std::string text = file.description();
  const TiffResolution resolution = file.resolution();
  for (const char* key : {"channels", "frames"})
    if (const auto n = integers_of(imagej_value(text, key), 1); is_imagej(text) && n && n->front() > 1)
      return invalid("the stack has " + std::to_string(n->front()) + " " + key, path.string(),
                     "Save one volume a file");
  TL_TRY(const TiffPage page, file.page(0));
  TL_TRY(int64_t pages, file.pages());
  StoredVolume volume;
  volume.info.path = path;
  volume.info.format = "imagej_tiff";
  volume.info.voxel_type = page.type;
  volume.files = {{path, stamp_of(path)}};
  const auto images = integers_of(imagej_value(text, "images"), 1);
  if (is_imagej(text) && pages == 1 && images && images->front() > 1) {
    pages = images->front();
    TL_TRY(volume.voxels, samples_behind_first(file, path, page, pages));
  } else {
    std::vector<TiffFrame> all;
    for (int64_t k = 0; k < pages; ++k) all.push_back({path, k});
    TL_TRY(volume.voxels, tiff_voxels(std::move(all)));
  }
  apply_statements({text, resolution.x, resolution.y, resolution.centimetre}, pages, page.rows, page.cols, volume);
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_imagej_tiff() {
  return {"imagej_tiff",
          "One TIFF (ImageJ)",
          ".tif .tiff",
          "One multi-page file with ImageJ's calibration and the pipeline, BigTIFF where it exceeds 4 GiB.",
          "",
          tl::io::sniff_imagej_tiff,
          tl::io::open_imagej_volume,
          tl::io::open_imagej_tiff};
}
