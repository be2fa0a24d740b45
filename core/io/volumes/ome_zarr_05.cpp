// OME-Zarr 0.5: a folder of chunks of Zarr 3.
#include "core/io/volumes/ome_zarr_volume.h"

namespace tl::io {
namespace {

int sniff_ome_zarr_05(const std::filesystem::path& path) { return sniff_ome_zarr(path, ZarrVersion::three); }
Result<StoredVolume> open_ome_zarr_05(const std::filesystem::path& path, const VolumeAccess& /*access*/) {
  return open_ome_zarr(path, ZarrVersion::three);
}
Result<std::unique_ptr<VolumeWriter>> write_ome_zarr_05(const VolumeTarget& target) {
  return write_ome_zarr(target, ZarrVersion::three);
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_ome_zarr_05() {
  return {"ome_zarr_05",
          "OME-Zarr 0.5",
          ".ome.zarr .zarr",
          "As OME-Zarr 0.4, in the newer Zarr 3, which fewer programs read so far.",
          "",
          tl::io::sniff_ome_zarr_05,
          tl::io::open_ome_zarr_05,
          tl::io::write_ome_zarr_05,
          tl::io::OutputKind::folder,
          "float32 uint16 uint8",
          tl::io::Compression::gzip,
          tl::io::IntegerScale::by_tomoloom};
}
