// The fields of NRRD.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view nrrd_shown = "how the numbers are shown", not_of_numbers = "a text for readers";
constexpr HeaderKey nrrd_table[] = {
    {"dimension|type|encoding|endian|old min|oldmin|old max|oldmax|data file|datafile|line skip|lineskip"
     "|byte skip|byteskip|sizes|spacings|axis mins|axismins|axis maxs|axismaxs|centers|centerings|units"
     "|kinds|space|space units|space origin|space directions|sample units|sampleunits"},
    {"block size|blocksize", KeyUse::neutral, "its voxels are blocks of bytes", "0"},
    {"content|labels", KeyUse::harmless, not_of_numbers},
    {"min|max", KeyUse::harmless, nrrd_shown},
    {"number", KeyUse::harmless, "the count of all numbers, which the sizes say too"},
    {"thicknesses", KeyUse::harmless, "how thick slices are, not how far apart"},
    {"space dimension", KeyUse::harmless, "how many components directions have, which they show"},
    {"measurement frame", KeyUse::harmless, "the space of vectors and tensors, which are not read"},
};

}  // namespace

const HeaderKeys nrrd_keys = {"NRRD", "teem.sourceforge.net/nrrd/format.html", nrrd_table};

}  // namespace tl::io
