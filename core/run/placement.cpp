// Device placement: which nodes run on the GPU, moving values there, and falling back to the CPU.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/run/memory.h"
#include "core/run/session.h"
#include "gpu/device/card.h"

namespace tl {

Value moved(Value value, const std::string& device) {
  const at::Device to(device);
  const auto bring = [](at::Tensor& t, at::Device where) {
    if (t.defined() && t.device() != where) t = t.to(where);
  };
  if (auto* p = std::get_if<Projections>(&value)) {
    bring(p->data, to);
    bring(p->references.flats, to);
    bring(p->references.darks, to);
    bring(p->vectors, at::kCPU);
  }
  if (auto* v = std::get_if<Volume>(&value)) bring(v->data, to);
  if (auto* l = std::get_if<Labels>(&value)) bring(l->data, to);
  if (auto* s = std::get_if<Scalar>(&value)) bring(s->value, at::kCPU);
  return value;
}

const std::string& Session::device() const { return executor_.impl_->options.device; }

Memory Session::budget() const {
  const RunOptions& o = executor_.impl_->options;
  return {o.memory - resident_, o.gpu_memory};
}

bool Session::is_cancelled() const { return executor_.impl_->options.cancel.cancelled(); }

int64_t Session::given_memory() const { return executor_.impl_->options.memory_given; }

void Session::note_gpu_failure() { executor_.impl_->card_failed = true; }

void Session::clear_resolved_nodes() {
  resolved_.clear();
  report_.parameters.clear();  // resolve() adds them again
}

void Session::place(const std::string& id, Resolved& r) {
  if (device() == "cpu" || r.type->inputs.empty()) return;
  const bool writes = r.type->is_output;
  switch (r.type->compute_on) {
    case ComputeOn::input_device:
      if (const Link* link = links_.into(id, r.type->inputs.front().name); link != nullptr && !r.learning)
        r.device = resolved_.at(link->from_node)->device;
      break;
    case ComputeOn::gpu:
      if (r.learning) r.why = "what is being learned is computed there";
      if (!r.learning && r.type->not_on_gpu) r.why = r.type->not_on_gpu(r.planned.get());
      if (r.why.empty()) r.device = device();
      break;
    case ComputeOn::cpu:
      if (!writes) r.why = "it has no version for GPUs";
      break;
  }
}

void Session::report_device(const std::string& id, const Resolved& r) {
  for (auto* stats : {&executor_.impl_->stats, &report_.nodes}) {
    (*stats)[id].device = r.device;
    (*stats)[id].why = r.why;
  }
  if (!r.why.empty()) tell(id, "runs on the CPU, not on " + device() + ": " + r.why);
}

void Session::tell(const std::string& id, const std::string& text) {
  if (!executor_.impl_->logged_messages.insert(id + ": " + text).second) return;
  event([&](EventSink& s) { s.message(LogLevel::info, id, text); });
}

Error Session::card_error(const std::exception& error) {
  note_gpu_failure();
  if (is_out_of_gpu_memory(error)) {
    executor_.impl_->card_refused = true;
    return {ErrorKind::device,
            device() + " is out of memory",
            {},
            "Compute on the CPU (--device cpu), end other programs that use the GPU, or crop or bin the scan"};
  }
  const auto* own = dynamic_cast<const c10::Error*>(&error);
  return {ErrorKind::device,
          device() + " failed: " + (own != nullptr ? own->what_without_backtrace() : error.what()),
          {},
          "Compute on the CPU (--device cpu); nvidia-smi and the system's log say more about the GPU"};
}

void Executor::choose_device(const Graph& graph) {
  if (impl_->options.device == "cpu" || impl_->options.device_fallback == DeviceFallback::forbid) return;
  const bool useful = std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return impl_->registry.find(node.second.type)->compute_on == ComputeOn::gpu;
  });
  if (!useful) fall_back_to_cpu("no node of this pipeline has a version for GPUs");
}

bool Executor::may_fall_back_to_cpu() const {
  return impl_->card_failed && impl_->options.device != "cpu" &&
         impl_->options.device_fallback == DeviceFallback::allow;
}

Result<Plan> Executor::run_output(Session& session, const std::string& id) {
  constexpr int most_halvings = 3;
  for (int halved = 0;;) {
    impl_->card_failed = impl_->card_refused = false;
    const auto attempt = [&]() -> Result<Plan> {
      TL_TRY(Plan plan, make_plan(session, id));
      TL_TRY(Findings findings, session.run_plan(id, plan));
      return plan;
    };
    Result<Plan> done = attempt();
    const std::string device = impl_->options.device;
    if (done.ok() || !impl_->card_failed || device == "cpu") return done;
    impl_->card_cache.clear();
    release_gpu_memory(at::Device(device));
    if (impl_->card_refused && halved < most_halvings) {
      ++halved;
      impl_->options.gpu_memory /= 2;
      session.event([&](EventSink& s) {
        s.message(LogLevel::warning, id,
                  device + " is out of memory: once more with blocks of " + format_bytes(impl_->options.gpu_memory) +
                      " at most");
      });
      continue;
    }
    if (!may_fall_back_to_cpu()) return done;
    fall_back_to_cpu(done.error().message());
    session.clear_resolved_nodes();
  }
}

void Executor::fall_back_to_cpu(const std::string& reason) {
  RunOptions& o = impl_->options;
  o.device = "cpu";
  o.device_reason = reason;
  o.gpu_memory = 0;
  if (o.events != nullptr) o.events->message(LogLevel::warning, {}, "everything runs on the CPU from here: " + reason);
}

}  // namespace tl
