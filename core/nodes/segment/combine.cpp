// core/nodes/segment/combine.cpp: two sets of labels made one: and, or, minus.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/nodes/segment/segment_node.h"

namespace tl::segment_combine_node {

enum class Operation { both, either, first_only, exactly_one };

struct Params {
  Operation operation = Operation::both;
  std::string classes;
};

Result<Regions> needs(const Params&, const Infos&, const Region& wanted) {
  return Regions{{"first", wanted}, {"second", wanted}};
}

// If both tables name a number, the name in the first one.
LabelTable both_tables(LabelTable table, const LabelTable& more) {
  for (const LabelClass& c : more.classes)
    if (std::none_of(table.classes.begin(), table.classes.end(),
                     [&](const LabelClass& known) { return known.number == c.number; }))
      table.classes.push_back(c);
  std::sort(table.classes.begin(), table.classes.end(),
            [](const LabelClass& a, const LabelClass& b) { return a.number < b.number; });
  return table;
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  const LabelsInfo &first = labels_of(in, "first"), &second = labels_of(in, "second");
  return info_of_classes(first.grid, p.classes, both_tables(first.table, second.table));
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t) { return region_bytes(wanted, 6); }

Result<void> run(const Params& p, NodeRun& r) {
  const at::Tensor a = r.in<Labels>("first").data.to(at::kInt), b = r.in<Labels>("second").data.to(at::kInt);
  const at::Tensor in_b = b.ne(0), none = at::zeros({}, at::kInt);
  at::Tensor numbers;
  switch (p.operation) {
    case Operation::both: numbers = at::where(in_b, a, none); break;
    case Operation::either: numbers = at::where(a.ne(0), a, b); break;
    case Operation::first_only: numbers = at::where(in_b, none, a); break;
    case Operation::exactly_one: numbers = at::where(in_b, at::where(a.ne(0), none, b), a); break;
  }
  return r.done("labels", Labels{numbers, std::get<VolumeGrid>(r.region)});
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.combine", 1).title("Combine labels").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Combines two sets of labels: and, or, minus, exclusive or.");
  n.description(
      "Voxels keep their numbers; where both inputs are labelled, the number of the first input is used. Both are "
      "aligned by their positions in mm, not by indices: the second input may have a different grid; its nearest voxel "
      "is used, and it is unlabelled outside of its volume.");
  n.synonyms({"and", "or", "minus", "subtract", "intersection", "union", "difference", "mask", "boolean"});
  n.input<Labels>("first", "Labels; the result lies on their voxels.");
  n.input<Labels>("second", "Labels at the same position.");
  n.output<Labels>("labels", "The numbers of the voxels that remain, else 0.");
  n.param("operation", "Operation", &Params::operation,
          {{Operation::both, "both", "And: first where second is"},
           {Operation::either, "either", "Or: first, else second"},
           {Operation::first_only, "first_only", "Minus: first where second is not"},
           {Operation::exactly_one, "exactly_one", "Exclusive or: where only one is"}})
      .help("Which voxels remain; any number other than 0 counts as labelled.");
  declare_classes(n, &Params::classes);
  n.infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_combine_node

TL_NODE(segment_combine)
