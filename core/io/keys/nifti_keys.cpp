// The fields of NIfTI-1 and NIfTI-2.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view nifti_not_used = "a field of ANALYZE that NIfTI does not use",
                           of_scanner = "how slices were taken", nifti_shown = "how the numbers are shown",
                           nifti_intent = "a description of the file's purpose";
constexpr HeaderKey nifti_table[] = {
    {"sizeof_hdr|dim|datatype|bitpix|pixdim|vox_offset|scl_slope|scl_inter|xyzt_units|descrip|qform_code"
     "|sform_code|quatern_b|quatern_c|quatern_d|qoffset_x|qoffset_y|qoffset_z|srow_x|srow_y|srow_z|magic"},
    {"data_type|db_name|extents|session_error|regular|glmax|glmin", KeyUse::harmless, nifti_not_used},
    {"dim_info|slice_start|slice_end|slice_code|slice_duration", KeyUse::harmless, of_scanner},
    {"intent_p1|intent_p2|intent_p3|intent_code|intent_name", KeyUse::harmless, nifti_intent},
    {"cal_max|cal_min", KeyUse::harmless, nifti_shown},
    {"toffset", KeyUse::harmless, "when the first volume was taken"},
    {"aux_file", KeyUse::harmless, "the name of another file, for information"},
};

}  // namespace

const HeaderKeys nifti_keys = {"NIfTI", "nifti.nimh.nih.gov: nifti1.h, nifti2.h", nifti_table};

}  // namespace tl::io
