// Reads process lists of HTTomo: a YAML list of methods, each fed by the one before.
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/graph/foreign/httomo.h"
#include "core/graph/foreign/yaml_document.h"

namespace tl::foreign {
namespace {

using json::Json;

// A value as text; lists and objects in one line.
std::string scalar_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return std::string(none_text);
  if (value.is_number_float()) return number_text(value.get<double>());
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_sweep(const Json& value) {
  return value.is_object() && value.size() == 1 && value.begin().key().starts_with("!Sweep");
}

// The method to which "${{centering.side_outputs.centre_of_rotation}}" refers; "" for anything else.
std::string referred(const Json& value) {
  if (!value.is_string()) return {};
  const auto& text = value.get_ref<const std::string&>();
  const auto dot = text.find('.');
  return text.starts_with("${{") && text.ends_with("}}") && dot != std::string::npos ? text.substr(3, dot - 3) : "";
}

class HttomoReader {
 public:
  HttomoReader(const json::Document& document, const Registry& registry, const ScanFacts& facts)
      : document_(document), chain_(registry, lost_), columns_(facts) {}

  Result<ReadPipeline> read() {
    const Json& root = document_.root;
    if (!root.is_array() || root.empty())
      return invalid("a process list of HTTomo is a list of methods", document_.lines.file());
    for (std::size_t i = 0; i < root.size(); ++i) TL_TRY(read_entry(root[i], json::child("", i)));
    if (known_ == 0)
      return invalid("no method of this process list is known here", document_.lines.file(),
                     lost_.empty() ? "" : to_text(lost_.front()));
    if (chain_.has_volume() && chain_.last_type() != "output.save_volume") chain_.add("output.save_volume", "", "save");
    ReadPipeline read{std::move(chain_.graph()), std::move(lost_)};
    return read;
  }

 private:
  // One method while it is read: parameters in `used` are converted, all others are reported as lost.
  struct Entry {
    std::string method, where, id;
    const Json* parameters = nullptr;
    std::set<std::string> used = {};
  };

  Result<void> read_entry(const Json& value, const std::string& at) {
    const auto member_text = [&](const char* key) {
      const auto found = value.is_object() ? value.find(key) : value.end();
      return value.is_object() && found != value.end() && found->is_string() ? found->get<std::string>() : "";
    };
    Entry entry{member_text("method"), "", member_text("id")};
    if (entry.method.empty()) return invalid("a method has no name", document_.lines.where(at), "It needs \"method\"");
    entry.where = "line " + std::to_string(document_.lines.line(at)) + ", " + entry.method;
    static const Json nothing = Json::object();
    const auto parameters = value.find("parameters");
    entry.parameters = parameters == value.end() || parameters->is_null() ? &nothing : &*parameters;
    if (!entry.parameters->is_object())
      return invalid("the parameters of a method are not a mapping",
                     document_.lines.where(json::child(at, "parameters")));
    for (const auto& [key, member] : value.items()) {
      if (key == "save_result" && member == true)
        chain_.lose(entry.where + ".save_result", "true", "results between the first and the last step are not saved");
      else if (key != "method" && key != "module_path" && key != "parameters" && key != "id" && key != "side_outputs" &&
               key != "save_result")
        chain_.lose(entry.where + "." + key, scalar_text(member), "this is not known here");
    }
    read_method(entry, member_text("module_path"));
    return ok();
  }

  void read_method(Entry& entry, const std::string& module) {
    if (entry.method == "standard_tomo") return read_loader(entry);
    if (chain_.last().empty()) {
      chain_.add("input.load_scan", entry.where, "load");
      loader_ = chain_.last();
      chain_.lose(entry.where, "", "there is no loader before it: name the scan here");
    }
    if (entry.method == "minus_log") {
      read_logarithm(entry);
      return read_waiting();
    }
    if (entry.method == "save_to_images") return read_images(entry);
    const HttomoMethod* m = find_httomo_method(module, entry.method);
    if (m != nullptr && m->method == "recon" && !is_same(text(entry, "algorithm", "gridrec"), "gridrec")) m = nullptr;
    if (m == nullptr) return chain_.lose(entry.where, "", "this method of " + module + " is not known here");
    if (m->role == HttomoRole::finder) {
      finders_.insert(entry.id);
      waiting_ = {entry, m};
    } else {
      if (m->method == "sino_360_to_180" && !is_absorption_) waiting_.reset();  // it searches the overlap itself
      read_known(entry, *m);
    }
    if (is_absorption_) read_waiting();
  }

