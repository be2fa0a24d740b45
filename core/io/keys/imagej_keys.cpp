// The lines of the description that ImageJ writes into TIFFs.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view imagej_shown = "how it is shown", of_time = "how fast it is shown, or was taken";
constexpr HeaderKey imagej_table[] = {
    {"ImageJ|images|channels|slices|frames|mode|unit|spacing|c0|c1|vunit|xorigin|yorigin|zorigin"},
    {"hyperstack", KeyUse::harmless, "that the numbers of channels, slices and frames give the order of images"},
    {"yunit", KeyUse::neutral, "rows have another unit of length than columns", "|pixel"},
    {"zunit", KeyUse::neutral, "slices have another unit of length than columns", "|pixel"},
    {"tunit|finterval|fps", KeyUse::harmless, of_time},
    {"loop|min|max", KeyUse::harmless, imagej_shown},
    {"cf", KeyUse::neutral, "its values are a function of the stored numbers that is not applied", "|0|20"},
    {"axes", KeyUse::harmless, "of our own: how axes run, for people"},
    {"slices_of_stack", KeyUse::harmless,
     "written by Tomoloom: the number of files in a folder, and which of its volumes are to be compared"},
    {"grid_mm"},  // of our own
};

}  // namespace

const HeaderKeys imagej_keys = {"ImageJ's description", "imagej.net, ij.io.FileSaver", imagej_table};

}  // namespace tl::io
