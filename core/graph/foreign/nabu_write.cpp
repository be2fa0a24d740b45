// Writes configurations of nabu.
#include <algorithm>
#include <array>

#include "core/graph/foreign/nabu.h"

namespace tl::foreign {
namespace {

using json::Json;

// The nodes in the fixed order of nabu's processing. A node whose position in the graph is later is still written, with
// a loss.
constexpr std::array<std::string_view, 11> nabu_order = {"input.load_scan",
                                                         "correct.crop_bin",
                                                         "correct.flat_field",
                                                         "correct.zingers",
                                                         "correct.double_flat",
                                                         "phase.paganin",
                                                         "filter.view_unsharp",
                                                         "correct.stripe_removal",
                                                         "correct.stripe_fourier_wavelet",
                                                         "recon",
                                                         "filter.circular_mask"};

class NabuWriter {
 public:
  NabuWriter(const Graph& graph, const Registry& registry, const ScanFacts& facts, std::vector<Loss>& lost)
      : drawn_(graph), registry_(registry), columns_(facts), lost_(lost) {}

  Result<Json> write() {
    TL_TRY(const Chain chain, chain_of(drawn_, registry_, lost_));
    config_ = {{"dataset", {{"location", ""}, {"flip_lr", "auto"}, {"flip_ud", "auto"}}},
               {"preproc", {{"flatfield", "0"}, {"take_logarithm", "0"}, {"normalize_srcurrent", "0"}}},
               {"phase", {{"method", "none"}}},
               {"reconstruction", {{"method", "none"}}},
               {"output", {{"location", ""}, {"overwrite_results", "0"}}}};
    for (const ChainStep& step : chain.steps) write_step(step);
    if (!axis_node_.empty() && !axis_known_ && config_["reconstruction"]["method"] == "none")
      lost_.push_back({axis_node_ + ".axis", "auto", "nabu finds an axis only where it reconstructs"});
    // nabu saves the volume of every reconstruction: if the pipeline saves none, nabu's default names are written.
    if (config_["reconstruction"]["method"] != "none" && !config_["output"].contains("file_format")) {
      put("output", "file_format", "hdf5");
      put("output", "file_prefix", "volume");
    }
    if (known_ == 0)
      return invalid("no node of this pipeline is known to nabu", drawn_.title,
                     lost_.empty() ? "" : to_text(lost_.front()));
    return config_;
  }

 private:
  [[nodiscard]] static const ParamDecl& decl_of(const ChainStep& step, std::string_view name) {
    return *step.type->param(std::string(name));
  }
  [[nodiscard]] static const ParamValue& value(const ChainStep& step, std::string_view name) {
    return value_of(*step.node, decl_of(step, name));
  }
  [[nodiscard]] static std::string text(const ChainStep& step, std::string_view name) {
    return to_text(value(step, name));
  }
  void lose(const ChainStep& step, std::string_view name, const std::string& reason) {
    lost_.push_back({step.id + "." + std::string(name), text(step, name), reason});
  }
  void lose_rest(const ChainStep& step, const std::vector<std::string_view>& known) {
    note_loss_of_other_parameters(step, known, "nabu", lost_);
  }
  void put(const char* section, std::string_view key, const std::string& value) {
    config_[section][std::string(key)] = value == none_text ? "" : value;
  }
  // Writes a parameter as a key; a parameter that nabu cannot express keeps nabu's default.
  void put(const ChainStep& step, const char* section, const ParameterMap& map) {
    const auto there = foreign_value(map, decl_of(step, map.ours), value(step, map.ours));
    if (there) return put(section, map.theirs, *there);
    lose(step, map.ours, "nabu cannot express this: " + std::string(map.missing) + ", its default, is written");
    put(section, map.theirs, std::string(map.missing));
  }

  void check_order(const ChainStep& step) {
    const std::string& type = step.node->type;
    if (type == "correct.flat_field" && text(step, "reference") == "none") return;  // a logarithm
    const std::string_view name = type.starts_with("recon.") ? std::string_view("recon") : std::string_view(type);
    const auto at = std::find(nabu_order.begin(), nabu_order.end(), name);
    if (at == nabu_order.end()) return;
    if (at - nabu_order.begin() < reached_) lost_.push_back({step.id, "", "nabu does this earlier in its chain"});
    reached_ = std::max(reached_, at - nabu_order.begin());
    if (logarithm_done_ && at - nabu_order.begin() > 2 && at - nabu_order.begin() < 7)
      lost_.push_back({step.id, "", "nabu does this before the logarithm"});
  }

