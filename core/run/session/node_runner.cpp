// Calls the functions of nodes, with cancellation, gradient mode, errors and memos.
#include "core/run/session/node_runner.h"

#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <chrono>

#include "core/node/shared_memo.h"
#include "core/run/common/caught_error.h"
#include "core/run/session/gpu_fallback.h"
#include "gpu/device/cancel_points.h"
#include "gpu/device/gpu_memory.h"

namespace tl {

Error at_node(Error error, const std::string& node) {
  const std::string named_node = "node \"" + node + "\"";
  if (error.kind != ErrorKind::cancelled && error.where.find(named_node) == std::string::npos)
    error.where = named_node + (error.where.empty() ? "" : ", " + error.where);
  return error;
}

NodeRun NodeRunner::node_run(const std::string& node, const ResolvedNode& r, const std::string& device) {
  const RunOptions& options = context_.options();
  NodeRun run(node, host_, options.cancel);
  run.infos = r.inputs;
  run.input_keys = r.input_keys;
  run.findings = r.findings ? &*r.findings : nullptr;
  run.dtype = options.dtype;
  run.device = device;
  run.learning = r.learning;
  return run;
}

Result<void> NodeRunner::run_node(const std::string& node, const ResolvedNode& r,
                                  const std::function<Result<void>()>& body) {
  const c10::AutoGradMode gradient(r.learning);
  RunResources& resources = context_.resources();
  running_.push_back({node, &r});
  struct Leave {
    NodeRunner& runner;
    double others = runner.context_.resources().node_seconds();
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    [[nodiscard]] double seconds() const {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() -
             (runner.context_.resources().node_seconds() - others);
    }
    ~Leave() {
      runner.last_call_ = {seconds(), runner.running_.back().spared_bytes};
      runner.context_.resources().add_node_seconds(runner.last_call_.seconds);
      runner.running_.pop_back();
    }
  } leave{*this};
  try {
    if (resources.options().cancel.cancelled()) return cancelled();
    const CancelPoints points(resources.options().cancel);
    auto result = body();
    if (!result.ok() && r.device != "cpu" && result.error().kind == ErrorKind::unavailable)
      resources.note_gpu_failure();
    const double seconds = leave.seconds();
    context_.update_stats(node, [&](NodeStats& s) { s.seconds += seconds; });
    if (!result.ok()) return at_node(result.error(), node);
    return ok();
  } catch (const Failure& failure) {
    const ErrorKind kind = failure.error().kind;
    if (r.device != "cpu" && (kind == ErrorKind::unavailable || kind == ErrorKind::device))
      resources.note_gpu_failure();
    return at_node(failure.error(), node);
  } catch (const c10::Error& error) {
    if (resources.options().device != "cpu" && (is_out_of_gpu_memory(error) || is_gpu_failure(error)))
      return at_node(gpu_error(resources, error), node);
    return at_node(caught_error(), node);
  } catch (...) {
    return at_node(caught_error(), node);
  }
}

Result<Regions> NodeRunner::input_regions(const std::string& node, const ResolvedNode& r, const Region& region) {
  if (r.is_given) return Regions{};
  Regions needed;
  TL_TRY(run_node(node, r, [&]() -> Result<void> {
    TL_TRY(needed,
           r.type->needs ? r.type->needs(r.planned.get(), r.inputs, region) : default_needs(*r.type, r.inputs, region));
    return ok();
  }));
  return needed;
}

Hash NodeRunner::memo_key(const std::string& name) const {
  const ResolvedNode& resolved = *running_.back().resolved;
  Hasher hasher;
  if (name.rfind(shared_memo_mark, 0) != 0) hasher.add(resolved.key);
  hasher.add("memo").add(name).add(static_cast<int64_t>(context_.options().dtype));
  return hasher.add(resolved.device).digest();
}

std::shared_ptr<void> NodeRunner::kept_memo(const std::string& name) {
  TL_CHECK(!running_.empty(), "a memo outside a running node");
  const ResolvedNode& resolved = *running_.back().resolved;
  return resolved.learning ? nullptr : context_.resources().cache_of(resolved.device).find(memo_key(name));
}

std::shared_ptr<void> NodeRunner::memo(const std::string& name, int64_t bytes,
                                       const std::function<std::shared_ptr<void>()>& make) {
  TL_CHECK(!running_.empty(), "a memo outside a running node");
  // A stale memo downstream of a parameter from outside would silently give a zero gradient, so that nothing is
  // memoised there.
  Running& running = running_.back();
  if (running.resolved->learning) return make();
  const Hash key = memo_key(name);
  Cache& cache = context_.resources().cache_of(running.resolved->device);
  if (auto kept = cache.find(key)) {
    running.spared_bytes += bytes;
    return kept;
  }
  const std::string node = running.node;
  auto made = make();
  cache.put(key, made, bytes, node, name.rfind(view_memo_mark, 0) == 0 ? Lifetime::use : Lifetime::owner);
  return made;
}

}  // namespace tl
