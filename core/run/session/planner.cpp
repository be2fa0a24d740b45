// Plans a run: cuts a result into blocks that fit the budget; stores an intermediate result, in memory or in a scratch
// file, if blocks would compute it repeatedly.
#include "core/run/session/planner.h"

#include <algorithm>

#include "core/base/wording.h"
#include "core/run/common/memory.h"
#include "core/run/session/memory_walk.h"

namespace tl {
namespace {

// Storing a result is worthwhile if blocks request the same input more often than this.
constexpr double wasteful_overlap = 1.5;

// The used fraction of the budget, in host or GPU memory, whichever is larger.
double share_of(const Memory& need, const Memory& budget) {
  const auto share = [](int64_t bytes, int64_t of) {
    return bytes == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(std::max<int64_t>(of, 1));
  };
  return std::max(share(need.host, budget.host), share(need.gpu, budget.gpu));
}

// Peak memory of one block of a reducing node.
Result<Memory> block_peak(const PlanningContext& context, MemoryWalk& walk, const std::string& node,
                          const Region& block) {
  TL_TRY(const ResolvedNode* r, context.resolver.resolve(node));
  TL_TRY(const Regions needed, regions_of_block(*r, block));
  TL_TRY(Memory peak, walk.inputs_peak(node, needed));
  peak += walk.evaluation.shared;
  if (r->type->workspace)
    peak +=
        memory_on(r->device, r->type->workspace(r->planned.get(), r->inputs, block, context.session.element_size()));
  return peak;
}

struct Cutting {
  CutAxis axis = CutAxis::none;
  std::vector<Region> blocks;
  Memory peak;
  std::map<PortKey, int64_t> demand;
};

// The fewest blocks along one axis whose peaks fit. If not even single lines fit, the finest cutting.
template <class BlockPeak>
Result<Cutting> fewest_blocks(const Region& full, CutAxis axis, const Memory& budget, int64_t at_least,
                              BlockPeak peak_of) {
  const int64_t length = extent(full, axis);
  for (int64_t count = std::min(at_least, length);; count = std::min(length, count * 2)) {
    Cutting c{axis, cut(full, axis, count), {}, {}};
    // The first and the middle block indicate whether the size fits; all blocks are checked only then.
    for (const std::size_t probe : {std::size_t{0}, c.blocks.size() / 2}) {
      std::map<PortKey, int64_t> ignored;
      TL_TRY(Memory p, peak_of(c.blocks[probe], ignored));
      c.peak = most(c.peak, p);
    }
    if (!c.peak.within(budget) && count < length) continue;
    for (const Region& block : c.blocks) {
      TL_TRY(Memory p, peak_of(block, c.demand));
      c.peak = most(c.peak, p);
    }
    if (c.peak.within(budget) || count >= length) return c;
  }
}

std::vector<CutAxis> axes_of(const Region& region) {
  if (std::holds_alternative<VolumeGrid>(region)) return {CutAxis::z};
  if (std::holds_alternative<ScanRegion>(region)) return {CutAxis::views, CutAxis::rows};
  return {CutAxis::none};
}

int64_t total(const std::map<PortKey, int64_t>& demand) {
  int64_t sum = 0;
  for (const auto& [key, size] : demand) sum += size;
  return sum;
}

// The best of the possible axes: one that fits, then the one for which blocks request the fewest bytes upstream.
template <class BlockPeak>
Result<Cutting> best_cutting(const Region& full, const Memory& budget, int64_t at_least, BlockPeak peak_of) {
  std::optional<Cutting> best;
  for (const CutAxis axis : axes_of(full)) {
    TL_TRY(Cutting c, fewest_blocks(full, axis, budget, at_least, peak_of));
    const bool fits = c.peak.within(budget);
    if (!best || (fits && !best->peak.within(budget)) ||
        (fits == best->peak.within(budget) &&
         (fits ? total(c.demand) < total(best->demand) : share_of(c.peak, budget) < share_of(best->peak, budget))))
      best = std::move(c);
  }
  return *best;
}

// Divides blocks that fit into more blocks, so that progress is shown and a cancelled run ends soon. A block requests
// at least `smallest_step` bytes; the total must hardly exceed that of the few blocks.
template <class BlockPeak>
Result<Cutting> with_steps(const Region& full, Cutting few, BlockPeak peak_of) {
  constexpr int64_t max_steps = 32, smallest_step = int64_t{8} << 20;
  constexpr double negligible_overlap = 1.1;
  const int64_t asked = total(few.demand), length = extent(full, few.axis);
  const auto now = static_cast<int64_t>(few.blocks.size());
  for (int64_t count = std::min({max_steps, asked / smallest_step, length / lines_at_once}); count > now; count /= 2) {
    Cutting many{few.axis, cut(full, few.axis, count), {}, {}};
    for (const Region& block : many.blocks) {
      TL_TRY(Memory p, peak_of(block, many.demand));
      many.peak = most(many.peak, p);
    }
    if (static_cast<double>(total(many.demand)) <= negligible_overlap * static_cast<double>(asked)) return many;
  }
  return few;
}

// Outputs whose nodes request far more of their inputs than is requested from them, over all blocks: candidates for
// storing, with a change of the axis of blocks.
Result<std::vector<PortKey>> amplifiers(const PlanningContext& context, const std::map<PortKey, int64_t>& demand) {
  std::vector<PortKey> found;
  for (const auto& [key, asked] : demand) {
    TL_TRY(const ResolvedNode* r, context.resolver.resolve(key.first));
    // A value that depends on learned parameters stays in one differentiable piece: storing would cut off its gradient
    // with respect to the vectors and slow the backward pass.
    if (context.stored.contains(key.first, key.second) || r->inputs.empty() || r->learning) continue;
    const Info& info = r->outputs.at(key.second);
    const int64_t size = context.session.element_size();
    const double own = static_cast<double>(asked) / static_cast<double>(value_bytes(info, full_region(info), size));
    for (const auto& [port, in] : r->inputs) {
      const Link* link = context.session.links().into(key.first, port);
      const auto up = demand.find({link->from_node, link->from_port});
      if (up == demand.end()) continue;
      const double times =
          static_cast<double>(up->second) / static_cast<double>(value_bytes(in, full_region(in), size));
      if (times > wasteful_overlap * std::max(own, 1.0)) found.push_back(key);
    }
  }
  return found;
}

Error too_large(const PlanningContext& context, const std::string& node, const Memory& peak, const Memory& budget) {
  if (peak.host > budget.host)
    return {ErrorKind::device,
            "the smallest block needs " + format_bytes(peak.host) + ", of the budget of " +
                format_bytes(context.session.options().memory_given) + " it has " + format_bytes(budget.host),
            "node \"" + node + "\"",
            "Give more memory (" + two_wordings("--max-memory", "in the preferences") + "), crop or bin the scan"};
  context.session.resources().note_gpu_failure();
  return {ErrorKind::device,
          "the smallest block needs " + format_bytes(peak.gpu) + " of " + context.session.options().device +
              ", which has " + format_bytes(budget.gpu) + " for it",
          "node \"" + node + "\"",
          "Compute on the CPU" + two_wordings(" (--device cpu)", "") + ", or crop or bin the scan"};
}

// Peak while a region is computed and moved to `device`.
Result<Memory> moved_peak(const PlanningContext& context, const RegionRequest& request, const Region& block,
                          const std::string& device, std::map<PortKey, int64_t>& demand) {
  MemoryWalk walk(context);
  TL_TRY(Memory p, walk.peak(request.node, request.port, block));
  TL_TRY(const Memory moving, walk.while_moved(request.node, request.port, block, device));
  for (const auto& [key, size] : walk.demand) demand[key] += size;
  return most(p + walk.evaluation.shared, moving);
}

// The region, or at least two pieces of it that fit into the budget minus `kept`.
template <class BlockPeak>
Result<std::vector<Region>> fitting_pieces(const PlanningContext& context, const RegionRequest& request,
                                           const Memory& kept, BlockPeak peak_of) {
  const Memory budget = context.budget();
  std::map<PortKey, int64_t> ignored;
  TL_TRY(const Memory whole, peak_of(request.region, ignored));
  if (whole.within(budget)) return std::vector<Region>{request.region};
  const Memory room{std::max<int64_t>(budget.host - kept.host, 1), std::max<int64_t>(budget.gpu - kept.gpu, 1)};
  TL_TRY(Cutting c, best_cutting(request.region, room, 2, peak_of));
  if (!(c.peak + kept).within(budget)) return too_large(context, request.node, c.peak + kept, budget);
  return std::move(c.blocks);
}

}  // namespace

Result<std::vector<Region>> pieces_within(const PlanningContext& context, const RegionRequest& request,
                                          const std::string& device, const Evaluation* current) {
  const auto& [node, port, region] = request;
  const Memory* known = nullptr;
  if (current != nullptr)
    if (const auto found = current->peaks.find(request.key()); found != current->peaks.end()) known = &found->second;
  if (known != nullptr) {
    TL_TRY(const Memory moving, MemoryWalk(context).while_moved(node, port, region, device));
    if (most(*known, moving).within(context.budget())) return std::vector<Region>{region};
  }
  // The pieces are joined into a second copy of themselves.
  TL_TRY(const ResolvedNode* r, context.resolver.resolve(node));
  const int64_t size = value_bytes(r->outputs.at(port), region, context.session.element_size());
  const Memory result = memory_on(device, 2 * size);
  return fitting_pieces(context, request, result, [&](const Region& block, std::map<PortKey, int64_t>& demand) {
    return moved_peak(context, request, block, device, demand);
  });
}

Result<std::vector<Region>> pieces_to_measure(const PlanningContext& context, const std::string& node,
                                              const ResolvedNode& r, const std::string& port, const Region& region) {
  const Link* link = context.session.links().into(node, port);
  TL_CHECK(link != nullptr, "a node needs an input that is not linked");
  const RegionRequest request{link->from_node, link->from_port, region};
  const int64_t element = context.session.element_size();
  const auto peak = [&](const Region& block, std::map<PortKey, int64_t>& demand) -> Result<Memory> {
    TL_TRY(const Memory made, moved_peak(context, request, block, "cpu", demand));
    int64_t bytes = value_bytes(r.inputs.at(port), block, element);
    // In a measurement in two steps, the first one only finds the regions for the second one.
    if (r.type->workspace && !r.type->measure_further)
      bytes += r.type->workspace(r.planned.get(), r.inputs, block, element);
    return most(made, Memory{bytes, 0});
  };
  return fitting_pieces(context, request, {}, peak);
}

Result<Section> measurement_section(const PlanningContext& context, const std::string& node) {
  TL_TRY(const ResolvedNode* r, context.resolver.resolve(node));
  TL_TRY(const Regions needed, r->type->measure_needs(r->planned.get(), r->inputs));
  Section section;
  section.node = node;
  int64_t kept = 0;
  const Memory left = context.budget();
  for (const auto& [port, region] : needed) {
    const Link* link = context.session.links().into(node, port);
    TL_TRY(const Memory whole, region_peak(context, link->from_node, link->from_port, region));
    section.blocks.push_back(region);
    if (r->type->begin) {
      TL_TRY(section.blocks, pieces_to_measure(context, node, *r, port, region));
    } else if (!whole.within(left)) {
      TL_TRY(section.blocks, pieces_within(context, {link->from_node, link->from_port, region}, "cpu", nullptr));
    }
    if (r->type->begin && r->type->workspace) {
      const int64_t element = context.session.element_size();
      const Region& block = section.blocks.front();
      section.peak = std::max(section.peak, value_bytes(r->inputs.at(port), block, element) +
                                                r->type->workspace(r->planned.get(), r->inputs, block, element));
    }
    if (!r->type->begin) kept += value_bytes(r->inputs.at(port), region, context.session.element_size());
    section.peak = std::max(section.peak, std::min(kept + whole.host, left.host));
    section.gpu_peak = std::max(section.gpu_peak, std::min(whole.gpu, left.gpu));
  }
  return section;
}

namespace {

// Plans the blocks of one reducing node. If blocks would compute the same input repeatedly, a stored section is
// inserted before it.
class PlanMaker {
 public:
  PlanMaker(const PlanningContext& context, std::string node) : context_(context), node_(std::move(node)) {
    in_memory_ = context.stored.resident_bytes();
    plan_.budget = context.budget().host + in_memory_;
    plan_.gpu_budget = context.budget().gpu;
  }

