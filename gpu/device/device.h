// The devices that this machine can compute on, and the optional CUDA module.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl {

// Opens the CUDA module if a driver is present. Must be the first statement of every main(): torch ignores a CUDA
// library loaded after its first call. Does nothing without a GPU, a driver or the module.
void init_devices();

struct DeviceInfo {
  std::string id;    // "cpu", "cuda:0"
  std::string name;  // "AMD EPYC, 2 threads, AVX-512" or the GPU's name
};

// The CPU first, then the GPUs that the CUDA module can use.
std::vector<DeviceInfo> devices();

// Reason why devices() lists no GPU: the missing part. Empty if it lists one.
std::string why_no_gpu();

// Why devices() lists no GPU: the missing component. Empty if it lists one.
Result<std::string> choose_device(const std::string& wanted);

}  // namespace tl
