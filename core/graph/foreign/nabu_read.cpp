// Reads configurations of nabu (nabu.conf): a fixed chain of steps, each with its keys.
// Keys and their defaults: https://www.silx.org/pub/nabu/doc/nabu_config_items.html
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "core/base/text.h"
#include "core/graph/foreign/nabu.h"

namespace tl::foreign {

const std::vector<WordPair> nabu_filters = {
    {"ramlak", "ram_lak"}, {"ram-lak", "ram_lak"}, {"none", "none"}, {"", "none"},       {"shepp-logan", "shepp_logan"},
    {"cosine", "cosine"},  {"hamming", "hamming"}, {"hann", "hann"}, {"tukey", "tukey"}, {"lanczos", "lanczos"}};
const std::vector<WordPair> nabu_padding = {{"edges", "edge"}, {"edge", "edge"}, {"zeros", "zero"}, {"zero", "zero"}};
const std::vector<WordPair> nabu_flips = {
    {"auto", "keep"}, {"0", "keep"}, {"false", "keep"}, {"1", "mirror"}, {"true", "mirror"}};

namespace {

using json::Json;

// Splits "a = 1; b = 2" (or with commas) into names and values.
std::map<std::string, std::string> options_of(const std::string& text, char separator) {
  std::map<std::string, std::string> all;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, separator);) {
    const auto sign = part.find('=');
    const std::string name = std::string(trimmed(part.substr(0, sign)));
    if (!name.empty()) all[name] = sign == std::string::npos ? "" : std::string(trimmed(part.substr(sign + 1)));
  }
  return all;
}

class NabuReader {
 public:
  NabuReader(const json::Document& config, std::string prefix, const Registry& registry, const ScanFacts& facts)
      : config_(config), prefix_(std::move(prefix)), chain_(registry, lost_), columns_(facts) {}

  Result<ReadPipeline> read() {
    if (!config_.root.is_object() || !config_.root.contains("dataset"))
      return invalid("a configuration of nabu has a section [dataset]", config_.lines.file());
    read_dataset();
    read_corrections();
    read_rings();
    read_reconstruction();
    read_output();
    lose_rest();
    return ReadPipeline{std::move(chain_.graph()), std::move(lost_)};
  }

 private:
  std::string text(const std::string& section, const std::string& key, const std::string& missing) {
    used_.insert(section + "." + key);
    const auto part = config_.root.find(section);
    if (part == config_.root.end() || !part->is_object()) return missing;
    const auto found = part->find(key);
    return found == part->end() ? missing : value_text(*found);
  }
  static std::string value_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return "";
    if (value.is_number_float()) return number_text(value.get<double>());
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  [[nodiscard]] std::string where(const std::string& section, const std::string& key) const {
    const std::string at = json::child(json::child("", section), key);
    const std::string line = config_.lines.has(at) ? "line " + std::to_string(config_.lines.line(at)) + ", " : "";
    return prefix_ + line + "[" + section + "] " + key;
  }
  void lose(const std::string& section, const std::string& key, const std::string& reason) {
    chain_.lose(where(section, key), text(section, key, ""), reason);
  }
  [[nodiscard]] bool is_on(const std::string& section, const std::string& key, const std::string& missing) {
    const std::string value = text(section, key, missing);
    return is_same(value, "1") || is_same(value, "true");
  }
  // Sets a parameter of the newest node, or of another one.
  void set(const std::string& section, const ParameterMap& map, const std::string& node = {}) {
    const std::string key(map.theirs), value = text(section, key, std::string(map.missing));
    if (value.empty() && map.words.empty()) return;
    chain_.set(map, value, where(section, key), node);
  }
  // Adds a loss unless the key has this value, which needs no counterpart here.
  void expect(const std::string& section, const std::string& key, const std::string& neutral,
              const std::string& reason = "this is not known here") {
    const std::string value = text(section, key, neutral);
    if (!is_same(value, neutral) && !value.empty()) lose(section, key, reason);
  }
  bool add(const std::string& type, const std::string& section, const std::string& id = {}) {
    return chain_.add(type, prefix_ + "[" + section + "]", id);
  }

