// core/nodes/segment/pixel_classifier.cpp: classes of voxels learned from a few strokes.
#include <ATen/ATen.h>

#include <algorithm>
#include <set>

#include "core/base/wording.h"
#include "core/io/bytes/input_files.h"
#include "core/io/model/safetensors.h"
#include "core/node/shared_memo.h"
#include "core/nodes/filter/filter_node.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/segment/class_maps.h"
#include "core/nodes/segment/classifier_model.h"
#include "core/nodes/segment/segment_node.h"
#include "core/nodes/segment/stroke_samples.h"
#include "core/values/class_indices.h"

namespace tl::segment_pixel_classifier_node {

enum class Training { live, once };

struct Params {
  Training training = Training::live;
  std::string model;
  ops::FeatureSpan span = ops::FeatureSpan::slices;
  std::vector<double> sigmas = ops::FeatureSpec{}.sigmas;
  bool gaussian = true, laplacian = true, gradient = true, structure = true, hessian = true, difference = true;
  int64_t trees = 100;
  ops::SampleWeights weights = ops::SampleWeights::balanced;
  int64_t seed = 1;
};

bool uses_file(const Params& p, const Infos& in) { return p.training == Training::once || in.count("strokes") == 0; }

ops::FeatureSpec features_of(const Params& p) {
  ops::FeatureSpec spec;
  spec.span = p.span;
  spec.sigmas = p.sigmas;
  spec.kinds.clear();
  const bool chosen[] = {p.gaussian, p.laplacian, p.gradient, p.structure, p.hessian, p.difference};
  for (int k = 0; k < ops::feature_kinds; ++k)
    if (chosen[k]) spec.kinds.push_back(static_cast<ops::FeatureKind>(k));
  return spec;
}

// The features on the grid of a part of the volume, which may be coarser.
ops::FeatureSpec features_on(const Params& p, const VolumeGrid& whole, const VolumeGrid& part) {
  ops::FeatureSpec spec = features_of(p);
  spec.voxel = voxel_size_in(whole, part);
  return spec;
}

Neighbourhood needed_neighbourhood(const Params& p, const VolumeGrid& whole, const VolumeGrid& part) {
  return neighbourhood(whole, part, ops::feature_reach(features_on(p, whole, part)));
}

Result<void> check(const Params& p, const Infos& in) {
  if (uses_file(p, in) && p.model.empty())
    return p.training == Training::once
               ? invalid("no model is chosen", "model",
                         "Write one with Save model and choose its file, or train live from strokes")
               : invalid("no strokes are linked, and no model is chosen", "strokes",
                         "Link labels with some labelled voxels of each class, or choose a model");
  if (!uses_file(p, in))
    if (const auto& labelled = labels_of(in, "strokes").labelled; labelled && labelled->size() == 0)
      return invalid("nothing is painted yet", "strokes",
                     two_wordings("Put the node 'Load labels' (input.load_labels) instead of 'Paint labels' into the "
                                  "pipeline and give its file: --set NODE.file=LABELS; or give a trained model: --set "
                                  "NODE.training=once --set NODE.model=FILE. Strokes are painted in the studio",
                                  "Paint some voxels of two classes or more: W in a view of the volume"));
  const ops::FeatureSpec features = features_of(p);
  if (features.kinds.empty()) return invalid("no features are chosen", "gaussian", "Choose at least one kind");
  if (features.sigmas.empty()) return invalid("no scales are given", "sigmas", "Give one standard deviation or more");
  if (ops::feature_count(features) > ops::max_features)
    return invalid(std::to_string(ops::feature_count(features)) + " features", "sigmas", "Give fewer scales");
  return ok();
}

std::string unusable_voxels() {
  return "Mask or fill these voxels first, or check the result of the node before this one";
}

// The trained or loaded model, cached for the run.
struct Trained {
  PixelClassifier classifier;
};

struct State {
  StrokeSamples samples;
  std::vector<FeatureBrick> bricks;
  std::size_t next = 0;              // next brick in accumulate()
  std::vector<std::size_t> missing;  // bricks that have not been computed yet
};

Result<Regions> measured(const Params& p, const Infos& in) {
  if (uses_file(p, in)) return Regions{};
  const LabelsInfo& strokes = labels_of(in, "strokes");
  return Regions{{"strokes", strokes.labelled && strokes.labelled->size() > 0 ? strokes.grid.slab(*strokes.labelled)
                                                                              : strokes.grid}};
}

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  return std::make_shared<State>(
      State{StrokeSamples(r.info<VolumeInfo>("volume").grid, static_cast<uint64_t>(p.seed)), {}, 0, {}});
}

