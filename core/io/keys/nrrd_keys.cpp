// The fields of NRRD.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view nrrd_shown = "how the numbers are shown", not_of_numbers = "a text for readers";
constexpr HeaderKey nrrd_table[] = {
    {"dimension"},
    {"type"},
    {"block size", KeyUse::neutral, "its voxels are blocks of bytes", "0"},
    {"blocksize", KeyUse::neutral, "its voxels are blocks of bytes", "0"},
    {"encoding"},
    {"endian"},
    {"content", KeyUse::harmless, not_of_numbers},
    {"min", KeyUse::harmless, nrrd_shown},
    {"max", KeyUse::harmless, nrrd_shown},
    {"old min"},
    {"oldmin"},
    {"old max"},
    {"oldmax"},
    {"data file"},
    {"datafile"},
    {"line skip"},
    {"lineskip"},
    {"byte skip"},
    {"byteskip"},
    {"number", KeyUse::harmless, "the count of all numbers, which the sizes say too"},
    {"sizes"},
    {"spacings"},
    {"thicknesses", KeyUse::harmless, "how thick slices are, not how far apart"},
    {"axis mins"},
    {"axismins"},
    {"axis maxs"},
    {"axismaxs"},
    {"centers"},
    {"centerings"},
    {"labels", KeyUse::harmless, not_of_numbers},
    {"units"},
    {"kinds"},
    {"space"},
    {"space dimension", KeyUse::harmless, "how many components directions have, which they show"},
    {"space units"},
    {"space origin"},
    {"space directions"},
    {"measurement frame", KeyUse::harmless, "the space of vectors and tensors, which are not read"},
    {"sample units"},
    {"sampleunits"},
};

}  // namespace

const HeaderKeys nrrd_keys = {"NRRD", "teem.sourceforge.net/nrrd/format.html", nrrd_table};

}  // namespace tl::io
