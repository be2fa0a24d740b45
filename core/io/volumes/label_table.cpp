// Reads and writes tables of classes, and checks the numbers of labels.
#include "core/io/volumes/label_table.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/io/bytes/data_checksum.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;
using LabelJson = nlohmann::ordered_json;

constexpr const char
    *labels_member = "labels",
    *checksum_member = "volume", *table_ending = ".labels.json",
    *form_of_table =
        "It is {\"classes\": [{\"number\": 1, \"name\": \"pore\", \"colour\": \"#3366cc\"}], \"not_labelled\": 0}";

LabelJson table_json(const LabelTable& table) {
  LabelJson classes = LabelJson::array();
  for (const LabelClass& c : table.classes) {
    LabelJson one = {{"number", c.number}, {"name", c.name}};
    if (!c.colour.empty()) one["colour"] = c.colour;
    classes.push_back(std::move(one));
  }
  LabelJson all = {{"classes", std::move(classes)}};
  if (table.not_labelled) all["not_labelled"] = *table.not_labelled;
  return all;
}

std::string indented_text(const LabelJson& json) {
  return json.dump(2, ' ', false, LabelJson::error_handler_t::replace) + "\n";
}

bool is_label_number(const LabelJson& value) {
  return value.is_number_integer() && value >= 0 && value < max_label_numbers;
}

bool is_colour(const std::string& text) {
  return text.empty() || (text.size() == 7 && text[0] == '#' &&
                          text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos);
}

Result<LabelClass> parse_class(const LabelJson& one, const std::string& where) {
  const auto text = [&](const char* key) {
    const auto found = one.find(key);
    return found != one.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!one.is_object() || !one.contains("number") || !is_label_number(one["number"]))
    return invalid("a class of the table of labels has no number from 0 to " + std::to_string(max_label_numbers - 1),
                   where, form_of_table);
  LabelClass c{one["number"].get<int64_t>(), text("name"), text("colour")};
  if (!is_colour(c.colour))
    return invalid("the colour of the class " + std::to_string(c.number) + " is \"" + c.colour + "\"", where,
                   "Colours are like #3366cc");
  return c;
}

Result<LabelTable> parse_table(const LabelJson& all, const std::string& where) {
  LabelTable table;
  if (!all.is_object() || !all.contains("classes") || !all["classes"].is_array())
    return invalid("the table of labels has no list of classes", where, form_of_table);
  for (const LabelJson& one : all["classes"]) {
    TL_TRY(LabelClass c, parse_class(one, where));
    table.classes.push_back(std::move(c));
  }
  std::sort(table.classes.begin(), table.classes.end(),
            [](const LabelClass& a, const LabelClass& b) { return a.number < b.number; });
  const auto twice = std::adjacent_find(table.classes.begin(), table.classes.end(),
                                        [](const LabelClass& a, const LabelClass& b) { return a.number == b.number; });
  if (twice != table.classes.end())
    return invalid("the class " + std::to_string(twice->number) + " stands twice in the table of labels", where,
                   "Remove one of the two");
  if (const auto none = all.find("not_labelled"); none != all.end() && !none->is_null()) {
    if (!is_label_number(*none))
      return invalid(
          "not_labelled is not a number from 0 to " + std::to_string(max_label_numbers - 1) + " in the table of labels",
          where, form_of_table);
    table.not_labelled = none->get<int64_t>();
  }
  return table;
}

// Tables by hand have no checksum.
Result<void> check_is_table_of(const LabelJson& all, const fs::path& table, const fs::path& volume) {
  if (!all.is_object() || !all.contains(checksum_member)) return ok();
  TL_TRY(const std::string found, data_checksum_of(volume));
  if (all[checksum_member] == found) return ok();
  return invalid("the table of classes was not written for the voxels in " + volume.filename().string(), table.string(),
                 std::string("Write both again. If the table is right, remove its member \"") + checksum_member + "\"");
}

LabelJson parsed_text(const std::string& text) {
  constexpr int deepest = 64;
  return LabelJson::parse(
      text, [](int depth, LabelJson::parse_event_t, LabelJson&) { return depth <= deepest; }, false);
}

}  // namespace