// The key of a brick contains everything on which it depends, which excludes the strokes: a new stroke computes only
// the bricks around it.
Hash brick_key(const Params& p, const NodeRun& r, const VolumeGrid& part) {
  return Hasher()
      .add("features")
      .add(r.input_keys.at("volume"))
      .add(feature_text(features_of(p)))
      .add(Region{part})
      .digest();
}

Result<at::Tensor> computed_features(const Params& p, NodeRun& r, const VolumeGrid& part) {
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  const at::Tensor data = r.in<Volume>("volume").data.detach();
  if (!at::isfinite(data).all().item<bool>())
    return invalid("values of the volume are not finite (NaN or infinite)", "volume", unusable_voxels());
  const Neighbourhood n = needed_neighbourhood(p, whole, part);
  ops::FeatureSpec spec = features_on(p, whole, part);
  spec.cancel = r.cancel();
  return ops::voxel_features(data, n.z, n.y, n.x, spec);
}

int64_t feature_bytes(const Params& p, const VolumeGrid& part) {
  return 4 * ops::feature_count(features_of(p)) * part.count();
}

std::shared_ptr<at::Tensor> kept_features(const Params& p, NodeRun& r, const VolumeGrid& part) {
  return shared_memo<at::Tensor>(r, brick_key(p, r, part), feature_bytes(p, part), [&] {
    return std::make_shared<at::Tensor>(computed_features(p, r, part).or_throw());
  });
}

VolumeGrid grid_of(const FeatureBrick& brick, const VolumeGrid& whole) { return whole.sub(brick.z, brick.y, brick.x); }

// Strokes without a table leave most voxels at 0.
std::optional<int64_t> unlabelled_stroke(const LabelTable& table) {
  return is_without_table(table) ? 0 : unlabelled_number(table);
}

Result<void> accumulate(const Params& p, State& s, NodeRun& r) {
  if (r.has_in("strokes"))
    return s.samples.add(r.in<Labels>("strokes"), unlabelled_stroke(r.info<LabelsInfo>("strokes").table));
  const FeatureBrick& brick = s.bricks[s.missing[s.next++]];
  s.samples.take(brick, *kept_features(p, r, grid_of(brick, r.info<VolumeInfo>("volume").grid)));
  return ok();
}

Result<void> check_strokes(const StrokeSamples& samples, NodeRun& r) {
  const auto& counts = samples.counts();
  const LabelTable& table = r.info<LabelsInfo>("strokes").table;
  const std::optional<int64_t> none = unlabelled_stroke(table);
  const std::string more =
      "Label some voxels of each class" + (none ? "; " + std::to_string(*none) + " means not labelled" : "");
  if (is_without_table(table))
    r.message(LogLevel::info, "the strokes have no table of classes: 0 counts as not labelled");
  if (samples.on_another_grid())
    r.message(LogLevel::info,
              "the strokes are on another grid than the volume: each voxel of theirs counts for the "
              "voxel of the volume at its position");
  if (samples.outside() > 0)
    r.message(LogLevel::warning,
              std::to_string(samples.outside()) + " voxels of the strokes lie outside of the volume");
  if (counts.empty())
    return invalid(samples.outside() > 0 ? "all strokes lie outside of the volume" : "the strokes are empty", "strokes",
                   samples.outside() > 0 ? "Give strokes within the volume" : more);
  if (counts.size() < 2)
    return invalid("all strokes are of class " + std::to_string(counts.begin()->first), "strokes", more);
  for (const auto& [number, count] : counts)
    if (!table.classes.empty() && std::none_of(table.classes.begin(), table.classes.end(),
                                               [&n = number](const LabelClass& c) { return c.number == n; }))
      return invalid("the strokes have the number " + std::to_string(number) + ", which their table of classes lacks",
                     "strokes", "Add the class to the table, or label with the numbers that it has");
  return ok();
}

