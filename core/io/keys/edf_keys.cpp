// The keys of the EDF of the ESRF, in lower case, as the reader keeps them.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view numbering = "how blocks of a file are counted", edf_text = "a text of the writer",
                           geometry = "the geometry of scattering, which scans do not use";
constexpr HeaderKey edf_table[] = {
    {"edf_dataformatversion"},
    {"edf_datablocks", KeyUse::harmless, numbering},
    {"edf_blockboundary", KeyUse::harmless, numbering},
    {"edf_datablockid", KeyUse::harmless, numbering},
    {"edf_headersize", KeyUse::harmless, "the length of the header, which its end says too"},
    {"edf_binarysize"},
    {"edf_binaryfilename"},
    {"edf_binaryfileposition"},
    {"headerid", KeyUse::harmless, numbering},
    {"image", KeyUse::harmless, numbering},
    {"versionnumber", KeyUse::harmless, numbering},
    {"byteorder"},
    {"datatype"},
    {"dim_1"},
    {"dim_2"},
    {"dim_3"},
    {"size"},
    {"compression"},
    {"rasterconfiguration", KeyUse::neutral, "its rows and columns run in another order, which is not read", "|1"},
    {"datavalueoffset", KeyUse::neutral, "a number is to be added to its pixels, which is not done", "|0|0.0"},
    {"dummy", KeyUse::harmless, "the number where nothing was measured, which is read as it is"},
    {"ddummy", KeyUse::harmless, "how far from it such numbers may be"},
    {"title", KeyUse::harmless, edf_text},
    {"offset_1", KeyUse::harmless, geometry},
    {"offset_2", KeyUse::harmless, geometry},
    {"bsize_1", KeyUse::harmless, "how the detector was binned"},
    {"bsize_2", KeyUse::harmless, "how the detector was binned"},
    {"psize_1", KeyUse::harmless, geometry},
    {"psize_2", KeyUse::harmless, geometry},
    {"center_1", KeyUse::harmless, geometry},
    {"center_2", KeyUse::harmless, geometry},
    {"sampledistance", KeyUse::harmless, geometry},
    {"wavelength", KeyUse::harmless, geometry},
    {"exposuretime", KeyUse::harmless, edf_text},
    {"count_time", KeyUse::harmless, edf_text},
    {"motor_mne", KeyUse::harmless, "positions of motors: angles come from the scan's own files"},
    {"motor_pos", KeyUse::harmless, "positions of motors: angles come from the scan's own files"},
    {"counter_mne", KeyUse::harmless, edf_text},
    {"counter_pos", KeyUse::harmless, edf_text},
};

}  // namespace

const HeaderKeys edf_keys = {"EDF", "SaxsKeywords, www.esrf.fr; the headers of the ESRF's detectors", edf_table};

}  // namespace tl::io
