// The keys of MetaImage.
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view meta_text = "a text for readers", of_scenes = "where it belongs in a scene of objects";
constexpr HeaderKey meta_table[] = {
    {"Comment|ObjectSubType|TransformType|Name|Modality|SequenceID", KeyUse::harmless, meta_text},
    {"ObjectType", KeyUse::neutral, "it is not an image", "image"},
    {"NDims|BinaryDataByteOrderMSB|ElementByteOrderMSB|CompressedData|Position|Offset|Origin|Orientation"
     "|Rotation|TransformMatrix|DistanceUnits|ElementSpacing|ElementSize|DimSize|HeaderSize"
     "|ElementNumberOfChannels|ElementToIntensityFunctionSlope|ElementToIntensityFunctionOffset"
     "|ElementType|ElementDataFile"},
    {"ID|ParentID", KeyUse::harmless, of_scenes},
    {"BinaryData", KeyUse::neutral, "its voxels are numbers as text", "true|t|1"},
    {"CompressedDataSize", KeyUse::harmless, "the number of compressed bytes, which is not needed"},
    {"CompressionLevel", KeyUse::harmless, "how hard the writer tried"},
    {"Color", KeyUse::harmless, "how it is shown"},
    {"CenterOfRotation", KeyUse::harmless, "the centre of a transform of scenes; ITK does not use it for images"},
    {"AnatomicalOrientation", KeyUse::harmless, "the names of the directions that TransformMatrix states"},
    {"ElementMin", KeyUse::harmless, "the smallest number"},
    {"ElementMax", KeyUse::harmless, "the largest number"},
    {"ElementNBits", KeyUse::harmless, "the number of bits per voxel, which also follows from ElementType"},
    {"ValueUnit|TomoloomDataChecksum"},  // of our own
};

}  // namespace

const HeaderKeys metaimage_keys = {"MetaImage", "itk.org/Wiki/ITK/MetaIO/Documentation", meta_table};

}  // namespace tl::io