Result<std::vector<Regions>> further(const Params& p, State& s, NodeRun& r) {
  if (uses_file(p, r.infos)) return std::vector<Regions>{};
  TL_TRY(check_strokes(s.samples, r));
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  s.bricks = s.samples.bricks(p.span);
  std::vector<Regions> regions;
  for (std::size_t i = 0; i < s.bricks.size(); ++i) {
    const VolumeGrid part = grid_of(s.bricks[i], whole);
    if (const auto kept = kept_shared_memo<at::Tensor>(r, brick_key(p, r, part))) {
      s.samples.take(s.bricks[i], *kept);
    } else {
      s.missing.push_back(i);
      regions.push_back({{"volume", needed_neighbourhood(p, whole, part).grid}});
    }
  }
  return regions;
}

Result<Findings> findings_of(PixelClassifier&& classifier) {
  Findings f;
  Model model = model_of(classifier);
  f.kept_bytes = static_cast<int64_t>(classifier.forest.nodes.size()) * 12 +
                 static_cast<int64_t>(classifier.forest.leaves.size() + classifier.forest.edges.size()) * 4;
  f.kept = std::make_shared<const Trained>(Trained{std::move(classifier)});
  f.values["model"] = std::move(model);
  return f;
}

Result<Findings> read_from_file(const Params& p, NodeRun& r) {
  TL_TRY(const Model model, io::read_model(p.model));
  TL_TRY(PixelClassifier classifier, classifier_of(model, p.model));
  const std::string here = feature_text(features_of(p)), there = feature_text(classifier.features);
  if (here != there)
    return invalid("the model was trained with other features: " + there + "; this node has: " + here, p.model,
                   "Set the features of this node to those of the model, or train a new one");
  TL_TRY(r.host().reads(
      std::make_shared<io::InputFiles>(p.model, std::vector<io::InputFile>{{p.model, io::stamp_of(p.model)}})));
  return findings_of(std::move(classifier));
}

Result<Findings> finish(const Params& p, State& s, NodeRun& r) {
  if (uses_file(p, r.infos)) return read_from_file(p, r);
  const auto [features, classes] = s.samples.samples();
  if (features.amin(1).equal(features.amax(1)))
    return invalid("the volume is the same at all strokes: nothing distinguishes the classes", "volume",
                   "Check the result of the node before this one");
  PixelClassifier classifier;
  classifier.features = features_of(p);
  const LabelTable& table = r.info<LabelsInfo>("strokes").table;
  std::set<int32_t> numbers;
  for (const StrokeVoxel& stroke : s.samples.strokes()) numbers.insert(stroke.number);
  for (const int32_t number : numbers) {
    const auto named = std::find_if(table.classes.begin(), table.classes.end(),
                                    [n = number](const LabelClass& c) { return c.number == n; });
    classifier.classes.push_back(named == table.classes.end() ? LabelClass{number, {}, {}} : *named);
  }
  ops::ForestSpec spec{
      .trees = p.trees, .seed = static_cast<uint64_t>(p.seed), .weights = p.weights, .cancel = r.cancel()};
  TL_TRY(classifier.forest, ops::grow_forest(features, classes, static_cast<int64_t>(classifier.classes.size()), spec));
  r.message(LogLevel::info, "trained with " + std::to_string(classes.size(0)) + " voxels of " +
                                std::to_string(classifier.classes.size()) + " classes");
  return findings_of(std::move(classifier));
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings* found) {
  const VolumeGrid& grid = volume_of(in).grid;
  MapsInfo maps{grid, {}, found == nullptr};
  LabelTable table;
  if (!uses_file(p, in)) table.classes = labels_of(in, "strokes").table.classes;
  if (!uses_file(p, in)) {
    const std::optional<int64_t> none = unlabelled_stroke(labels_of(in, "strokes").table);
    std::erase_if(table.classes, [&](const LabelClass& c) { return c.number == none; });
  }
  maps.channels = table.classes;
  if (found != nullptr) {
    maps.channels = std::static_pointer_cast<const Trained>(found->kept)->classifier.classes;
    // If no label has a name there is no table, as for the labels of strokes.
    const bool named = std::any_of(maps.channels.begin(), maps.channels.end(),
                                   [](const LabelClass& c) { return !c.name.empty() || !c.colour.empty(); });
    if (uses_file(p, in) && named) table.classes = maps.channels;
  }
  const VolumeInfo uncertainty{grid, Unit::none, false, volume_of(in).voxel_size};
  return Infos{{"labels", LabelsInfo{grid, table}}, {"probabilities", maps}, {"uncertainty", uncertainty}};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  if (std::holds_alternative<WholeRegion>(wanted)) return Regions{};  // of the model
  return Regions{{"volume", needed_neighbourhood(p, volume_of(in).grid, std::get<VolumeGrid>(wanted)).grid}};
}

