// The DICOM elements that define the meaning of pixels (PS3.3: image pixel, modality LUT, image plane, dose).
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

constexpr std::string_view dicom_shown = "how pixels are shown",
                           of_colour = "a property of colours, which are not read",
                           another_table = "a table gives the values of its pixels, which is not read";
constexpr HeaderKey dicom_table[] = {
    {"0008,0070"},  // Manufacturer: series of our own are whole
    {"0020,1002"},  // ImagesInAcquisition
    {"0002,0010"},  // TransferSyntaxUID
    {"0018,0050"},  // SliceThickness
    {"0018,0088"},  // SpacingBetweenSlices
    {"0018,1164", KeyUse::harmless, "pixels of a detector, not of a volume"},  // ImagerPixelSpacing
    {"0020,000e"},                                                             // SeriesInstanceUID
    {"0020,0013"},                                                             // InstanceNumber
    {"0020,0032"},                                                             // ImagePositionPatient
    {"0020,0037"},                                                             // ImageOrientationPatient
    {"0028,0002"},                                                             // SamplesPerPixel
    {"0028,0004"},                                                             // PhotometricInterpretation
    {"0028,0006", KeyUse::harmless, of_colour},                                // PlanarConfiguration
    {"0028,0008"},                                                             // NumberOfFrames
    {"0028,0010"},                                                             // Rows
    {"0028,0011"},                                                             // Columns
    {"0028,0030"},                                                             // PixelSpacing
    {"0028,0034", KeyUse::harmless, dicom_shown},                              // PixelAspectRatio
    {"0028,0100"},                                                             // BitsAllocated
    {"0028,0101"},                                                             // BitsStored
    {"0028,0102"},                                                             // HighBit
    {"0028,0103"},                                                             // PixelRepresentation
    {"0028,0106", KeyUse::harmless, "the smallest number"},                    // SmallestImagePixelValue
    {"0028,0107", KeyUse::harmless, "the largest number"},                     // LargestImagePixelValue
    {"0028,0120", KeyUse::harmless,
     "the number that marks pixels without measurement; it is read as a normal value"},  // PixelPadding
    {"0028,0121", KeyUse::harmless, "the numbers that mark pixels without measurement; they are read as normal values"},
    {"0028,1040", KeyUse::harmless, "whether values are a logarithm, for people"},  // PixelIntensityRelationship
    {"0028,1050", KeyUse::harmless, dicom_shown},                                   // WindowCenter
    {"0028,1051", KeyUse::harmless, dicom_shown},                                   // WindowWidth
    {"0028,1052"},                                                                  // RescaleIntercept
    {"0028,1053"},                                                                  // RescaleSlope
    {"0028,1054"},                                                                  // RescaleType
    {"0028,1101", KeyUse::harmless, of_colour},                                     // palettes
    {"0028,2110", KeyUse::harmless, "the loss by earlier compression"},             // LossyImageCompression
    {"0028,3000", KeyUse::neutral, another_table},                                  // ModalityLUTSequence
    {"0028,3010", KeyUse::harmless, dicom_shown},                                   // VOILUTSequence
    {"0040,9096", KeyUse::harmless, "other values for the same pixels, in addition to slope and intercept"},
    {"2050,0020", KeyUse::harmless, dicom_shown},  // PresentationLUTShape
    {"3004,000e", KeyUse::neutral, "its pixels are doses in a unit that this element states, which is not read"},
    {"5200,9229"},                                                                // SharedFunctionalGroupsSequence
    {"5200,9230"},                                                                // PerFrameFunctionalGroupsSequence
    {"7fe0,0008", KeyUse::neutral, "its pixels are float32, which is not read"},  // FloatPixelData
    {"7fe0,0009", KeyUse::neutral, "its pixels are float64, which is not read"},  // DoubleFloatPixelData
    {"7fe0,0010"},                                                                // PixelData
};

}  // namespace

const HeaderKeys dicom_keys = {"DICOM", "dicom.nema.org, PS3.3 and PS3.6", dicom_table};

}  // namespace tl::io
