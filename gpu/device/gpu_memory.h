// The GPU that a run computes on: free memory, synchronization, release of memory, kinds of failures.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <exception>
#include <string>

namespace tl {

// Free memory on the GPU [bytes]; 0 if the CUDA module does not have the device.
int64_t free_gpu_memory(const std::string& id);

// Returns when all submitted work of the device has ended; throws torch's exception if work failed. No-op on the CPU.
void wait_for_device(at::Device device);

// Returns memory cached by torch's allocator to the GPU.
void release_gpu_memory(at::Device device);

// Whether an exception means that a device is out of memory, or that the device itself failed.
bool is_out_of_gpu_memory(const std::exception& error);
bool is_gpu_failure(const std::exception& error);

}  // namespace tl
