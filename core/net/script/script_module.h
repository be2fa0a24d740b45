// ScriptModule: a network as a TorchScript program: its scores, and gradients of them to its input.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/error.h"

namespace tl::net {

// One thread at a time. Calls cannot be cancelled: what a program does, and for how long, is its own affair.
class ScriptModule {
 public:
  // Loads the program onto the CPU, which runs code of it. `copy` comes from trusted_copy(), `name` is the file that
  // messages name. Errors: invalid for what is not a program or fails; unavailable without memory.
  static Result<ScriptModule> load(const std::filesystem::path& copy, const std::string& name);

  ScriptModule(ScriptModule&&) noexcept;
  ScriptModule& operator=(ScriptModule&&) noexcept;
  ~ScriptModule();

  // [1, channels, (z,) y, x] to the scores [1, classes, (z,) y, x], or [1, 1, (z,) y, x] for two classes, of the same
  // type, computed in the type of the program's weights.
  // Gradients pass to the input; its weights are constants. The input may be overwritten. Errors: invalid, naming the
  // file, for whatever the program throws and whatever else it gives, also values that are not finite, and for results
  // without gradient where the input has one; unavailable for tangents, which programs do not carry.
  [[nodiscard]] Result<at::Tensor> scores(const at::Tensor& input, int64_t classes) const;

  [[nodiscard]] int64_t bytes() const;  // of its numbers

 private:
  struct State;
  explicit ScriptModule(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tl::net
