// core/nodes/segment/network.cpp: classes of voxels by a trained convolutional network.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "core/base/wording.h"
#include "core/io/bytes/input_files.h"
#include "core/net/apply.h"
#include "core/net/files/network_file.h"
#include "core/nodes/filter/filter_node.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/segment/class_maps.h"
#include "core/nodes/segment/segment_node.h"
#include "gpu/operator/forward_mode.h"

namespace tl::segment_network_node {

enum class Orientations { slices, three };
enum class RowOrder { lowest_first, highest_first };

struct Params {
  std::string model;
  Orientations orientations = Orientations::slices;
  RowOrder rows = RowOrder::lowest_first;
  bool picture = false;  // for display: oblique planes read less than the receptive field
};

constexpr const char* ports[] = {"volume", "volume_2", "volume_3"};

// Axes of the volume (z, y, x) that are the axes of the network's images.
using Axes = std::vector<int64_t>;

std::vector<Axes> images_of(const Params& p, const net::Network& network) {
  if (network.dims == 3) return {{0, 1, 2}};
  if (p.orientations == Orientations::slices) return {{1, 2}};
  return {{1, 2}, {0, 2}, {0, 1}};
}

int64_t given_volumes(const Infos& in) {
  return std::count_if(std::begin(ports), std::end(ports), [&](const char* port) { return in.count(port) != 0; });
}

// The graph with its footprint, read from the header of the file.
struct Plan {
  net::Network graph;
  net::Footprint footprint;
};
using PlanPtr = std::shared_ptr<const Plan>;

Result<PlanPtr> read_plan(const std::string& model) {
  auto plan = std::make_shared<Plan>();
  TL_TRY(plan->graph, net::read_graph(model));
  plan->graph.tensors.clear();  // for an ONNX file, tensors have been read too
  const auto footprint = net::footprint_of(plan->graph);
  if (!footprint.ok()) return invalid(footprint.error().what, model, footprint.error().hint);
  plan->footprint = footprint.value();
  return PlanPtr(plan);
}

// For unchanged files: requested several times per image, but each is read once.
Result<PlanPtr> plan_of(const Params& p) {
  struct Kept {
    io::FileStamp stamp;
    PlanPtr plan;
  };
  constexpr std::size_t most = 8;
  static std::mutex mutex;
  static std::map<std::string, Kept> kept;
  const auto stamp = io::stamp_of(std::filesystem::path(p.model));
  if (!stamp) return read_plan(p.model);  // says what is wrong
  {
    const std::lock_guard lock(mutex);
    const auto found = kept.find(p.model);
    if (found != kept.end() && found->second.stamp == *stamp) return found->second.plan;
  }
  TL_TRY(PlanPtr plan, read_plan(p.model));
  const std::lock_guard lock(mutex);
  if (kept.size() >= most) kept.clear();
  kept[p.model] = {*stamp, plan};
  return plan;
}

std::vector<LabelClass> classes_of(const net::Network& network) {
  if (!network.classes.empty()) return network.classes;
  const int64_t out = net::channels_of(network).or_throw().back();
  std::vector<LabelClass> classes;
  for (int64_t c = 0; c < std::max<int64_t>(out, 2); ++c) classes.push_back({c, {}, {}});
  return classes;
}

Result<void> check(const Params& p, const Infos& in) {
  if (p.model.empty())
    return invalid("no network is chosen", "model",
                   two_wordings("Choose its file; tomoloom network writes one from trained weights",
                                "Choose its file, or train one on painted labels (Learning, tab Network)"));
  TL_TRY(const PlanPtr plan, plan_of(p));
  const int64_t channels = plan->graph.layers.front().channels, given = given_volumes(in);
  if (channels != given)
    return invalid("the network reads " + std::to_string(channels) + (channels == 1 ? " volume, " : " volumes, ") +
                       std::to_string(given) + (given == 1 ? " is linked" : " are linked"),
                   given < channels && given < 3 ? ports[given] : "volume",
                   "Link as many volumes as the network was trained with, or choose another network");
  for (const char* port : ports)
    if (in.count(port) != 0 && !(volume_of(in, port).grid == volume_of(in).grid))
      return invalid("the volume is on another grid than the first one", port, "Bring both onto one grid");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  TL_TRY(const PlanPtr plan, plan_of(p));
  const VolumeInfo& volume = volume_of(in);
  MapsInfo maps{volume.grid, classes_of(plan->graph), false};
  LabelTable table;
  if (!plan->graph.classes.empty()) table.classes = plan->graph.classes;
  const VolumeInfo uncertainty{volume.grid, Unit::none, false, volume.voxel_size};
  return Infos{{"labels", LabelsInfo{volume.grid, table}}, {"probabilities", maps}, {"uncertainty", uncertainty}};
}

// For display: how much of an oblique image's surroundings is read, if less than its receptive field; beyond, it is
// mirrored. The whole receptive field of a deep network could be ten times the image, too slow for planes that are
// being rotated. A coarse image covers the same distance in the volume as the sharp one that follows. Lines, points,
// small images and slices of three orientations get all of their surroundings.
std::optional<int64_t> cut_to(const Params& p, const net::Network& network, const net::Footprint& footprint,
                              const VolumeGrid& whole, const VolumeGrid& wanted) {
  constexpr int64_t min_edge = 64, around = 16, min_around = 4, share = 64;
  if (!p.picture || network.dims == 3 || p.orientations == Orientations::three) return {};
  if (wanted.nz > 1 || std::min(wanted.ny, wanted.nx) < min_edge) return {};
  const double spacing = std::max(norm(wanted.step_x) / norm(whole.step_x), 1.0);
  const int64_t least =
      std::max(std::llround(static_cast<double>(around) / spacing), static_cast<long long>(min_around));
  const int64_t cut = std::max(least, std::max(wanted.ny, wanted.nx) / share);
  return cut < footprint.reach() ? std::optional(cut) : std::nullopt;
}

// The requested part in a frame with axes along the images: voxels of the volume, with its lengths; or, for an oblique
// or binned plane, its own frame, infinite or ending where it is cut off.
struct Frame {
  VolumeGrid base;
  std::vector<Range> wanted;
  std::vector<std::optional<int64_t>> length;
  bool cut = false;
};

Frame frame_of(const VolumeGrid& whole, const VolumeGrid& wanted, std::optional<int64_t> cut) {
  const Neighbourhood exact = neighbourhood(whole, wanted, {0, 0, 0});
  // neighbourhood() uses the volume's voxels if possible: with unlimited reach it then returns the whole volume.
  const Neighbourhood all = neighbourhood(whole, wanted, {whole.nz, whole.ny, whole.nx});
  if (all.grid.nz == whole.nz && all.grid.ny == whole.ny && all.grid.nx == whole.nx)
    return {whole, {all.z, all.y, all.x}, {whole.nz, whole.ny, whole.nx}};
  if (!cut) return {exact.grid, {{0, wanted.nz}, {0, wanted.ny}, {0, wanted.nx}}, {{}, {}, {}}};
  const auto grown = [&](int64_t count) { return Range{-*cut, count + *cut}; };
  const auto inside = [&](int64_t count) { return Range{*cut, *cut + count}; };
  return {exact.grid.sub({0, wanted.nz}, grown(wanted.ny), grown(wanted.nx)),
          {{0, wanted.nz}, inside(wanted.ny), inside(wanted.nx)},
          {{}, wanted.ny + 2 * *cut, wanted.nx + 2 * *cut},
          true};
}

// The same rows, counted from the other end; for infinite axes, which have no length, from another origin.
Range counted_backwards(Range rows, std::optional<int64_t> length) {
  const int64_t end = length.value_or(0);
  return {end - rows.end, end - rows.begin};
}

// The frame for the network: with rows in the order used in training.
Frame network_frame(const Params& p, Frame frame) {
  if (p.rows == RowOrder::highest_first) frame.wanted[1] = counted_backwards(frame.wanted[1], frame.length[1]);
  return frame;
}

// What all images together read.
std::vector<Range> read_from(const Frame& frame, const net::Footprint& footprint, const std::vector<Axes>& images) {
  std::vector<Range> read = frame.wanted;
  for (const Axes& axes : images)
    for (const int64_t a : axes) {
      const auto k = static_cast<std::size_t>(a);
      // Tiles for a part of the axis read no more than the tiles at its ends and the part itself.
      for (const Range& part :
           net::cut(frame.wanted[k], net::default_tile_length(footprint, static_cast<int64_t>(axes.size())))) {
        const Range one = net::range_read_by(net::tile_for(footprint, frame.length[k], part), frame.length[k]);
        read[k] = {std::min(read[k].begin, one.begin), std::max(read[k].end, one.end)};
      }
    }
  return read;
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  TL_TRY(const PlanPtr plan, plan_of(p));
  const auto& grid = std::get<VolumeGrid>(wanted);
  const VolumeGrid& whole = volume_of(in).grid;
  const Frame frame = network_frame(p, frame_of(whole, grid, cut_to(p, plan->graph, plan->footprint, whole, grid)));
  auto read = read_from(frame, plan->footprint, images_of(p, plan->graph));
  if (p.rows == RowOrder::highest_first) read[1] = counted_backwards(read[1], frame.length[1]);
  Regions regions;
  for (const char* port : ports)
    if (in.count(port) != 0) regions.emplace(port, frame.base.sub(read[0], read[1], read[2]));
  return regions;
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  const auto plan = plan_of(p);
  if (!plan.ok()) return 0;
  const Plan& known = *plan.value();
  const auto& grid = std::get<VolumeGrid>(wanted);
  const VolumeGrid& whole = volume_of(in).grid;
  const Frame frame = network_frame(p, frame_of(whole, grid, cut_to(p, known.graph, known.footprint, whole, grid)));
  double most = 0;
  for (const Axes& axes : images_of(p, known.graph)) {
    std::vector<Range> part;
    std::vector<std::optional<int64_t>> length;
    for (const int64_t a : axes) {
      part.push_back(frame.wanted[static_cast<std::size_t>(a)]);
      length.push_back(frame.length[static_cast<std::size_t>(a)]);
    }
    most = std::max(most, net::apply_bytes(known.graph, known.footprint, part, length));
  }
  const auto classes = static_cast<int64_t>(classes_of(known.graph).size());
  return static_cast<int64_t>(most) * element_size / 4 + region_bytes(wanted, 4 * (2 * classes + 2));
}

struct Loaded {
  net::Network network;
  net::Footprint footprint;
};

Result<Regions> measured(const Params&, const Infos&) { return Regions{}; }

Result<Findings> load(const Params& p, NodeRun& r) {
  auto loaded = std::make_shared<Loaded>();
  TL_TRY(loaded->network, net::read_network(p.model));
  TL_TRY(loaded->footprint, net::footprint_of(loaded->network));
  TL_TRY(r.host().reads(
      std::make_shared<io::InputFiles>(p.model, std::vector<io::InputFile>{{p.model, io::stamp_of(p.model)}})));
  const double trained = loaded->network.voxel_size, here = norm(r.info<VolumeInfo>("volume").grid.step_x);
  constexpr double tolerated = 0.05;
  if (trained > 0 && std::abs(here / trained - 1) > tolerated)
    r.message(LogLevel::warning, "the network was trained with voxels of " + std::to_string(1e3 * trained) +
                                     " um, the voxels of the volume are " + std::to_string(1e3 * here) +
                                     " um: put 'Resample volume' before it, or train with such voxels");
  if (loaded->network.history.empty() && p.rows == RowOrder::lowest_first)
    r.message(LogLevel::info,
              "the network was trained elsewhere: if its slices came from TIFF files, whose row 0 is the largest y, "
              "choose rows = highest_first");
  Findings f;
  for (const auto& [name, tensor] : loaded->network.tensors) f.kept_bytes += static_cast<int64_t>(tensor.nbytes());
  f.kept = std::move(loaded);
  return f;
}

// Image by image along the axis that is left, [class, z, y, x].
Result<at::Tensor> probabilities_of(const Params& p, NodeRun& r, const VolumeGrid& wanted) {
  const auto& loaded = *std::static_pointer_cast<const Loaded>(r.findings->kept);
  const net::Network& network = loaded.network;
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  const Frame frame = network_frame(p, frame_of(whole, wanted, cut_to(p, network, loaded.footprint, whole, wanted)));
  if (frame.cut)
    r.message(LogLevel::info,
              "on screen, oblique planes are segmented with a sixty-fourth of their edge around them (16 voxels at "
              "least), less than the receptive field of the network: near "
              "the edges of the image the classes may differ from those of the volume");
  const auto images = images_of(p, network);
  const auto read = read_from(frame, loaded.footprint, images);
  std::vector<at::Tensor> volumes;
  for (const char* port : ports)
    if (r.has_in(port)) {
      volumes.push_back(r.in<Volume>(port).data);
      if (!at::isfinite(volumes.back()).all().item<bool>())
        return invalid("values of the volume are not finite (NaN or infinite)", port,
                       "Mask or fill these voxels first, or check the result of the node before this one");
    }
  const bool upside_down = p.rows == RowOrder::highest_first;
  at::Tensor data = at::stack(volumes);  // [channel, z, y, x]
  if (upside_down) data = data.flip(2);
  at::Tensor mean;
  for (const Axes& axes : images) {
    net::Picture picture;
    std::vector<Range> part;
    for (const int64_t a : axes) {
      const auto k = static_cast<std::size_t>(a);
      picture.covered.push_back(read[k]);
      picture.length.push_back(frame.length[k]);
      part.push_back(frame.wanted[k]);
    }
    at::Tensor all;
    if (axes.size() == 3) {
      picture.data = data;
      all = net::apply(network, loaded.footprint, picture, part, r.cancel());
    } else {
      const int64_t across = 3 - axes[0] - axes[1];
      const auto k = static_cast<std::size_t>(across);
      std::vector<at::Tensor> slices;
      for (int64_t i = frame.wanted[k].begin; i < frame.wanted[k].end; ++i) {
        picture.data = data.select(across + 1, i - read[k].begin);
        slices.push_back(net::apply(network, loaded.footprint, picture, part, r.cancel()));
      }
      all = at::stack(slices, across + 1);
    }
    mean = mean.defined() ? mean + all : all;
  }
  if (images.size() > 1) mean = mean / static_cast<double>(images.size());
  return (upside_down ? mean.flip(2) : mean).contiguous();
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto classes = classes_of(std::static_pointer_cast<const Loaded>(r.findings->kept)->network);
  const bool learned = std::any_of(std::begin(ports), std::end(ports), [&](const char* port) {
    return r.has_in(port) && is_differentiated(r.in<Volume>(port).data);
  });
  if (learned) {
    TL_TRY(const at::Tensor probabilities, probabilities_of(p, r, std::get<VolumeGrid>(r.region)));
    put_differentiated_classes(r, classes, probabilities);
    return ok();
  }
  return put_classes(r, classes, [&](const VolumeGrid& wanted) { return probabilities_of(p, r, wanted); });
}

Result<std::string> fingerprint(const Params& p) { return fingerprint_of_named(p.model); }

void describe(NodeBuilder<Params>& n) {
  n.id("segment.network", 1).title("Network").category("Segmentation").partition(Partition::custom);
  n.role(NodeRole::apply_network);
  n.summary("Semantic segmentation: labels all voxels by a trained convolutional network (CNN).");
  n.description(
      "The file holds the network's layers and its weights. tomoloom network writes one: for mixed-scale dense "
      "networks (MS-D), U-Nets, FCN-ResNet50, SK and USK networks, with weights from msd_pytorch or torchvision too. "
      "Two-dimensional networks process one slice at a time; they can also be averaged over slices of three "
      "orientations, which takes three times as long. Row 0 of the slices that they read is the smallest y, as in "
      "training here; in slices of TIFF files it is the largest, so that networks trained on them with other programs "
      "would read the volume upside down unless Rows is highest first (a few percent of the labels may be wrong). At "
      "the edges the volume is mirrored. A part of the volume is computed with the whole receptive field around it, so "
      "that the result equals that of the whole volume: a network with a large receptive field, such as MS-D with 100 "
      "layers (550 pixels), needs whole slices for a small part. Only for oblique planes on screen less is read, a "
      "sixty-fourth of their edge around them (16 voxels at least), as a message tells. Gradients pass through the "
      "network to the volume: with Error of segmentation after it, nodes before it can be learned.");
  n.cite(
      "D. M. Pelt, J. A. Sethian, A mixed-scale dense convolutional neural network for image analysis, PNAS 115, 254 "
      "(2018)");
  n.cite(
      "O. Ronneberger, P. Fischer, T. Brox, U-Net: convolutional networks for biomedical image segmentation, MICCAI "
      "(2015) 234");
  n.synonyms({"CNN", "deep learning", "neural network", "MS-D", "U-Net", "semantic segmentation", "machine learning",
              "safetensors", "PyTorch"});
  n.input<Volume>("volume", "Any volume of finite values.");
  n.input<Volume>("volume_2", "For networks that read several volumes: another one on the same grid.", false);
  n.input<Volume>("volume_3", "A third one.", false);
  n.output<Labels>("labels", "The most probable class of each voxel, with the network's table of classes.");
  n.output<Maps>("probabilities", "The probability of each class.");
  n.output<Volume>("uncertainty",
                   "1 less the difference between the two largest probabilities: 0 is sure, 1 undecided.");
  n.param("model", "Network", &Params::model)
      .input_file()
      .help("A file of a network: of tomoloom network, train or prune, or an ONNX model.");
  n.param("orientations", "Orientations", &Params::orientations,
          {{Orientations::slices, "slices", "Slices across z"},
           {Orientations::three, "three", "Slices of three orientations, averaged"}})
      .help("Which slices a two-dimensional network processes; a three-dimensional one always gets the volume.");
  n.param("rows", "Rows", &Params::rows,
          {{RowOrder::lowest_first, "lowest_first", "Lowest first, as trained here"},
           {RowOrder::highest_first, "highest_first", "Highest first, as in TIFF files"}})
      .help("Whether row 0 of a slice that the network reads has the smallest or the largest y.");
  n.for_pictures([](Params& p) { p.picture = true; });
  n.check(check).infos(infos).needs(needs).workspace(workspace).fingerprint(fingerprint);
  n.measure(measured, load).run(run);
}

}  // namespace tl::segment_network_node

TL_NODE(segment_network)
