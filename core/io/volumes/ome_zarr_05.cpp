// OME-Zarr 0.5: a folder of chunks of Zarr 3.
#include "core/io/volumes/ome_zarr_volume.h"

::tl::io::VolumeFormat tl_volume_format_ome_zarr_05() {
  return tl::io::ome_zarr_format<tl::io::ZarrVersion::three>(
      "ome_zarr_05", "OME-Zarr 0.5", "As OME-Zarr 0.4, in the newer Zarr 3, which fewer programs read so far.");
}
