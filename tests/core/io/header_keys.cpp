// Every key of text headers that a standard names is used, refused or harmless: NRRD, MetaImage, ImageJ's description,
// EDF and Nikon's files.
#include <zlib.h>

#include "tests/support/io/edf_maker.h"
#include "tests/support/io/header_key_cases.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/tiff_maker.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::header_keys_test {

using namespace test::volumes;
using namespace test::keys;

// 5 x 4 x 3 numbers of int16, little-endian, that differ in both bytes.
std::string sixty_numbers() {
  std::string bytes;
  for (int i = 0; i < 60; ++i) bytes += {static_cast<char>(i), static_cast<char>(i % 7)};
  return bytes;
}

class IoHeaderKeysTest : public VolumeFolder {
  Q_OBJECT

  // Lines of a header in the order of `keys`, with changes; new keys stand before the last one.
  static std::string text_of(std::vector<std::pair<std::string, std::string>> keys, const Changes& changes,
                             const std::string& between, const std::string& last) {
    for (const auto& [key, value] : changes) {
      const auto found = std::find_if(keys.begin(), keys.end(), [&](const auto& one) { return one.first == key; });
      if (found == keys.end())
        keys.emplace_back(key, value);
      else
        found->second = value;
    }
    std::stable_partition(keys.begin(), keys.end(), [&](const auto& one) { return one.first != last; });
    std::string text;
    for (const auto& [key, value] : keys)
      if (!value.empty()) text += key + between + value + "\n";
    return text;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void nrrd() {
    const auto read = [&](const Changes& changes) {
      put(path("v.raw"), sixty_numbers());
      put(path("v.nhdr"), "NRRD0005\n" + text_of({{"type", "short"},
                                                  {"dimension", "3"},
                                                  {"space", "left-posterior-superior"},
                                                  {"sizes", "5 4 3"},
                                                  {"space directions", "(0.3,0,0) (0,0.4,0) (0,0,0.5)"},
                                                  {"space origin", "(1,2,3)"},
                                                  {"endian", "little"},
                                                  {"encoding", "raw"},
                                                  {"data file", "v.raw"}},
                                                 changes, ": ", "data file"));
      return read_volume(path("v.nhdr"));
    };
    const Changes no_space = {{"space", ""}, {"space directions", ""}, {"space origin", ""}};
    const auto without_space = [&](Changes more) {
      more.insert(no_space.begin(), no_space.end());
      return more;
    };
    check_keys(io::nrrd_keys,
               {{"dimension", "4"},
                {"type", "ushort2"},
                {"block size", "8"},
                {"blocksize", "8"},
                {"encoding", "bzip2"},
                {"endian", "big"},
                {"content", "a bone"},
                {"min", "3"},
                {"max", "9"},
                {"old min", "0", {{"old max", "1"}}},
                {"oldmin", "0", {{"old max", "1"}}},
                {"old max", "1", {{"old min", "0"}}},
                {"oldmax", "1", {{"old min", "0"}}},
                {"data file", "w.raw"},
                {"datafile", "v.raw", {{"data file", ""}}},
                {"line skip", "1"},
                {"lineskip", "1"},
                {"byte skip", "2"},
                {"byteskip", "2"},
                {"number", "60"},
                {"sizes", "4 5 3"},
                {"spacings", "2 2 2", no_space},
                {"thicknesses", "1 1 1"},
                {"axis mins", "0 0 0", without_space({{"axis maxs", "5 8 9"}})},
                {"axismins", "0 0 0", without_space({{"axis maxs", "5 8 9"}})},
                {"axis maxs", "5 8 9", without_space({{"axis mins", "0 0 0"}})},
                {"axismaxs", "5 8 9", without_space({{"axis mins", "0 0 0"}})},
                {"centers", "node node node", without_space({{"axis mins", "0 0 0"}, {"axis maxs", "5 8 9"}})},
                {"centerings", "node node node", without_space({{"axis mins", "0 0 0"}, {"axis maxs", "5 8 9"}})},
                {"labels", "\"x\" \"y\" \"z\""},
                {"units", "\"um\" \"um\" \"um\"", without_space({{"spacings", "2 2 2"}})},
                {"kinds", "vector domain domain"},
                {"space", "right-anterior-superior"},
                {"space dimension", "3"},
                {"space units", "\"um\" \"um\" \"um\""},
                {"space origin", "(1,2,4)"},
                {"space directions", "(0.3,0,0) (0,-0.4,0) (0,0,0.5)"},
                {"measurement frame", "(1,0,0) (0,1,0) (0,0,1)"},
                {"sample units", "\"1/mm\""},
                {"sampleunits", "\"1/mm\""}},
               read);
    // What cannot be understood is not passed over either.
    QVERIFY(!read({{"endian", ""}}).error.empty() && !read({{"space directions", "(1,0,0) (0,1,0)"}}).error.empty());
    QVERIFY(read({{"space", "3D-left-handed"}}).said.find("3D-left-handed") != std::string::npos);
    QVERIFY(read({{"no such field", "1"}}).said.find("no such field") != std::string::npos);
  }

  // The voxels are the end of the file, or of what unpacking gives.
  void nrrd_voxels_at_the_end() {
    const std::string header = "NRRD0004\ntype: short\ndimension: 3\nsizes: 5 4 3\nendian: little\n",
                      more = "twelve bytes";
    for (const bool packed : {false, true}) {
      const std::string bytes = more + sixty_numbers();
      if (packed) {
        const gzFile file = gzopen(path("v.raw").c_str(), "wb");
        gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
        gzclose(file);
      } else {
        put(path("v.raw"), bytes);
      }
      const std::string encoding = packed ? "encoding: gzip\n" : "encoding: raw\n";
      put(path("v.nhdr"), header + encoding + "byte skip: 12\ndata file: v.raw\n");
      const Reading from_begin = read_volume(path("v.nhdr"));
      put(path("v.nhdr"), header + encoding + "byte skip: -1\ndata file: v.raw\n");
      QVERIFY2(from_begin.error.empty() && read_volume(path("v.nhdr")).same(from_begin), from_begin.error.c_str());
      for (const char* wrong : {"-2", "1.5"}) {
        put(path("v.nhdr"), header + encoding + "byte skip: " + wrong + "\ndata file: v.raw\n");
        QVERIFY(read_volume(path("v.nhdr")).error.find("byte skip") != std::string::npos);
      }
    }
  }

  void metaimage() {
    const auto read = [&](const Changes& changes) {
      put(path("v.raw"), sixty_numbers());
      put(path("v.mhd"), text_of({{"ObjectType", "Image"},
                                  {"NDims", "3"},
                                  {"DimSize", "5 4 3"},
                                  {"ElementSpacing", "0.3 0.4 0.5"},
                                  {"ElementType", "MET_SHORT"},
                                  {"ElementDataFile", "v.raw"}},
                                 changes, " = ", "ElementDataFile"));
      return read_volume(path("v.mhd"));
    };
    const char *turned = "0 1 0 -1 0 0 0 0 1", *shift = "1 2 3";
    check_keys(io::metaimage_keys,
               {{"Comment", "a bone"},
                {"ObjectType", "Tube"},
                {"ObjectSubType", "x"},
                {"TransformType", "Rigid"},
                {"NDims", "4"},
                {"Name", "bone"},
                {"ID", "1"},
                {"ParentID", "2"},
                {"BinaryData", "False"},
                {"BinaryDataByteOrderMSB", "True"},
                {"ElementByteOrderMSB", "1"},
                {"ElementByteOrderMSB", "T"},
                {"ElementByteOrderMSB", "perhaps"},
                {"CompressedData", "True"},
                {"CompressedData", "1"},
                {"CompressedDataSize", "17"},
                {"CompressionLevel", "2"},
                {"Color", "1 0 0 1"},
                {"Position", shift},
                {"Offset", shift},
                {"Origin", shift},
                {"Orientation", turned},
                {"Rotation", turned},
                {"TransformMatrix", turned},
                {"TransformMatrix", "1 0 0 1"},
                {"CenterOfRotation", "1 1 1"},
                {"AnatomicalOrientation", "LPI"},
                {"DistanceUnits", "um"},
                {"ElementSpacing", "1 2 3"},
                {"ElementSize", "1 2 3", {{"ElementSpacing", ""}}},
                {"DimSize", "4 5 3"},
                {"HeaderSize", "2"},
                {"HeaderSize", "-2"},
                {"Modality", "MET_MOD_CT"},
                {"SequenceID", "1 2 3"},
                {"ElementMin", "1"},
                {"ElementMax", "9"},
                {"ElementNumberOfChannels", "2"},
                {"ElementNBits", "16"},
                {"ElementToIntensityFunctionSlope", "2"},
                {"ElementToIntensityFunctionOffset", "5"},
                {"ElementType", "MET_USHORT_ARRAY"},
                {"ElementDataFile", "w.raw"},
                {"ValueUnit", "1/mm"},
                {"TomoloomDataChecksum", "0123456789abcdef0123456789abcdef"}},
               read);
    QVERIFY(read({{"Mine", "1"}}).said.find("Mine") != std::string::npos);
  }

  void imagej() {
    const auto read = [&](const Changes& changes) {
      const std::string text =
          text_of({{"ImageJ", "1.54f"}, {"images", "6"}, {"slices", "6"}, {"unit", "mm"}}, changes, "=", "none");
      // Two and four pixels per unit.
      test::tiffs::write_tiff(path("v.tif"), {6,
                                              text,
                                              test::tiffs::PixelType::uint16,
                                              test::tiffs::Bytes::little,
                                              test::tiffs::Listed::all,
                                              {{282, 2}, {283, 4}}});
      return read_volume(path("v.tif"));
    };
    check_keys(io::imagej_keys,
               {{"ImageJ", ""},
                {"images", "7", {{"slices", ""}}},
                {"channels", "2"},
                {"slices", "3"},
                {"frames", "2"},
                {"hyperstack", "true"},
                {"mode", "composite", {{"slices", ""}, {"channels", "6"}}},
                {"unit", "um"},
                {"yunit", "um"},
                {"zunit", "um"},
                {"tunit", "s"},
                {"spacing", "3"},
                {"finterval", "0.1"},
                {"fps", "7"},
                {"loop", "true"},
                {"min", "3"},
                {"max", "9"},
                {"cf", "21"},
                {"c0", "-1024", {{"cf", "0"}, {"c1", "2"}}},
                {"c1", "2", {{"cf", "0"}, {"c0", "-1024"}}},
                {"vunit", "1/mm"},
                {"xorigin", "1", {{"yorigin", "2"}}},
                {"yorigin", "2", {{"xorigin", "1"}}},
                {"zorigin", "3", {{"xorigin", "1"}, {"yorigin", "2"}}},
                {"axes", "column +x"},
                {"slices_of_stack", "7"},
                {"grid_mm", "0 0 0 1 0 0 0 1 0 0 0 1"}},
               read);
    QVERIFY(at::equal(read({{"cf", "0"}, {"c0", "-1024"}, {"c1", "2"}}).numbers, read({}).numbers * 2 - 1024));
    QVERIFY(read({{"yunit", "mm"}, {"zunit", "mm"}}).error.empty());
  }

  void edf() {
    const fs::path folder = test::edf::write_scan(path(""));
    put(folder / "x.bin", std::string(2, '\7') + test::edf::pixels(500));
    const auto read = [&](const Changes& changes) {
      test::edf::Keys keys = test::edf::keys();
      for (const auto& [key, value] : changes) keys.emplace_back(key, value);  // the last one counts
      put(folder / test::edf::numbered("scan_", 0),
          test::edf::header(keys) + (changes.contains("edf_binaryfilename") ? std::string() : test::edf::pixels(0)));
      return read_scan(folder);
    };
    std::vector<KeyCase> standard = {{"edf_dataformatversion", "2"},
                                     {"edf_binarysize", "7"},
                                     {"edf_binaryfilename", "x.bin"},
                                     {"edf_binaryfileposition", "2", {{"edf_binaryfilename", "x.bin"}}},
                                     {"byteorder", "HighByteFirst"},
                                     {"datatype", "FloatValue"},
                                     {"dim_1", "3"},
                                     {"dim_2", "5"},
                                     {"dim_3", "2"},
                                     {"size", "7"},
                                     {"compression", "GzipCompression"},
                                     {"rasterconfiguration", "2"},
                                     {"datavalueoffset", "100"}};
    for (const char* name : {"edf_datablocks", "edf_blockboundary", "edf_datablockid", "edf_headersize", "headerid",
                             "image",          "versionnumber",     "dummy",           "ddummy",         "title",
                             "offset_1",       "offset_2",          "bsize_1",         "bsize_2",        "psize_1",
                             "psize_2",        "center_1",          "center_2",        "sampledistance", "wavelength",
                             "exposuretime",   "count_time",        "motor_mne",       "motor_pos",      "counter_mne",
                             "counter_pos"})
      standard.push_back({name, "7"});
    check_keys(io::edf_keys, standard, read);
  }

  void nikon() {
    // Frames of other names, which the file may name instead.
    fs::create_directory(path("elsewhere"));
    for (const char* other : {"bone_0001.tif", "bone_0002.tif", "bead-0001.tif", "bead-0002.tif",
                              "elsewhere/bead_0001.tif", "elsewhere/bead_0002.tif"})
      test::nikon::write_frame(path(other), at::arange(15).reshape({3, 5}) + 1000);
    const auto read = [&](const Changes& changes) {
      return read_scan(test::nikon::write_small_scan(path(""), changes));
    };
    const Changes older = {{"ObjectOffsetX", ""}, {"ObjectRoll", ""}};
    const auto with_other_edge = [&](const char* key) {
      Changes all = older;
      all[key] = "1";
      return all;
    };
    std::vector<KeyCase> standard = {{"Name", "bone"},
                                     {"InputSeparator", "-"},
                                     {"InputFolderName", "elsewhere"},
                                     {"SrcToObject", "61"},
                                     {"SrcToDetector", "121"},
                                     {"DetectorPixelsX", "6"},
                                     {"DetectorPixelsY", "4"},
                                     {"DetectorPixelSizeX", "2"},
                                     {"DetectorPixelSizeY", "2"},
                                     {"DetectorOffsetX", "1"},
                                     {"DetectorOffsetY", "1"},
                                     {"ObjectOffsetX", "1"},
                                     {"ObjectTilt", "1"},
                                     {"ObjectRoll", "1"},
                                     {"CentreOfRotationTop", "2", with_other_edge("CentreOfRotationBottom")},
                                     {"CentreOfRotationBottom", "2", with_other_edge("CentreOfRotationTop")},
                                     {"WhiteLevel", "1000"},
                                     {"Projections", "3"},
                                     {"InitialAngle", "5"},
                                     {"AngularStep", "5"},
                                     {"Units", "um"}};
    for (const char* name : {"OutputSeparator", "OutputFolderName",
                             "VoxelsX",         "VoxelsY",
                             "VoxelsZ",         "VoxelSizeX",
                             "VoxelSizeY",      "VoxelSizeZ",
                             "OffsetX",         "OffsetY",
                             "OffsetZ",         "MaskRadius",
                             "Scattering",      "CoefX0",
                             "CoefX1",          "CoefX2",
                             "CoefX3",          "CoefX4",
                             "Scale",           "RegionStartX",
                             "RegionStartY",    "RegionPixelsX",
                             "RegionPixelsY",   "FilterType",
                             "CutOffFrequency", "Exponent",
                             "Normalisation",   "InterpolationType",
                             "Scaling",         "OutputUnits",
                             "OutputType",      "ImportConversion",
                             "XraykV",          "XrayuA"})
      standard.push_back({name, "7"});
    check_keys(io::nikon_keys, standard, read);
  }
};

TL_TEST_CASE(IoHeaderKeysTest)

}  // namespace tl::header_keys_test

#include "header_keys.moc"