// If slices are independent, they are classified one after the other.
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t) {
  const auto* grid = std::get_if<VolumeGrid>(&wanted);
  if (grid == nullptr) return 0;
  const ops::FeatureSpec spec = features_of(p);
  const VolumeGrid surroundings = needed_neighbourhood(p, volume_of(in).grid, *grid).grid;
  const int64_t slices = p.span == ops::FeatureSpan::slices ? surroundings.nz : 1;
  constexpr int64_t channels = 8;  // channels of probabilities in addition to the requested output
  return ops::feature_workspace(surroundings.count() / slices, spec) + feature_bytes(p, *grid) / slices +
         region_bytes(wanted, 4 * channels);
}

Result<at::Tensor> probabilities_of(const Params& p, NodeRun& r, const VolumeGrid& wanted) {
  const auto& trained = *std::static_pointer_cast<const Trained>(r.findings->kept);
  const ops::Forest& forest = trained.classifier.forest;
  // A displayed plane is classified again with every stroke.
  if (is_plane(wanted) && !r.learning)
    return ops::forest_probabilities(forest, *kept_features(p, r, wanted), r.cancel());
  if (p.span == ops::FeatureSpan::volume) {
    TL_TRY(const at::Tensor features, computed_features(p, r, wanted));
    return ops::forest_probabilities(forest, features, r.cancel());
  }
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  const at::Tensor data = r.in<Volume>("volume").data.detach();
  if (!at::isfinite(data).all().item<bool>())
    return invalid("values of the volume are not finite (NaN or infinite)", "volume", unusable_voxels());
  const Neighbourhood n = needed_neighbourhood(p, whole, wanted);
  ops::FeatureSpec spec = features_on(p, whole, wanted);
  spec.cancel = r.cancel();
  at::Tensor all = at::empty({forest.classes, wanted.nz, wanted.ny, wanted.nx}, at::kFloat);
  for (int64_t z = 0; z < wanted.nz; ++z) {
    TL_TRY(const at::Tensor features, ops::voxel_features(data.narrow(0, n.z.begin + z, 1), {0, 1}, n.y, n.x, spec));
    TL_TRY(const at::Tensor slice, ops::forest_probabilities(forest, features, r.cancel()));
    all.narrow(1, z, 1).copy_(slice);
  }
  return all;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& classes = std::static_pointer_cast<const Trained>(r.findings->kept)->classifier.classes;
  return put_classes(r, classes, [&](const VolumeGrid& wanted) { return probabilities_of(p, r, wanted); });
}

Result<std::string> fingerprint(const Params& p) { return fingerprint_of_named(p.model); }

