// Names and parameters as in HTTomo 2 and 3, with httomolibgpu, httomolib and TomoPy as its libraries:
// https://diamondlightsource.github.io/httomo, /httomolibgpu and https://tomopy.readthedocs.io.
#include "core/graph/foreign/httomo_methods.h"

#include <tuple>

namespace tl::foreign {
namespace {

constexpr std::string_view gpu_normalize = "httomolibgpu.prep.normalize", gpu_stripe = "httomolibgpu.prep.stripe",
                           gpu_recon = "httomolibgpu.recon.algorithm", gpu_axis = "httomolibgpu.recon.rotation",
                           tomopy_stripe = "tomopy.prep.stripe";

// Windows of the ramp filter by the names of the ASTRA toolbox.
const std::vector<WordPair>& astra_filters() {
  static const std::vector<WordPair> words = {{"none", "none"},
                                              {"ram-lak", "ram_lak"},
                                              {"shepp-logan", "shepp_logan"},
                                              {"cosine", "cosine"},
                                              {"hamming", "hamming"},
                                              {"hann", "hann"},
                                              {"tukey", "tukey"},
                                              {"lanczos", "lanczos"},
                                              {"triangular", "triangular"},
                                              {"gaussian", "gaussian"},
                                              {"barlett-hann", "bartlett_hann"},
                                              {"blackman", "blackman"},
                                              {"nuttall", "nuttall"},
                                              {"blackman-harris", "blackman_harris"},
                                              {"blackman-nuttall", "blackman_nuttall"},
                                              {"flat-top", "flat_top"},
                                              {"kaiser", "kaiser"},
                                              {"parzen", "parzen"}};
  return words;
}

const std::vector<WordPair>& tomopy_filters() {
  static const std::vector<WordPair> words = {{"none", "none"},     {"ramlak", "ram_lak"}, {"shepp", "shepp_logan"},
                                              {"cosine", "cosine"}, {"hann", "hann"},      {"hamming", "hamming"},
                                              {"parzen", "parzen"}};
  return words;
}

// Values beyond the detector.
const std::vector<WordPair> edge_padding = {{"false", "zero"}, {"true", "edge"}};
constexpr std::string_view sinc_filter =
    "its filter is a power of a sinc with filter_freq_cutoff as its strength, which there is not here: the values and "
    "the "
    "sharpness of the slices differ";

void add_corrections(std::vector<HttomoMethod>& all) {
  all.push_back(
      {gpu_normalize,
       "dark_flat_field_correction",
       "correct.flat_field",
       HttomoRole::flat_field,
       {{"logarithm", "off"}, {"change", "constant"}},
       {},
       {{"flats_multiplier", "1.0"}, {"darks_multiplier", "1.0"}, {"upper_bound", "null"}, {"lower_bound", "null"}}});
  all.push_back({gpu_normalize,
                 "normalize",
                 "correct.flat_field",
                 HttomoRole::flat_field,
                 {{"change", "constant"}},
                 {{"minus_log", "logarithm", Unit::none, "true", {{"true", "on"}, {"false", "off"}}}},
                 {{"cutoff", "10.0"}, {"nonnegativity", "false"}, {"remove_nans", "false"}}});
  all.push_back({"tomopy.prep.normalize",
                 "normalize",
                 "correct.flat_field",
                 HttomoRole::flat_field,
                 {{"logarithm", "off"}, {"change", "constant"}},
                 {{"averaging", "average", Unit::none, "mean"}},
                 {{"cutoff", "null"}}});
  const std::string_view outliers =
      "its dif is a difference in the unit of the data, the limit here a share of the median: the default is used";
  all.push_back({"tomopy.misc.corr",
                 "remove_outlier",
                 "correct.zingers",
                 HttomoRole::plain,
                 {},
                 {{"size", "size", Unit::none, "3"}},
                 {{"axis", "auto"}},
                 outliers});
  all.push_back({"httomolibgpu.misc.corr",
                 "remove_outlier",
                 "correct.zingers",
                 HttomoRole::plain,
                 {{"side", "both"}},
                 {{"kernel_size", "size", Unit::none, "3"}},
                 {},
                 outliers});
}

void add_stripes(std::vector<HttomoMethod>& all) {
  const std::vector<WordPair> estimated = {{"null", "auto"}};
  const ParameterMap size{"size", "size", Unit::none, "null", estimated};
  for (const std::string_view module : {gpu_stripe, tomopy_stripe}) {
    all.push_back({module,
                   "remove_stripe_based_sorting",
                   "correct.stripe_removal",
                   HttomoRole::plain,
                   {{"method", "sorting"}, {"columns", "all"}},
                   {size},
                   {{"dim", "1"}}});
    all.push_back({module,
                   "remove_all_stripe",
                   "correct.stripe_removal",
                   HttomoRole::plain,
                   {{"method", "all"}, {"columns", "all"}},
                   {{"snr", "snr", Unit::none, "3"},
                    {"la_size", "large_size", Unit::none, "61"},
                    {"sm_size", "size", Unit::none, "21"}},
                   {{"dim", "1"}}});
  }
  all.push_back({tomopy_stripe,
                 "remove_stripe_based_filtering",
                 "correct.stripe_removal",
                 HttomoRole::plain,
                 {{"method", "filtering"}, {"columns", "all"}},
                 {{"sigma", "low_pass", Unit::none, "3"}, size},
                 {{"dim", "1"}}});
  all.push_back({tomopy_stripe,
                 "remove_large_stripe",
                 "correct.stripe_removal",
                 HttomoRole::plain,
                 {{"method", "large"}, {"columns", "all"}},
                 {{"snr", "snr", Unit::none, "3"}, {"size", "large_size", Unit::none, "51"}},
                 {{"drop_ratio", "0.1"}, {"norm", "true"}}});
  all.push_back({tomopy_stripe,
                 "remove_dead_stripe",
                 "correct.stripe_removal",
                 HttomoRole::plain,
                 {{"method", "dead"}, {"columns", "all"}},
                 {{"snr", "snr", Unit::none, "3"}, {"size", "large_size", Unit::none, "51"}},
                 {{"norm", "true"}}});
  const std::vector<WordPair> wavelets = {{"db1", "1"}, {"db2", "2"}, {"db3", "3"}, {"db4", "4"}, {"db5", "5"},
                                          {"db6", "6"}, {"db7", "7"}, {"db8", "8"}, {"db9", "9"}, {"db10", "10"}};
  for (const std::string_view module : {tomopy_stripe, gpu_stripe})
    all.push_back({module,
                   "remove_stripe_fw",
                   "correct.stripe_fourier_wavelet",
                   HttomoRole::plain,
                   {{"columns", "all"}},
                   {{"level", "levels", Unit::none, "null", {{"null", "auto"}}},
                    {"sigma", "sigma", Unit::none, "2"},
                    {"wname", "moments", Unit::none, "db5", wavelets}},
                   {{"pad", "true"}}});
}

void add_axis_and_phase(std::vector<HttomoMethod>& all) {
  const ParameterMap row{"ind", "row", Unit::none, "mid", {{"mid", "auto"}, {"null", "auto"}}};
  for (const std::string_view module : {gpu_axis, std::string_view("tomopy.recon.rotation")})
    all.push_back({module,
                   "find_center_vo",
                   "axis.vo",
                   HttomoRole::finder,
                   {},
                   {row, {"ratio", "ratio", Unit::none, "0.5"}, {"drop", "drop", Unit::none, "20"}},
                   {{"srad", "6"}, {"step", "0.25"}}});
  all.push_back(
      {gpu_axis,
       "find_center_360",
       "axis.overlap",
       HttomoRole::finder,
       {},
       {row, {"side", "side", Unit::none, "null", {{"null", "either"}, {"left", "left"}, {"right", "right"}}}},
       {{"win_width", "10"}, {"denoise", "true"}, {"norm", "false"}, {"use_overlap", "false"}}});
  all.push_back({gpu_axis,
                 "find_center_pc",
                 "axis.phase_correlation",
                 HttomoRole::finder,
                 {},
                 {},
                 {{"proj1", "0.0"}, {"proj2", "null"}, {"tol", "0.5"}, {"rotc_guess", "null"}}});
  all.push_back({"httomolibgpu.misc.morph",
                 "sino_360_to_180",
                 "correct.stitch_half_turn",
                 HttomoRole::plain,
                 {},
                 {},
                 {},
                 "the overlap is searched again here"});
  const ParameterMap energy{"energy", "energy", Unit::keV, "53.0"}, distance{"distance", "distance", Unit::m, "1.0"};
  all.push_back({"httomolibgpu.prep.phase",
                 "paganin_filter",
                 "phase.paganin",
                 HttomoRole::retrieval,
                 {{"output", "absorption"}},
                 {distance, energy, {"ratio_delta_beta", "delta_over_beta", Unit::none, "250"}},
                 {{"calculate_padding_value_method", "next_power_of_2"}, {"pad_x_y", "null"}}});
  all.push_back({"httomolibgpu.prep.phase",
                 "paganin_filter_savu",
                 "phase.paganin",
                 HttomoRole::retrieval,
                 {{"output", "absorption"}},
                 {distance, energy, {"ratio", "delta_over_beta", Unit::none, "250.0"}},
                 {{"pad_y", "100"}, {"pad_x", "100"}, {"pad_method", "edge"}, {"increment", "0.0"}},
                 "its result is ratio / 2 times the absorption, here it is the absorption"});
  all.push_back({"httomolibgpu.prep.phase",
                 "paganin_filter_tomopy",
                 "phase.paganin",
                 HttomoRole::retrieval,
                 {{"output", "absorption"}},
                 {{"dist", "distance", Unit::cm, "50.0"}, energy},
                 {},
                 "the scale of its alpha differs between versions: set delta_over_beta here"});
  all.push_back({"tomopy.prep.phase",
                 "retrieve_phase",
                 "phase.paganin",
                 HttomoRole::retrieval,
                 {{"output", "transmission"}},
                 {{"dist", "distance", Unit::cm, "50.0"},
                  {"energy", "energy", Unit::keV, "20.0"},
                  {"alpha", "alpha", Unit::none, "0.001"}},
                 {{"pad", "true"}}});
}

void add_reconstructions(std::vector<HttomoMethod>& all) {
  const ParameterMap width{"recon_size", "width"};
  const std::pair<std::string_view, std::string_view> gpu{"gpu_id", "0"};
  all.push_back({gpu_recon,
                 "FBP2d_astra",
                 "recon.fbp",
                 HttomoRole::masked_recon,
                 {{"kernel", "spatial"}},
                 {{"detector_pad", "extension", Unit::none, "false", edge_padding},
                  {"filter_type", "filter", Unit::none, "ram-lak", astra_filters()},
                  {"filter_d", "cutoff", Unit::none, "null", {{"null", "1 Nyquist"}}},
                  width},
                 {{"filter_parameter", "null"}, gpu}});
  for (const std::string_view name : {"FBP3d_tomobar", "FBP"})
    all.push_back({gpu_recon,
                   name,
                   "recon.fbp",
                   HttomoRole::masked_recon,
                   {{"filter", "shepp_logan"}},
                   {{"detector_pad", "extension", Unit::none, "false", edge_padding}, width},
                   {gpu},
                   sinc_filter});
  all.push_back({"tomopy.recon.algorithm",
                 "recon",
                 "recon.gridrec",
                 HttomoRole::recon,
                 {},
                 {{"filter_name", "filter", Unit::none, "shepp", tomopy_filters()}},
                 {{"algorithm", "gridrec"}, {"sinogram_order", "false"}, {"init_recon", "null"}}});
  for (const auto& [name, node, count] :
       {std::tuple("SIRT3d_tomobar", "recon.sirt", "300"), std::tuple("CGLS3d_tomobar", "recon.cgls", "20"),
        std::tuple("SIRT", "recon.sirt", "300"), std::tuple("CGLS", "recon.cgls", "20")}) {
    HttomoMethod m{gpu_recon,
                   name,
                   node,
                   HttomoRole::masked_recon,
                   {},
                   {{"iterations", "iterations", Unit::none, count}, width},
                   {{"detector_pad", "false"}, gpu}};
    if (m.node == "recon.sirt")
      m.parameters.push_back({"nonnegativity", "low", Unit::none, "true", {{"true", "0 1/mm"}, {"false", "auto"}}});
    else
      m.constants.emplace_back("nonnegativity", "false");
    all.push_back(std::move(m));
  }
}

}  // namespace

std::optional<double> axis_without_centre(const HttomoMethod& method, std::optional<int64_t> columns) {
  if (method.role == HttomoRole::recon) return 0.5;
  if (!columns) return std::nullopt;
  return *columns % 2 == 0 ? 0.5 : 0;
}

const std::vector<HttomoMethod>& httomo_methods() {
  static const std::vector<HttomoMethod> methods = [] {
    std::vector<HttomoMethod> all;
    add_corrections(all);
    add_stripes(all);
    add_axis_and_phase(all);
    add_reconstructions(all);
    for (HttomoMethod& m : all)
      for (const std::string_view old :
           {"paganin_filter_savu", "paganin_filter_tomopy", "FBP3d_tomobar", "FBP", "SIRT", "CGLS"})
        if (m.method == old || (m.method == "normalize" && m.module == gpu_normalize)) m.is_only_read = true;
    return all;
  }();
  return methods;
}

const HttomoMethod* find_httomo_method(std::string_view module, std::string_view method) {
  // Methods move between the modules of these packages from version to version; methods of other packages are not
  // known.
  const std::string_view package = module.substr(0, module.find('.'));
  const bool known = package == "tomopy" || package == "httomolib" || package == "httomolibgpu" || package == "httomo";
  const HttomoMethod* by_name = nullptr;
  for (const HttomoMethod& m : httomo_methods()) {
    if (m.method != method) continue;
    if (m.module == module) return &m;
    if (by_name == nullptr && known) by_name = &m;
  }
  return by_name;
}

}  // namespace tl::foreign
