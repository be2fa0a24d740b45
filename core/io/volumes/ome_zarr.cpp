// OME-Zarr 0.4: a folder of chunks of Zarr 2.
#include "core/io/volumes/ome_zarr_volume.h"

::tl::io::VolumeFormat tl_volume_format_ome_zarr() {
  return tl::io::ome_zarr_format<tl::io::ZarrVersion::two>(
      "ome_zarr", "OME-Zarr 0.4",
      "A folder of chunks with coarser levels, for napari, Neuroglancer, Fiji and zarr-python (Zarr 2).");
}