  Result<Plan> make() {
    TL_TRY(const ResolvedNode* r, context_.resolver.resolve(node_));
    TL_TRY(const Region full, region_reduced(*r));
    for (;;) {
      const Memory left{plan_.budget - in_memory_, plan_.gpu_budget};
      const auto peak = [&](const Region& block, std::map<PortKey, int64_t>& demand) {
        return peak_of(demand, [&](MemoryWalk& walk) { return block_peak(context_, walk, node_, block); });
      };
      TL_TRY(Cutting c, best_cutting(full, left, 1, peak));
      TL_TRY(bool added, store_something(c, left));
      if (added) continue;
      if (!c.peak.within(left))
        return too_large(context_, node_, c.peak + Memory{in_memory_, 0}, {plan_.budget, plan_.gpu_budget});
      TL_TRY(c, with_steps(full, std::move(c), peak));
      Section section{node_, {}, c.axis, std::move(c.blocks), c.peak.host, c.peak.gpu, 0, false};
      TL_TRY(overlap(section, left.host));
      plan_.sections.push_back(std::move(section));
      return finished();
    }
  }

 private:
  template <class F>
  Result<Memory> peak_of(std::map<PortKey, int64_t>& demand, F pull) {
    MemoryWalk walk(context_);
    walk.stored = stored_;
    TL_TRY(Memory p, pull(walk));
    for (const auto& [key, size] : walk.demand) demand[key] += size;
    return p;
  }

