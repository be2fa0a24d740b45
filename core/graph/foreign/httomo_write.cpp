// Writes process lists of HTTomo.
#include <algorithm>

#include "core/base/wording.h"
#include "core/graph/foreign/httomo.h"
#include "core/graph/foreign/yaml_document.h"

namespace tl::foreign {
namespace {

using json::Json;

constexpr const char* loaders = "httomo.data.hdf.loaders";
constexpr const char* finder_id = "centering";

// A text of the other program as a YAML value.
Json yaml_value(std::string_view text) {
  if (text == none_text) return nullptr;
  if (text == "true") return true;
  if (text == "false") return false;
  const auto number = number_of(text);
  if (!number) return std::string(text);
  if (text.find_first_not_of("-0123456789") == std::string_view::npos) return static_cast<int64_t>(*number);
  return *number;
}

Json reference_to(const char* result) { return "${{" + std::string(finder_id) + ".side_outputs." + result + "}}"; }

class HttomoWriter {
 public:
  HttomoWriter(const Graph& graph, const Registry& registry, const ScanFacts& facts)
      : drawn_(graph), registry_(registry), facts_(facts), columns_(facts) {}

  Result<WrittenPipeline> write() {
    TL_TRY(const Chain chain, chain_of(drawn_, registry_, lost_));
    at_ = chain.steps.begin();
    end_ = chain.steps.end();
    if (at_ != end_ && at_->node->type != "input.load_scan") {
      // HTTomo needs a loader: a loader of scans replaces any other input.
      lost_.push_back({at_->id, "", "HTTomo only loads scans: " + at_->node->type + " becomes its loader"});
      const NodeType* loader = registry_.find("input.load_scan");
      const GraphNode defaults{loader->id, loader->version, {}};
      write_loader({at_->id, &defaults, loader});
      ++at_;
    }
    for (; at_ != end_; ++at_) write_step(*at_);
    if (!axis_node_.empty() && !axis_written_)
      lost_.push_back({axis_node_, "", "none of the written methods has a rotation axis"});
    if (known_ == 0)
      return invalid("no node of this pipeline is known to HTTomo", drawn_.title,
                     lost_.empty() ? "" : to_text(lost_.front()));
    return WrittenPipeline{yaml_text(steps_), std::move(lost_)};
  }

 private:
  using Steps = std::vector<ChainStep>::const_iterator;

  [[nodiscard]] static const ParamValue& value(const ChainStep& step, std::string_view name) {
    return value_of(*step.node, *step.type->param(std::string(name)));
  }
  [[nodiscard]] static std::string text(const ChainStep& step, std::string_view name) {
    return to_text(value(step, name));
  }
  [[nodiscard]] const ChainStep* next(std::string_view type) const {
    return at_ + 1 != end_ && (at_ + 1)->node->type == type ? &*(at_ + 1) : nullptr;
  }
  void lose(const ChainStep& step, std::string_view name, const std::string& reason) {
    lost_.push_back({step.id + "." + std::string(name), text(step, name), reason});
  }
  void lose_rest(const ChainStep& step, const std::vector<std::string_view>& known) {
    note_loss_of_other_parameters(step, known, "HTTomo", lost_);
  }
  Json& add(std::string_view method, std::string_view module, Json parameters) {
    ++known_;
    steps_.push_back(
        {{"method", std::string(method)}, {"module_path", std::string(module)}, {"parameters", std::move(parameters)}});
    return steps_.back();
  }

  void write_step(const ChainStep& step) {
    const std::string& type = step.node->type;
    if (type == "input.load_scan") return write_loader(step);
    if (type == "geometry.set") return write_geometry(step);
    if (type == "correct.flat_field" && text(step, "reference") == "none") return write_logarithm(step);
    if (type == "output.save_volume") return write_images(step);
    if (type == "output.save_projections") return lose_rest(step, {});  // the last result is saved in any case
    if (const HttomoMethod* m = method_for(step)) return write_known(step, *m);
    lost_.push_back({step.id, "", "HTTomo has no method for " + type + " with these settings at this step"});
    if (changes_columns(type)) columns_.lose();
  }

