// core/nodes/segment/script.cpp: classes of voxels by a network that is a TorchScript program.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/grid_box.h"
#include "core/base/wording.h"
#include "core/io/bytes/input_files.h"
#include "core/net/script/script_module.h"
#include "core/net/script/trusted_programs.h"
#include "core/nodes/filter/filter_node.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/segment/class_maps.h"
#include "core/nodes/segment/segment_node.h"
#include "gpu/operator/forward_mode.h"

namespace tl::segment_script_node {

enum class Meaning { scores, probabilities };

struct Params {
  std::string program;
  int64_t classes = 2;
  Meaning meaning = Meaning::scores;
  int64_t dims = 2;
  std::vector<double> mean{0}, deviation{1};
  int64_t maps = 128;
};

constexpr const char* ports[] = {"volume", "volume_2", "volume_3"};

int64_t given_volumes(const Infos& in) {
  return std::count_if(std::begin(ports), std::end(ports), [&](const char* port) { return in.count(port) != 0; });
}

std::vector<LabelClass> classes_of(const Params& p) {
  std::vector<LabelClass> classes;
  for (int64_t c = 0; c < p.classes; ++c) classes.push_back({c, {}, {}});
  return classes;
}

Result<void> check_scaling(const std::vector<double>& numbers, int64_t volumes, const char* param) {
  if (numbers.size() == 1 || static_cast<int64_t>(numbers.size()) == volumes) return ok();
  return invalid(std::to_string(numbers.size()) + " numbers are given for " + std::to_string(volumes) +
                     (volumes == 1 ? " volume" : " volumes"),
                 param, "Give one for all volumes, or one for each");
}

Result<void> check(const Params& p, const Infos& in) {
  if (p.program.empty()) return invalid("no program is chosen", "program", "Choose a file that torch.jit.save wrote");
  for (const char* port : ports)
    if (in.count(port) != 0 && !(volume_of(in, port).grid == volume_of(in).grid))
      return invalid("the volume is on another grid than the first one", port, "Bring both onto one grid");
  TL_TRY(check_scaling(p.mean, given_volumes(in), "mean"));
  TL_TRY(check_scaling(p.deviation, given_volumes(in), "deviation"));
  return net::check_trusted(p.program);
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  const VolumeInfo& volume = volume_of(in);
  const VolumeInfo uncertainty{volume.grid, Unit::none, false, volume.voxel_size};
  return Infos{{"labels", LabelsInfo{volume.grid}},
               {"probabilities", MapsInfo{volume.grid, classes_of(p), false}},
               {"uncertainty", uncertainty}};
}

// Steps of `wanted` along one axis, before and after it, that lie inside the whole, in voxels of `wanted`.
Range up_to_the_edges(const VolumeGrid& whole, const Vec3& step, int64_t n, const VolumeGrid& wanted, const Vec3& wide,
                      int64_t n_wanted) {
  constexpr double rounding = 1e-6;
  const double square = dot(step, step), ratio = dot(wide, step) / square,
               first = dot(wanted.position(0, 0, 0) - whole.position(0, 0, 0), step) / square,
               last = first + ratio * static_cast<double>(n_wanted - 1);
  const auto steps = [&](double voxels) {
    return std::max<int64_t>(0, static_cast<int64_t>(std::floor(voxels / ratio - 0.5 + rounding)));
  };
  return {-steps(first + 0.5), n_wanted + steps(static_cast<double>(n) - 0.5 - last)};
}

bool along(const Vec3& a, const Vec3& b) { return dot(a, b) >= (1 - 1e-9) * norm(a) * norm(b); }

// The input of the program for a requested part: complete slices or the whole volume, in voxels of the requested part
// if these are voxels of the volume, or larger ones (coarse images). For oblique planes it is the volume itself.
struct Given {
  VolumeGrid grid;
  std::optional<GridBox> part;  // the requested part within it; none: its points lie between the voxels
};
Given given_for(const Params& p, const VolumeGrid& whole, const VolumeGrid& wanted) {
  const bool slices = p.dims == 2;
  const Neighbourhood exact = neighbourhood(whole, wanted, {slices ? 0 : whole.nz, whole.ny, whole.nx});
  if (exact.grid.ny == whole.ny && exact.grid.nx == whole.nx && (slices || exact.grid.nz == whole.nz))
    return {exact.grid, GridBox{exact.z, exact.y, exact.x}};
  if (!along(whole.step_x, wanted.step_x) || !along(whole.step_y, wanted.step_y) || !along(whole.step_z, wanted.step_z))
    return {whole, std::nullopt};
  const Range x = up_to_the_edges(whole, whole.step_x, whole.nx, wanted, wanted.step_x, wanted.nx),
              y = up_to_the_edges(whole, whole.step_y, whole.ny, wanted, wanted.step_y, wanted.ny),
              z = slices ? Range{0, wanted.nz}
                         : up_to_the_edges(whole, whole.step_z, whole.nz, wanted, wanted.step_z, wanted.nz);
  const auto within = [](const Range& all, int64_t count) { return Range{-all.begin, -all.begin + count}; };
  return {wanted.sub(z, y, x), GridBox{within(z, wanted.nz), within(y, wanted.ny), within(x, wanted.nx)}};
}

// If every part needs the complete input, the result is computed once.
bool is_of_whole(const Params& p, const VolumeGrid& whole, const Given& given) {
  return given.grid == whole && (p.dims == 3 || !given.part);
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const Given given = given_for(p, volume_of(in).grid, std::get<VolumeGrid>(wanted));
  Regions regions;
  for (const char* port : ports)
    if (in.count(port) != 0) regions.emplace(port, given.grid);
  return regions;
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  const VolumeGrid& whole = volume_of(in).grid;
  const Given given = given_for(p, whole, std::get<VolumeGrid>(wanted));
  const int64_t slice = given.grid.ny * given.grid.nx, at_once = p.dims == 2 ? slice : given.grid.count();
  const int64_t kept = is_of_whole(p, whole, given) ? 2 * p.classes * whole.count() : 0;
  return element_size * (p.maps * at_once + kept) + region_bytes(wanted, 4 * (2 * p.classes + 2));
}

Result<Regions> measured(const Params&, const Infos&) { return Regions{}; }

Result<Findings> load(const Params& p, NodeRun& r) {
  // The file's state is read before its content: a later change is then detected.
  const auto read =
      std::make_shared<io::InputFiles>(p.program, std::vector<io::InputFile>{{p.program, io::stamp_of(p.program)}});
  TL_TRY(const std::filesystem::path copy, net::trusted_copy(p.program));
  TL_TRY(net::ScriptModule loaded, net::ScriptModule::load(copy, p.program));
  TL_TRY(r.host().reads(read));
  Findings f;
  f.kept_bytes = loaded.bytes();
  f.kept = std::make_shared<const net::ScriptModule>(std::move(loaded));
  return f;
}

// [class, (z,) y, x]: the program's output for the channels [volume, (z,) y, x].
Result<at::Tensor> probabilities_of(const Params& p, NodeRun& r, const at::Tensor& channels) {
  r.cancel().check();
  const auto& module = *std::static_pointer_cast<const net::ScriptModule>(r.findings->kept);
  std::vector<int64_t> per_channel(static_cast<std::size_t>(channels.dim()), 1);
  per_channel[0] = -1;
  const at::Tensor mean = at::tensor(p.mean, channels.options()).view(per_channel),
                   deviation = at::tensor(p.deviation, channels.options()).view(per_channel);
  // A new tensor: the program may overwrite its input.
  TL_TRY(const at::Tensor made, module.scores(((channels - mean) / deviation).unsqueeze(0), p.classes));
  const at::Tensor scores = made.squeeze(0);
  const bool one = scores.size(0) == 1;  // the odds of class 1
  if (p.meaning == Meaning::scores) {
    if (!one) return at::softmax(scores, 0);
    return at::cat({at::sigmoid(-scores), at::sigmoid(scores)});
  }
  constexpr double rounding = 1e-3;
  const at::Tensor plain = scores.detach();
  if (plain.min().item<double>() < -rounding || plain.max().item<double>() > 1 + rounding)
    return invalid("the program gives values outside 0 to 1, which are not probabilities", p.program,
                   "Choose scores in It gives");
  return one ? at::cat({1 - scores, scores}) : scores;
}

at::Tensor cut_out(const at::Tensor& all, const GridBox& part) {
  const at::Tensor rows = all.narrow(-2, part.y.begin, part.y.size()).narrow(-1, part.x.begin, part.x.size());
  return all.dim() < 4 ? rows : rows.narrow(1, part.z.begin, part.z.size());
}

// [class, z, y, x] for a part of the input.
Result<at::Tensor> computed(const Params& p, NodeRun& r, const GridBox& part) {
  std::vector<at::Tensor> volumes;
  for (const char* port : ports) {
    if (!r.has_in(port)) continue;
    volumes.push_back(r.in<Volume>(port).data);
    if (!at::isfinite(volumes.back().detach()).all().item<bool>())
      return invalid("values of the volume are not finite (NaN or infinite)", port,
                     "Mask or fill these voxels first, or check the result of the node before this one");
  }
  if (p.dims == 3) {
    TL_TRY(const at::Tensor all, probabilities_of(p, r, at::stack(volumes)));
    return cut_out(all, part).contiguous();
  }
  std::vector<at::Tensor> slices;
  for (int64_t z = part.z.begin; z < part.z.end; ++z) {
    std::vector<at::Tensor> channels;
    for (const at::Tensor& volume : volumes) channels.push_back(volume[z]);
    TL_TRY(const at::Tensor all, probabilities_of(p, r, at::stack(channels)));
    slices.push_back(cut_out(all, part).contiguous());
  }
  return at::stack(slices, 1);
}

Result<at::Tensor> probabilities_on(const Params& p, NodeRun& r, const VolumeGrid& wanted) {
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  const Given given = given_for(p, whole, wanted);
  if (!is_of_whole(p, whole, given)) return computed(p, r, *given.part);
  const at::Tensor all = of_whole(r, static_cast<int64_t>(at::elementSize(r.dtype)) * p.classes * whole.count(), [&] {
    return computed(p, r, {{0, whole.nz}, {0, whole.ny}, {0, whole.nx}});
  });
  if (given.part) return cut_out(all, *given.part).contiguous();
  if (is_differentiated(all))
    return invalid("voxels between those of the volume have no gradient here", p.program, "Learn from whole slices");
  std::vector<at::Tensor> classes;
  for (int64_t c = 0; c < p.classes; ++c) classes.push_back(values_at(all[c], whole, wanted));
  return at::stack(classes).to(r.dtype);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto classes = classes_of(p);
  const bool learned = std::any_of(std::begin(ports), std::end(ports), [&](const char* port) {
    return r.has_in(port) && is_differentiated(r.in<Volume>(port).data);
  });
  if (learned) {
    TL_TRY(const at::Tensor probabilities, probabilities_on(p, r, std::get<VolumeGrid>(r.region)));
    put_differentiated_classes(r, classes, probabilities);
    return ok();
  }
  return put_classes(r, classes, [&](const VolumeGrid& wanted) { return probabilities_on(p, r, wanted); });
}

Result<std::string> fingerprint(const Params& p) { return fingerprint_of_named(p.program); }

void describe(NodeBuilder<Params>& n) {
  n.id("segment.script", 1).title("Network (TorchScript)").category("Segmentation").partition(Partition::custom);
  n.summary("Semantic segmentation: labels all voxels by a network that is a TorchScript program.");
  n.description(
      "For networks that neither tomoloom network nor ONNX can import as data: a file of torch.jit.save is a program, "
      "which could do whatever you may do on this machine. It runs only where you have trusted it, byte for byte "
      "(tomoloom trust, or the button of this node); a pipeline cannot bring that trust along. A program does not "
      "state its receptive field; therefore it gets whole slices, or the whole volume, also for a small part; oblique "
      "planes show voxels of the whole result. Nor does it state how much memory it needs: this is estimated by the "
      "parameter Maps at a time. It runs on the processor and cannot be stopped within a slice. Gradients pass through "
      "it to the volume, backwards only, and its weights stay as they are.");
  n.synonyms({"CNN", "deep learning", "neural network", "PyTorch", "torch.jit", "script", "semantic segmentation",
              "machine learning", "program"});
  n.input<Volume>("volume", "Any volume of finite values: the program's first channel.");
  n.input<Volume>("volume_2", "For programs that take several channels: another one on the same grid.", false);
  n.input<Volume>("volume_3", "A third one.", false);
  n.output<Labels>("labels", "The most probable class of each voxel, counted from 0.");
  n.output<Maps>("probabilities", "The probability of each class.");
  n.output<Volume>("uncertainty",
                   "1 less the difference between the two largest probabilities: 0 is sure, 1 undecided.");
  n.param("program", "Program", &Params::program)
      .input_file()
      .help("A file that torch.jit.save wrote; you have to trust it before it runs.");
  n.param("classes", "Classes", &Params::classes)
      .range(2, 255)
      .help("Number of channels of the output; for two classes the program may give one channel, that of class 1.");
  n.param("meaning", "It gives", &Params::meaning,
          {{Meaning::scores, "scores", "Scores (logits)"}, {Meaning::probabilities, "probabilities", "Probabilities"}})
      .help(
          "Meaning of the program's output for each class; scores are logits; a single channel is the logit of a "
          "sigmoid.");
  n.param("dims", "It sees", &Params::dims, {{2, "2", "Slices across z"}, {3, "3", "The whole volume"}})
      .help("Whether the program takes [1, volumes, y, x] or [1, volumes, z, y, x].");
  n.param("mean", "Mean", &Params::mean)
      .range(-1e30, 1e30)
      .help("Subtracted from the values, as when the network was trained; one number, or one for each volume.");
  n.param("deviation", "Deviation", &Params::deviation)
      .range(1e-30, 1e30)
      .help("The values are then divided by this; one number, or one for each volume.");
  n.advanced_param("maps", "Maps at a time", &Params::maps)
      .range(1, 16384)
      .help(
          "Numbers per pixel that the program holds at a time, from which a run estimates its memory. For a U-Net "
          "about four times the channels of its first level.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).fingerprint(fingerprint);
  n.measure(measured, load).run(run);
}

}  // namespace tl::segment_script_node

TL_NODE(segment_script)
