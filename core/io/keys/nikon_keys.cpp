// The keys of the .xtekct file of Nikon's scanners.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view of_result = "what Nikon's program reconstructs", nikon_text = "a text of the writer",
                           of_values = "how Nikon's program makes values: frames are read as they are";
constexpr HeaderKey nikon_table[] = {
    {"Name"},
    {"InputSeparator"},
    {"InputFolderName"},
    {"OutputSeparator", KeyUse::harmless, of_result},
    {"OutputFolderName", KeyUse::harmless, of_result},
    {"VoxelsX", KeyUse::harmless, of_result},
    {"VoxelsY", KeyUse::harmless, of_result},
    {"VoxelsZ", KeyUse::harmless, of_result},
    {"VoxelSizeX", KeyUse::harmless, of_result},
    {"VoxelSizeY", KeyUse::harmless, of_result},
    {"VoxelSizeZ", KeyUse::harmless, of_result},
    {"OffsetX", KeyUse::harmless, of_result},
    {"OffsetY", KeyUse::harmless, of_result},
    {"OffsetZ", KeyUse::harmless, of_result},
    {"MaskRadius", KeyUse::harmless, of_result},
    {"SrcToObject"},
    {"SrcToDetector"},
    {"DetectorPixelsX"},
    {"DetectorPixelsY"},
    {"DetectorPixelSizeX"},
    {"DetectorPixelSizeY"},
    {"DetectorOffsetX"},
    {"DetectorOffsetY"},
    {"ObjectOffsetX"},
    {"ObjectTilt"},
    {"ObjectRoll"},
    {"CentreOfRotationTop"},
    {"CentreOfRotationBottom"},
    {"WhiteLevel"},
    {"Scattering", KeyUse::harmless, of_values},
    {"CoefX0", KeyUse::harmless, of_values},
    {"CoefX1", KeyUse::harmless, of_values},
    {"CoefX2", KeyUse::harmless, of_values},
    {"CoefX3", KeyUse::harmless, of_values},
    {"CoefX4", KeyUse::harmless, of_values},
    {"Scale", KeyUse::harmless, of_values},
    {"RegionStartX", KeyUse::harmless, of_result},
    {"RegionStartY", KeyUse::harmless, of_result},
    {"RegionPixelsX", KeyUse::harmless, of_result},
    {"RegionPixelsY", KeyUse::harmless, of_result},
    {"Projections"},
    {"InitialAngle"},
    {"AngularStep"},
    {"FilterType", KeyUse::harmless, of_result},
    {"CutOffFrequency", KeyUse::harmless, of_result},
    {"Exponent", KeyUse::harmless, of_result},
    {"Normalisation", KeyUse::harmless, of_result},
    {"InterpolationType", KeyUse::harmless, of_result},
    {"Scaling", KeyUse::harmless, of_result},
    {"OutputUnits", KeyUse::harmless, of_result},
    {"Units", KeyUse::neutral, "its lengths are not in millimetres", "|mm"},
    {"OutputType", KeyUse::harmless, of_result},
    {"ImportConversion", KeyUse::harmless, of_result},
    {"XraykV", KeyUse::harmless, nikon_text},
    {"XrayuA", KeyUse::harmless, nikon_text},
};

}  // namespace

const HeaderKeys nikon_keys = {"Nikon's .xtekct", "the files of Inspect-X and CT Pro", nikon_table};

}  // namespace tl::io