  // HTTomo's axis finders accept any data, ours need absorption: a finder is added after the logarithm.
  void read_waiting() {
    if (!waiting_) return;
    auto [entry, m] = *std::exchange(waiting_, std::nullopt);
    read_known(entry, *m);
  }

  void read_known(Entry& entry, const HttomoMethod& m) {
    if (m.role == HttomoRole::recon || m.role == HttomoRole::masked_recon) {
      read_waiting();
      read_centre(entry, m);
    }
    if (!chain_.add(std::string(m.node), entry.where)) return;
    ++known_;
    if (!m.difference.empty()) chain_.lose(entry.where, "", std::string(m.difference));
    for (const auto& [ours, value] : m.fixed) chain_.set({ours, ours}, std::string(value), entry.where);
    for (const ParameterMap& map : m.parameters) read_parameter(entry, map);
    for (const auto& [name, value] : m.constants) expect(entry, std::string(name), value);
    if (m.method == "find_center_vo") read_range(entry);
    if (m.method == "sino_360_to_180") columns_.lose();
    if (m.role == HttomoRole::retrieval) {
      read_pixel_size(entry);
      is_absorption_ = m.method != "retrieve_phase";
    }
    if (m.role == HttomoRole::flat_field && chain_.graph().nodes.at(chain_.last()).params.count("logarithm") == 0)
      is_absorption_ = true;
    if (m.role == HttomoRole::masked_recon) read_mask(entry);
    lose_rest(entry);
  }

  // The value of a parameter, or HTTomo's default if it is absent.
  const Json* find(Entry& entry, const std::string& name) {
    entry.used.insert(name);
    const auto found = entry.parameters->find(name);
    return found == entry.parameters->end() ? nullptr : &*found;
  }
  std::string text(Entry& entry, const std::string& name, std::string_view missing) {
    const Json* value = find(entry, name);
    return value == nullptr ? std::string(missing) : scalar_text(*value);
  }
  // Whether a value is a plain scalar; otherwise adds a loss.
  bool is_plain(const Entry& entry, const std::string& name, const Json& value) {
    const std::string where = entry.where + "." + name;
    if (is_sweep(value)) {
      chain_.lose(where, scalar_text(value), "a sweep: tomoloom sweep runs over the values of a parameter");
    } else if (const std::string other = referred(value); !other.empty()) {
      // The result of an axis finder is already in the geometry.
      if (finders_.count(other) == 0) chain_.lose(where, scalar_text(value), "that result is not there");
    } else if (value.is_structured()) {
      chain_.lose(where, scalar_text(value), "lists and mappings are not converted");
    } else {
      return true;
    }
    return false;
  }
  void read_parameter(Entry& entry, const ParameterMap& map) {
    const std::string name(map.theirs);
    const Json* value = find(entry, name);
    if (value != nullptr && !is_plain(entry, name, *value)) return;
    chain_.set(map, value == nullptr ? std::string(map.missing) : scalar_text(*value), entry.where + "." + name);
  }
  void expect(Entry& entry, const std::string& name, std::string_view wanted) {
    const Json* value = find(entry, name);
    if (value == nullptr || !is_plain(entry, name, *value) || is_same(scalar_text(*value), wanted)) return;
    chain_.lose(entry.where + "." + name, scalar_text(*value), "this is not known here");
  }
  void lose_rest(Entry& entry) {
    for (const auto& [name, value] : entry.parameters->items())
      if (entry.used.count(name) == 0 && is_plain(entry, name, value))
        chain_.lose(entry.where + "." + name, scalar_text(value), "this is not known here");
  }

  void read_logarithm(Entry& entry) {
    ++known_;
    is_absorption_ = true;
    lose_rest(entry);
    const auto& nodes = chain_.graph().nodes;
    if (chain_.last_type() == "correct.flat_field" && nodes.at(chain_.last()).params.count("logarithm") != 0)
      return chain_.set("logarithm", std::string("on"));
    if (chain_.add("correct.flat_field", entry.where, "logarithm")) chain_.set("reference", std::string("none"));
  }

  void read_images(Entry& entry) {
    if (!chain_.has_volume()) return chain_.lose(entry.where, "", "only volumes are saved as images here");
    if (!chain_.add("output.save_volume", entry.where, "save")) return;
    ++known_;
    chain_.set("format", std::string("tiff_stack"));
    chain_.set("file", text(entry, "subfolder_name", "images"));
    expect(entry, "axis", "auto");
    expect(entry, "file_format", "tif");
    expect(entry, "asynchronous", "true");
    (void)find(entry, "jpeg_quality");  // of no meaning for TIFF
    lose_rest(entry);
  }