  void write_step(const ChainStep& step) {
    check_order(step);
    const std::string& type = step.node->type;
    if (type == "input.load_scan") return write_scan(step);
    if (type == "correct.crop_bin") return write_bins(step);
    if (type == "correct.flat_field") return write_flats(step);
    if (type == "correct.zingers") return write_spikes(step);
    if (type == "correct.double_flat") return write_double_flat(step);
    if (type == "phase.paganin") return write_paganin(step);
    if (type == "filter.view_unsharp") return write_unsharp(step);
    if (type == "correct.stripe_removal" && text(step, "method") == "all") return write_vo(step);
    if (type == "correct.stripe_fourier_wavelet") return write_munch(step);
    if (type == "geometry.set") return write_geometry(step);
    if (type.starts_with("axis.")) return write_finder(step);
    if (type == "recon.fbp" || type == "recon.fdk" || type == "recon.em") return write_reconstruction(step);
    if (type == "filter.circular_mask") return write_mask(step);
    if (type == "output.save_volume") return write_output(step);
    lost_.push_back({step.id, "", "nabu has nothing for " + type + " with these settings"});
    if (changes_columns(type)) columns_.lose();
  }

  void write_scan(const ChainStep& step) {
    ++known_;
    put("dataset", "location", text(step, "file"));
    put(step, "dataset", {"flip_lr", "flip_u", Unit::none, "auto", {{"auto", "keep"}, {"1", "mirror"}}});
    put(step, "dataset", {"flip_ud", "flip_v", Unit::none, "auto", {{"auto", "keep"}, {"1", "mirror"}}});
    const std::string every = text(step, "view_step"), first = text(step, "first_view");
    if (every != "1" || first != "0") put("dataset", "projections_subsampling", every + ":" + first);
    std::string metadata;
    for (const auto& [theirs, ours] : {std::pair("energy", "energy"), std::pair("pixel_size", "pixel_size"),
                                       std::pair("distance", "axis_to_detector")})
      if (std::holds_alternative<Number>(value(step, ours)))
        metadata += (metadata.empty() ? "" : "; ") + std::string(theirs) + " = " + text(step, ours);
    if (!metadata.empty()) put("dataset", "overwrite_metadata", metadata);
    scan_ = &step;
    cone_ = text(step, "beam") == "cone";
    const ParameterMap source{"source_sample_dist", "source_to_axis", Unit::m};
    if (std::holds_alternative<Number>(value(step, "source_to_axis"))) put(step, "reconstruction", source);
    if (cone_ && std::holds_alternative<Number>(value(step, "axis_to_detector")))
      put(step, "reconstruction", {"sample_detector_dist", "axis_to_detector", Unit::m});
    lose_rest(step, {"file", "flip_u", "flip_v", "view_step", "first_view", "energy", "pixel_size", "axis_to_detector",
                     "source_to_axis", "beam"});
  }

  void write_bins(const ChainStep& step) {
    if (has_bins_) {
      lost_.push_back({step.id, "", "nabu bins pixels only once"});
      return columns_.lose();
    }
    has_bins_ = true;
    if (text(step, "bin_cols") != "1") put(step, "dataset", {"binning", "bin_cols"});
    if (text(step, "bin_rows") != "1") put(step, "dataset", {"binning_z", "bin_rows"});
    lose_rest(step, {"bin_cols", "bin_rows"});
    bin_ = std::get<int64_t>(value(step, "bin_cols"));
    columns_.crop(0, std::nullopt, bin_);
    if (text(step, "first_col") != "0" || std::holds_alternative<int64_t>(value(step, "last_col"))) columns_.lose();
  }

  void write_flats(const ChainStep& step) {
    ++known_;
    if (text(step, "reference") == "flats") put("preproc", "flatfield", "1");
    std::vector<std::string_view> known = {"reference", "logarithm"};
    if (text(step, "logarithm") == "on") {
      logarithm_done_ = true;
      put("preproc", "take_logarithm", "1");
      put(step, "preproc", {"log_min_clip", "floor"});
      known.emplace_back("floor");
    }
    lose_rest(step, known);
  }

