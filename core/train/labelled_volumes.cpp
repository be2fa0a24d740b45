// Reads volumes with their labels, and joins their tables of classes.
#include "core/train/labelled_volumes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/base/wording.h"
#include "core/io/open_volume.h"
#include "core/io/volumes/label_table.h"
#include "core/run/executor.h"
#include "core/train/example_nodes.h"
#include "core/values/class_indices.h"

namespace tl::train {
namespace {

Result<LabelledVolume> read_pair(const std::string& volume_file, const std::string& labels_file,
                                 io::ProtectedFiles& files, const CancelToken& cancel) {
  TL_TRY(const auto volume, io::open_volume(volume_file, {}, cancel));
  TL_TRY(const auto labels, io::open_labels(labels_file, {}, cancel));
  files.add_volume(volume_file, volume->files());
  files.add_volume(labels_file, labels->files());
  const VolumeGrid &g = volume->info().grid, &l = labels->info().grid;
  if (g.nz != l.nz || g.ny != l.ny || g.nx != l.nx) {
    const auto size = [](const VolumeGrid& v) {
      return std::to_string(v.nz) + " x " + std::to_string(v.ny) + " x " + std::to_string(v.nx);
    };
    return invalid("the labels have " + size(l) + " voxels, their volume (" + volume_file + ") has " + size(g),
                   labels_file, "Give labels on the voxels of their volume");
  }
  LabelledVolume pair;
  pair.name = volume_file;
  pair.grid = g;
  pair.voxel_size_known = volume->info().voxel_size != Origin::guessed;
  TL_TRY(at::Tensor voxels, volume->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}, cancel));
  pair.volume = voxels.unsqueeze(0);
  TL_TRY(pair.numbers, labels->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}, cancel));
  TL_TRY(pair.table, io::label_table_of(labels->info()));
  return pair;
}

// Names and colours from all tables; the unlabelled number in the settings has priority.
Result<LabelTable> join_tables(const std::vector<LabelledVolume>& all, const std::optional<int64_t>& unlabelled) {
  LabelTable table;
  std::map<int64_t, LabelClass> classes;
  std::vector<at::Tensor> numbers;
  for (const LabelledVolume& v : all) {
    for (const LabelClass& c : v.table.classes) classes.emplace(c.number, c);
    if (const std::optional<int64_t> none = unlabelled_number(v.table); none) {
      if (table.not_labelled && table.not_labelled != none && !unlabelled)
        return invalid("two tables of classes differ in the number of voxels that are not labelled", v.name,
                       two_wordings("Say which it is: --unlabelled NUMBER", "Give both tables the same number"));
      table.not_labelled = none;
    }
    numbers.push_back(v.numbers);
  }
  if (unlabelled) table.not_labelled = unlabelled;
  for (const auto& [number, c] : classes) table.classes.push_back(c);
  table.classes = classes_in(numbers, table);
  return table;
}

Result<std::vector<Item>> make_items(std::vector<LabelledVolume> all, const LabelTable& table) {
  std::vector<Item> items;
  for (LabelledVolume& v : all) {
    TL_TRY(at::Tensor labels, class_indices(v.numbers, table, v.name));
    v.numbers.reset();
    items.push_back({v.name, std::move(v.volume), std::move(labels)});
  }
  return items;
}

// Painted voxels without a label are 0, which in files is often a class: where tables differ, no class has the number.
void agree_on_unlabelled(std::vector<LabelledVolume>& all) {
  constexpr int64_t unlabelled_value = -1;
  const bool agreed = std::all_of(all.begin(), all.end(), [&](const LabelledVolume& v) {
    return v.table.not_labelled == all.front().table.not_labelled;
  });
  if (agreed) return;
  for (LabelledVolume& v : all) {
    if (v.table.not_labelled) v.numbers = v.numbers.masked_fill(v.numbers.eq(*v.table.not_labelled), unlabelled_value);
    v.table.not_labelled = unlabelled_value;
  }
}

// Labels without a table of classes, in which 0 counts as a class.
void warn_without_table(const std::vector<LabelledVolume>& all, std::vector<std::string>& warnings) {
  for (const LabelledVolume& v : all)
    if (is_without_table(v.table) && v.numbers.eq(0).any().item<bool>())
      warnings.push_back("the labels of " + v.name + " have no table of classes: 0 counts as a class. " +
                         two_wordings("If nobody labelled its voxels: --unlabelled 0",
                                      "If nobody labelled its voxels, say so in their table of classes"));
}

// [mm], of the first volume; 0 if it is not known. Warns if others differ by more than one hundredth.
double common_voxel_size(const std::vector<LabelledVolume>& all, std::vector<std::string>& warnings) {
  double first = 0;
  for (const LabelledVolume& v : all) {
    if (!v.voxel_size_known) continue;
    const double size = norm(v.grid.step_x);
    constexpr double tolerance = 0.01;
    if (first == 0)
      first = size;
    else if (std::abs(size - first) > tolerance * first)
      warnings.push_back("the voxels of " + v.name + " differ in size from the voxels of " + all[0].name +
                         ": the network learns both sizes");
  }
  return first;
}