  // The row that fits best: its fixed "method" and "output" must agree; other differences are reported as losses.
  [[nodiscard]] const HttomoMethod* method_for(const ChainStep& step) const {
    const HttomoMethod* best = nullptr;
    std::ptrdiff_t fewest = 0;
    for (const HttomoMethod& m : httomo_methods()) {
      if (m.is_only_read || m.node != step.node->type || (m.method == "sino_360_to_180" && axis_ != Axis::found))
        continue;
      const auto differs = [&](const auto& fixed) { return text(step, fixed.first) != fixed.second; };
      const bool never = std::any_of(m.fixed.begin(), m.fixed.end(), [&](const auto& f) {
        return (f.first == "method" || f.first == "output") && differs(f);
      });
      const auto count = std::count_if(m.fixed.begin(), m.fixed.end(), differs);
      if (never || (best != nullptr && count >= fewest)) continue;
      best = &m;
      fewest = count;
    }
    return best;
  }

  void write_known(const ChainStep& step, const HttomoMethod& m) {
    Json parameters = Json::object();
    std::vector<std::string_view> known;
    const bool logarithm = m.role == HttomoRole::flat_field && text(step, "logarithm") == "on";
    for (const auto& [ours, wanted] : m.fixed) {
      known.push_back(ours);
      if (text(step, ours) != wanted && !(logarithm && ours == "logarithm"))
        lose(step, ours, std::string(m.method) + " of HTTomo does as with \"" + std::string(wanted) + "\"");
    }
    if (m.role == HttomoRole::recon || m.role == HttomoRole::masked_recon) parameters["center"] = centre(step, m);
    for (const ParameterMap& map : m.parameters) {
      known.push_back(map.ours);
      write_parameter(step, map, parameters);
    }
    for (const auto& [name, wanted] : m.constants) parameters[std::string(name)] = yaml_value(wanted);
    if (m.role == HttomoRole::retrieval) write_pixel_size(parameters);
    if (m.role == HttomoRole::masked_recon) write_mask(parameters);
    if (m.method == "find_center_vo") write_range(step, parameters, known);
    if (m.method == "sino_360_to_180")
      parameters = {{"overlap", reference_to("overlap")}, {"side", reference_to("side")}};
    if (changes_columns(step.node->type)) columns_.lose();
    if (!m.difference.empty()) lost_.push_back({step.id, "", std::string(m.method) + ": " + std::string(m.difference)});
    lose_rest(step, known);
    Json& added = add(m.method, m.module, std::move(parameters));
    if (m.role == HttomoRole::finder) {
      axis_ = Axis::found;
      added["id"] = finder_id;
      added["side_outputs"] = {{"cor", "centre_of_rotation"}};
      if (m.method == "find_center_360")
        for (const char* more : {"overlap", "side", "overlap_position"}) added["side_outputs"][more] = more;
    }
    if (logarithm) add("minus_log", m.module, Json::object());
    // The mask and the crop are part of this step and already written.
    if (m.role == HttomoRole::masked_recon && mask_written_) ++at_;
    mask_written_ = false;
  }

  void write_parameter(const ChainStep& step, const ParameterMap& map, Json& parameters) {
    const ParamDecl& decl = *step.type->param(std::string(map.ours));
    auto there = foreign_value(map, decl, value_of(*step.node, decl));
    if (!there) {
      there = known_of_scan(map);
      if (there) lose(step, map.ours, "the value that the scan states is written: " + *there);
    }
    if (!there) {
      lose(step, map.ours, "HTTomo needs a value: " + std::string(map.missing) + ", its default, is written");
      there = std::string(map.missing);
    }
    parameters[std::string(map.theirs)] = yaml_value(*there);
  }

  // The value of the scan for a parameter set to "auto".
  [[nodiscard]] std::optional<std::string> known_of_scan(const ParameterMap& map) const {
    if (map.ours == "energy" && facts_.energy_kev) return number_text(*facts_.energy_kev);
    if (map.ours == "distance" && facts_.distance_mm)
      return number_text(convert(*facts_.distance_mm, Unit::mm, map.unit));
    return std::nullopt;
  }

  void write_pixel_size(Json& parameters) {
    const bool centimetres = parameters.contains("dist");
    const auto size = pixel_um_ ? pixel_um_ : facts_.pixel_um;
    const double um = size.value_or(1);
    if (!pixel_um_)
      lost_.push_back(
          {loader_ + ".pixel_size", "auto",
           size ? "the value that the scan states is written: " + number_text(um) + " um"
                : "it is not known, and 1 um is written" + two_wordings(": name the scan with --input", "")});
    parameters["pixel_size"] = centimetres ? convert(um, Unit::um, Unit::cm) : um;
  }

