// core/nodes/input/load_labels.cpp: open a volume of labels on disk; only the voxels that are needed are read.
#include <ATen/ATen.h>

#include "core/base/wording.h"
#include "core/io/volumes/label_table.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/input/volume_file.h"

namespace tl::input_load_labels_node {

struct Params {
  std::string file;
  std::string format;
};

Result<std::unique_ptr<io::VolumeReader>> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no labels are chosen", "file",
                   two_wordings("Give the file name of the labels: --set NODE.file=VOLUME",
                                "Choose the file of the labels in the form of this node"));
  TL_TRY(std::unique_ptr<io::VolumeReader> reader, io::open_labels(p.file, p.format, cancel));
  if (const auto& scale = reader->info().scale; scale && *scale != io::ValueScale{})
    return invalid("the integers of the volume are scaled: they are measured values, not labels", p.file,
                   "Load it as a volume");
  return reader;
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open(p));
  TL_TRY(LabelTable table, io::label_table_of(reader->info()));
  return Infos{{"labels", LabelsInfo{reader->info().grid, std::move(table)}}};
}

std::string table_text(const LabelTable& table) {
  std::string text;
  for (const LabelClass& c : table.classes)
    text += (text.empty() ? "Classes: " : ", ") + std::to_string(c.number) + (c.name.empty() ? "" : " " + c.name);
  if (table.not_labelled) text += (text.empty() ? "" : "; ") + ("not labelled: " + std::to_string(*table.not_labelled));
  return text.empty() ? "The labels have no table of classes." : text + ".";
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto open_and_report = [&]() -> Result<std::unique_ptr<io::VolumeReader>> {
    TL_TRY(std::unique_ptr<io::VolumeReader> opened, open(p, r.cancel()));
    TL_TRY(const LabelTable table, io::label_table_of(opened->info()));
    r.message(LogLevel::info, table_text(table));
    return opened;
  };
  TL_TRY(const auto reader, kept_reader(p.file, r, open_and_report));
  const auto& wanted = std::get<VolumeGrid>(r.region);
  TL_TRY(at::Tensor data, values_on_grid(*reader, reader->info().grid, wanted, nearest_labels, r.cancel()));
  return r.done("labels", Labels{data, wanted});
}

int64_t workspace(const Params&, const Infos&, const Region&, int64_t) { return bytes_of_sampling; }

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_labels", 1).title("Load labels").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.summary("Opens a segmented volume on disk, whose voxels are numbers of classes: any format of volumes.");
  n.description(
      "Reads only the voxels that later nodes need. Labels are integers from 0 to 2147483646, numbers of classes or of "
      "objects; they are never scaled or interpolated: between the voxels the nearest one counts, and outside of the "
      "volume they are 0. The table of classes, with their names and colours, is read from NAME.labels.json next to "
      "the file, or from the file itself.");
  n.synonyms({"segmentation", "classes", "mask", "annotation", "ground truth"});
  n.output<Labels>("labels", "The labels, at the position that the file states.");
  n.param("file", "File", &Params::file)
      .input_file()
      .help("The labels: a file or folder of any format of volumes, with integers that are not scaled.");
  n.advanced_param("format", "Format", &Params::format, volume_format_choices())
      .help("File format; usually detected from the file.");
  n.infos(infos).workspace(workspace).run(run);
  describe_files<open>(n);
}

}  // namespace tl::input_load_labels_node

TL_NODE(input_load_labels)
