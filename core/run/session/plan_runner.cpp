// Runs plans: their sections, one block after the other.
#include "core/run/session/plan_runner.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/run/common/scratch_tensor.h"
#include "core/run/common/value_pieces.h"
#include "core/run/session/amounts_of_work.h"
#include "core/run/session/planner.h"

namespace tl {
namespace {

// The block after the i-th, if its files are read while the i-th is computed.
const Region* next_block(const Section& section, std::size_t i) {
  return section.overlaps && i + 1 < section.blocks.size() ? &section.blocks[i + 1] : nullptr;
}

}  // namespace

PlanRunner::PlanRunner(const PlanningContext& planning, const PlanRunnerParts& parts)
    : planning_(planning), parts_(parts), session_(planning.session) {}

Result<Findings> PlanRunner::reduced(const std::string& id, const ResolvedNode& r) {
  if (const auto kept = parts_.findings.find(id, r)) {
    session_.report().findings[id] = *kept;
    return *kept;
  }
  TL_TRY(Plan plan, make_plan(planning_, id));
  TL_TRY(Findings findings, run(plan));
  parts_.findings.put(id, r, findings);
  return findings;
}

Result<Findings> PlanRunner::run(const Plan& plan) {
  for (const Section& section : plan.sections) blocks_total_ += static_cast<int64_t>(section.blocks.size());
  session_.send_event([&](EventSink& s) { s.run_progress(blocks_done_, blocks_total_); });
  Findings findings;
  for (const Section& section : plan.sections) {
    if (!section.port.empty()) {
      TL_TRY(store(section));
    } else {
      TL_TRY(findings, reduce(section));
    }
  }
  return findings;
}

Result<void> PlanRunner::store(const Section& section) {
  TL_TRY(const ResolvedNode* r, planning_.resolver.resolve(section.node));
  const Info& info = r->outputs.at(section.port);
  const Region all = full_region(info);
  std::vector<int64_t> shape;
  if (const auto* s = std::get_if<ScanRegion>(&all)) shape = {s->views.size(), s->rows.size(), s->cols.size()};
  if (const auto* g = std::get_if<VolumeGrid>(&all)) shape = {g->nz, g->ny, g->nx};
  if (const auto* m = std::get_if<MapsInfo>(&info))
    shape.insert(shape.begin(), static_cast<int64_t>(m->channels.size()));
  const at::ScalarType dtype = std::holds_alternative<LabelsInfo>(info) ? at::kInt : session_.options().dtype;
  at::Tensor data;
  TL_TRY(parts_.runner.run_node(section.node, *r, [&]() -> Result<void> {
    if (section.in_scratch_file) {
      TL_TRY(data, scratch_tensor(shape, dtype));
    } else {
      data = at::empty(shape, dtype);
    }
    return ok();
  }));
  WholeValue whole(data, info);
  for (std::size_t i = 0; i < section.blocks.size(); ++i) {
    const Region& block = section.blocks[i];
    std::vector<RegionRequest> next;
    if (const Region* following = next_block(section, i)) next.push_back({section.node, section.port, *following});
    TL_TRY(const Value value, parts_.puller.evaluate({section.node, section.port, block}, r->device, next));
    whole.add(value, block);
    ++blocks_done_;
    session_.send_event([&](EventSink& s) { s.run_progress(blocks_done_, blocks_total_); });
  }
  parts_.stored.add(section, whole.value(), all);
  return ok();
}

Result<Findings> PlanRunner::reduce(const Section& section) {
  const std::string& id = section.node;
  TL_TRY(const ResolvedNode* r, planning_.resolver.resolve(id));
  std::shared_ptr<void> state;
  session_.send_event([&](EventSink& s) { s.node_started(id); });
  Findings findings;
  parts_.placement.report(id, *r);
  NodeRun whole = parts_.runner.node_run(id, *r, r->device);
  TL_TRY(whole.full, region_reduced(*r));
  whole.region = whole.full;
  if (r->device == "cpu") {
    whole.memory = planning_.budget().host - section.peak;
    if (r->type->workspace && !section.blocks.empty())
      whole.memory += r->type->workspace(r->params.get(), r->inputs, section.blocks.front(), session_.element_size());
    whole.memory = std::max<int64_t>(whole.memory, 0);
  }
  TL_TRY(parts_.runner.run_node(id, *r, [&]() -> Result<void> {
    TL_TRY(state, r->type->begin(r->params.get(), whole));
    return ok();
  }));
  int64_t done = 0;
  for (const Region& block : section.blocks) {
    NodeRun run = parts_.runner.node_run(id, *r, r->device);
    run.region = block;
    run.full = whole.full;
    run.may_keep_block = section.overlaps;
    TL_TRY(accumulate(*r, state.get(), run, next_block(section, static_cast<std::size_t>(done))));
    ++done;
    ++blocks_done_;
    NodeWork work = work_of_block(block);
    work.seconds = parts_.runner.last_call().seconds;
    session_.update_stats(id, [&](NodeStats& s) {
      ++s.calls;
      s.voxels += region_bytes(block, 1);
      s.work += work;
    });
    session_.send_event([&](EventSink& s) {
      s.node_progress(id, done, static_cast<int64_t>(section.blocks.size()));
      s.run_progress(blocks_done_, blocks_total_);
    });
  }
  TL_TRY(parts_.runner.run_node(id, *r, [&]() -> Result<void> {
    if (r->type->is_output) TL_TRY(parts_.outputs.inputs_unchanged());
    TL_TRY(findings, r->type->finish(r->params.get(), state.get(), whole));
    for (auto& [name, value] : findings.values) value = move_to_device(std::move(value), "cpu");
    return ok();
  }));
  session_.update_stats(id, [&](NodeStats& s) { s.work.seconds += parts_.runner.last_call().seconds; });
  parts_.findings.put_in_session(id, findings);
  session_.report().findings[id] = findings;
  return findings;
}

// Pulls the regions that a reducing node needs for a block, as one evaluation, and passes them to the node.
Result<void> PlanRunner::accumulate(const ResolvedNode& r, void* state, NodeRun& run, const Region* next) {
  const std::string& id = run.node();
  const auto requests_of = [&](const Regions& needed) {
    std::vector<RegionRequest> requests;
    for (const auto& [port, region] : needed) {
      const Link* link = session_.links().into(id, port);
      requests.push_back({link->from_node, link->from_port, region});
    }
    return requests;
  };
  TL_TRY(const Regions needed, regions_of_block(r, run.region));
  std::vector<RegionRequest> following;
  if (next != nullptr) {
    TL_TRY(const Regions then, regions_of_block(r, *next));
    following = requests_of(then);
  }
  TL_TRY(std::vector<Value> values, parts_.puller.evaluate(requests_of(needed), r.device, following));
  std::size_t pulled = 0;
  for (const auto& [port, region] : needed) run.inputs.emplace(port, std::move(values[pulled++]));
  return parts_.runner.run_node(id, r, [&] { return r.type->accumulate(r.params.get(), state, run); });
}

}  // namespace tl