  void read_dataset() {
    add("input.load_scan", "dataset", "load");
    loader_ = chain_.last();
    set("dataset", {"location", "file", Unit::none, ""});
    set("dataset", {"flip_lr", "flip_u", Unit::none, "auto", nabu_flips});
    set("dataset", {"flip_ud", "flip_v", Unit::none, "auto", nabu_flips});
    read_subsampling();
    read_metadata();
    if (is_cone()) {
      chain_.set("beam", std::string("cone"));
      set("reconstruction", {"source_sample_dist", "source_to_axis", Unit::m, ""});
      set("reconstruction", {"sample_detector_dist", "axis_to_detector", Unit::m, ""});
    }
    const std::string across = text("dataset", "binning", "1"), down = text("dataset", "binning_z", "1");
    if (is_same(across, "1") && is_same(down, "1")) return;
    add("correct.crop_bin", "dataset", "bin");
    set("dataset", {"binning", "bin_cols", Unit::none, "1"});
    set("dataset", {"binning_z", "bin_rows", Unit::none, "1"});
    bin_ = static_cast<int64_t>(std::clamp(number_of(across).value_or(1), 1.0, 64.0));
    columns_.crop(0, std::nullopt, bin_);
  }

  // "3" or "3:1": every third view, beginning with the second.
  void read_subsampling() {
    const std::string value = text("dataset", "projections_subsampling", "1");
    const auto colon = value.find(':');
    const std::string at = where("dataset", "projections_subsampling");
    chain_.set({"projections_subsampling", "view_step"}, value.substr(0, colon), at);
    if (colon != std::string::npos) chain_.set({"", "first_view"}, value.substr(colon + 1), at);
  }

  // "energy = 19 kev; pixel_size = 1.6 um"
  void read_metadata() {
    static const std::map<std::string, std::string> ours = {
        {"energy", "energy"}, {"pixel_size", "pixel_size"}, {"distance", "axis_to_detector"}};
    const std::string at = where("dataset", "overwrite_metadata");
    for (const auto& [name, value] : options_of(text("dataset", "overwrite_metadata", ""), ';')) {
      const auto space = value.find(' ');
      const auto known = ours.find(name);
      const auto unit = parse_unit(std::string(trimmed(space == std::string::npos ? "" : value.substr(space))));
      if (known == ours.end() || !unit.ok())
        chain_.lose(at, name + " = " + value, "this is not known here");
      else
        chain_.set({name, known->second, unit.value()}, value.substr(0, space), at, loader_);
    }
  }

  [[nodiscard]] bool is_cone() {
    const std::string method = text("reconstruction", "method", "FBP");
    return is_same(method, "cone") || is_same(method, "conic");
  }
  std::string phase_method() {
    const std::string method = text("phase", "method", "none");
    if (is_same(method, "paganin") || is_same(method, "tie")) return "paganin";
    if (is_same(method, "none") || method.empty()) return "";
    return "other";
  }

  // Flats, spikes, double flat-field, phase retrieval and logarithm, in nabu's order.
  void read_corrections() {
    const bool unsharp = number_of(text("phase", "unsharp_coeff", "0")).value_or(0) > 0 &&
                         number_of(text("phase", "unsharp_sigma", "0")).value_or(0) > 0 &&
                         (is_same(text("phase", "unsharp_method", "gaussian"), "gaussian"));
    const bool spikes = is_on("preproc", "ccd_filter_enabled", "0"),
               double_flat = is_on("preproc", "double_flatfield", "0");
    const bool logarithm = is_on("preproc", "take_logarithm", "1"), paganin = phase_method() == "paganin";
    const std::string flats = text("preproc", "flatfield", "1");
    const bool between = spikes || double_flat || paganin || unsharp;
    const bool has_flats = !is_same(flats, "0") && !is_same(flats, "false");
    if (has_flats && !is_same(flats, "1") && !is_same(flats, "true"))
      lose("preproc", "flatfield", "the flats are interpolated here");
    if (has_flats && add("correct.flat_field", "preproc", "flat_field")) {
      if (!logarithm || between) chain_.set("logarithm", std::string("off"));
      if (logarithm && !between) read_floor();
    }
    if (spikes && add("correct.zingers", "preproc")) {
      set("preproc", {"ccd_filter_threshold", "limit", Unit::none, "0.04"});
      lose("preproc", "ccd_filter_threshold", "there it is a difference of transmissions, here a share of the median");
    }
    if (double_flat && add("correct.double_flat", "preproc")) {
      chain_.set("columns", std::string("all"));
      const std::string sigma = text("preproc", "dff_sigma", "");
      if (sigma.empty())
        chain_.lose(where("preproc", "dff_sigma"), "", "the whole mean view is divided out there, its fine part here");
      else
        chain_.set({"dff_sigma", "sigma", Unit::px}, sigma, where("preproc", "dff_sigma"));
    }
    if (paganin) read_paganin(logarithm && !unsharp);
    if (phase_method() == "other") lose("phase", "method", "this is not known here");
    if (unsharp && add("filter.view_unsharp", "phase")) {
      set("phase", {"unsharp_sigma", "sigma", Unit::px, "0"});
      set("phase", {"unsharp_coeff", "amount", Unit::none, "0"});
    }
    const bool by_paganin = paganin && !unsharp;
    if (logarithm && !by_paganin && (between || !has_flats) && add("correct.flat_field", "preproc", "logarithm")) {
      chain_.set("reference", std::string("none"));
      read_floor();
    }
    expect("preproc", "log_max_clip", "10.0");
    if (!unsharp) {
      expect("phase", "unsharp_coeff", "0");
      expect("phase", "unsharp_sigma", "0");
    }
    expect("preproc", "normalize_srcurrent", "0", "views are not divided by the current of the storage ring");
    const auto part = config_.root.find("preproc");
    if (part == config_.root.end() || !part->is_object() || !part->contains("normalize_srcurrent"))
      chain_.lose(where("preproc", "normalize_srcurrent"), "1",
                  "nabu divides by the current of the storage ring unless this key is 0; that is not done here");
  }

