// Devices: what this machine can compute on, and the optional CUDA module.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl {

// Opens the CUDA module when a driver answers. Must be the first statement of every main(): torch ignores a CUDA
// library that arrives after its first call. Without a GPU, a driver or the module it does nothing.
void init_devices();

struct DeviceInfo {
  std::string id;    // "cpu", "cuda:0"
  std::string name;  // "AMD EPYC, 2 threads, AVX-512" or the card's name
};

// The processor first, then the cards that the CUDA module can use.
std::vector<DeviceInfo> devices();

// Why devices() has no card: what is missing. Empty where there is one.
std::string why_no_card();

// "cpu", "cuda:N" or "auto" (the first card, else the processor) to the id of a device that is there.
Result<std::string> choose_device(const std::string& wanted);

}  // namespace tl
