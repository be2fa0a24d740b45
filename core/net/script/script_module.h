// ScriptModule: a network as a TorchScript program: its scores, and their gradients with respect to its input.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/error.h"

namespace tl::net {

// One thread at a time. Calls cannot be cancelled: a program may do anything, and take any time.
class ScriptModule {
 public:
  // Loads the program onto the CPU, which executes code of it. `copy` comes from trusted_copy(), `name` is the file
  // named in messages. Errors: invalid for a file that is not a program or fails; unavailable if memory is
  // insufficient.
  static Result<ScriptModule> load(const std::filesystem::path& copy, const std::string& name);

  ScriptModule(ScriptModule&&) noexcept;
  ScriptModule& operator=(ScriptModule&&) noexcept;
  ~ScriptModule();

  // Maps [1, channels, (z,) y, x] to the scores [1, classes, (z,) y, x], or [1, 1, (z,) y, x] for two classes, of the
  // same type, computed in the type of the program's weights. Gradients pass to the input; its weights are constants.
  // The input may be overwritten. Errors: invalid, naming the file, for any exception of the program, for other
  // results, also values that are not finite, and for results without gradient if the input has one; unavailable for
  // tangents, which programs do not support.
  [[nodiscard]] Result<at::Tensor> scores(const at::Tensor& input, int64_t classes) const;

  [[nodiscard]] int64_t bytes() const;  // of its numbers

 private:
  struct State;
  explicit ScriptModule(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tl::net
