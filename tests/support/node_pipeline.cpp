// Pipelines around a node.
#include "tests/support/node_pipeline.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>

#include "core/graph/output_names.h"
#include "core/io/output/volume_writer.h"
#include "core/node/data_file.h"
#include "tests/support/sample_files.h"

namespace tl::test {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

bool is_iterative(const std::string& id) {
  return id == "recon.sirt" || id == "recon.sart" || id == "recon.cgls" || id == "recon.em" || id == "recon.tv" ||
         id == "recon.fista_tv" || id == "recon.iterative_fdk";
}

// Settings that do not follow from a declaration: values with which a node does something, unlike its defaults.
Settings extra_settings(const std::string& id) {
  if (id == "correct.stripe_removal") return {{"size", "3"}, {"method", "all"}, {"levels", "level"}};
  if (id == "correct.distortion") return {{"k0", "0.95"}, {"k1", "0.004"}, {"centre_col", "6.5"}};
  if (id == "correct.ring_removal") return {{"size", "5"}, {"arcs", "0"}, {"limit", "0.01"}};
  if (id == "correct.zingers") return {{"limit", "0.01"}, {"side", "both"}, {"size", "5"}};
  if (id == "filter.crop_bin_volume") return {{"first_x", "3"}, {"last_y", "12"}, {"first_z", "1"}, {"bin", "2"}};
  if (id == "filter.resample_volume") return {{"voxel_size", "1700 um"}};
  if (id == "filter.rotate_volume") return {{"about_z", "30"}, {"about_y", "-10"}, {"about_x", "5"}};
  if (id == "filter.circular_mask") return {{"radius", "0.8"}, {"soft_edge", "3"}, {"outside", "-1"}};
  if (id == "filter.clahe") return {{"tile", "5"}, {"clip_limit", "0.2"}, {"low", "-0.1"}, {"high", "0.1"}};
  if (id == "filter.median") return {{"size", "5"}};
  if (id == "measure.histogram") return {{"low", "-0.1"}, {"high", "0.1"}, {"bins", "10"}};
  if (id == "measure.thickness") return {{"number", "3"}, {"bins", "7"}};
  if (id == "geometry.set") return {{"axis", "1.3"}, {"tilt", "0.5"}, {"shift_u", "0.4"}};
  if (id == "input.load_scan")
    return {{"view_step", "2"}, {"exclude", "4,6"}, {"axes", "transpose"}, {"flip_u", "mirror"}};
  if (id == "input.labelled_phantom") return {{"width", "30"}, {"height", "7"}, {"bodies", "9"}, {"samples", "1"}};
  if (id == "input.load_volume") return {{"voxel_size", "13 um"}};
  if (id == "output.save_volume") return {{"type", "uint16"}, {"low", "-1"}, {"high", "1"}};
  if (id == "recon.fbp" || id == "recon.fdk") return {{"voxel_size", "1300 um"}, {"width", "9"}};
  if (id == "recon.em" || id == "recon.sart") return {{"subsets", "3"}, {"voxel_size", "1300 um"}, {"width", "9"}};
  if (id == "recon.back_projection" || id == "objective.variance") return {{"voxel_size", "1300 um"}, {"width", "9"}};
  if (id == "objective.sharpness") return {{"first_x", "2"}, {"last_x", "12"}, {"first_y", "3"}, {"last_z", "2"}};
  if (id == "objective.entropy") return {{"bins", "16"}, {"low", "-0.01"}, {"high", "0.02"}};
  if (id == "input.simulate_scan") return {{"materials", "Al"}, {"phantom", "disc"}};
  if (id == "correct.spectral") return {{"method", "isp"}, {"classes", "2"}, {"levels", "8"}, {"smoothing", "0.7"}};
  if (id == "recon.spectral_projection")
    return {{"materials", "Al; Fe; Water, Liquid; bilinear 1.4"}, {"voltage", "90"}};
  if (id == "recon.gridrec") return {{"width", "9"}};
  if (id == "segment.threshold") return {{"method", "multi_otsu"}, {"classes", "4"}, {"cylinder", "0.9"}};
  if (id == "segment.morphology") return {{"span", "slices"}, {"operation", "dilate"}, {"radius", "1.5"}};
  if (id == "segment.components") return {{"neighbours", "corners"}};
  if (id == "segment.remove_small") return {{"least_voxels", "3"}};
  if (is_iterative(id)) return {{"voxel_size", "1300 um"}, {"width", "9"}};
  return {};
}

// The sizes that people start from take seconds; the laws hold for any.
Settings small_settings(const std::string& id) {
  if (id == "align.regions")
    return {{"regions", "6"}, {"reach", "1"}, {"spacing", "36"}, {"edge", "16"}, {"steps", "2"}, {"give", "all"}};
  if (id == "input.labelled_phantom") return {{"width", "32"}, {"height", "12"}};
  if (id == "input.simulate_scan") return {{"views", "24"}, {"rows", "6"}, {"cols", "32"}};
  return {};
}

std::vector<Settings> variants(const NodeType& type) {
  std::vector<Settings> all = {{}};
  for (const ParamDecl& p : type.params)
    for (const Choice& c : p.choices)
      if (ParamValue{c.name} != p.initial) all.push_back({{p.name, c.name}});
  if (!type.example.empty()) all.push_back(type.example);
  if (const Settings extra = extra_settings(type.id); !extra.empty()) all.push_back(extra);
  return all;
}

struct Source {
  std::string kind, beam;
  double range = 180;  // [deg]
};

std::vector<Source> sources(const NodeType& type, double parallel_range) {
  if (type.inputs.empty()) return {{"file", "parallel"}};
  std::vector<Source> all;
  for (const std::string_view beam : {"parallel", "cone"})
    for (const std::string_view kind : {"absorption", "transmission", "counts", "thickness"}) {
      // Other nodes use a thickness like absorption.
      if (kind == "thickness" && type.category != "Phase retrieval") continue;
      const bool projections = type.inputs.front().type == PortType::projections;
      if (projections || kind == "absorption")
        all.push_back({std::string(kind), std::string(beam), beam == "cone" ? 360 : parallel_range});
    }
  return all;
}

// The first node that makes a value of this type from a volume alone.
std::pair<std::string, std::string> made_of_volume(Graph& g, PortType type,
                                                   const std::pair<std::string, std::string>& volume) {
  for (const NodeType& maker : Registry::all().types()) {
    if (maker.inputs.size() != 1 || !is_volume(maker.inputs.front().type)) continue;
    for (const PortDecl& port : maker.outputs) {
      if (port.type != type) continue;
      const std::string id = "maker_of_" + port.name;
      g.nodes[id] = {maker.id, maker.version, {}};
      g.links.push_back({volume.first, volume.second, id, maker.inputs.front().name});
      return {id, port.name};
    }
  }
  throw std::logic_error("no node makes this type of port of a volume: add a source to node_pipeline.cpp");
}

// The node and port that output a value of this type, added to the graph if missing. For the second value of a type
// (`again`) the numbers differ slightly, so that a comparison has a difference.
enum class Copy { first, again };
std::pair<std::string, std::string> supply(Graph& g, PortType type, const Source& source, Copy copy = Copy::first) {
  if (type == PortType::projections) {
    if (copy == Copy::first) return {"scan", "projections"};
    g.nodes["scan_2"] = g.nodes.at("scan");
    g.nodes["scan_2"].params["density"] = Number{0.09, Unit::none};
    return {"scan_2", "projections"};
  }
  if (type == PortType::volume) {
    const std::string id = copy == Copy::first ? "volume" : "volume_2";
    if (g.nodes.count(id) != 0) return {id, "volume"};
    g.nodes[id] = {source.beam == "cone" ? "recon.fdk" : "recon.fbp", 1, {}};
    if (copy == Copy::again) g.nodes[id].params["filter"] = std::string("hann");
    g.links.push_back({"scan", "projections", id, "projections"});
    return {id, "volume"};
  }
  if (type == PortType::labels) {
    g.nodes["labels"] = {"input.load_labels", 1, {{"file", sample_files().labels()}}};
    if (copy == Copy::first) return {"labels", "labels"};
    g.nodes["labels_2"] = {"segment.morphology", 1, {{"operation", std::string("erode")}}};
    g.links.push_back({"labels", "labels", "labels_2", "labels"});
    return {"labels_2", "labels"};
  }
  if (type == PortType::table) {
    const auto [node, port] = supply(g, PortType::volume, source);
    g.nodes["table"] = {"measure.histogram", 1, {{"bins", int64_t{8}}}};
    g.links.push_back({node, port, "table", "volume"});
    return {"table", "histogram"};
  }
  if (type == PortType::maps || type == PortType::model) {
    const auto [volume, from] = supply(g, PortType::volume, source);
    const auto [labels, numbers] = supply(g, PortType::labels, source);
    g.nodes["classifier"] = {"segment.pixel_classifier", 1, {{"trees", int64_t{3}}}};
    g.links.push_back({volume, from, "classifier", "volume"});
    g.links.push_back({labels, numbers, "classifier", "strokes"});
    return {"classifier", type == PortType::maps ? "probabilities" : "model"};
  }
  if (is_number(type)) {
    if (copy == Copy::again) return {"value", "variance"};
    const auto [node, port] = supply(g, PortType::volume, source);
    g.nodes["value"] = {"measure.statistics", 1, {}};
    g.links.push_back({node, port, "value", "volume"});
    return {"value", "mean"};
  }
  return made_of_volume(g, type, supply(g, PortType::volume, source));
}

// Maps compared with labels have the same grid: maps of a network, which pass gradients, and maps of a
// threshold.
bool scores_maps(const NodeType& type) {
  const auto takes = [&](PortType wanted) {
    return std::any_of(type.inputs.begin(), type.inputs.end(), [&](const PortDecl& p) { return p.type == wanted; });
  };
  return takes(PortType::maps) && takes(PortType::labels);
}
std::pair<std::string, std::string> network_maps(Graph& g, const Source& source) {
  const auto [volume, from] = supply(g, PortType::volume, source);
  g.nodes["network"] = {"segment.network", 1, {{"model", sample_files().network()}}};
  g.links.push_back({volume, from, "network", "volume"});
  return {"network", "probabilities"};
}
// Maps that move or strain a volume are displacements.
bool takes_displacement(const NodeType& type, const PortDecl& port) {
  return port.type == PortType::maps && (type.id == "filter.warp_volume" || type.id == "measure.strain");
}
std::pair<std::string, std::string> displacement_maps(Graph& g, const Source& source) {
  const auto [volume, from] = supply(g, PortType::volume, source);
  g.nodes["displaced"] = {"test.displacement", 1, {}};
  g.links.push_back({volume, from, "displaced", "volume"});
  return {"displaced", "displacement"};
}
// From a separate scan, so that the labels do not change when the geometry of the first is learned.
std::pair<std::string, std::string> labels_of_copy(Graph& g, const Source& source) {
  const auto [scan, projections] = supply(g, PortType::projections, source, Copy::again);
  g.nodes["true_volume"] = {source.beam == "cone" ? "recon.fdk" : "recon.fbp", 1, {}};
  g.nodes["true_labels"] = {"segment.threshold", 1, {}};
  g.links.push_back({scan, projections, "true_volume", "projections"});
  g.links.push_back({"true_volume", "volume", "true_labels", "volume"});
  return {"true_labels", "labels"};
}

Graph pipeline_around(const NodeType& type, const Source& source, const Settings& settings, ScanSize size,
                      const std::string& gaps) {
  Graph g;
  g.nodes["node"] = {type.id, type.version, {}};
  const PortType made = type.outputs.empty() ? PortType::projections : type.outputs.front().type;
  const std::string made_from = made == PortType::volume   ? "volume.tif"
                                : made == PortType::labels ? "labels.tif"
                                                           : "scan.nx";
  if (const ParamDecl* const file = data_file_of(type)) g.nodes["node"].params[file->name] = made_from;
  if (!type.inputs.empty()) {
    // So thin that transmission keeps its precision.
    g.nodes["scan"] = {"test.phantom",
                       1,
                       {{"views", size.views},
                        {"rows", size.rows},
                        {"cols", size.cols},
                        {"kind", source.kind},
                        {"beam", source.beam},
                        {"density", Number{0.1, Unit::none}},
                        {"gaps", gaps},
                        {"body", std::string(type.id == "geometry.from_balls" ? "balls" : "shepp_logan")},
                        {"range", Number{source.range, Unit::deg}}}};
  }
  std::set<PortType> given;
  const bool scored = scores_maps(type);
  for (const PortDecl& port : type.inputs) {
    if (type.id == "input.examples" && port.type == PortType::labels) {  // on the voxels of the volume
      const auto [node, from] = labels_of_copy(g, source);
      g.links.push_back({node, from, "node", port.name});
      continue;
    }
    if (scored && (port.type == PortType::maps || port.type == PortType::labels)) {
      const auto [node, from] = port.type == PortType::maps ? network_maps(g, source) : labels_of_copy(g, source);
      g.links.push_back({node, from, "node", port.name});
      continue;
    }
    if (takes_displacement(type, port)) {
      const auto [node, from] = displacement_maps(g, source);
      g.links.push_back({node, from, "node", port.name});
      continue;
    }
    if (type.id == "align.volumes" && port.type == PortType::table) continue;  // of another registration
    if (!port.required && given.count(port.type) != 0) continue;
    const auto [node, from] = supply(g, port.type, source, given.insert(port.type).second ? Copy::first : Copy::again);
    g.links.push_back({node, from, "node", port.name});
  }
  if (type.id == "segment.network") g.nodes["node"].params["model"] = sample_files().network();
  if (type.id == "segment.script") g.nodes["node"].params["program"] = sample_files().program();
  if (type.id == "input.load_pairs") {
    auto& params = g.nodes["node"].params;
    params["file"] = std::string("sinograms");
    params["targets_file"] = std::string("volume.tif");
    params["angle_step"] = Number{3, Unit::deg};
  }
  if (type.id == "geometry.directions") g.nodes["node"].params["file"] = std::string("directions.star");
  for (const auto& [name, text] : small_settings(type.id)) set_param(g, registry(), "node", name, text).or_throw();
  // The laws hold after any number of iterations and for any number of trees.
  if (type.param("iterations") != nullptr) g.nodes["node"].params["iterations"] = int64_t{3};
  if (type.param("trees") != nullptr) g.nodes["node"].params["trees"] = int64_t{3};
  for (const auto& [name, text] : settings) {
    set_param(g, registry(), "node", name, text).or_throw();
    match_name_and_format(g.nodes["node"], type, name);
  }
  return g;
}

// Nodes that search for features, or need lines that end in air, need more pixels than the laws.
ScanSize large_enough(const NodeType& type, ScanSize size) {
  if (type.id == "geometry.from_balls") return {12, 48, 48};
  if (type.id == "objective.epipolar" || type.id == "align.regions") return {size.views, 24, 24};
  return size;
}

std::vector<Trial> accepted(const NodeType& type, const std::filesystem::path& folder, ScanSize wanted_size,
                            const std::string& gaps, const std::vector<Settings>& settings) {
  const ScanSize size = large_enough(type, wanted_size);
  std::vector<Trial> found;
  Executor executor(registry(), options_in(folder));
  // Half a turn of a parallel beam, or a full one for nodes that join opposite views.
  for (const double range : {180.0, 360.0}) {
    for (const Source& source : sources(type, range)) {
      if (range > 180 && source.beam == "cone") continue;  // tried already
      for (const Settings& s : settings) {
        Trial trial{pipeline_around(type, source, s, size, gaps), source.kind + ", " + source.beam};
        for (const auto& [name, text] : s) trial.label += ", " + name + "=" + text;
        if (executor.check(trial.graph).ok()) found.push_back(std::move(trial));
      }
    }
    if (std::any_of(found.begin(), found.end(),
                    [](const Trial& t) { return t.label.find("parallel") != std::string::npos; }))
      break;
  }
  return found;
}

}  // namespace

