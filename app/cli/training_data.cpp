// Volumes and labels of `tomoloom train`: files of any format of volumes, or what is painted in a pipeline.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "app/cli/training.h"
#include "core/base/grid_box.h"
#include "core/io/volume/label_table.h"
#include "core/io/volume/volume.h"
#include "core/run/record/protected_inputs.h"

namespace tl::cli {
namespace {

// Before numbers become indices of classes.
struct LabelledVolume {
  std::string name;
  at::Tensor volume, numbers;  // float32 [1, z, y, x], int32 [z, y, x]
  VolumeGrid grid;
  LabelTable table;
  bool voxel_size_known = false;
};

Result<LabelledVolume> read_pair(const std::string& volume_file, const std::string& labels_file, const Cli& cli,
                                 io::ProtectedFiles& files) {
  TL_TRY(const auto volume, io::open_volume(volume_file, {}, cli.cancel));
  TL_TRY(const auto labels, io::open_volume(labels_file, {}, cli.cancel));
  for (const auto& [reader, role] : {std::pair{volume.get(), "a volume"}, std::pair{labels.get(), "labels"}})
    for (const std::filesystem::path& f : reader->files()) files.add(f, role);
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
  TL_TRY(at::Tensor voxels, volume->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}, cli.cancel));
  pair.volume = voxels.unsqueeze(0);
  TL_TRY(voxels, labels->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}, cli.cancel));
  TL_TRY(pair.numbers, io::label_numbers(voxels, labels_file));
  TL_TRY(pair.table, io::label_table_of(labels->info()));
  return pair;
}

// Every volume on which labels are painted, with them.
Result<std::vector<LabelledVolume>> read_painted(const TrainArguments& o, const Cli& cli, io::ProtectedFiles& files) {
  TL_TRY(const Graph graph, pipeline_or_template(o.data[0]));
  files = inputs_with_pipeline(graph, Registry::all(), o.data[0]);
  const auto sink = make_sink(cli);
  TL_TRY(const RunOptions options, make_run_options(cli, o.flags, *sink));
  Executor executor(Registry::all(), options);
  std::vector<LabelledVolume> all;
  for (const auto& [id, node] : graph.nodes) {
    if (node.type != "segment.painted" || node.use != NodeUse::active) continue;
    const Link* from = graph.link_into(id, "volume");
    if (from == nullptr) continue;
    TL_TRY(const Value volume, executor.pull(graph, from->from_node, from->from_port));
    TL_TRY(const Value labels, executor.pull(graph, id, "labels"));
    TL_TRY(const Infos infos, executor.infos(graph, id));
    LabelledVolume pair;
    pair.name = o.data[0] + ": " + id;
    pair.volume = std::get<Volume>(volume).data.to(at::kFloat).unsqueeze(0);
    pair.grid = std::get<Volume>(volume).grid;
    pair.voxel_size_known = true;
    pair.numbers = std::get<Labels>(labels).data;
    pair.table = std::get<LabelsInfo>(infos.at("labels")).table;
    pair.table.not_labelled = 0;
    all.push_back(std::move(pair));
  }
  sink->end();
  if (all.empty())
    return invalid("nothing is painted in this pipeline", o.data[0],
                   "Add the node 'Paint labels' (segment.painted), and paint some voxels of each class");
  return all;
}

Result<std::vector<LabelledVolume>> read_pairs(const std::vector<std::string>& names, const Cli& cli,
                                               io::ProtectedFiles& files) {
  if (names.size() % 2 != 0)
    return invalid("there are " + std::to_string(names.size()) + " files, which are no pairs", names.back(),
                   "Give each volume and then its labels: VOLUME LABELS VOLUME LABELS ...");
  std::vector<LabelledVolume> all;
  for (std::size_t i = 0; i < names.size(); i += 2) {
    TL_TRY(LabelledVolume pair, read_pair(names[i], names[i + 1], cli, files));
    all.push_back(std::move(pair));
  }
  return all;
}

// Names and colours of all tables; what the command line says is not labelled wins.
Result<LabelTable> table_of(const std::vector<LabelledVolume>& all, const TrainArguments& o) {
  LabelTable table;
  std::map<int64_t, LabelClass> classes;
  std::vector<at::Tensor> numbers;
  for (const LabelledVolume& v : all) {
    for (const LabelClass& c : v.table.classes) classes.emplace(c.number, c);
    if (v.table.not_labelled) {
      if (table.not_labelled && table.not_labelled != v.table.not_labelled && !o.unlabelled)
        return invalid("two tables of classes differ in the number of voxels that are not labelled", v.name,
                       "Say which it is: --unlabelled NUMBER");
      table.not_labelled = v.table.not_labelled;
    }
    numbers.push_back(v.numbers);
  }
  if (o.unlabelled) table.not_labelled = o.unlabelled;
  for (const auto& [number, c] : classes) table.classes.push_back(c);
  table.classes = train::classes_in(numbers, table);
  return table;
}

Result<std::vector<train::Item>> items_of(std::vector<LabelledVolume> all, const LabelTable& table) {
  std::vector<train::Item> items;
  for (LabelledVolume& v : all) {
    TL_TRY(at::Tensor labels, train::class_indices(v.numbers, table, v.name));
    v.numbers.reset();
    items.push_back({v.name, std::move(v.volume), std::move(labels)});
  }
  return items;
}

// [mm], of the first volume; 0 if it is not known. Warns if others differ by more than a hundredth.
double common_voxel_size(const std::vector<LabelledVolume>& all, const Cli& cli) {
  double first = 0;
  for (const LabelledVolume& v : all) {
    if (!v.voxel_size_known) continue;
    const double size = norm(v.grid.step_x);
    constexpr double alike = 0.01;
    if (first == 0) {
      first = size;
    } else if (std::abs(size - first) > alike * first && cli.output_mode == OutputMode::text) {
      say(stderr, "warning: the voxels of " + v.name + " have another size than those of " + all[0].name +
                      ": the network learns both sizes");
    }
  }
  return first;
}

}  // namespace

Result<TrainingData> read_training_data(const TrainArguments& o, const Cli& cli) {
  TrainingData data;
  std::vector<LabelledVolume> all;
  const bool pipeline = o.data.size() == 1;
  if (pipeline) {
    TL_TRY(all, read_painted(o, cli, data.files));
  } else {
    TL_TRY(all, read_pairs(o.data, cli, data.files));
  }
  const std::size_t training = all.size();
  TL_TRY(std::vector<LabelledVolume> more, read_pairs(o.validation, cli, data.files));
  std::move(more.begin(), more.end(), std::back_inserter(all));
  TL_TRY(const LabelTable table, table_of(all, o));
  const double voxel_size = common_voxel_size(all, cli);
  TL_TRY(std::vector<train::Item> items, items_of(std::move(all), table));
  if (!o.validation.empty()) {
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(training);
    data.set.training.assign(items.begin(), middle);
    data.set.validation.assign(middle, items.end());
  } else if (o.split == "volumes" || (o.split == "automatic" && items.size() > 1)) {
    TL_TRY(data.set, train::split_by_item(std::move(items), o.share, static_cast<uint64_t>(o.seed)));
  } else {
    TL_TRY(data.set, train::split_by_block(items, o.share, o.gap));
  }
  data.set.classes = table.classes;
  data.set.voxel_size = voxel_size;
  return data;
}

}  // namespace tl::cli
