// Runs functors on the device of a tensor: on its GPU through the CUDA module, or, for tests, on the host.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <typeinfo>
#include <vector>

#include "core/base/error.h"
#include "gpu/device/staged.h"

namespace tl {

// While an object exists, operators treat CPU tensors as if they were on a GPU: the same front end, tables and
// functors, run by a loop on the host. For tests and verification; affects all threads.
class HostFunctors {
 public:
  HostFunctors();
  ~HostFunctors();
  HostFunctors(const HostFunctors&) = delete;
  HostFunctors& operator=(const HostFunctors&) = delete;
};

// While one lives, a device type with host-accessible memory stands in for a GPU: functors of its tensors run on the
// host. CPU tensors are not affected. For tests of transfers between CPU and GPU.
class StandInDevice {
 public:
  explicit StandInDevice(at::DeviceType type);
  ~StandInDevice();
  StandInDevice(const StandInDevice&) = delete;
  StandInDevice& operator=(const StandInDevice&) = delete;
};

// Functors that have run on the host so far; the CUDA module needs a kernel for each.
struct UsedFunctor {
  std::string type;  // typeid name
  uint64_t size = 0;
  friend bool operator<(const UsedFunctor& a, const UsedFunctor& b) { return a.type < b.type; }
};
std::vector<UsedFunctor> used_functors();

// Whether an operator uses functors for `x`: true on a GPU, false on the CPU, which has its own loops. Throws
// Failure{unavailable} for a GPU without a loaded module and for any other device. `where` names the operator.
bool runs_functors(const at::Tensor& x, const std::string& where);
// The check for functions that return a Result: ok, or the error.
Result<void> check_device(const at::Tensor& x, const std::string& where);

// Copies plain values as bytes to a device. On the CPU they are not copied and must outlive the launch.
at::Tensor copy_to_device(const void* values, int64_t bytes, at::Device device);
template <class T>
at::Tensor device_table(const std::vector<T>& values, at::Device device) {
  return copy_to_device(values.data(), static_cast<int64_t>(values.size() * sizeof(T)), device);
}
template <class T>
const T* table_data(const at::Tensor& bytes) {
  return static_cast<const T*>(bytes.const_data_ptr());
}

namespace detail {
void launch_on_gpu(at::Device device, const UsedFunctor& type, const void* functor, int64_t count);
void launch_on_host(const UsedFunctor& type, int64_t count, const std::function<void(int64_t, int64_t)>& range);
template <class Functor>
void launch_any(at::Device device, const Functor& functor, int64_t count,
                const std::function<void(int64_t, int64_t)>& range) {
  if (count < 1) return;
  const UsedFunctor type{typeid(Functor).name(), sizeof(Functor)};
  if (device.is_cuda()) return launch_on_gpu(device, type, &functor, count);
  launch_on_host(type, count, range);
}
}  // namespace detail

// Calls functor(index) for 0 <= index < count, in any order, on torch's current stream of the GPU; does not wait.
// Throws Failure: unavailable (no module, or no such kernel in it), device (a CUDA error).
template <class Functor>
void launch(at::Device device, const Functor& functor, int64_t count) {
  detail::launch_any(device, functor, count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) functor(i);
  });
}
// Runs a staged functor for all its blocks.
template <class Functor>
void launch_blocks(at::Device device, const Functor& functor, int64_t blocks) {
  detail::launch_any(device, functor, blocks,
                     [&](int64_t begin, int64_t end) { run_blocks_on_host(functor, begin, end); });
}

}  // namespace tl