  // Stores the output of the first amplifier for which blocks along another axis (views instead of rows) request less
  // upstream than the present blocks. False if there is none.
  Result<bool> store_something(const Cutting& now, const Memory& left) {
    std::map<PortKey, int64_t> open = now.demand;
    for (const auto& [key, on] : stored_) open.erase(key);
    TL_TRY(std::vector<PortKey> candidates, amplifiers(context_, open));
    for (const PortKey& key : candidates) {
      TL_TRY(const ResolvedNode* s, context_.resolver.resolve(key.first));
      const Region all = full_region(s->outputs.at(key.second));
      const int64_t whole = value_bytes(s->outputs.at(key.second), all, context_.session.element_size());
      Section section{key.first, key.second, CutAxis::none, {}, 0, 0, whole, false};
      section.in_scratch_file = section.stored > left.host / 2;
      const Memory room{left.host - (section.in_scratch_file ? 0 : section.stored), left.gpu};
      const auto peak = [&](const Region& block, std::map<PortKey, int64_t>& demand) {
        return peak_of(demand, [&](MemoryWalk& walk) -> Result<Memory> {
          TL_TRY(const Memory p, walk.peak(key.first, key.second, block));
          return p + walk.evaluation.shared;
        });
      };
      TL_TRY(Cutting own, best_cutting(all, room, 1, peak));
      int64_t before = 0, after = 0;
      for (const auto& [up, size] : own.demand) {
        if (up == key) continue;
        after += size;
        before += open.count(up) != 0 ? open.at(up) : 0;
      }
      if (!own.peak.within(room) || static_cast<double>(after) * wasteful_overlap > static_cast<double>(before))
        continue;
      TL_TRY(own, with_steps(all, std::move(own), peak));
      section.axis = own.axis;
      section.blocks = std::move(own.blocks);
      section.peak = own.peak.host;
      section.gpu_peak = own.peak.gpu;
      TL_TRY(overlap(section, room.host));
      if (!section.in_scratch_file) in_memory_ += section.stored;
      stored_[key] = true;
      plan_.sections.push_back(std::move(section));
      return true;
    }
    return false;
  }