// Warns about classes with labels in the training data but not in the validation data.
void warn_of_classes_not_validated(const TrainingSet& set, std::vector<std::string>& warnings) {
  if (set.validation.empty()) return;
  const auto classes = static_cast<int64_t>(set.classes.size());
  const std::vector<int64_t> training = class_counts(set.training, classes),
                             validation = class_counts(set.validation, classes);
  std::string names;
  for (std::size_t c = 0; c < set.classes.size(); ++c)
    if (training[c] > 0 && validation[c] == 0) {
      const LabelClass& of = set.classes[c];
      names += (names.empty() ? "" : ", ") + std::to_string(of.number) + (of.name.empty() ? "" : " (" + of.name + ")");
    }
  if (!names.empty())
    warnings.push_back("no validation data have labels of class " + names + ": its quality cannot be measured");
}

}  // namespace

Result<std::vector<LabelledVolume>> read_pairs(const std::vector<std::string>& files, io::ProtectedFiles& read,
                                               const CancelToken& cancel) {
  if (files.size() % 2 != 0)
    return invalid("there are " + std::to_string(files.size()) + " files, not pairs of volume and labels", files.back(),
                   "Give each volume and then its labels: VOLUME LABELS VOLUME LABELS ...");
  std::vector<LabelledVolume> all;
  for (std::size_t i = 0; i < files.size(); i += 2) {
    TL_TRY(LabelledVolume pair, read_pair(files[i], files[i + 1], read, cancel));
    all.push_back(std::move(pair));
  }
  return all;
}

Result<std::vector<LabelledVolume>> example_volumes(Executor& executor, const Graph& graph,
                                                    const std::string& pipeline) {
  std::vector<LabelledVolume> all;
  const std::vector<std::string> nodes = example_nodes(graph);
  for (const std::string& id : nodes) {
    TL_TRY(const Value labels, executor.pull(graph, id, "labels"));
    TL_TRY(const Infos infos, executor.infos(graph, id));
    LabelledVolume pair;
    pair.name = pipeline + ": " + id;
    pair.voxel_size_known = true;
    pair.numbers = std::get<Labels>(labels).data;
    pair.table = std::get<LabelsInfo>(infos.at("labels")).table;
    pair.table.not_labelled = is_painted(graph.nodes.at(id)) ? 0 : unlabelled_number(pair.table);
    all.push_back(std::move(pair));
  }
  agree_on_unlabelled(all);
  std::vector<at::Tensor> numbers;
  LabelTable table;
  for (const LabelledVolume& pair : all) {
    numbers.push_back(pair.numbers);
    table.not_labelled = pair.table.not_labelled;
  }
  const std::size_t classes = classes_in(numbers, table).size();
  if (classes == 0)
    return invalid(
        "this pipeline has neither painted labels nor examples", pipeline,
        two_wordings(
            "Link a volume and its labels ('Load labels', input.load_labels) to 'Examples' (input.examples) and "
            "give their files with --set NODE.file=FILE, or train on files: tomoloom train VOLUME LABELS",
            "Add the node 'Paint labels' (segment.painted), and paint some voxels of each class, or link a "
            "volume and its labels to 'Examples' (input.examples)"));
  if (classes == 1)
    return invalid("only one class is labelled", pipeline,
                   "Paint voxels of at least two classes, the background being one");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Link* from = graph.link_into(nodes[i], "volume");
    TL_TRY(const Value volume, executor.pull(graph, from->from_node, from->from_port));
    all[i].volume = std::get<Volume>(volume).data.to(at::kFloat).unsqueeze(0);
    all[i].grid = std::get<Volume>(volume).grid;
  }
  return all;
}

Result<LabelledSet> training_set_of(std::vector<LabelledVolume> training, std::vector<LabelledVolume> validation,
                                    const SplitSettings& settings) {
  LabelledSet made;
  const std::size_t count = training.size();
  const bool is_given = !validation.empty();
  std::vector<LabelledVolume> all = std::move(training);
  std::move(validation.begin(), validation.end(), std::back_inserter(all));
  if (!settings.unlabelled) warn_without_table(all, made.warnings);
  TL_TRY(const LabelTable table, join_tables(all, settings.unlabelled));
  const double voxel_size = common_voxel_size(all, made.warnings);
  TL_TRY(std::vector<Item> items, make_items(std::move(all), table));
  if (is_given) {
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(count);
    made.set.training.assign(items.begin(), middle);
    made.set.validation.assign(middle, items.end());
  } else if (settings.split == Split::volumes || (settings.split == Split::automatic && items.size() > 1)) {
    TL_TRY(made.set, split_by_item(std::move(items), settings.share, settings.seed));
  } else {
    TL_TRY(made.set, split_by_block(items, settings.share, settings.gap));
  }
  made.set.classes = table.classes;
  warn_of_classes_not_validated(made.set, made.warnings);
  made.set.voxel_size = voxel_size;
  return made;
}

}  // namespace tl::train
