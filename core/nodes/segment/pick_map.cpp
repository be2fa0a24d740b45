// core/nodes/segment/pick_map.cpp: one of several maps as a volume, such as the probability of one class or a component
// of a displacement.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/io/volumes/label_table.h"
#include "core/nodes/segment/class_maps.h"
#include "core/nodes/segment/segment_node.h"

namespace tl::segment_pick_map_node {

struct Params {
  int64_t number = 1;
};

const MapsInfo& maps_of(const Infos& in) { return std::get<MapsInfo>(in.at("maps")); }

// The channel of the class with the given number.
std::optional<int64_t> channel_of(const Params& p, const MapsInfo& maps) {
  for (std::size_t i = 0; i < maps.channels.size(); ++i)
    if (maps.channels[i].number == p.number) return static_cast<int64_t>(i);
  return std::nullopt;
}

Result<void> check(const Params& p, const Infos& in) {
  const MapsInfo& maps = maps_of(in);
  if (channel_of(p, maps) || (maps.pending && maps.channels.empty())) return ok();
  std::string there;
  for (const LabelClass& c : maps.channels)
    there += (there.empty() ? "" : ", ") + std::to_string(c.number) + (c.name.empty() ? "" : " " + c.name);
  return invalid("there is no map of class " + std::to_string(p.number), "number", "There are maps of " + there);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& maps = r.in<Maps>("maps");
  const auto& info = r.info<MapsInfo>("maps");
  TL_TRY(check(p, r.infos));
  const auto& wanted = std::get<VolumeGrid>(r.region);
  r.out("volume", Volume{maps.data[*channel_of(p, info)].contiguous(), wanted, maps.unit});
  return r.done("labels",
                Labels{most_probable(maps.data.detach().to(at::kFloat).contiguous(), info.channels).numbers, wanted});
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  const MapsInfo& maps = maps_of(in);
  LabelTable table;
  const bool named = std::any_of(maps.channels.begin(), maps.channels.end(),
                                 [](const LabelClass& c) { return !c.name.empty() || !c.colour.empty(); });
  if (named) table.classes = maps.channels;
  return Infos{{"volume", VolumeInfo{maps.grid, maps.unit, maps.pending}}, {"labels", LabelsInfo{maps.grid, table}}};
}

Result<Regions> needs(const Params&, const Infos&, const Region& wanted) { return Regions{{"maps", wanted}}; }

void describe(NodeBuilder<Params>& n) {
  n.id("segment.pick_map", 1).title("Pick map").category("Segmentation").partition(Partition::custom);
  n.summary("Picks one of several maps as a volume: the probability of one class.");
  n.description(
      "As a volume a map can be looked at, saved, smoothed and thresholded like any other: a threshold of 0.9 keeps "
      "only certain voxels. The labels are those of the largest map at each voxel.");
  n.synonyms({"probability", "channel", "class", "argmax"});
  n.input<Maps>("maps",
                "Maps on one grid, such as the probabilities of a classifier or the components of a displacement.");
  n.output<Volume>("volume", "The map of the class.");
  n.output<Labels>("labels", "The number of the class whose map is the largest; of equal ones the first.");
  n.param("number", "Class", &Params::number).range(0, io::max_label_numbers - 1).help("The number of the class.");
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::segment_pick_map_node

TL_NODE(segment_pick_map)