std::vector<Trial> trials(const NodeType& type, const std::filesystem::path& folder, ScanSize size,
                          const std::string& gaps) {
  return accepted(type, folder, size, gaps, variants(type));
}

std::vector<Trial> default_trials(const NodeType& type, const std::filesystem::path& folder, ScanSize size,
                                  const std::string& gaps) {
  return accepted(type, folder, size, gaps, {{}});
}

std::vector<Trial> all_sources(const NodeType& type, ScanSize size, const std::string& gaps) {
  std::vector<Trial> found;
  for (const Source& s : sources(type, 180))
    found.push_back({pipeline_around(type, s, {}, size, gaps), s.kind + ", " + s.beam});
  return found;
}

void write_inputs(const std::filesystem::path& folder, ScanSize size) {
  Graph g;
  g.nodes["scan"] = {"test.phantom",
                     1,
                     {{"views", size.views},
                      {"rows", size.rows},
                      {"cols", size.cols},
                      {"kind", std::string("counts")},
                      {"density", Number{0.1, Unit::none}}}};
  Executor executor(registry(), options_in(folder));
  const Value scan = executor.pull(g, "scan", "projections").or_throw();
  io::write_nxtomo(folder / "scan.nx", std::get<Projections>(scan), 20, io::no_inputs(io::Overwrite::replace))
      .or_throw();
  // A volume of the same size, away from the origin.
  io::VolumeTarget target;
  target.path = folder / "volume.tif";
  target.grid = VolumeGrid::cubic(size.rows, size.cols, size.cols, 0.7, {1, -2, 3});
  target.rules = io::no_inputs(io::Overwrite::replace);
  const auto writer = io::open_imagej_tiff(target).or_throw();
  const at::Tensor index = at::arange(size.rows * size.cols * size.cols, at::kFloat);
  writer->write({0, size.rows}, index.mul(0.7).sin().view({size.rows, size.cols, size.cols})).or_throw();
  io::OutputFile whole = writer->finish().or_throw();
  whole.commit().or_throw();
  // Sinograms with as many samples as the volume has slices.
  io::VolumeTarget sinograms;
  sinograms.path = folder / "sinograms";
  std::filesystem::remove_all(sinograms.path);
  sinograms.grid = VolumeGrid::cubic(size.rows, size.views, size.cols, 1);
  sinograms.rules = io::no_inputs(io::Overwrite::replace);
  const auto stack = io::open_tiff_stack(sinograms).or_throw();
  const at::Tensor number = at::arange(size.rows * size.views * size.cols, at::kFloat);
  stack->write({0, size.rows}, number.mul(0.3).cos().view({size.rows, size.views, size.cols})).or_throw();
  io::OutputFile samples = stack->finish().or_throw();
  samples.commit().or_throw();
  std::ofstream(folder / "directions.star")
      << "data_\nloop_\n_rlnImageName\n_rlnAngleRot\n_rlnAngleTilt\n_rlnAnglePsi\n"
         "1@s.mrcs 10 80 0\n2@s.mrcs 70 95 10\n4@s.mrcs 130 60 -20\n5@s.mrcs 200 90 -9999\n6@s.mrcs 250 100 5\n";
  // Labels at the same position.
  target.path = folder / "labels.tif";
  target.type = io::SampleType::uint16;
  target.low = 0;
  target.high = 65535;
  const auto labels = io::open_imagej_tiff(target).or_throw();
  labels->write({0, size.rows}, index.remainder(5).view({size.rows, size.cols, size.cols})).or_throw();
  io::OutputFile all = labels->finish().or_throw();
  all.commit().or_throw();
}

