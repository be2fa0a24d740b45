// Estimates the peak memory of an evaluation, recursively from an output to the sources.
#include "core/run/session/memory_walk.h"

#include <algorithm>

namespace tl {

int64_t value_bytes(const Info& info, const Region& region, int64_t element_size) {
  int64_t size = region_bytes(region, element_size);
  const auto* p = std::get_if<ProjectionsInfo>(&info);
  const auto* s = std::get_if<ScanRegion>(&region);
  if (p != nullptr && s != nullptr) size += (p->flats + p->darks) * s->rows.size() * s->cols.size() * element_size;
  if (const auto* m = std::get_if<MapsInfo>(&info))
    size *= std::max<int64_t>(static_cast<int64_t>(m->channels.size()), 1);
  return size;
}

Result<Memory> MemoryWalk::peak(const std::string& node, const std::string& port, const Region& region) {
  const Hash key = RegionRequest{node, port, region}.key();
  if (const auto known = evaluation.peaks.find(key); known != evaluation.peaks.end()) {
    TL_TRY(share(key, node, port, region));
    return known->second;
  }
  TL_TRY(const Memory found, first_peak(node, port, region));
  evaluation.peaks.emplace(key, found);
  return found;
}

Result<Memory> MemoryWalk::first_peak(const std::string& node, const std::string& port, const Region& region) {
  if (context_.session.options().cancel.cancelled()) return cancelled();
  TL_TRY(const ResolvedNode* r, context_.resolver.resolve(node));
  const int64_t own = value_bytes(r->outputs.at(port), region, element_size_);
  demand[{node, port}] += own;
  if (lies_on_host(*r, node, port)) return Memory{own, 0};
  if (r->type->files) evaluation.from_files[{node, port}].push_back(region);
  TL_TRY(const Regions needed, r->type->needs ? r->type->needs(r->planned.get(), r->inputs, region)
                                              : default_needs(*r->type, r->inputs, region));
  TL_TRY(Memory below, inputs_peak(node, needed));
  int64_t kept = own;
  for (const auto& [in, need] : needed) kept += value_bytes(r->inputs.at(in), need, element_size_);
  if (r->type->workspace) kept += r->type->workspace(r->planned.get(), r->inputs, region, element_size_);
  return most(below, memory_on(r->device, kept));
}

Result<void> MemoryWalk::share(const Hash& key, const std::string& node, const std::string& port,
                               const Region& region) {
  if (!evaluation.repeated.insert(key).second) return ok();
  TL_TRY(const ResolvedNode* r, context_.resolver.resolve(node));
  if (!lies_on_host(*r, node, port))
    evaluation.shared += memory_on(r->device, value_bytes(r->outputs.at(port), region, element_size_));
  return ok();
}

Result<Memory> MemoryWalk::inputs_peak(const std::string& node, const Regions& needed) {
  TL_TRY(const ResolvedNode* r, context_.resolver.resolve(node));
  Memory kept, highest;
  for (const auto& [port, need] : needed) {
    const Link* link = context_.session.links().into(node, port);
    TL_TRY(Memory p, peak(link->from_node, link->from_port, need));
    TL_TRY(const Memory moving, while_moved(link->from_node, link->from_port, need, r->device));
    highest = most(highest, kept + most(p, moving));
    kept += memory_on(r->device, value_bytes(r->inputs.at(port), need, element_size_));
  }
  return most(highest, kept);
}

Result<Memory> MemoryWalk::while_moved(const std::string& node, const std::string& port, const Region& region,
                                       const std::string& to) {
  TL_TRY(const ResolvedNode* r, context_.resolver.resolve(node));
  const std::string from = lies_on_host(*r, node, port) ? "cpu" : r->device;
  const int64_t size = value_bytes(r->outputs.at(port), region, element_size_);
  return from == to ? memory_on(to, size) : memory_on(from, size) + memory_on(to, size);
}

bool MemoryWalk::lies_on_host(const ResolvedNode& r, const std::string& node, const std::string& port) const {
  return context_.stored.contains(node, port) || context_.session.is_given(node, port) ||
         stored.count({node, port}) != 0 || r.type->partition == Partition::reduce ||
         (r.findings && r.findings->values.count(port) != 0);
}

Result<Memory> region_peak(const PlanningContext& context, const std::string& node, const std::string& port,
                           const Region& region) {
  MemoryWalk walk(context);
  TL_TRY(const Memory peak, walk.peak(node, port, region));
  return peak + walk.evaluation.shared;
}

int64_t bytes_from_files(const PlanningContext& context, const Evaluation& evaluation) {
  int64_t bytes = 0;
  for (const auto& [output, regions] : evaluation.from_files)
    if (regions.size() == 1) bytes += region_bytes(regions.front(), context.session.element_size());
  return bytes;
}

Result<Evaluation> estimate_evaluation(const PlanningContext& context, const std::vector<RegionRequest>& requests) {
  MemoryWalk walk(context);
  for (const RegionRequest& request : requests) {
    TL_TRY(const Memory peak, walk.peak(request.node, request.port, request.region));
    (void)peak;
  }
  return std::move(walk.evaluation);
}

}  // namespace tl