  // smin and smax: the search range from the middle of the detector.
  void read_range(Entry& entry) {
    const auto low = number_of(text(entry, "smin", "-50")), high = number_of(text(entry, "smax", "50"));
    if (!low || !high || !(*low < *high))
      return chain_.lose(entry.where + ".smin", text(entry, "smin", ""), "the search range cannot be understood");
    chain_.set({"smin", "centre", Unit::px}, number_text((*low + *high) / 2), entry.where + ".smin");
    chain_.set({"smax", "reach", Unit::px}, number_text((*high - *low) / 2), entry.where + ".smax");
  }

  // In HTTomo, phase retrieval has the pixel size as a parameter; here it comes from the scan.
  void read_pixel_size(Entry& entry) {
    for (const auto& [name, unit] : {std::pair("pixel_size", Unit::um), std::pair("resolution", Unit::um)}) {
      const Json* value = find(entry, name);
      if (value == nullptr || !is_plain(entry, name, *value)) continue;
      const bool centimetres = entry.method == "paganin_filter_tomopy" || entry.method == "retrieve_phase";
      chain_.set({name, "pixel_size", centimetres ? Unit::cm : unit}, scalar_text(*value), entry.where + "." + name,
                 loader_);
    }
  }

  void read_mask(Entry& entry) {
    const Json* value = find(entry, "recon_mask_radius");
    if (value != nullptr && !is_plain(entry, "recon_mask_radius", *value)) return;
    const std::string radius = value == nullptr ? "0.95" : scalar_text(*value);
    const auto share = number_of(radius);
    if (radius == none_text || (share && *share >= 2)) return;  // no mask
    if (chain_.add("filter.circular_mask", entry.where, "mask"))
      chain_.set({"recon_mask_radius", "radius"}, radius, entry.where + ".recon_mask_radius");
  }

  // The rotation axis as a column, counted from the centre of the first column.
  void read_centre(Entry& entry, const HttomoMethod& m) {
    const Json* value = find(entry, "center");
    const std::string where = entry.where + ".center";
    if (value != nullptr && !is_plain(entry, "center", *value)) return;
    const std::string centre = value == nullptr ? std::string(none_text) : scalar_text(*value);
    const auto position = number_of(centre);
    if (!position && centre != none_text) return chain_.lose(where, centre, "this is not a column of the detector");
    const auto axis = position ? columns_.from_centre(*position) : axis_without_centre(m, columns_.count());
    if (!axis) return chain_.lose(where, centre, columns_.why_unknown());
    if (chain_.add("geometry.set", entry.where, "axis")) chain_.set("axis", Number{*axis, Unit::px});
  }

  void read_loader(Entry& entry) {
    if (!chain_.add("input.load_scan", entry.where, "load")) return;
    loader_ = chain_.last();
    ++known_;
    read_path(entry, "in_file", "file");
    read_path(entry, "data_path", "data");
    read_path(entry, "image_key_path", "image_key");
    read_angles(entry);
    read_references(entry, "flats");
    read_references(entry, "darks");
    read_views(entry, "continuous_scan_subset", find(entry, "continuous_scan_subset"));
    expect(entry, "dimension", "1");
    expect(entry, "pad", "0");
    expect(entry, "name", "tomo");
    read_preview(entry);
    lose_rest(entry);
  }

  void read_path(Entry& entry, const char* theirs, const char* ours) {
    const std::string path = text(entry, theirs, "auto");
    if (path != "auto" && path != none_text) chain_.set({theirs, ours}, path, entry.where + "." + theirs);
  }

  // The values of a mapping inside the loader's parameters; keys that are not in `known` are reported as lost.
  std::map<std::string, std::string> members(const Entry& entry, const std::string& name, const Json& value,
                                             const std::set<std::string>& known) {
    std::map<std::string, std::string> found;
    for (const auto& [key, member] : value.items()) {
      const std::string where = entry.where + "." + name + "." + key;
      if (known.count(key) == 0 || member.is_structured())
        chain_.lose(where, scalar_text(member), "this is not known here");
      else if (!member.is_null())
        found[key] = scalar_text(member);
    }
    return found;
  }

