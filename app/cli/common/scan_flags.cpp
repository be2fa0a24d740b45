// ScanFlags: adds the options that override a scan's metadata, and converts them to settings of the load node.
#include "app/cli/common/scan_flags.h"

#include <algorithm>
#include <filesystem>

#include "core/node/registry.h"

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

// Parameters of the load node that are options of the same name: --raw-size is raw_size.
constexpr const char* plain_options[] = {"format",     "data",           "image_key",        "energy",
                                         "angle_unit", "odd_references", "use_darks",        "pixels",
                                         "beam",       "source_to_axis", "axis_to_detector", "pixel_size",
                                         "raw_size",   "raw_type",       "raw_offset",       "raw_byte_order"};

// The help text of the parameter in the node's declaration, with its choices or its unit.
std::string option_help(const ParamDecl& param) {
  std::string values;
  for (const Choice& choice : param.choices) values += (values.empty() ? "" : ", ") + choice.name;
  if (param.unit != Unit::none) values = std::string(symbol(param.unit)) + " unless a unit is given";
  return values.empty() ? param.help : param.help.substr(0, param.help.size() - 1) + " (" + values + ")";
}

}  // namespace

void add_scan_flags(CLI::App& app, Cli& cli, ScanFlags& flags) {
  const NodeType* load = Registry::all().with_role(NodeRole::load_scan);
  for (const char* name : plain_options) {
    std::string option = std::string("--") + name;
    std::replace(option.begin(), option.end(), '_', '-');
    app.add_option(option, flags.values[name], option_help(*load->param(name)));
  }
  cli.files.reads(
      app.add_option("--flats", flags.flats,
                     "Another file or folder with the flats, FILE:PATH of an HDF5 file, or an HDF5 path in the scan"));
  cli.files.reads(
      app.add_option("--darks", flags.darks,
                     "Another file or folder with the darks, FILE:PATH of an HDF5 file, or an HDF5 path in the scan"));
  cli.files.reads(app.add_option(
      "--angles", flags.angles,
      "Gantry angles instead of the file's: a text file, an HDF5 path in the scan, or FIRST:STEP in deg"));
  app.add_flag("--outside-links", flags.outside_links,
               "Also read files outside the scan's folder that links in it lead to");
  app.add_flag("--sinograms", flags.sinograms, "The frames of the file are sinograms, one per detector row");
}

Result<std::vector<std::string>> load_settings(const ScanFlags& flags) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : flags.values)
    if (!value.empty()) settings.push_back(name + "=" + value);
  add_references("flats", flags.flats, settings);
  add_references("darks", flags.darks, settings);
  if (!flags.angles.empty()) TL_TRY(add_angles(flags.angles, settings));
  if (flags.outside_links) settings.emplace_back("outside_links=follow");
  if (flags.sinograms) settings.emplace_back("order=sinograms");
  return settings;
}

}  // namespace tl::cli