RunOptions options_in(const std::filesystem::path& folder, int64_t memory) {
  RunOptions o;
  o.memory = memory;
  o.input_dir = o.output_dir = folder;
  return o;
}

at::Tensor numbers_of(const Value& value) {
  if (const auto* p = std::get_if<Projections>(&value)) return p->data;
  if (const auto* v = std::get_if<Volume>(&value)) return v->data;
  if (const auto* l = std::get_if<Labels>(&value)) return l->data.to(at::kDouble);
  if (const auto* m = std::get_if<Maps>(&value)) return m->data;
  if (const auto* s = std::get_if<Scalar>(&value)) return s->value.view({1});
  if (const auto* m = std::get_if<Model>(&value)) {
    // The split values that no bin has are infinite.
    std::vector<at::Tensor> all;
    for (const auto& [name, array] : m->arrays) all.push_back(array.to(at::kDouble).view({-1}).clamp_max(1e30));
    return at::cat(all);
  }
  std::vector<double> numbers;
  if (const auto* t = std::get_if<Table>(&value))
    for (const auto& c : t->columns) numbers.insert(numbers.end(), c.values.begin(), c.values.end());
  if (const auto* s = std::get_if<Spectrum>(&value)) numbers = s->weight;
  return at::tensor(numbers, at::kDouble);
}

double difference(const at::Tensor& a, const at::Tensor& reference) {
  if (!a.sizes().equals(reference.sizes())) return std::numeric_limits<double>::infinity();
  if (reference.numel() == 0) return 0;
  const at::Tensor x = a.detach().to(at::kDouble), r = reference.detach().to(at::kDouble);
  if (!at::isnan(x).equal(at::isnan(r))) return std::numeric_limits<double>::infinity();
  const at::Tensor known = r.nan_to_num(0);
  const double range = (known.max() - known.min()).item<double>();
  const double size = range > 0 ? range : std::max(known.abs().max().item<double>(), 1e-300);
  return (x.nan_to_num(0) - known).abs().max().item<double>() / size;
}

}  // namespace tl::test
