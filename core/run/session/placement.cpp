// Chooses the device on which a node runs, and moves values between devices.
#include "core/run/session/placement.h"

#include <ATen/ATen.h>

namespace tl {

Value move_to_device(Value value, const std::string& device) {
  const auto bring = [](const std::vector<at::Tensor*>& tensors, at::Device to) {
    for (at::Tensor* t : tensors)
      if (t->device() != to) *t = t->to(to);
  };
  const ValueTensors tensors = tensors_of(value);
  bring(tensors.pixels, at::Device(device));
  bring(tensors.small, at::kCPU);
  return value;
}

void Placement::place(ResolvedNode& r, const std::string& input_device) const {
  const std::string& gpu = context_.options().device;
  if (gpu == "cpu" || r.type->inputs.empty()) return;
  switch (r.type->compute_on) {
    case ComputeOn::input_device: r.device = input_device; break;
    case ComputeOn::gpu:
      if (r.type->not_on_gpu) r.why = r.type->not_on_gpu(r.planned.get());
      if (r.why.empty()) r.device = gpu;
      break;
    case ComputeOn::cpu:
      if (!r.type->is_output) r.why = "it has no version for GPUs";
      break;
  }
}

void Placement::report(const std::string& node, const ResolvedNode& r) {
  context_.update_stats(node, [&](NodeStats& s) {
    s.device = r.device;
    s.why = r.why;
  });
  if (!r.why.empty()) log_once(node, "runs on the CPU, not on " + context_.options().device + ": " + r.why);
}

void Placement::report_measurement(const std::string& node) {
  const std::string& device = context_.options().device;
  if (device != "cpu")
    log_once(node, "measures on the CPU, not on " + device + ": measurements have no version for GPUs");
}

void Placement::log_once(const std::string& node, const std::string& text) {
  if (!context_.resources().is_new_message(node + ": " + text)) return;
  context_.send_event([&](EventSink& s) { s.message(LogLevel::info, node, text); });
}

}  // namespace tl
