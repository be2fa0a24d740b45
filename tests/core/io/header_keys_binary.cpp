// Every field of binary headers, every element of DICOM that is about pixels and every member of Zarr's headers is
// used, refused or harmless.
#include <nlohmann/json.hpp>

#include "core/io/dicom/header.h"
#include "core/io/dicom/header_writer.h"
#include "tests/support/io/header_key_cases.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::header_keys_binary_test {

using namespace test::volumes;
using namespace test::keys;
using nlohmann::json;

template <class T>
std::string raw(T value, std::size_t times = 1) {
  std::string bytes;
  for (std::size_t i = 0; i < times; ++i) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

// Where the fields of NIfTI-1 stand (nifti1.h), and how long they are.
struct NiftiField {
  std::size_t at, bytes;
};
const std::map<std::string, NiftiField> nifti_fields = {
    {"sizeof_hdr", {0, 4}},       {"data_type", {4, 10}},     {"db_name", {14, 18}},    {"extents", {32, 4}},
    {"session_error", {36, 2}},   {"regular", {38, 1}},       {"dim_info", {39, 1}},    {"dim", {40, 16}},
    {"intent_p1", {56, 4}},       {"intent_p2", {60, 4}},     {"intent_p3", {64, 4}},   {"intent_code", {68, 2}},
    {"datatype", {70, 2}},        {"bitpix", {72, 2}},        {"slice_start", {74, 2}}, {"pixdim", {76, 32}},
    {"vox_offset", {108, 4}},     {"scl_slope", {112, 4}},    {"scl_inter", {116, 4}},  {"slice_end", {120, 2}},
    {"slice_code", {122, 1}},     {"xyzt_units", {123, 1}},   {"cal_max", {124, 4}},    {"cal_min", {128, 4}},
    {"slice_duration", {132, 4}}, {"toffset", {136, 4}},      {"glmax", {140, 4}},      {"glmin", {144, 4}},
    {"descrip", {148, 80}},       {"aux_file", {228, 24}},    {"qform_code", {252, 2}}, {"sform_code", {254, 2}},
    {"quatern_b", {256, 4}},      {"quatern_c", {260, 4}},    {"quatern_d", {264, 4}},  {"qoffset_x", {268, 4}},
    {"qoffset_y", {272, 4}},      {"qoffset_z", {276, 4}},    {"srow_x", {280, 16}},    {"srow_y", {296, 16}},
    {"srow_z", {312, 16}},        {"intent_name", {328, 16}}, {"magic", {344, 4}}};

class IoHeaderKeysBinaryTest : public VolumeFolder {
  Q_OBJECT

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void nifti() {
    write(*io::find_volume_format("nifti"), target(path("v.nii"), off_centre()), numbers()).or_throw();
    const std::string whole = bytes_of(path("v.nii"));
    const auto read = [&](const Changes& changes) {
      std::string bytes = whole;
      for (const auto& [key, value] : changes) bytes.replace(nifti_fields.at(key).at, value.size(), value);
      put(path("v.nii"), bytes);
      return read_volume(path("v.nii"));
    };
    const std::string one = raw(int16_t{1}), none = raw(int16_t{0}), half = raw(0.5F);
    const Changes by_qform = {{"sform_code", none}, {"qform_code", one}};
    std::vector<KeyCase> standard = {{"sizeof_hdr", raw(int32_t{349})},
                                     {"dim", raw(int16_t{3}) + raw(int16_t{4}) + raw(int16_t{3}) + raw(int16_t{5})},
                                     {"datatype", raw(int16_t{8})},
                                     {"datatype", raw(int16_t{64})},
                                     {"bitpix", raw(int16_t{64})},
                                     {"pixdim", raw(1.F) + raw(2.F, 3), {{"sform_code", none}}},
                                     {"vox_offset", raw(0.F)},
                                     {"vox_offset", raw(348.F)},
                                     {"vox_offset", raw(352.5F)},
                                     {"scl_slope", raw(2.F)},
                                     {"scl_inter", raw(2.F)},
                                     {"scl_inter", raw(std::nanf(""))},
                                     {"xyzt_units", "\3"},
                                     {"descrip", "values in 1/cm"},
                                     {"qform_code", one, {{"sform_code", none}}},
                                     {"sform_code", none},
                                     {"srow_x", half},
                                     {"srow_y", raw(0.F) + half},
                                     {"srow_z", raw(0.F, 2) + half},
                                     {"magic", "ni1"}};
    for (const char* key : {"quatern_b", "quatern_c", "quatern_d", "qoffset_x", "qoffset_y", "qoffset_z"})
      standard.push_back({key, half, by_qform});
    for (const auto& [key, field] : nifti_fields)
      if (io::nifti_keys.find(key) == nullptr || io::nifti_keys.find(key)->use == io::KeyUse::harmless)
        standard.push_back({key, std::string(field.bytes, '\1')});
    check_keys(io::nifti_keys, standard, read);
    QCOMPARE(nifti_fields.size(), io::nifti_keys.names().size());
  }

  // An array of Zarr with "/" between the indices of its one chunk.
  Reading read_zarr(const char* header_name, json header, const Changes& changes, const char* chunk) const {
    fs::remove_all(path("a.zarr"));
    fs::create_directories((path("a.zarr") / chunk).parent_path());
    put(path("a.zarr") / chunk, raw(uint16_t{258}, 60));
    for (const auto& [key, value] : changes) {
      header.erase(key);
      if (!value.empty()) header[key] = json::parse(value);
    }
    put(path("a.zarr") / header_name, header.dump());
    return read_volume(path("a.zarr"));
  }

  void zarr_2() {
    const json header = json::parse(R"({"zarr_format": 2, "shape": [3, 4, 10], "chunks": [3, 4, 5], "dtype": "<u2",
      "fill_value": 0, "order": "C", "filters": null, "dimension_separator": "/", "compressor": null})");
    const auto read = [&](const Changes& changes) { return read_zarr(".zarray", header, changes, "0/0/0"); };
    check_keys(io::zarr_2_keys,
               {{"zarr_format", "3"},
                {"zarr_format", ""},
                {"shape", "[3, 4, 5]"},
                {"chunks", "[3, 5, 4]"},
                {"dtype", "\">u2\""},
                {"compressor", R"({"id": "zlib"})"},
                {"fill_value", "7"},
                {"order", "\"F\""},
                {"order", "\"A\""},
                {"filters", R"([{"id": "delta"}])"},
                {"dimension_separator", "\".\""},
                {"dimension_separator", "\"-\""}},
               read);
    const Reading usual = read({});
    QVERIFY2(usual.said.find("1 of 2 chunks are absent and are read as 0 (fill_value)") != std::string::npos,
             usual.said.c_str());
    const Reading elsewhere = read({{"dimension_separator", ""}});
    QVERIFY(elsewhere.error.find("none of its 2 chunks is where the header says (0.0.0), but there is 0/0/0") !=
            std::string::npos);
  }

  void zarr_3() {
    const json header = json::parse(R"({"zarr_format": 3, "node_type": "array", "shape": [3, 4, 10],
      "data_type": "uint16", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3, 4, 5]}},
      "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": 0,
      "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "attributes": {}})");
    const auto read = [&](const Changes& changes) { return read_zarr("zarr.json", header, changes, "c/0/0/0"); };
    check_keys(io::zarr_3_keys,
               {{"zarr_format", "2"},
                {"node_type", "\"group\""},
                {"shape", "[3, 4, 5]"},
                {"data_type", "\"int16x\""},
                {"chunk_grid", R"({"name": "rectilinear"})"},
                {"chunk_grid", R"({"name": "regular", "configuration": {"chunk_shape": [3, 5, 4]}})"},
                {"chunk_key_encoding", R"({"name": "v2"})"},
                {"chunk_key_encoding", R"({"name": "default", "configuration": {"separator": "."}})"},
                {"fill_value", "7"},
                {"codecs", R"([{"name": "bytes", "configuration": {"endian": "big"}}])"},
                {"codecs", R"([{"name": "bytes"}])"},
                {"codecs", R"([{"name": "transpose"}, {"name": "bytes", "configuration": {"endian": "little"}}])"},
                {"attributes", R"({"tomoloom": {"offset": 1, "step": 2}})"},
                {"storage_transformers", R"([{"name": "mine"}])"},
                {"dimension_names", R"(["x", "y", "z"])"},
                {"consolidated_metadata", "{}"}},
               read);
    QVERIFY(read({{"dimension_names", R"(["z", "y", "x"])"}}).same(read({})));
    // What the standard does not know is refused, unless it says that it may be passed over.
    QVERIFY(read({{"mine", R"({"must_understand": false})"}}).same(read({})));
    QVERIFY(read({{"mine", R"({"a": 1})"}}).error.find("\"mine\"") != std::string::npos);
  }

  void ome_zarr() {
    const auto read = [&](const Changes& changes) {
      json image = json::parse(R"({"version": "0.4", "axes": [{"name": "z", "type": "space", "unit": "millimeter"},
        {"name": "y", "type": "space", "unit": "millimeter"}, {"name": "x", "type": "space", "unit": "millimeter"}],
        "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.4, 0.3]}]}]})");
      for (const auto& [key, value] : changes) image[key] = json::parse(value);
      fs::create_directories(path("v.zarr/0"));
      put(path("v.zarr/.zattrs"), json({{"multiscales", {image}}}).dump());
      put(path("v.zarr/0/0.0.0"), raw(uint16_t{258}, 60));
      put(path("v.zarr/0/.zarray"), R"({"zarr_format": 2, "shape": [3, 4, 5], "chunks": [3, 4, 5], "dtype": "<u2",
        "fill_value": 0, "order": "C", "filters": null, "compressor": null})");
      return read_volume(path("v.zarr"));
    };
    const auto level = [](const char* steps) {
      return std::string(R"([{"path": "0", "coordinateTransformations": [)") + steps + "]}]";
    };
    check_keys(io::ome_image_keys,
               {{"version", "\"0.4\""},
                {"name", "\"bone\""},
                {"axes", R"([{"name": "x"}, {"name": "y"}, {"name": "z"}])"},
                {"datasets", level(R"({"type": "scale", "scale": [1, 1, 1]})")},
                {"datasets", level(R"({"type": "rotation", "rotation": [1]})")},
                {"datasets", level(R"({"type": "scale", "path": "scales"})")},
                {"coordinateTransformations", R"([{"type": "translation", "translation": [1, 2, 3]}])"},
                {"type", "\"gaussian\""},
                {"metadata", "{}"},
                {"omero", "{}"}},
               read);
    QVERIFY(read({{"coordinateTransformations", R"([{"type": "identity"}])"}}).same(read({})));
    QVERIFY(read({{"mine", "1"}}).said.find("mine") != std::string::npos);
  }

  // A series of two slices, element by element.
  Reading read_dicom(const Changes& changes) const {
    struct Element {
      const char* type;
      std::string value;
    };
    fs::create_directories(path("s"));
    for (int k = 0; k < 2; ++k) {
      std::map<std::string, Element> all = {{"0018,0050", {"DS", "0.5"}},
                                            {"0020,000e", {"UI", "1.2.3"}},
                                            {"0020,0013", {"IS", std::to_string(k + 1)}},
                                            {"0020,0032", {"DS", "1\\2\\" + std::to_string(k)}},
                                            {"0020,0037", {"DS", "1\\0\\0\\0\\1\\0"}},
                                            {"0028,0002", {"US", raw(uint16_t{1})}},
                                            {"0028,0004", {"CS", "MONOCHROME2"}},
                                            {"0028,0010", {"US", raw(uint16_t{3})}},
                                            {"0028,0011", {"US", raw(uint16_t{4})}},
                                            {"0028,0030", {"DS", "0.3\\0.3"}},
                                            {"0028,0100", {"US", raw(uint16_t{16})}},
                                            {"0028,0101", {"US", raw(uint16_t{16})}},
                                            {"0028,0102", {"US", raw(uint16_t{15})}},
                                            {"0028,0103", {"US", raw(uint16_t{0})}},
                                            {"7fe0,0010", {"OW", ""}}};
      for (const auto& [key, value] : changes) {
        const bool other_series = key == "0020,000e" && k == 0;
        if (!all.contains(key)) all[key] = {"LO", {}};
        if (!other_series) all[key].value = value;
      }
      io::DicomElements elements;
      std::string bytes = io::dicom_file_head("1.2.3", "1.2.3." + std::to_string(k));
      if (const auto syntax = changes.find("0002,0010"); syntax != changes.end())
        bytes.replace(bytes.find("1.2.840.10008.1.2.1"), syntax->second.size(), syntax->second);
      for (const auto& [key, element] : all) {
        const auto tag = static_cast<uint32_t>(std::stoul(key.substr(0, 4) + key.substr(5), nullptr, 16));
        if (tag >> 16 == 2 || (element.value.empty() && key != "7fe0,0010")) continue;
        if (key == "7fe0,0010")
          elements.pixels(tag, 24);
        else
          elements.text(tag, element.type, element.value);
      }
      bytes += elements.bytes() + (changes.contains("7fe0,0010") ? std::string() : std::string(24, '\x81'));
      put(path("s") / (std::to_string(k) + ".dcm"), bytes);
    }
    return read_volume(path("s"));
  }

  void dicom() {
    const auto us = [](uint16_t value) { return raw(value); };
    std::vector<KeyCase> standard = {{"0002,0010", "1.2.840.10008.1.2.2"},
                                     {"0008,0070", "Tomoloom", {{"0020,1002", "5"}}},
                                     {"0020,1002", "5"},
                                     {"0018,0050", "7", {{"0020,0032", ""}}},
                                     {"0018,0088", "7", {{"0020,0032", ""}}},
                                     {"0020,000e", "1.2.4"},
                                     {"0020,0013", "1", {{"0020,0032", ""}}},
                                     {"0020,0032", "1\\2\\7"},
                                     {"0020,0037", "0\\1\\0\\1\\0\\0"},
                                     {"0028,0002", us(3)},
                                     {"0028,0004", "RGB"},
                                     {"0028,0008", "2"},
                                     {"0028,0010", us(4)},
                                     {"0028,0011", us(3)},
                                     {"0028,0030", "0.3\\0.4"},
                                     {"0028,0100", us(8)},
                                     {"0028,0101", us(12)},
                                     {"0028,0102", us(11), {{"0028,0101", us(12)}}},
                                     {"0028,0103", us(1)},
                                     {"0028,1052", "-1024"},
                                     {"0028,1053", "2"},
                                     {"0028,1054", "1/mm"},
                                     {"0028,3000", "a table"},
                                     {"3004,000e", "0.001"},
                                     {"5200,9229", "groups"},
                                     {"5200,9230", "groups"},
                                     {"7fe0,0008", "floats"},
                                     {"7fe0,0009", "doubles"},
                                     {"7fe0,0010", "cut off"}};
    for (const char* name :
         {"0018,1164", "0028,0006", "0028,0034", "0028,0106", "0028,0107", "0028,0120", "0028,0121", "0028,1040",
          "0028,1050", "0028,1051", "0028,1101", "0028,2110", "0028,3010", "0040,9096", "2050,0020"})
      standard.push_back({name, "7"});
    check_keys(io::dicom_keys, standard, [this](const Changes& changes) { return read_dicom(changes); });
  }
};

TL_TEST_CASE(IoHeaderKeysBinaryTest)

}  // namespace tl::header_keys_binary_test

#include "header_keys_binary.moc"
