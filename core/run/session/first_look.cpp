// Decides which nodes compute a first look.
#include "core/run/session/first_look.h"

#include <algorithm>
#include <vector>

#include "core/run/session/needed_regions.h"

namespace tl {
namespace {

// By which factor to reduce the views of the node's inputs; 1 if these are small or cached.
Result<int64_t> step_of_inputs(Session& session, const RegionRequest& request, const FirstLookLimits& limits) {
  TL_TRY(const ResolvedNode* r, session.resolver().resolve(request.node));
  if (r->learning || r->type->partition == Partition::reduce) return 1;
  TL_TRY(const Regions needed, session.runner().input_regions(request.node, *r, request.region));
  int64_t every = 1;
  for (const auto& [port, wanted] : needed) {
    const auto* scan = std::get_if<ScanRegion>(&wanted);
    const Link* link = session.context().links().into(request.node, port);
    if (scan == nullptr || link == nullptr) continue;
    const int64_t size = region_bytes(wanted, session.context().element_size()), views = scan->views.size();
    if (size <= limits.bytes || views < 2 * limits.min_views) continue;
    TL_TRY(const std::optional<Value> kept, session.puller().known(link->from_node, link->from_port, wanted));
    if (!kept) every = std::max(every, std::min((size + limits.bytes - 1) / limits.bytes, views / limits.min_views));
  }
  return every;
}

int64_t views_of(const ResolvedNode& r) {
  int64_t most = 1;
  for (const auto& [port, info] : r.inputs)
    if (const auto* scan = std::get_if<ProjectionsInfo>(&info)) most = std::max(most, scan->geometry.views());
  return most;
}

}  // namespace

Result<std::map<std::string, int64_t>> first_look_steps(Session& session, const RegionRequest& request,
                                                        const FirstLookLimits& limits) {
  std::map<std::string, int64_t> steps;
  TL_TRY(const int64_t every, step_of_inputs(session, request, limits));
  if (every > 1) steps[request.node] = every;
  std::vector<OutputId> slow;
  for (const auto& [id, node] : session.context().graph().nodes) {
    const NodeType* type = session.context().resources().registry().find(node.type);
    if (type == nullptr || type->first_look_views == 0) continue;
    for (const PortDecl& port : type->outputs) slow.emplace_back(id, port.name);
  }
  if (slow.empty()) return steps;
  TL_TRY(const auto needed, needed_regions(session, request, slow));
  for (const auto& [output, region] : needed) {
    const std::string& id = output.first;
    TL_TRY(const ResolvedNode* r, session.resolver().resolve(id));
    if (r->learning || r->is_given) continue;
    TL_TRY(const std::optional<Value> kept, session.puller().known(id, output.second, region));
    if (kept) continue;
    int64_t& step = steps.try_emplace(id, 1).first->second;
    step = std::max(step, views_of(*r) / r->type->first_look_views);
  }
  return steps;
}

}  // namespace tl