  void read_angles(Entry& entry) {
    const Json* value = find(entry, "rotation_angles");
    const std::string where = entry.where + ".rotation_angles";
    if (value == nullptr || *value == "auto") return;
    if (value->is_object() && value->contains("data_path"))
      return chain_.set({"data_path", "angles_dataset"}, scalar_text((*value)["data_path"]), where);
    const auto defined = value->is_object() ? value->find("user_defined") : value->end();
    if (!value->is_object() || defined == value->end() || !defined->is_object())
      return chain_.lose(where, scalar_text(*value), "this is not known here");
    auto given = members(entry, "rotation_angles", *defined, {"start_angle", "stop_angle", "angles_total"});
    const auto first = number_of(given["start_angle"]), last = number_of(given["stop_angle"]),
               count = number_of(given["angles_total"]);
    // Both ends of the range are angles of views.
    if (!first || !last || !count || !(*count >= 2))
      return chain_.lose(where, scalar_text(*value), "these angles cannot be understood");
    chain_.set({"start_angle", "first_angle", Unit::deg}, number_text(*first), where);
    chain_.set({"stop_angle", "angle_step", Unit::deg}, number_text((*last - *first) / (*count - 1)), where);
  }

  void read_references(Entry& entry, const std::string& name) {
    const Json* value = find(entry, name);
    if (value == nullptr || value->is_null()) return;
    if (!value->is_object())
      return chain_.lose(entry.where + "." + name, scalar_text(*value), "this is not known here");
    auto given = members(entry, name, *value, {"file", "data_path"});
    const std::string file = name + "_file";
    if (given.count("file") != 0) chain_.set({"file", file}, given["file"], entry.where + "." + name);
    if (given.count("data_path") != 0) chain_.set({"data_path", name}, given["data_path"], entry.where + "." + name);
  }

  // "start" and "stop"; stop is the first index that is left out.
  struct Span {
    std::optional<int64_t> first, last;
  };
  Span span_of(const Entry& entry, const std::string& name, const Json& value) {
    Span span;
    if (!value.is_object()) {
      if (!value.is_null()) chain_.lose(entry.where + "." + name, scalar_text(value), "this is not known here");
      return span;
    }
    const std::string where = entry.where + "." + name;
    for (const auto& [key, text] : members(entry, name, value, {"start", "stop"})) {
      const auto number = number_of(text);
      const bool stop = key == "stop";
      if (!number || *number < (stop ? 1 : 0) || *number > 1e9 || *number != std::floor(*number))
        chain_.lose(where + "." + key, text, "only indices are converted");
      else
        (stop ? span.last : span.first) = static_cast<int64_t>(*number) - (stop ? 1 : 0);
    }
    return span;
  }
  void read_views(Entry& entry, const std::string& name, const Json* value) {
    if (value == nullptr) return;
    const Span span = span_of(entry, name, *value);
    if (span.first) chain_.set("first_view", *span.first, loader_);
    if (span.last) chain_.set("last_view", *span.last, loader_);
  }
  void read_preview(Entry& entry) {
    const Json* preview = find(entry, "preview");
    if (preview == nullptr || preview->is_null()) return;
    if (!preview->is_object())
      return chain_.lose(entry.where + ".preview", scalar_text(*preview), "only mappings are converted");
    Span rows, cols;
    for (const auto& [key, value] : preview->items()) {
      if (key == "detector_y") rows = span_of(entry, "preview." + key, value);
      if (key == "detector_x") cols = span_of(entry, "preview." + key, value);
      if (key == "angles") read_views(entry, "preview.angles", &value);
      if (key != "detector_y" && key != "detector_x" && key != "angles")
        chain_.lose(entry.where + ".preview." + key, scalar_text(value), "this is not known here");
    }
    if (!rows.first && !rows.last && !cols.first && !cols.last) return;
    chain_.add("correct.crop_bin", entry.where, "crop");
    if (rows.first) chain_.set("first_row", *rows.first);
    if (rows.last) chain_.set("last_row", *rows.last);
    if (cols.first) chain_.set("first_col", *cols.first);
    if (cols.last) chain_.set("last_col", *cols.last);
    columns_.crop(cols.first.value_or(0), cols.last, 1);
  }

  const json::Document& document_;
  std::vector<Loss> lost_;
  ChainBuilder chain_;
  ColumnNumbering columns_;
  std::string loader_;
  std::set<std::string> finders_;
  std::optional<std::pair<Entry, const HttomoMethod*>> waiting_;
  bool is_absorption_ = false;
  int64_t known_ = 0;
};

}  // namespace

Result<ReadPipeline> read_httomo(std::string_view text, const std::string& file, const Registry& registry,
                                 const ScanFacts& facts) {
  TL_TRY(const json::Document document, read_yaml(text, file));
  return HttomoReader(document, registry, facts).read();
}

}  // namespace tl::foreign