std::string to_json_text(const LabelTable& table) { return indented_text(table_json(table)); }

Result<LabelTable> label_table_from_json(const std::string& text, const std::string& where) {
  return parse_table(parsed_text(text), where);
}

std::string with_label_table(const std::string& description, const LabelTable& table) {
  LabelJson all = parsed_text(description);
  if (!all.is_object()) all = LabelJson::object();
  all[labels_member] = table_json(table);
  return all.dump(-1, ' ', false, LabelJson::error_handler_t::replace);
}

bool describes_labels(const std::string& description) {
  const LabelJson all = parsed_text(description);
  return all.is_object() && all.contains(labels_member);
}

fs::path label_table_file(const fs::path& volume) {
  const fs::path named = volume.has_filename() ? volume : volume.parent_path();
  return named.string() + table_ending;
}

std::optional<fs::path> label_table_next_to(const fs::path& volume) {
  const fs::path full = label_table_file(volume);
  std::vector<fs::path> names = {full};
  // Without the ending: also the two of .nii.gz and .ome.zarr.
  const fs::path named = volume.has_filename() ? volume : volume.parent_path();
  fs::path stem = named.stem();
  for (int endings = 0; endings < 2 && stem != named.filename(); ++endings) {
    names.push_back(named.parent_path() / (stem.string() + table_ending));
    const std::string inner = lower_case(stem.extension().string());
    if (inner != ".nii" && inner != ".ome") break;
    stem = stem.stem();
  }
  std::error_code failed;
  for (const fs::path& name : names)
    if (fs::is_regular_file(name, failed)) return name;
  return std::nullopt;
}

Result<LabelTable> label_table_of(const VolumeFileInfo& volume) {
  constexpr std::size_t longest = std::size_t{16} << 20;
  if (const auto table_file = label_table_next_to(volume.path)) {
    TL_TRY(const std::string text, first_bytes(*table_file, longest, Packing::none));
    const LabelJson all = parsed_text(text);
    TL_TRY(check_is_table_of(all, *table_file, volume.path));
    return parse_table(all, table_file->string());
  }
  const LabelJson all = parsed_text(volume.description);
  if (!all.is_object() || !all.contains(labels_member)) return LabelTable{};
  return parse_table(all[labels_member], volume.path.string());
}

Result<void> add_label_table(OutputFile& volume, const fs::path& volume_name, const LabelTable& table,
                             const OutputRules& rules) {
  LabelJson all = table_json(table);
  TL_TRY(const std::string checksum, data_checksum_of(volume.part_path()));
  all[checksum_member] = checksum;
  TL_TRY(OutputFile table_file, uncommitted_text(label_table_file(volume_name), indented_text(all), rules));
  volume.add_companion(std::move(table_file));
  return ok();
}

Result<at::Tensor> label_numbers(const at::Tensor& voxels, const std::string& where) {
  constexpr int64_t exact_floats = int64_t{1} << std::numeric_limits<float>::digits;
  const bool floats = voxels.is_floating_point();
  // An integer: torch would compare integers with a double in float32.
  const int64_t most = floats ? exact_floats : max_label_numbers;
  at::Tensor fits = voxels.ge(0).logical_and(voxels.lt(most));
  if (floats) fits = fits.logical_and(voxels.eq(voxels.floor()));
  if (fits.all().item<bool>()) return voxels.to(at::kInt);
  const auto wrong = voxels.masked_select(fits.logical_not())[0].item<double>();
  const bool too_large = wrong >= static_cast<double>(most) && wrong == std::floor(wrong);
  const std::string value = formatted("%.10g", wrong);
  if (too_large && floats)
    return invalid("a voxel is " + value + ", beyond which float32 does not hold every integer", where,
                   "Write the labels as integers, which may be larger");
  if (too_large)
    return invalid("a voxel is " + std::to_string(max_label_numbers) + " or more, which labels cannot be", where,
                   "Labels are 0 to " + std::to_string(max_label_numbers - 1) + ": number them again");
  return invalid(
      std::string("a voxel is ") + value + ", which labels cannot be", where,
      "Labels are integers from 0 to " + std::to_string(max_label_numbers - 1) + ": load measured values as a volume");
}

}  // namespace tl::io
