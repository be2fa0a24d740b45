// The fields of NIfTI-1 and NIfTI-2.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view nifti_not_used = "a field of ANALYZE that NIfTI does not use",
                           of_scanner = "how slices were taken", nifti_shown = "how the numbers are shown",
                           nifti_intent = "what the numbers are for, for people";
constexpr HeaderKey nifti_table[] = {
    {"sizeof_hdr"},
    {"data_type", KeyUse::harmless, nifti_not_used},
    {"db_name", KeyUse::harmless, nifti_not_used},
    {"extents", KeyUse::harmless, nifti_not_used},
    {"session_error", KeyUse::harmless, nifti_not_used},
    {"regular", KeyUse::harmless, nifti_not_used},
    {"dim_info", KeyUse::harmless, of_scanner},
    {"dim"},
    {"intent_p1", KeyUse::harmless, nifti_intent},
    {"intent_p2", KeyUse::harmless, nifti_intent},
    {"intent_p3", KeyUse::harmless, nifti_intent},
    {"intent_code", KeyUse::harmless, nifti_intent},
    {"datatype"},
    {"bitpix"},
    {"slice_start", KeyUse::harmless, of_scanner},
    {"pixdim"},
    {"vox_offset"},
    {"scl_slope"},
    {"scl_inter"},
    {"slice_end", KeyUse::harmless, of_scanner},
    {"slice_code", KeyUse::harmless, of_scanner},
    {"xyzt_units"},
    {"cal_max", KeyUse::harmless, nifti_shown},
    {"cal_min", KeyUse::harmless, nifti_shown},
    {"slice_duration", KeyUse::harmless, of_scanner},
    {"toffset", KeyUse::harmless, "when the first volume was taken"},
    {"glmax", KeyUse::harmless, nifti_not_used},
    {"glmin", KeyUse::harmless, nifti_not_used},
    {"descrip"},
    {"aux_file", KeyUse::harmless, "the name of another file, for people"},
    {"qform_code"},
    {"sform_code"},
    {"quatern_b"},
    {"quatern_c"},
    {"quatern_d"},
    {"qoffset_x"},
    {"qoffset_y"},
    {"qoffset_z"},
    {"srow_x"},
    {"srow_y"},
    {"srow_z"},
    {"intent_name", KeyUse::harmless, nifti_intent},
    {"magic"},
};

}  // namespace

const HeaderKeys nifti_keys = {"NIfTI", "nifti.nimh.nih.gov: nifti1.h, nifti2.h", nifti_table};

}  // namespace tl::io
