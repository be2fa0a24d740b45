// Retries an output node with smaller blocks, then on the CPU, if the GPU fails.
#include "core/run/session/gpu_fallback.h"

#include <c10/util/Exception.h>

#include <algorithm>

#include "core/base/wording.h"
#include "core/run/common/memory.h"
#include "core/run/session/planner.h"
#include "gpu/device/gpu_memory.h"

namespace tl {
namespace {

Result<Plan> plan_and_run(Session& session, const std::string& node) {
  TL_TRY(Plan plan, make_plan(session.planning(), node));
  TL_TRY(Findings findings, session.plan_runner().run(plan));
  return plan;
}

}  // namespace

void leave_unsupported_gpu(RunResources& resources, const Graph& graph) {
  const RunOptions& options = resources.options();
  if (options.device == "cpu" || options.device_fallback == DeviceFallback::forbid) return;
  const bool useful = std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return resources.registry().find(node.second.type)->compute_on == ComputeOn::gpu;
  });
  if (!useful) resources.leave_gpu("no node of this pipeline has a version for GPUs");
}

bool may_fall_back_to_cpu(const RunResources& resources) {
  const RunOptions& options = resources.options();
  return resources.gpu_failed() && options.device != "cpu" && options.device_fallback == DeviceFallback::allow;
}

Error gpu_error(RunResources& resources, const std::exception& error) {
  const std::string& device = resources.options().device;
  if (is_out_of_gpu_memory(error)) {
    resources.note_gpu_out_of_memory();
    return {ErrorKind::device,
            device + " is out of memory",
            {},
            "Compute on the CPU" + two_wordings(" (--device cpu)", "") +
                ", close other programs that use the GPU, or crop or bin the scan"};
  }
  resources.note_gpu_failure();
  const auto* own = dynamic_cast<const c10::Error*>(&error);
  return {ErrorKind::device,
          device + " failed: " + (own != nullptr ? own->what_without_backtrace() : error.what()),
          {},
          "Compute on the CPU" + two_wordings(" (--device cpu)", "") +
              "; nvidia-smi and the system's log say more about the GPU"};
}

Result<Plan> run_output(Session& session, const std::string& node) {
  constexpr int max_halvings = 3;
  RunResources& resources = session.context().resources();
  for (int halved = 0;;) {
    resources.forget_gpu_failures();
    Result<Plan> done = plan_and_run(session, node);
    const std::string device = resources.options().device;
    if (done.ok() || !resources.gpu_failed() || device == "cpu") return done;
    resources.gpu_cache().clear();
    release_gpu_memory(at::Device(device));
    if (resources.gpu_out_of_memory() && halved < max_halvings) {
      ++halved;
      resources.halve_gpu_memory();
      session.event([&](EventSink& s) {
        s.message(LogLevel::warning, node,
                  device + " is out of memory: trying again with blocks of " +
                      format_bytes(resources.options().gpu_memory) + " at most");
      });
      continue;
    }
    if (!may_fall_back_to_cpu(resources)) return done;
    resources.leave_gpu(done.error().what);
    session.resolver().forget();
  }
}

}  // namespace tl
