// The keys of MetaImage.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view meta_text = "a text for readers", of_scenes = "where it belongs in a scene of objects";
constexpr HeaderKey meta_table[] = {
    {"Comment", KeyUse::harmless, meta_text},
    {"ObjectType", KeyUse::neutral, "it is not an image", "image"},
    {"ObjectSubType", KeyUse::harmless, meta_text},
    {"TransformType", KeyUse::harmless, meta_text},
    {"NDims"},
    {"Name", KeyUse::harmless, meta_text},
    {"ID", KeyUse::harmless, of_scenes},
    {"ParentID", KeyUse::harmless, of_scenes},
    {"BinaryData", KeyUse::neutral, "its voxels are numbers as text", "true|t|1"},
    {"BinaryDataByteOrderMSB"},
    {"ElementByteOrderMSB"},
    {"CompressedData"},
    {"CompressedDataSize", KeyUse::harmless, "the packed bytes, which end by themselves"},
    {"CompressionLevel", KeyUse::harmless, "how hard the writer tried"},
    {"Color", KeyUse::harmless, "how it is shown"},
    {"Position"},
    {"Offset"},
    {"Origin"},
    {"Orientation"},
    {"Rotation"},
    {"TransformMatrix"},
    {"CenterOfRotation", KeyUse::harmless, "the centre of a transform of scenes; ITK does not use it for images"},
    {"AnatomicalOrientation", KeyUse::harmless, "the names of the directions that TransformMatrix states"},
    {"DistanceUnits"},
    {"ElementSpacing"},
    {"ElementSize"},
    {"DimSize"},
    {"HeaderSize"},
    {"Modality", KeyUse::harmless, meta_text},
    {"SequenceID", KeyUse::harmless, meta_text},
    {"ElementMin", KeyUse::harmless, "the smallest number"},
    {"ElementMax", KeyUse::harmless, "the largest number"},
    {"ElementNumberOfChannels"},
    {"ElementNBits", KeyUse::harmless, "the bits of a number, which ElementType says too"},
    {"ElementToIntensityFunctionSlope"},
    {"ElementToIntensityFunctionOffset"},
    {"ElementType"},
    {"ElementDataFile"},
    {"ValueUnit"},             // of our own
    {"TomoloomDataChecksum"},  // of our own
};

}  // namespace

const HeaderKeys metaimage_keys = {"MetaImage", "itk.org/Wiki/ITK/MetaIO/Documentation", meta_table};

}  // namespace tl::io