  void write_range(const ChainStep& step, Json& parameters, std::vector<std::string_view>& known) {
    const double centre = std::get<Number>(value(step, "centre")).value;
    const auto* reach = std::get_if<Number>(&value(step, "reach"));
    if (reach == nullptr) lose(step, "reach", "HTTomo needs a range: 50 px to either side, its default, are written");
    const double half = reach == nullptr ? 50 : reach->value;
    parameters["smin"] = yaml_value(number_text(centre - half));
    parameters["smax"] = yaml_value(number_text(centre + half));
    known.insert(known.end(), {"centre", "reach"});
  }

  void write_mask(Json& parameters) {
    const ChainStep* mask = next("filter.circular_mask");
    mask_written_ = mask != nullptr;
    const auto* radius = mask == nullptr ? nullptr : std::get_if<Number>(&value(*mask, "radius"));
    parameters["recon_mask_radius"] = yaml_value(radius == nullptr ? "2.0" : number_text(radius->value));
    if (mask != nullptr) lose_rest(*mask, {"radius"});
  }

  // The rotation axis as a column; null if it equals HTTomo's default.
  Json centre(const ChainStep& step, const HttomoMethod& m) {
    axis_written_ = true;
    if (axis_ == Axis::found) return reference_to("centre_of_rotation");
    if (axis_ == Axis::of_scan) {
      lost_.push_back({axis_node_.empty() ? step.id : axis_node_ + ".axis", axis_node_.empty() ? "" : "auto",
                       "the axis stored in the scan: HTTomo uses column w / 2 of w"});
      return nullptr;
    }
    if (axis_px_ == axis_without_centre(m, columns_.count())) return nullptr;
    const auto column = columns_.from_first(axis_px_);
    if (column) return yaml_value(number_text(*column));
    lost_.push_back({axis_node_ + ".axis", number_text(axis_px_) + " px", columns_.why_unknown()});
    return nullptr;
  }

  void write_geometry(const ChainStep& step) {
    axis_node_ = step.id;
    if (const auto* axis = std::get_if<Number>(&value(step, "axis"))) {
      axis_ = Axis::given;
      axis_px_ = axis->value;
    }
    if (const auto* size = std::get_if<Number>(&value(step, "pixel_size")))
      pixel_um_ = convert(size->value, size->unit, Unit::um);
    lose_rest(step, {"axis", "pixel_size"});
  }

  void write_logarithm(const ChainStep& step) {
    lose_rest(step, {"reference", "logarithm"});
    if (text(step, "logarithm") == "on") add("minus_log", "httomolibgpu.prep.normalize", Json::object());
  }

  void write_images(const ChainStep& step) {
    std::vector<std::string_view> known = {"file"};
    if (text(step, "format") == "tiff_stack") {
      known.emplace_back("format");
      add("save_to_images", "httomolib.misc.images",
          {{"subfolder_name", text(step, "file")}, {"axis", "auto"}, {"file_format", "tif"}, {"asynchronous", true}});
    } else if (step.node->params.count("file") != 0) {
      lose(step, "file", "HTTomo saves the last result in HDF5, under a name of its own");
    }
    lose_rest(step, known);
  }

  void write_loader(const ChainStep& step) {
    loader_ = step.id;
    const auto path = [&](const char* name) {
      const std::string given = text(step, name);
      return given.empty() ? Json("auto") : Json(given);
    };
    Json parameters{{"data_path", path("data")}, {"image_key_path", path("image_key")}, {"rotation_angles", "auto"}};
    std::vector<std::string_view> known = {"data", "image_key", "first_view", "last_view", "pixel_size"};
    if (!text(step, "file").empty()) lose(step, "file", "HTTomo gets the scan on its command line");
    known.emplace_back("file");
    write_angles(step, parameters, known);
    parameters["preview"] = {{"detector_x", {{"start", nullptr}, {"stop", nullptr}}},
                             {"detector_y", {{"start", nullptr}, {"stop", nullptr}}}};
    for (const char* name : {"darks", "flats"}) {
      const std::string file = text(step, std::string(name) + "_file"), data = text(step, name);
      parameters[name] = nullptr;
      if (!file.empty() || !data.empty()) parameters[name] = {{"file", file}, {"data_path", data}};
      known.insert(known.end(), {name, name == std::string_view("darks") ? "darks_file" : "flats_file"});
    }
    write_subset(step, parameters);
    if (const auto* size = std::get_if<Number>(&value(step, "pixel_size")))
      pixel_um_ = convert(size->value, size->unit, Unit::um);
    lose_rest(step, known);
    if (const ChainStep* crop = next("correct.crop_bin")) write_preview(*crop, parameters);
    add("standard_tomo", loaders, std::move(parameters));
  }

