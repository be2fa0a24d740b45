// The keys of the .xtekct file of Nikon's scanners.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view of_result = "the region that Nikon's program reconstructs",
                           nikon_text = "a text of the writer",
                           of_values = "scaling of values in Nikon's program: frames are read unscaled";
constexpr HeaderKey nikon_table[] = {
    {"Name|InputSeparator|InputFolderName|SrcToObject|SrcToDetector|DetectorPixelsX|DetectorPixelsY"
     "|DetectorPixelSizeX|DetectorPixelSizeY|DetectorOffsetX|DetectorOffsetY|ObjectOffsetX|ObjectTilt"
     "|ObjectRoll|CentreOfRotationTop|CentreOfRotationBottom|WhiteLevel|Projections|InitialAngle"
     "|AngularStep"},
    {"OutputSeparator|OutputFolderName|VoxelsX|VoxelsY|VoxelsZ|VoxelSizeX|VoxelSizeY|VoxelSizeZ|OffsetX"
     "|OffsetY|OffsetZ|MaskRadius|RegionStartX|RegionStartY|RegionPixelsX|RegionPixelsY|FilterType"
     "|CutOffFrequency|Exponent|Normalisation|InterpolationType|Scaling|OutputUnits|OutputType"
     "|ImportConversion",
     KeyUse::harmless, of_result},
    {"Scattering|CoefX0|CoefX1|CoefX2|CoefX3|CoefX4|Scale", KeyUse::harmless, of_values},
    {"Units", KeyUse::neutral, "its lengths are not in millimetres", "|mm"},
    {"XraykV|XrayuA", KeyUse::harmless, nikon_text},
};

}  // namespace

const HeaderKeys nikon_keys = {"Nikon's .xtekct", "the files of Inspect-X and CT Pro", nikon_table};

}  // namespace tl::io
