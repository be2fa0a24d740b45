// ScanFlags: adds the options that override a scan's metadata, and converts them to settings of the load node.
#include "app/cli/common/scan_flags.h"

#include <filesystem>

namespace tl::cli {
namespace {

// Angles as FIRST:STEP ("0:0.5"), as the name of a text file, or, beginning with /, as a dataset of the scan.
Result<void> add_angles(const std::string& text, std::vector<std::string>& settings) {
  std::error_code failed;
  if (std::filesystem::is_regular_file(text, failed)) {
    settings.push_back("angles_file=" + std::filesystem::absolute(text).string());
    return ok();
  }
  if (const auto colon = text.find(':'); colon != std::string::npos && text[0] != '/') {
    settings.push_back("first_angle=" + text.substr(0, colon));
    settings.push_back("angle_step=" + text.substr(colon + 1));
    return ok();
  }
  if (!text.empty() && text[0] == '/') {
    settings.push_back("angles_dataset=" + text);
    return ok();
  }
  return invalid("the angles are neither a text file, nor a dataset of the scan, nor FIRST:STEP", "--angles " + text,
                 "For example --angles angles.txt, --angles /entry/sample/theta or --angles 0:0.5");
}

// Flats or darks as a dataset of the scan, as another file or folder, or as FILE:/DATASET of another HDF5 file.
void add_references(const std::string& name, const std::string& text, std::vector<std::string>& settings) {
  if (text.empty()) return;
  const std::size_t colon = text.find(":/");
  const bool is_other_file = colon != std::string::npos && colon > 0;
  std::error_code failed;
  if (!is_other_file && (text[0] != '/' || std::filesystem::exists(text, failed))) {
    settings.push_back(name + "_file=" + std::filesystem::absolute(text).string());
    return;
  }
  if (is_other_file) settings.push_back(name + "_file=" + std::filesystem::absolute(text.substr(0, colon)).string());
  settings.push_back(name + "=" + (is_other_file ? text.substr(colon + 1) : text));
}

}  // namespace

void add_scan_flags(CLI::App& app, Cli& cli, ScanFlags& flags) {
  app.add_option("--format", flags.format, "Read the scan as this format instead of guessing");
  app.add_option("--data", flags.data,
                 "HDF5 path of the frames [frame, row, column], in a file of any layout; or the scan in an NXtomo or "
                 "BLISS file: /5.1");
  app.add_option("--image-key", flags.image_key,
                 "HDF5 path of one number per frame: 0 projection, 1 flat, 2 dark, 3 invalid");
  cli.files.reads(
      app.add_option("--flats", flags.flats,
                     "Another file or folder with the flats, FILE:PATH of an HDF5 file, or an HDF5 path in the scan"));
  cli.files.reads(
      app.add_option("--darks", flags.darks,
                     "Another file or folder with the darks, FILE:PATH of an HDF5 file, or an HDF5 path in the scan"));
  app.add_option("--energy", flags.energy, "Energy of the X-rays (keV unless a unit is given)");
  cli.files.reads(app.add_option(
      "--angles", flags.angles,
      "Gantry angles instead of the file's: a text file, an HDF5 path in the scan, or FIRST:STEP in deg"));
  app.add_option("--angle-unit", flags.angle_unit,
                 "radians: numbers that were taken for degrees are radians (as_the_file_says: default)");
  app.add_option("--pixels", flags.pixels, "What the pixels are: counts, transmission, percent of it or absorption");
  app.add_option("--beam", flags.beam, "parallel or cone");
  app.add_option("--source-to-axis", flags.source_to_axis,
                 "Distance from source to rotation axis (mm unless a unit is given)");
  app.add_option("--axis-to-detector", flags.axis_to_detector,
                 "Distance from rotation axis to detector (mm unless a unit is given)");
  app.add_option("--pixel-size", flags.pixel_size, "Distance between detector columns (um unless a unit is given)");
  app.add_option("--raw-size", flags.raw_size, "Files without a header: COLUMNSxROWS or COLUMNSxROWSxFRAMES");
  app.add_option("--raw-type", flags.raw_type, "Type of their numbers: uint8, uint16 (default), ..., float32, float64");
  app.add_option("--raw-offset", flags.raw_offset, "Bytes before their first pixel");
  app.add_option("--raw-byte-order", flags.raw_byte_order, "little (default) or big");
  app.add_flag("--outside-links", flags.outside_links,
               "Also read files outside the scan's folder that links in it lead to");
  app.add_flag("--sinograms", flags.sinograms, "The frames of the file are sinograms, one per detector row");
}

Result<std::vector<std::string>> load_settings(const ScanFlags& flags) {
  std::vector<std::string> settings;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) settings.push_back(std::string(name) + "=" + value);
  };
  add("format", flags.format);
  add("data", flags.data);
  add("image_key", flags.image_key);
  add_references("flats", flags.flats, settings);
  add_references("darks", flags.darks, settings);
  add("energy", flags.energy);
  if (!flags.angles.empty()) TL_TRY(add_angles(flags.angles, settings));
  add("angle_unit", flags.angle_unit);
  add("pixels", flags.pixels);
  add("beam", flags.beam);
  add("source_to_axis", flags.source_to_axis);
  add("axis_to_detector", flags.axis_to_detector);
  add("pixel_size", flags.pixel_size);
  add("raw_size", flags.raw_size);
  add("raw_type", flags.raw_type);
  add("raw_offset", flags.raw_offset);
  add("raw_byte_order", flags.raw_byte_order);
  if (flags.outside_links) settings.emplace_back("outside_links=follow");
  if (flags.sinograms) settings.emplace_back("order=sinograms");
  return settings;
}

}  // namespace tl::cli