void describe_features(NodeBuilder<Params>& n) {
  n.param(
       "span", "Features", &Params::span,
       {{ops::FeatureSpan::slices, "slices", "In each slice"}, {ops::FeatureSpan::volume, "volume", "In the volume"}})
      .help(
          "Whether the surroundings of a voxel are those in its slice, or in the volume: slower, but it uses borders "
          "along z.");
  n.advanced_param("sigmas", "Scales", &Params::sigmas)
      .range(0.1, 100, Unit::px)
      .help(
          "Standard deviations of the Gaussians, in voxels along x; along y and z they are as long in mm. Each reaches "
          "four times as far; one and a half times that for the structure tensor.");
  n.advanced_param("gaussian", "Smoothed", &Params::gaussian).help("The smoothed volume: colour and intensity.");
  n.advanced_param("laplacian", "Laplacian", &Params::laplacian)
      .help("The Laplacian of the smoothed volume: blobs and lines.");
  n.advanced_param("gradient", "Gradient", &Params::gradient)
      .help("The magnitude of the gradient of the smoothed volume: edges.");
  n.advanced_param("structure", "Structure tensor", &Params::structure)
      .help("Eigenvalues of the structure tensor: how strong edges are, and in how many directions; texture.");
  n.advanced_param("hessian", "Hessian", &Params::hessian)
      .help("Eigenvalues of the Hessian matrix of the smoothed volume: blobs, lines and sheets.");
  n.advanced_param("difference", "Difference of Gaussians", &Params::difference)
      .help("The smoothed volume minus one smoothed with 0.66 of the standard deviation.");
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.pixel_classifier", 1).title("Pixel classifier").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("a forest decides by thresholds");
  n.summary("Pixel classifier: learns classes from a few strokes and labels all voxels, by a random forest.");
  n.description(
      "Label some voxels of each class, a few strokes in one slice or two, and look where the uncertainty is high: add "
      "strokes there. A voxel is described by features of its surroundings at several scales, those of ilastik: the "
      "volume smoothed by Gaussians, Laplacian, gradient, eigenvalues of structure tensor and Hessian matrix, "
      "difference of Gaussians; the forest of 100 decision trees learns which of them separate the classes. Live it "
      "trains again whenever strokes change; only features around strokes and of the shown region are computed. Save "
      "the model with Save model, and choose it in other pipelines or for other scans: once trained, no strokes are "
      "needed. Strokes are placed in the volume by their position in mm. At most 50 000 voxels of each class are used, "
      "chosen at random by the seed.");
  n.cite("L. Breiman, Random forests, Machine Learning 45, 5 (2001)");
  n.cite(
      "S. Berg et al., ilastik: interactive machine learning for (bio)image analysis, Nature Methods 16, 1226 (2019)");
  n.example({{"sigmas", "1, 3.5"}, {"trees", "20"}});
  n.synonyms({"random forest", "ilastik", "machine learning", "trainable segmentation", "strokes", "scribbles", "paint",
              "interactive", "Weka", "training"});
  n.input<Volume>("volume", "Any volume of finite values.");
  n.input<Labels>("strokes", "Some labelled voxels of each class, at least two classes; 0 is not labelled.", false);
  n.output<Labels>("labels", "The most probable class of each voxel, with the class names and colours of the strokes.");
  n.output<Maps>("probabilities", "The probability of each class: the mean of the trees.");
  n.output<Volume>("uncertainty",
                   "1 less the difference between the two largest probabilities: 0 is sure, 1 undecided.");
  n.output<Model>("model", "The trained forest with its features and classes.");
  n.param("training", "Training", &Params::training,
          {{Training::live, "live", "Live: from the strokes, whenever they change"},
           {Training::once, "once", "Once: the chosen model, without further training"}})
      .help("Without strokes the model is applied in both.");
  n.param("model", "Model", &Params::model)
      .input_file()
      .help("A file that Save model wrote after a pixel classifier with the same features.");
  describe_features(n);
  n.advanced_param("trees", "Trees", &Params::trees)
      .range(1, 1000)
      .help("Number of trees: more give smoother probabilities and take longer.");
  n.advanced_param(
       "weights", "Equal weight for", &Params::weights,
       {{ops::SampleWeights::equal, "equal", "All voxels"}, {ops::SampleWeights::balanced, "balanced", "All classes"}})
      .help(
          "Whether all labelled voxels have the same weight, or all classes, independent of the length of their "
          "strokes.");
  n.advanced_param("seed", "Seed", &Params::seed)
      .range(0, 1e9)
      .help("Number that fixes the random choices of the forest.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).fingerprint(fingerprint);
  n.measure_in_blocks<State>(measured, begin, accumulate, finish).measure_further<State>(further).run(run);
}

}  // namespace tl::segment_pixel_classifier_node

TL_NODE(segment_pixel_classifier)
