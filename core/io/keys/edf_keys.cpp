// The keys of ESRF's EDF, in lower case, as the reader stores them.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view numbering = "how blocks of a file are counted", edf_text = "a text of the writer",
                           geometry = "the geometry of scattering, which scans do not use";
constexpr HeaderKey edf_table[] = {
    {"edf_dataformatversion|edf_binarysize|edf_binaryfilename|edf_binaryfileposition|byteorder|datatype"
     "|dim_1|dim_2|dim_3|size|compression"},
    {"edf_datablocks|edf_blockboundary|edf_datablockid|headerid|image|versionnumber", KeyUse::harmless, numbering},
    {"edf_headersize", KeyUse::harmless, "the length of the header, which also follows from its end"},
    {"rasterconfiguration", KeyUse::neutral, "its rows and columns run in another order, which is not read", "|1"},
    {"datavalueoffset", KeyUse::neutral, "a number is to be added to its pixels, which is not done", "|0|0.0"},
    {"dummy", KeyUse::harmless, "the number that marks pixels without measurement; it is read as a normal value"},
    {"ddummy", KeyUse::harmless, "how far from it such numbers may be"},
    {"title|exposuretime|count_time|counter_mne|counter_pos", KeyUse::harmless, edf_text},
    {"offset_1|offset_2|psize_1|psize_2|center_1|center_2|sampledistance|wavelength", KeyUse::harmless, geometry},
    {"bsize_1|bsize_2", KeyUse::harmless, "how the detector was binned"},
    {"motor_mne|motor_pos", KeyUse::harmless, "positions of motors: angles come from the scan's own files"},
};

}  // namespace

const HeaderKeys edf_keys = {"EDF", "SaxsKeywords, www.esrf.fr; the headers of the ESRF's detectors", edf_table};

}  // namespace tl::io