  void write_angles(const ChainStep& step, Json& parameters, std::vector<std::string_view>& known) {
    known.insert(known.end(), {"angles_dataset", "first_angle", "angle_step"});
    if (const std::string data = text(step, "angles_dataset"); !data.empty())
      parameters["rotation_angles"] = {{"data_path", data}};
    const auto* angle_step = std::get_if<Number>(&value(step, "angle_step"));
    if (angle_step == nullptr) return;
    if (!facts_.views)
      return lose(step, "angle_step",
                  "HTTomo needs the number of views" + two_wordings(": name the scan with --input", ""));
    const auto* first = std::get_if<Number>(&value(step, "first_angle"));
    const double start = first == nullptr ? 0 : convert(first->value, first->unit, Unit::deg);
    const double span =
        convert(angle_step->value, angle_step->unit, Unit::deg) * static_cast<double>(*facts_.views - 1);
    parameters["rotation_angles"] = {
        {"user_defined", {{"start_angle", start}, {"stop_angle", start + span}, {"angles_total", *facts_.views}}}};
  }

  void write_subset(const ChainStep& step, Json& parameters) {
    const auto first = std::get<int64_t>(value(step, "first_view"));
    const auto* last = std::get_if<int64_t>(&value(step, "last_view"));
    parameters["continuous_scan_subset"] = nullptr;
    if (first == 0 && last == nullptr) return;
    parameters["continuous_scan_subset"] = {{"start", first}, {"stop", last == nullptr ? Json() : Json(*last + 1)}};
  }

  // A crop directly after the loader becomes the loader's preview.
  void write_preview(const ChainStep& crop, Json& parameters) {
    std::optional<int64_t> last_col;
    for (const auto& [axis, first, last] :
         {std::tuple("detector_y", "first_row", "last_row"), std::tuple("detector_x", "first_col", "last_col")}) {
      Json& span = parameters["preview"][axis];
      if (const auto start = std::get<int64_t>(value(crop, first)); start > 0) span["start"] = start;
      const auto* stop = std::get_if<int64_t>(&value(crop, last));
      if (stop != nullptr) span["stop"] = *stop + 1;
      if (stop != nullptr && axis == std::string_view("detector_x")) last_col = *stop;
    }
    columns_.crop(std::get<int64_t>(value(crop, "first_col")), last_col, 1);
    if (std::get<int64_t>(value(crop, "bin_cols")) != 1) columns_.lose();
    lose_rest(crop, {"first_row", "last_row", "first_col", "last_col"});
    ++at_;
  }

  enum class Axis { of_scan, given, found };

  const Graph& drawn_;
  const Registry& registry_;
  const ScanFacts& facts_;
  ColumnNumbering columns_;
  std::vector<Loss> lost_;
  Json steps_ = Json::array();
  Steps at_, end_;
  Axis axis_ = Axis::of_scan;
  double axis_px_ = 0;
  std::string axis_node_, loader_;
  std::optional<double> pixel_um_;
  bool mask_written_ = false, axis_written_ = false;
  int64_t known_ = 0;
};

bool looks_like_httomo(std::string_view text) {
  return text.find("method") != std::string_view::npos && text.find("module_path") != std::string_view::npos;
}

}  // namespace

Result<WrittenPipeline> write_httomo(const Graph& graph, const Registry& registry, const ScanFacts& facts) {
  return HttomoWriter(graph, registry, facts).write();
}

const PipelineFormat& httomo_format() {
  static const PipelineFormat format{"httomo",          "HTTomo",    {".yaml", ".yml"},
                                     looks_like_httomo, read_httomo, write_httomo};
  return format;
}

}  // namespace tl::foreign