  void write_spikes(const ChainStep& step) {
    ++known_;
    put("preproc", "ccd_filter_enabled", "1");
    put(step, "preproc", {"ccd_filter_threshold", "limit"});
    lose(step, "limit", "here it is a share of the median, there a difference of transmissions");
    if (text(step, "size") != "3") lose(step, "size", "nabu's window has 3 x 3 pixels");
    lose_rest(step, {"limit", "size"});
  }

  void write_double_flat(const ChainStep& step) {
    ++known_;
    put("preproc", "double_flatfield", "1");
    put(step, "preproc", {"dff_sigma", "sigma", Unit::px});
    if (text(step, "columns") != "all") lose(step, "columns", "nabu changes all columns");
    lose_rest(step, {"sigma", "columns"});
  }

  void write_paganin(const ChainStep& step) {
    ++known_;
    put("phase", "method", "paganin");
    if (std::holds_alternative<Number>(value(step, "delta_over_beta"))) {
      put(step, "phase", {"delta_beta", "delta_over_beta"});
      lose_rest(step, {"delta_over_beta", "output"});
    } else {
      put("phase", "delta_beta", "auto");
      put(step, "phase", {"material_formula", "material"});
      put(step, "phase", {"material_density", "density", Unit::g_per_cm3});
      lose_rest(step, {"material", "density", "output"});
    }
    const std::string output = text(step, "output");
    if (output == "absorption") put("preproc", "take_logarithm", "1");
    if (output == "thickness") lose(step, "output", "nabu gives absorption");
    if (output != "transmission") logarithm_done_ = true;
    put("phase", "padding_type", "edge");
  }

  void write_unsharp(const ChainStep& step) {
    ++known_;
    put("phase", "unsharp_method", "gaussian");
    put(step, "phase", {"unsharp_sigma", "sigma", Unit::px});
    put(step, "phase", {"unsharp_coeff", "amount"});
  }

  [[nodiscard]] std::string option(const ChainStep& step, const char* theirs, const char* ours, const char* standard) {
    const auto there = foreign_value({theirs, ours, Unit::none, standard}, decl_of(step, ours), value(step, ours));
    if (!there) lose(step, ours, std::string("nabu needs a number: ") + standard + ", its default, is written");
    return std::string(theirs) + "=" + there.value_or(standard);
  }

  void write_vo(const ChainStep& step) {
    ++known_;
    put("preproc", "sino_rings_correction", "vo");
    put("preproc", "sino_rings_options",
        option(step, "snr", "snr", "3.0") + " ; " + option(step, "la_size", "large_size", "51") + " ; " +
            option(step, "sm_size", "size", "21"));
    if (text(step, "columns") != "all") lose(step, "columns", "nabu changes all columns");
    lose_rest(step, {"method", "columns", "snr", "large_size", "size"});
  }

  void write_munch(const ChainStep& step) {
    ++known_;
    put("preproc", "sino_rings_correction", "munch");
    put("preproc", "sino_rings_options",
        option(step, "sigma", "sigma", "1.0") + " ; " + option(step, "levels", "levels", "10"));
    if (text(step, "columns") != "all") lose(step, "columns", "nabu changes all columns");
    lose(step, "moments", "nabu's wavelet is db15");
    lose_rest(step, {"sigma", "levels", "columns", "moments"});
  }

  void write_geometry(const ChainStep& step) {
    const auto* axis = std::get_if<Number>(&value(step, "axis"));
    lose_rest(step, {"axis"});
    axis_node_ = step.id;
    if (axis == nullptr) return;
    axis_known_ = true;
    // Converts binned columns to columns of the detector.
    auto column = columns_.from_first(axis->value);
    if (column) column = (*column + 0.5) * static_cast<double>(bin_) - 0.5;
    const bool is_middle = axis->value == 0 && !columns_.is_lost();
    if (!column && !is_middle)
      lost_.push_back({step.id + ".axis", to_text(value(step, "axis")), columns_.why_unknown()});
    put("reconstruction", "rotation_axis_position", column && !is_middle ? number_text(*column) : "");
  }

  void write_finder(const ChainStep& step) {
    axis_known_ = true;
    const std::string& type = step.node->type;
    const std::string method = type == "axis.vo"                  ? "vo"
                               : type == "axis.phase_correlation" ? "centered"
                                                                  : "sliding-window";
    put("reconstruction", "rotation_axis_position", method);
    if (method == "sliding-window")
      lost_.push_back({step.id, "", "nabu has other methods than " + type + ": sliding-window is written"});
    put(step, "reconstruction", {"cor_slice", "row"});
    lose_rest(step, {"row"});
  }

