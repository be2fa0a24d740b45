// The input regions that a region of an output needs: for one node, and along the whole graph.
#include <algorithm>

#include "core/run/session.h"

namespace tl {

Result<Regions> Session::input_regions(const std::string& id, const Resolved& r, const Region& region) {
  Regions needed;
  TL_TRY(run_node(id, r, [&]() -> Result<void> {
    TL_TRY(needed,
           r.type->needs ? r.type->needs(r.planned.get(), r.inputs, region) : default_needs(*r.type, r.inputs, region));
    return ok();
  }));
  return needed;
}

namespace {

// The smallest scan region around both; for other regions that differ, the whole.
Region around(const Region& a, const Region& b, const Info& whole) {
  const auto *x = std::get_if<ScanRegion>(&a), *y = std::get_if<ScanRegion>(&b);
  if (x == nullptr || y == nullptr) return a == b ? a : full_region(whole);
  const auto both = [](Range p, Range q) { return Range{std::min(p.begin, q.begin), std::max(p.end, q.end)}; };
  return ScanRegion{both(x->views, y->views), both(x->rows, y->rows), both(x->cols, y->cols)};
}

}  // namespace

Result<void> Session::add_needed(const std::string& id, const std::string& port, const Region& region,
                                 const std::vector<OutputId>& of, std::map<OutputId, Region>& found) {
  std::set<Hash> asked;
  return add_needed(Request{id, port, region}, of, found, asked);
}

Result<void> Session::add_needed(const Request& request, const std::vector<OutputId>& of,
                                 std::map<OutputId, Region>& found, std::set<Hash>& asked) {
  if (!asked.insert(request.key()).second) return ok();
  const auto& [id, port, region] = request;
  TL_TRY(const Resolved* r, resolve(id));
  if (std::find(of.begin(), of.end(), OutputId{id, port}) != of.end()) {
    const auto [at, first] = found.try_emplace({id, port}, region);
    if (!first) at->second = around(at->second, region, r->outputs.at(port));
    return ok();
  }
  for (const ParamDecl& decl : r->type->params)
    if (const Link* link = links_.into(id, decl.name))
      TL_TRY(add_needed(Request{link->from_node, link->from_port, WholeRegion{}}, of, found, asked));
  Regions inputs;
  if (r->type->partition == Partition::reduce) {
    for (const auto& [input, info] : r->inputs) inputs[input] = full_region(info);
  } else {
    TL_TRY(inputs, input_regions(id, *r, region));
  }
  for (const auto& [input, wanted] : inputs) {
    const Link* link = links_.into(id, input);
    TL_CHECK(link != nullptr, "a node needs an input that is not linked");
    TL_TRY(add_needed(Request{link->from_node, link->from_port, wanted}, of, found, asked));
  }
  return ok();
}

}  // namespace tl