  // If there is memory for it, reads the files of the next block and writes the previous one while a block is computed.
  Result<void> overlap(Section& section, int64_t left) {
    if (section.blocks.size() < 2) return ok();
    TL_TRY(const ResolvedNode* r, context_.resolver.resolve(section.node));
    int64_t bytes = 0;  // largest over the blocks: inner ones read a margin on both sides
    for (const Region& block : section.blocks) {
      MemoryWalk walk(context_);
      walk.stored = stored_;
      Result<Memory> walked = Memory{};
      if (section.port.empty()) {
        TL_TRY(const Regions needed, regions_of_block(*r, block));
        walked = walk.inputs_peak(section.node, needed);
      } else {
        walked = walk.peak(section.node, section.port, block);
      }
      TL_TRY(std::move(walked));
      int64_t more = bytes_from_files(context_, walk.evaluation);
      if (section.port.empty() && r->type->is_output) more += region_bytes(block, context_.session.element_size());
      bytes = std::max(bytes, more);
    }
    if (bytes == 0 || section.peak + bytes > left) return ok();
    section.overlaps = true;
    section.peak += bytes;
    return ok();
  }

  Plan finished() {
    int64_t kept = context_.stored.resident_bytes();
    for (const Section& s : plan_.sections) {
      if (!s.in_scratch_file) kept += s.stored;
      plan_.peak = std::max(plan_.peak, kept + s.peak);
      plan_.gpu_peak = std::max(plan_.gpu_peak, s.gpu_peak);
    }
    return std::move(plan_);
  }

  const PlanningContext& context_;
  std::string node_;
  Plan plan_;
  std::map<PortKey, bool> stored_;
  int64_t in_memory_ = 0;
};

}  // namespace

Result<Plan> make_plan(const PlanningContext& context, const std::string& node) {
  return PlanMaker(context, node).make();
}

}  // namespace tl
