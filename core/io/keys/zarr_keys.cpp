// The members of the headers of Zarr 2 and 3, and of an image of OME-Zarr.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view zarr_text = "a text for readers";
constexpr HeaderKey zarr_2_table[] = {
    {"zarr_format|shape|chunks|dtype|compressor|fill_value|order|filters|dimension_separator"},
};
constexpr HeaderKey zarr_3_table[] = {
    {"zarr_format|node_type|shape|data_type|chunk_grid|chunk_key_encoding|fill_value|codecs|attributes"
     "|storage_transformers|dimension_names"},
    {"consolidated_metadata", KeyUse::harmless, "copies of other headers"},
};
constexpr HeaderKey ome_table[] = {
    {"version", KeyUse::harmless, "the version, which the files say too"},
    {"name", KeyUse::harmless, zarr_text},
    {"axes|datasets|coordinateTransformations"},
    {"type|metadata", KeyUse::harmless, "how coarser levels were made"},
    {"omero", KeyUse::harmless, "how it is shown"},
};

}  // namespace

const HeaderKeys zarr_2_keys = {"Zarr 2", "zarr-specs.readthedocs.io/en/latest/v2/v2.0.html", zarr_2_table};
const HeaderKeys zarr_3_keys = {"Zarr 3", "zarr-specs.readthedocs.io/en/latest/v3/core/", zarr_3_table};
const HeaderKeys ome_image_keys = {"OME-Zarr", "ngff.openmicroscopy.org/0.5/, multiscales", ome_table};

}  // namespace tl::io