  void write_reconstruction(const ChainStep& step) {
    ++known_;
    const std::string& type = step.node->type;
    put("reconstruction", "method", type == "recon.fbp" ? "FBP" : type == "recon.fdk" ? "cone" : "MLEM");
    if (type == "recon.fdk" && !cone_ && scan_ != nullptr)
      lose(*scan_, "beam", "a cone is written, which this reconstruction is for");
    if (!axis_known_) {
      put("reconstruction", "rotation_axis_position", "");
      lost_.push_back({axis_node_.empty() ? step.id : axis_node_ + ".axis", axis_node_.empty() ? "" : "auto",
                       "the axis position of the scan: nabu uses the middle of the detector"});
    }
    if (type == "recon.em") {
      put(step, "reconstruction", {"iterations", "iterations"});
      return lose_rest(step, {"iterations"});
    }
    put(step, "reconstruction", {"fbp_filter_type", "filter", Unit::none, "ramlak", nabu_filters});
    put(step, "reconstruction", {"fbp_filter_cutoff", "cutoff", Unit::nyquist});
    put(step, "reconstruction", {"padding_type", "extension", Unit::none, "edges", nabu_padding});
    lose_rest(step, {"filter", "cutoff", "extension"});
  }

  void write_mask(const ChainStep& step) {
    ++known_;
    put("reconstruction", "clip_outer_circle", "1");
    put(step, "reconstruction", {"outer_circle_value", "outside"});
    if (text(step, "radius") != "1") lose(step, "radius", "nabu's circle touches the sides of the slice");
    lose_rest(step, {"outside", "radius"});
  }

  void write_output(const ChainStep& step) {
    if (config_["reconstruction"]["method"] == "none") {
      lost_.push_back({step.id, "", "nabu saves a volume only where it reconstructs one"});
      return;
    }
    ++known_;
    const std::string format = text(step, "format");
    const bool stack = format == "tiff_stack", single = format == "imagej_tiff";
    put("output", "file_format", stack || single ? "tiff" : "hdf5");
    if (single) put("output", "tiff_single_file", "1");
    if (!stack && !single && format != "nxtomoproc") lose(step, "format", "nabu writes HDF5 instead");
    const std::filesystem::path file = text(step, "file");
    put("output", "file_prefix", stack ? file.filename().string() : file.stem().string());
    const bool usual = stack || file.extension() == (single ? ".tif" : ".h5");
    if (file.has_parent_path() || !usual) lose(step, "file", "nabu only takes a folder and the beginning of the names");
    lose_rest(step, {"format", "file"});
  }

  const Graph& drawn_;
  const Registry& registry_;
  ColumnNumbering columns_;
  std::vector<Loss>& lost_;
  Json config_;
  std::ptrdiff_t reached_ = 0;
  int64_t bin_ = 1, known_ = 0;
  bool has_bins_ = false;
  std::string axis_node_;
  const ChainStep* scan_ = nullptr;
  bool logarithm_done_ = false, axis_known_ = false, cone_ = false;
};

bool looks_like_nabu(std::string_view text) {
  return text.find("[dataset]") != std::string_view::npos &&
         (text.find("[preproc]") != std::string_view::npos || text.find("[reconstruction]") != std::string_view::npos);
}

Result<ReadPipeline> read_nabu_file(std::string_view text, const std::string& file, const Registry& registry,
                                    const ScanFacts& facts) {
  TL_TRY(const json::Document config, read_nabu_text(text, file));
  return read_nabu(config, "", registry, facts);
}

Result<WrittenPipeline> write_nabu_file(const Graph& graph, const Registry& registry, const ScanFacts& facts) {
  WrittenPipeline written;
  TL_TRY(const Json config, write_nabu(graph, registry, facts, written.lost));
  written.text = nabu_text(config);
  return written;
}

}  // namespace

Result<Json> write_nabu(const Graph& graph, const Registry& registry, const ScanFacts& facts, std::vector<Loss>& lost) {
  return NabuWriter(graph, registry, facts, lost).write();
}

const PipelineFormat& nabu_format() {
  static const PipelineFormat format{"nabu",          "nabu",         {".conf", ".cfg"},
                                     looks_like_nabu, read_nabu_file, write_nabu_file};
  return format;
}

}  // namespace tl::foreign