  void read_floor() { set("preproc", {"log_min_clip", "floor", Unit::none, "1e-6"}); }

  void read_paganin(bool logarithm) {
    if (!add("phase.paganin", "phase")) return;
    if (!logarithm) chain_.set("output", std::string("transmission"));
    if (is_same(text("phase", "delta_beta", "100.0"), "auto")) {
      set("phase", {"material_formula", "material", Unit::none, ""});
      set("phase", {"material_density", "density", Unit::g_per_cm3, ""});
    } else {
      set("phase", {"delta_beta", "delta_over_beta", Unit::none, "100.0"});
      expect("phase", "material_formula", "");
      expect("phase", "material_density", "");
    }
    expect("phase", "padding_type", "edge");
    if (logarithm) (void)text("preproc", "log_min_clip", "");
  }

  void read_rings() {
    const std::string method = text("preproc", "sino_rings_correction", "");
    if (method.empty() || is_same(method, "none")) return;
    auto options = options_of(text("preproc", "sino_rings_options", ""), ';');
    const std::string at = where("preproc", "sino_rings_options");
    const auto take = [&](const char* theirs, const char* ours, const char* missing) {
      const auto given = options.extract(theirs);
      chain_.set({theirs, ours}, given.empty() ? missing : given.mapped(), at);
    };
    if (is_same(method, "vo")) {
      if (!add("correct.stripe_removal", "preproc", "stripes")) return;
      chain_.set("method", std::string("all"));
      chain_.set("columns", std::string("all"));
      take("snr", "snr", "3.0");
      take("la_size", "large_size", "51");
      take("sm_size", "size", "21");
      if (const auto dim = options.extract("dim"); !dim.empty() && !is_same(dim.mapped(), "1"))
        chain_.lose(at, "dim = " + dim.mapped(), "this is not known here");
    } else if (is_same(method, "munch")) {
      if (!add("correct.stripe_fourier_wavelet", "preproc", "stripes")) return;
      chain_.set("columns", std::string("all"));
      take("sigma", "sigma", "1.0");
      take("levels", "levels", "10");
      options.erase("padding");
      chain_.set("moments", int64_t{10});
      chain_.lose(where("preproc", "sino_rings_correction"), method, "its wavelet is db15 there, db10 here");
    } else {
      return lose("preproc", "sino_rings_correction", "this is not known here");
    }
    for (const auto& [name, value] : options) chain_.lose(at, name + " = " + value, "this is not known here");
  }

  void read_axis() {
    const std::string position = text("reconstruction", "rotation_axis_position", "sliding-window");
    const std::string at = where("reconstruction", "rotation_axis_position");
    const auto column = number_of(position);
    if (column || position.empty()) {
      // Binned columns, too, are counted from the centre of the first one.
      const double binned = (column.value_or(0) + 0.5) / static_cast<double>(bin_) - 0.5;
      const auto axis = column ? columns_.from_centre(binned) : std::optional<double>(0);
      if (!axis) return chain_.lose(at, position, columns_.why_unknown());
      if (add("geometry.set", "reconstruction", "axis")) chain_.set("axis", Number{*axis, Unit::px});
      return;
    }
    static const std::map<std::string, std::string> finders = {{"vo", "axis.vo"},
                                                               {"centered", "axis.phase_correlation"}};
    const auto known = finders.find(position);
    if (!add(known == finders.end() ? "axis.automatic" : known->second, "reconstruction", "axis")) return;
    if (known == finders.end()) chain_.lose(at, position, "the axis is found by a method that is chosen here");
    static const std::vector<WordPair> rows = {{"", "auto"}, {"middle", "auto"}};
    set("reconstruction", {"cor_slice", "row", Unit::none, "", rows});
  }

