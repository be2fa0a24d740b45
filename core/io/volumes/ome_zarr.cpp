// OME-Zarr 0.4: a folder of chunks of Zarr 2.
#include "core/io/volumes/ome_zarr_volume.h"

namespace tl::io {
namespace {

int sniff_ome_zarr_04(const std::filesystem::path& path) { return sniff_ome_zarr(path, ZarrVersion::two); }
Result<StoredVolume> open_ome_zarr_04(const std::filesystem::path& path, const VolumeAccess& /*access*/) {
  return open_ome_zarr(path, ZarrVersion::two);
}
Result<std::unique_ptr<VolumeWriter>> write_ome_zarr_04(const VolumeTarget& target) {
  return write_ome_zarr(target, ZarrVersion::two);
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_ome_zarr() {
  return {"ome_zarr",
          "OME-Zarr 0.4",
          ".ome.zarr .zarr",
          "A folder of chunks with coarser levels, for napari, Neuroglancer, Fiji and zarr-python (Zarr 2).",
          "",
          tl::io::sniff_ome_zarr_04,
          tl::io::open_ome_zarr_04,
          tl::io::write_ome_zarr_04,
          tl::io::OutputKind::folder,
          "float32 uint16 uint8",
          tl::io::Compression::gzip,
          tl::io::IntegerScale::by_tomoloom};
}
