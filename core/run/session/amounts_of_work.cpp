// Sums the work of nodes, by following all links of a region towards the sources.
#include "core/run/session/amounts_of_work.h"

#include <algorithm>
#include <set>

#include "core/run/session/memory_walk.h"
#include "core/run/session/result_cache.h"
#include "core/run/session/session.h"

namespace tl {

namespace {

// A plane costs this many times as much as its voxels in a block: a block fills the lanes of the vector code, and
// columns along the axis share their weights. Measured: 2 to 5, depending on plane and instruction set.
constexpr double cost_of_plane = 3;

bool is_plane(const VolumeGrid& g) { return g.nx == 1 || g.ny == 1 || g.nz == 1; }

}  // namespace

NodeWork work_of(const ResolvedNode& r, const std::string& port, const Region& region, const Regions& needed,
                 int64_t view_step) {
  const bool to_volume = std::holds_alternative<VolumeGrid>(region);
  const double share = 1 / static_cast<double>(view_step);
  NodeWork work;
  work.calls = 1;
  double summed = 1;
  for (const auto& [in, part] : needed) {
    const auto* scan = std::get_if<ScanRegion>(&part);
    const auto* grid = std::get_if<VolumeGrid>(&part);
    const double used = scan != nullptr ? share : 1;
    work.read += used * static_cast<double>(value_bytes(r.inputs.at(in), part, 1));
    if (scan != nullptr && to_volume) summed = std::max(summed, used * static_cast<double>(scan->views.size()));
    if (grid != nullptr && !to_volume) summed = std::max(summed, static_cast<double>(std::max(grid->nx, grid->ny)));
  }
  const auto* from_file = needed.empty() ? std::get_if<ScanRegion>(&region) : nullptr;
  const auto info = r.outputs.find(port);
  if (from_file != nullptr && info != r.outputs.end()) {
    // Files contain complete views: reading some rows may take as long as reading all.
    ScanRegion views = *from_file;
    const auto full = std::get<ScanRegion>(full_region(info->second));
    views.rows = full.rows;
    views.cols = full.cols;
    work.read = static_cast<double>(views.count());
  }
  work.made = summed * static_cast<double>(region_bytes(region, 1));
  const auto* made = std::get_if<VolumeGrid>(&region);
  if (made != nullptr && summed > 1 && is_plane(*made)) work.made *= cost_of_plane;
  return work;
}

NodeWork work_of_block(const Region& block) {
  NodeWork work;
  work.calls = 1;
  work.made = static_cast<double>(region_bytes(block, 1));
  return work;
}

namespace {

// Within one evaluation each region of an output is computed once.
class PlannedWork {
 public:
  explicit PlannedWork(Session& session) : session_(session), cached_(session.context()) {}

  Result<void> add(const RegionRequest& request) {
    const auto& [id, port, region] = request;
    if (!visited_.insert(request.key()).second || stored_.count({id, port}) != 0) return ok();
    if (session_.stored().contains(id, port) || session_.context().is_given(id, port)) return ok();
    TL_TRY(const ResolvedNode* r, session_.resolver().resolve(id));
    if (r->type->partition == Partition::reduce || (r->findings && r->findings->values.count(port) != 0)) return ok();
    if (r->complete && !r->learning && cached_.find(*r, port, region)) return ok();
    TL_TRY(const Regions needed, session_.runner().input_regions(id, *r, region));
    work_[id] += work_of(*r, port, region, needed, session_.resolver().view_step(id));
    return add_inputs(id, needed);
  }

  Result<void> add(const Section& section) {
    TL_TRY(const ResolvedNode* r, session_.resolver().resolve(section.node));
    if (section.port.empty()) {
      const bool measures = r->type->partition != Partition::reduce;
      if (measures || (!r->type->is_output && session_.findings().find(section.node, *r))) return ok();
    }
    for (const Region& block : section.blocks) {
      visited_.clear();
      if (!section.port.empty()) {
        TL_TRY(add(RegionRequest{section.node, section.port, block}));
        continue;
      }
      work_[section.node] += work_of_block(block);
      TL_TRY(const Regions needed, regions_of_block(*r, block));
      TL_TRY(add_inputs(section.node, needed));
    }
    if (!section.port.empty()) stored_.insert({section.node, section.port});
    return ok();
  }

  std::map<std::string, NodeWork> work() && { return std::move(work_); }

 private:
  Result<void> add_inputs(const std::string& id, const Regions& needed) {
    for (const auto& [input, wanted] : needed) {
      const Link* link = session_.context().links().into(id, input);
      TL_CHECK(link != nullptr, "a node needs an input that is not linked");
      TL_TRY(add(RegionRequest{link->from_node, link->from_port, wanted}));
    }
    return ok();
  }

  Session& session_;
  ResultCache cached_;
  std::map<std::string, NodeWork> work_;
  std::set<Hash> visited_;  // requests of the present evaluation
  std::set<OutputId> stored_;
};

}  // namespace

Result<std::map<std::string, NodeWork>> planned_work(Session& session, const RegionRequest& request) {
  PlannedWork planned(session);
  TL_TRY(planned.add(request));
  return std::move(planned).work();
}

Result<std::map<std::string, NodeWork>> planned_work(Session& session, const Plan& plan) {
  PlannedWork planned(session);
  for (const Section& section : plan.sections) TL_TRY(planned.add(section));
  return std::move(planned).work();
}

}  // namespace tl
