// Makes TorchScript files from their source, like torch.jit.save, without torch's headers in the test.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace tl::test {

// A module with these parameters, and methods in TorchScript: "def forward(self, x):\n    return torch.relu(x)\n".
void save_script(const std::filesystem::path& file, const std::string& source,
                 const std::map<std::string, at::Tensor>& parameters = {});

// The user's folder of data, with the programs that are trusted, is `folder` from here on.
void use_data_folder(const std::filesystem::path& folder);

}  // namespace tl::test
