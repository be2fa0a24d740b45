// Back-projects volumes larger than GPU memory by a slab schedule: copies and computations on streams of a GPU, or
// sequentially on a device without streams.
#include "gpu/projection/slabs/slabs.h"

#include <ATen/ATen.h>
#include <c10/core/Event.h>
#include <c10/core/GradMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <array>
#include <optional>

#include "gpu/device/cuda_module.h"
#include "gpu/device/device.h"
#include "gpu/device/launch.h"
#include "gpu/operator/operator_checks.h"

namespace tl {
namespace {

// One device: its buffers, its slab, and on a GPU two streams.
class Worker {
 public:
  explicit Worker(const std::string& id) : device_(id) {
    if (!device_.is_cuda()) return;
    const c10::impl::VirtualGuardImpl guard(device_.type());
    copies_ = guard.getNewStream(device_);
    computations_ = guard.getNewStream(device_);
  }

  // Copies `part` into `buffer`, after the event `after` on a GPU.
  void upload(const at::Tensor& part, std::size_t buffer, const c10::Event* after) {
    if (!copies_) {
      buffers_[buffer] = part.contiguous();
      return;
    }
    // Pinned memory of this buffer's previous chunk can be reused once its upload has ended.
    if (uploaded_[buffer]) uploaded_[buffer]->synchronize();
    at::Tensor& pinned = pinned_[buffer];
    if (!pinned.defined() || pinned.sizes() != part.sizes())
      pinned = at::empty(part.sizes(), part.options().pinned_memory(true));
    pinned.copy_(part);
    if (after != nullptr) after->block(*copies_);
    const c10::StreamGuard here(*copies_);
    if (!buffers_[buffer].defined() || buffers_[buffer].sizes() != part.sizes())
      buffers_[buffer] = at::empty(part.sizes(), part.options().device(device_));
    buffers_[buffer].copy_(pinned, /*non_blocking=*/true);
    uploaded_[buffer] = record(*copies_);
  }

  void compute(const LinearOperator& op, std::size_t buffer, bool first) {
    std::optional<c10::StreamGuard> here;
    if (computations_) {
      uploaded_[buffer]->block(*computations_);
      here.emplace(*computations_);
      buffers_[buffer].record_stream(*computations_);
    }
    at::Tensor sum = op.apply(buffers_[buffer]);
    if (first)
      slab_ = sum;
    else
      slab_.add_(sum);
  }

  void download(const at::Tensor& target) {
    std::optional<c10::StreamGuard> here;
    if (computations_) here.emplace(*computations_);
    target.copy_(slab_);
    slab_ = at::Tensor();
  }

  // An event after the last submitted computation; nullptr without streams, where computations end before returning.
  [[nodiscard]] std::shared_ptr<c10::Event> computed() const {
    return computations_ ? record(*computations_) : nullptr;
  }
  [[nodiscard]] at::Device device() const { return device_; }

 private:
  static std::shared_ptr<c10::Event> record(const c10::Stream& stream) {
    auto event = std::make_shared<c10::Event>(stream.device_type());
    event->record(stream);
    return event;
  }

  at::Device device_;
  std::optional<c10::Stream> copies_, computations_;
  std::array<at::Tensor, 2> buffers_, pinned_;
  std::array<std::shared_ptr<c10::Event>, 2> uploaded_;
  at::Tensor slab_;
};

OperatorPtr operator_of(const BackProjectorSpec& spec, const Slab& slab, Range views) {
  BackProjectorSpec part = spec;
  part.geometry = spec.geometry.crop({views, slab.rows, {0, spec.geometry.detector().cols}});
  part.grid = spec.grid.slab(slab.slices);
  return make_back_projector(std::move(part)).or_throw();
}

}  // namespace

Result<at::Tensor> back_project_slabs(const BackProjectorSpec& spec, const at::Tensor& projections,
                                      const std::vector<SlabDevice>& devices) {
  const std::string where = "back-projection by slabs";
  TL_TRY(const SlabPlan plan, plan_slabs(spec, devices));
  const DetectorShape& d = spec.geometry.detector();
  ops::require_tensor(projections, {spec.geometry.views(), d.rows, d.cols}, where);
  if (!projections.device().is_cpu() || projections.scalar_type() != at::kFloat)
    return invalid("slabs are made from float32 projections in the memory of the CPU", where);
  const c10::NoGradGuard no_grad;
  std::vector<Worker> workers;
  for (const SlabDevice& device : plan.devices) {
    TL_TRY(const std::string id, choose_device(device.id));
    workers.emplace_back(id);
  }
  at::Tensor volume = at::empty({spec.grid.nz, spec.grid.ny, spec.grid.nx}, projections.options().requires_grad(false));
  const std::vector<SlabStep> steps = slab_schedule(plan);
  std::vector<std::shared_ptr<c10::Event>> over(steps.size());
  for (std::size_t n = 0; n < steps.size(); ++n) {
    spec.cancel.check();
    const SlabStep& step = steps[n];
    const Slab& slab = plan.slabs[step.slab];
    const Range views = plan.chunks[step.chunk];
    Worker& worker = workers[slab.device];
    if (step.kind == SlabStep::Kind::upload) {
      const at::Tensor part =
          projections.detach().narrow(0, views.begin, views.size()).narrow(1, slab.rows.begin, slab.rows.size());
      worker.upload(part, step.buffer, step.after == SlabStep::nothing ? nullptr : over[step.after].get());
    } else if (step.kind == SlabStep::Kind::compute) {
      worker.compute(*operator_of(spec, slab, views), step.buffer, step.chunk == 0);
      over[n] = worker.computed();
    } else {
      worker.download(volume.narrow(0, slab.slices.begin, slab.slices.size()));
    }
  }
  return volume;
}

std::vector<SlabDevice> slab_devices() {
  std::vector<SlabDevice> all;
  const CudaModule* module = cuda_module();
  int gpu = 0;
  for (const DeviceInfo& device : devices())
    if (device.id != "cpu") all.push_back({device.id, module->free_memory(gpu++) / 10 * 9});
  if (all.empty()) all.push_back({"cpu", int64_t{1} << 30});
  return all;
}

}  // namespace tl
