// The fields of MRC2014, and IMOD's fields in its unused part.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr HeaderKey mrc_table[] = {
    {"NX|NY|NZ|MODE|NXSTART|NYSTART|NZSTART|MX|MY|MZ|CELLA|CELLB|MAPC|MAPR|MAPS|ISPG|NSYMBT|EXTTYP|imodStamp|imodFlags"
     "|ORIGIN|MAP|MACHST"},
    {"DMIN|DMAX|DMEAN|RMS", KeyUse::harmless, "how large the numbers are, as another program found them"},
    {"NVERSION", KeyUse::harmless, "the year of the standard"},
    {"NLABL|LABEL", KeyUse::harmless, "texts for people"},
    {"EXTRA", KeyUse::harmless, "room for programs: IMOD's tilt angles and wavelengths"},
};

}  // namespace

const HeaderKeys mrc_keys = {"MRC", "A. Cheng et al., J. Struct. Biol. 192, 146 (2015); IMOD: mrc_format", mrc_table};

}  // namespace tl::io
