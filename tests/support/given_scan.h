// Sources for tests that output a scan or a volume kept in memory, and a listener that records messages.
#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "core/base/events.h"
#include "core/base/grid_box.h"
#include "core/node/node_builder.h"
#include "core/node/registry.h"
#include "core/values/crop.h"

std::vector<tl::NodeType> tl_node_list();

namespace tl::test {

inline Projections given_scan;
inline Volume given_volume;

struct GivenNothing {};

inline Result<Infos> given_infos(const GivenNothing&, const Infos&, const Findings*) {
  ProjectionsInfo info;
  info.geometry = given_scan.geometry;
  info.kind = given_scan.kind;
  if (given_scan.references.flats.defined()) info.flats = given_scan.references.flats.size(0);
  if (given_scan.references.darks.defined()) info.darks = given_scan.references.darks.size(0);
  return Infos{{"projections", info}};
}
inline Result<void> give_scan(const GivenNothing&, NodeRun& r) {
  Projections part = crop(given_scan, std::get<ScanRegion>(r.region));
  part.data = part.data.to(r.dtype).contiguous().clone();
  r.out("projections", std::move(part));
  return ok();
}
inline void describe_given(NodeBuilder<GivenNothing>& n) {
  n.id("test.given", 1).title("Given").category("Input").summary("Test source.").partition(Partition::custom);
  n.output<Projections>("projections", "The scan of the test.").infos(given_infos).run(give_scan);
}

inline Result<Infos> given_volume_infos(const GivenNothing&, const Infos&, const Findings*) {
  return Infos{{"volume", VolumeInfo{given_volume.grid, given_volume.unit}}};
}
inline Result<void> give_volume(const GivenNothing&, NodeRun& r) {
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const auto box = box_in(given_volume.grid, wanted);
  if (!box) return invalid("the test asks for another grid", "volume", "Ask for a box");
  const at::Tensor part = given_volume.data.narrow(0, box->z.begin, box->z.size())
                              .narrow(1, box->y.begin, box->y.size())
                              .narrow(2, box->x.begin, box->x.size());
  r.out("volume", Volume{part.to(r.dtype).clone(at::MemoryFormat::Contiguous), wanted, given_volume.unit});
  return ok();
}
inline void describe_given_volume(NodeBuilder<GivenNothing>& n) {
  n.id("test.given_volume", 1).title("Given volume").category("Input").summary("Test source.");
  n.partition(Partition::custom).output<Volume>("volume", "The volume of the test.");
  n.infos(given_volume_infos).run(give_volume);
}

// All nodes, "test.given" and "test.given_volume".
inline const Registry& registry_with_given() {
  static const Registry all = [] {
    auto types = tl_node_list();
    types.push_back(NodeBuilder<GivenNothing>::build(describe_given));
    types.push_back(NodeBuilder<GivenNothing>::build(describe_given_volume));
    return Registry(std::move(types));
  }();
  return all;
}

class HeardMessages final : public EventSink {
 public:
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    if (level >= LogLevel::warning) warnings += std::string(node) + ": " + std::string(text) + "\n";
  }
  [[nodiscard]] bool warned(const std::string& text) const { return warnings.find(text) != std::string::npos; }
  std::string warnings;
};

}  // namespace tl::test
