// Runs TorchScript by torch's interpreter. Only this file includes its headers, which take long to compile.
#include "core/net/script/script_module.h"

#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "gpu/operator/forward_mode.h"

namespace tl::net {
namespace {

std::string text_of_sizes(at::IntArrayRef sizes) {
  std::string text;
  for (const int64_t n : sizes) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text.empty() ? "one number" : text;
}

// The reason in the interpreter's report, which begins with lines of the program: its last line.
std::string reason_in(std::string_view report) {
  constexpr std::size_t longest = 300;
  const std::size_t end = report.find_last_not_of(" \n\r\t");
  if (end == std::string_view::npos) return "it does not say why";
  report = report.substr(0, end + 1);
  if (const std::size_t line = report.rfind('\n'); line != std::string_view::npos) report.remove_prefix(line + 1);
  report.remove_prefix(std::min(report.find_first_not_of(' '), report.size()));
  return std::string(report.substr(0, longest));
}

Error failed(const std::string& what, std::string_view report, const std::string& name, const std::string& hint) {
  // After a failed allocation the interpreter reports only a text: it is recognised by its words.
  for (const std::string_view mark : {"DefaultCPUAllocator", "ot enough memory", "bad_alloc"})
    if (report.find(mark) != std::string_view::npos)
      return unavailable("there is not enough memory for the program", name, "Give it smaller slices or volumes");
  return invalid(what + ": " + reason_in(report), name, hint);
}

// Any exception of the program becomes an error that names the program.
template <class F>
auto guarded(const std::string& what, const std::string& name, const std::string& hint, const F& call)
    -> decltype(call()) {
  // If an exception ends a program, modes that it has set stay set: they are restored here.
  const at::AutoGradMode kept(at::GradMode::is_enabled());
  try {
    return call();
  } catch (const c10::Error& error) {
    return failed(what, error.what_without_backtrace(), name, hint);
  } catch (const std::exception& error) {
    return failed(what, error.what(), name, hint);
  } catch (...) {
    return failed(what, "an exception of unknown type", name, hint);
  }
}

// torchvision's networks return their scores in a dictionary, next to those of an auxiliary output.
Result<at::Tensor> tensor_in(const c10::IValue& given, const std::string& name) {
  if (given.isTensor()) return given.toTensor();
  if (given.isGenericDict())
    for (const auto& entry : given.toGenericDict())
      if (entry.key().isString() && entry.key().toStringRef() == "out" && entry.value().isTensor())
        return entry.value().toTensor();
  return invalid("the program gives a value of the type " + given.tagKind() + "; a tensor of scores is expected", name,
                 "Save a module whose forward() returns a tensor, or a dict with \"out\"");
}

}  // namespace

struct ScriptModule::State {
  torch::jit::Module module;
  std::string name;
  std::optional<at::ScalarType> type;  // type of the weights; none without weights
  int64_t bytes = 0;
};

ScriptModule::ScriptModule(std::unique_ptr<State> state) : state_(std::move(state)) {}
ScriptModule::ScriptModule(ScriptModule&&) noexcept = default;
ScriptModule& ScriptModule::operator=(ScriptModule&&) noexcept = default;
ScriptModule::~ScriptModule() = default;

int64_t ScriptModule::bytes() const { return state_->bytes; }

Result<ScriptModule> ScriptModule::load(const std::filesystem::path& copy, const std::string& name) {
  return guarded("the program cannot be loaded", name, "Save the network again with torch.jit.save",
                 [&]() -> Result<ScriptModule> {
                   auto state = std::make_unique<State>();
                   state->name = name;
                   state->module = torch::jit::load(copy.string(), c10::kCPU, false);
                   if (!state->module.find_method("forward"))
                     return invalid("the program has no forward()", name, "Save the whole network with torch.jit.save");
                   state->module.eval();
                   const auto count = [&](const at::Tensor& numbers) {
                     if (!state->type && numbers.is_floating_point()) state->type = numbers.scalar_type();
                     state->bytes += static_cast<int64_t>(numbers.nbytes());
                   };
                   for (const at::Tensor& weights : state->module.parameters()) {
                     weights.requires_grad_(false);
                     count(weights);
                   }
                   for (const at::Tensor& buffer : state->module.buffers()) count(buffer);
                   return ScriptModule(std::move(state));
                 });
}

Result<at::Tensor> ScriptModule::scores(const at::Tensor& input, int64_t classes) const {
  const std::string& name = state_->name;
  if (carries_tangent(input))
    return unavailable("a program is differentiated backwards only", name, "Learn by gradients that go backwards");
  return guarded(
      "the program has failed", name, "Ask the author of the program, or choose another network",
      [&]() -> Result<at::Tensor> {
        // Without optimisation across operations: the first call and later ones give equal numbers, for all sizes.
        const torch::jit::GraphOptimizerEnabledGuard plain(false);
        const at::Tensor given = input.to(state_->type.value_or(input.scalar_type()));
        TL_TRY(const at::Tensor made, tensor_in(state_->module.forward({given}), name));
        std::vector<int64_t> expected = input.sizes().vec();
        expected[1] = classes == 2 && made.dim() > 1 && made.size(1) == 1 ? 1 : classes;
        if (made.sizes() != expected || !made.is_floating_point() || !made.is_cpu() || made.layout() != at::kStrided)
          return invalid(
              "the program gives " + text_of_sizes(made.sizes()) + " values (" + c10::toString(made.scalar_type()) +
                  "), expected are " + text_of_sizes(expected) + " scores: one for each class and voxel",
              name, "Check the number of classes and of volumes, and whether it is one of 2 or 3 dimensions");
        if (!at::isfinite(made.detach()).all().item<bool>())
          return invalid("the program gives values that are not finite (NaN or infinite)", name,
                         "Check whether the volume is scaled as those that it was trained with");
        if (at::GradMode::is_enabled() && input.requires_grad() && !made.requires_grad())
          return invalid("the scores of the program have no gradient", name,
                         "Save it without no_grad() and without detach()");
        return made.to(input.scalar_type());
      });
}

}  // namespace tl::net
