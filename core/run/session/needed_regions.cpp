// Finds the regions that a region of an output depends on, by following all links towards the sources.
#include "core/run/session/needed_regions.h"

#include <algorithm>
#include <set>

namespace tl {
namespace {

// The smallest scan region that contains both; for other kinds of regions that differ, the whole.
Region enclosing_region(const Region& a, const Region& b, const Info& whole) {
  const auto *x = std::get_if<ScanRegion>(&a), *y = std::get_if<ScanRegion>(&b);
  if (x == nullptr || y == nullptr) return a == b ? a : full_region(whole);
  const auto both = [](Range p, Range q) { return Range{std::min(p.begin, q.begin), std::max(p.end, q.end)}; };
  return ScanRegion{both(x->views, y->views), both(x->rows, y->rows), both(x->cols, y->cols)};
}

class NeededRegions {
 public:
  NeededRegions(Session& session, const std::vector<OutputId>& of) : session_(session), of_(of) {}

  Result<void> add(const RegionRequest& request) {
    if (!visited_.insert(request.key()).second) return ok();
    const auto& [id, port, region] = request;
    TL_TRY(const ResolvedNode* r, session_.resolver().resolve(id));
    if (std::find(of_.begin(), of_.end(), OutputId{id, port}) != of_.end()) {
      const auto [at, first] = found_.try_emplace({id, port}, region);
      if (!first) at->second = enclosing_region(at->second, region, r->outputs.at(port));
      return ok();
    }
    const LinkIndex& links = session_.context().links();
    for (const ParamDecl& decl : r->type->params)
      if (const Link* link = links.into(id, decl.name))
        TL_TRY(add(RegionRequest{link->from_node, link->from_port, WholeRegion{}}));
    Regions inputs;
    if (r->type->partition == Partition::reduce) {
      for (const auto& [input, info] : r->inputs) inputs[input] = full_region(info);
    } else {
      TL_TRY(inputs, session_.runner().input_regions(id, *r, region));
    }
    for (const auto& [input, wanted] : inputs) {
      const Link* link = links.into(id, input);
      TL_CHECK(link != nullptr, "a node needs an input that is not linked");
      TL_TRY(add(RegionRequest{link->from_node, link->from_port, wanted}));
    }
    return ok();
  }

  std::map<OutputId, Region> found() && { return std::move(found_); }

 private:
  Session& session_;
  const std::vector<OutputId>& of_;
  std::map<OutputId, Region> found_;
  std::set<Hash> visited_;  // requests
};

}  // namespace

Result<std::map<OutputId, Region>> needed_regions(Session& session, const RegionRequest& request,
                                                  const std::vector<OutputId>& of) {
  NeededRegions needed(session, of);
  TL_TRY(needed.add(request));
  return std::move(needed).found();
}

}  // namespace tl