  void read_reconstruction() {
    const std::string method = text("reconstruction", "method", "FBP");
    if (is_same(method, "none") || method.empty()) return;
    read_axis();
    std::string type = "recon.fbp";
    if (is_cone()) type = "recon.fdk";
    if (is_same(method, "mlem") || is_same(method, "em")) type = "recon.em";
    if (type == "recon.fbp" && !is_same(method, "FBP"))
      lose("reconstruction", "method", "filtered back-projection replaces it here");
    if (!add(type, "reconstruction")) return;
    if (type == "recon.em") {
      set("reconstruction", {"iterations", "iterations", Unit::none, "200"});
    } else {
      set("reconstruction", {"fbp_filter_type", "filter", Unit::none, "ramlak", nabu_filters});
      set("reconstruction", {"fbp_filter_cutoff", "cutoff", Unit::nyquist, "1."});
      set("reconstruction", {"padding_type", "extension", Unit::none, "edges", nabu_padding});
    }
    if (is_on("reconstruction", "clip_outer_circle", "0") && add("filter.circular_mask", "reconstruction", "mask"))
      set("reconstruction", {"outer_circle_value", "outside", Unit::none, "0"});
    for (const auto& [key, neutral] :
         {std::pair("angle_offset", "0"), std::pair("start_x", "0"), std::pair("end_x", "-1"),
          std::pair("start_y", "0"), std::pair("end_y", "-1"), std::pair("start_z", "0"), std::pair("end_z", "-1"),
          std::pair("centered_axis", "1"), std::pair("enable_halftomo", "auto"),
          std::pair("cor_options", "side='from_file'")})
      expect("reconstruction", key, neutral);
  }

  void read_output() {
    if (!chain_.has_volume() || !add("output.save_volume", "output", "save")) return;
    const std::string format = text("output", "file_format", "hdf5"), prefix = text("output", "file_prefix", "");
    const std::string name = prefix.empty() ? "volume" : prefix;
    if (is_same(format, "hdf5") || is_same(format, "h5")) {
      chain_.set("format", std::string("nxtomoproc"));
      chain_.set("file", name + ".h5");
    } else if (is_same(format, "tiff") || is_same(format, "tif")) {
      const bool one = is_on("output", "tiff_single_file", "0");
      if (!one) chain_.set("format", std::string("tiff_stack"));
      chain_.set("file", one ? name + ".tif" : name);
    } else {
      lose("output", "file_format", "a TIFF file is written here");
    }
    expect("output", "overwrite_results", "0", "existing files are replaced on request only");
    if (!text("output", "location", "").empty())
      lose("output", "location", "the folder of outputs is chosen where a pipeline is run");
  }

  // Reports keys that were not converted: keys about where and how nabu runs as one loss per section, other keys one by
  // one. Empty keys are ignored.
  void lose_rest() {
    for (const auto& [section, keys] : config_.root.items()) {
      if (!keys.is_object()) {
        chain_.lose(prefix_ + "[" + section + "]", "", "this is not a section");
        continue;
      }
      std::string named;
      const bool how_it_runs =
          section == "resources" || section == "pipeline" || section == "about" || section == "postproc";
      for (const auto& [key, value] : keys.items()) {
        const std::string text = value_text(value);
        if (used_.count(section + "." + key) != 0 || text.empty()) continue;
        if (how_it_runs)
          named += (named.empty() ? "" : ", ") + key;
        else
          chain_.lose(where(section, key), text, "this is not known here");
      }
      if (!named.empty())
        chain_.lose(prefix_ + "[" + section + "]", named, "settings of a run are given when the pipeline is run");
    }
  }

  const json::Document& config_;
  std::string prefix_;
  std::vector<Loss> lost_;
  ChainBuilder chain_;
  ColumnNumbering columns_;
  int64_t bin_ = 1;
  std::string loader_;
  std::set<std::string> used_;
};

}  // namespace

Result<ReadPipeline> read_nabu(const json::Document& config, const std::string& prefix, const Registry& registry,
                               const ScanFacts& facts) {
  return NabuReader(config, prefix, registry, facts).read();
}

}  // namespace tl::foreign
