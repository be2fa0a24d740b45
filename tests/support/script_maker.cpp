// Writes TorchScript files.
#include "tests/support/script_maker.h"

#include <torch/script.h>

#include <stdlib.h>

namespace tl::test {

void save_script(const std::filesystem::path& file, const std::string& source,
                 const std::map<std::string, at::Tensor>& parameters) {
  torch::jit::Module module("Network");
  for (const auto& [name, numbers] : parameters) module.register_parameter(name, numbers.clone(), false);
  module.register_attribute("training", c10::BoolType::get(), true);
  module.define(source);
  module.save(file.string());
}

void use_data_folder(const std::filesystem::path& folder) { setenv("XDG_DATA_HOME", folder.c_str(), 1); }

}  // namespace tl::test
