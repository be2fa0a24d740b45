// The stand-in device, by torch's interface for devices of others (PrivateUse1).
#include "tests/support/stand_in_gpu.h"

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/alloc_cpu.h>
#include <torch/library.h>

#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

namespace tl::test {
namespace {

constexpr auto device_type = c10::DeviceType::PrivateUse1;
constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

std::atomic<int64_t> in_use{0}, most{0}, allowed{unlimited}, sent{0}, fetched{0};

struct Block {
  void* memory;
  int64_t bytes;
};

class Memory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t size) override {
    const auto bytes = static_cast<int64_t>(size);
    const int64_t now = in_use.load() + bytes;
    TORCH_CHECK_WITH(OutOfMemoryError, now <= allowed.load(), "the stand-in is out of memory: tried to allocate ",
                     bytes, " bytes");
    in_use = now;
    most = std::max(most.load(), now);
    auto* block = new Block{size == 0 ? nullptr : c10::alloc_cpu(size), bytes};
    return {block->memory, block, &give_back, c10::Device(device_type, 0)};
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  static void give_back(void* context) {
    const auto* block = static_cast<Block*>(context);
    in_use -= block->bytes;
    c10::free_cpu(block->memory);
    delete block;
  }
};

Memory& memory() {
  static auto* one = new Memory;  // tensors in static storage outlive every destructor
  return *one;
}

struct Guard final : c10::impl::NoOpDeviceGuardImpl<device_type> {
  c10::Device exchangeDevice(c10::Device) const override { return {device_type, 0}; }
  c10::Device getDevice() const override { return {device_type, 0}; }
  c10::Stream getStream(c10::Device) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, c10::Device(device_type, 0));
  }
  c10::Stream exchangeStream(c10::Stream) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, c10::Device(device_type, 0));
  }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

// Functions that the backward pass needs from a device.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
};

constexpr c10::DispatchKeySet key_set(c10::DispatchKey::PrivateUse1);

at::Tensor empty(at::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                 std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, &memory(), key_set, c10::dtype_or_default(dtype), format);
}
at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> dtype,
                         std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(size, stride, &memory(), key_set, c10::dtype_or_default(dtype));
}

// The same memory as a CPU tensor.
at::Tensor on_host(const at::Tensor& t) {
  if (t.device().is_cpu()) return t;
  return at::from_blob(const_cast<void*>(t.const_data_ptr()), t.sizes(), t.strides(),
                       at::TensorOptions(t.scalar_type()));
}
at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool) {
  const auto bytes = static_cast<int64_t>(from.nbytes());
  if (from.device().is_cpu()) sent += bytes;
  if (to.device().is_cpu()) fetched += bytes;
  const at::Tensor read = from.is_conj() ? on_host(from).conj() : on_host(from);
  on_host(to).copy_(from.is_neg() ? read._neg_view() : read);
  return to;
}
at::Tensor copy_from_and_resize(const at::Tensor& from, const at::Tensor& to) {
  if (!to.sizes().equals(from.sizes())) to.resize_(from.sizes());
  on_host(to).copy_(on_host(from));
  return to;
}

// Operators on a GPU accept tensors on that GPU, and single numbers and indices on the CPU.
void check_devices(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const std::string name = op.schema().name();
  if (name == "aten::index" || name == "aten::index_put_" || name == "aten::_index_put_impl_") return;
  const auto check = [&](const at::Tensor& t) {
    TORCH_CHECK(!t.defined() || t.dim() == 0 || t.device().type() == device_type, name,
                ": Expected all tensors to be on the same device, but found at least two devices");
  };
  for (const c10::IValue& value : torch::jit::last(stack, op.schema().arguments().size())) {
    if (value.isTensor()) check(value.toTensor());
    if (value.isTensorList())
      for (const at::Tensor& t : value.toTensorVector()) check(t);
  }
}

void by_the_processor(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  check_devices(op, *stack);
  const int64_t limit = allowed.exchange(unlimited), before_sent = sent, before_fetched = fetched;
  at::native::cpu_fallback(op, stack);
  allowed = limit;
  // Transfers by the fallback itself do not count as transfers of the pipeline.
  sent = before_sent;
  fetched = before_fetched;
}

// Torch requests convolutions of other devices by these names.
at::Tensor on_gpu(const at::Tensor& t) { return t.defined() ? t.to(at::Device(device_type, 0)) : t; }
at::Tensor convolution(const at::Tensor& x, const at::Tensor& kernels, const std::optional<at::Tensor>& biases,
                       c10::SymIntArrayRef stride, c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation,
                       bool transposed, c10::SymIntArrayRef output_padding, c10::SymInt groups) {
  const auto plain = [](c10::SymIntArrayRef list) { return C10_AS_INTARRAYREF_SLOW(list); };
  const std::optional<at::Tensor> b = biases && biases->defined() ? std::optional(on_host(*biases)) : std::nullopt;
  return on_gpu(at::convolution(on_host(x), on_host(kernels), b, plain(stride), plain(padding), plain(dilation),
                                transposed, plain(output_padding), groups.expect_int()));
}
std::tuple<at::Tensor, at::Tensor, at::Tensor> convolution_backward(
    const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& kernels, c10::SymIntArrayRef stride,
    c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation, bool transposed, c10::SymIntArrayRef output_padding,
    c10::SymInt groups, std::array<bool, 3> wanted) {
  const auto plain = [](c10::SymIntArrayRef list) { return C10_AS_INTARRAYREF_SLOW(list); };
  const std::vector<int64_t> biases{transposed ? kernels.size(1) * groups.expect_int() : kernels.size(0)};
  const auto [of_x, of_kernels, of_biases] = at::convolution_backward(
      on_host(gradient), on_host(x), on_host(kernels), at::OptionalIntArrayRef(biases), plain(stride), plain(padding),
      plain(dilation), transposed, plain(output_padding), groups.expect_int(), wanted);
  return {on_gpu(of_x), on_gpu(of_kernels), on_gpu(of_biases)};
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&by_the_processor>()); }
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &empty_strided);
  m.impl("_copy_from", &copy_from);
  m.impl("_copy_from_and_resize", &copy_from_and_resize);
  m.impl("as_strided", &at::native::as_strided_tensorimpl);
  m.impl("view", &at::native::view);
  m.impl("_reshape_alias", &at::native::_reshape_alias);
  m.impl("unfold", &at::native::unfold);
  m.impl("view_as_real", &at::native::view_as_real);
  m.impl("view_as_complex", &at::native::view_as_complex);
  m.impl("resize_", &at::native::resize_);
  m.impl("convolution_overrideable", &convolution);
  m.impl("convolution_backward_overrideable", &convolution_backward);
}

// Copies resolve conjugation, which torch only marks, instead of calling a copy to resolve it.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, Negative, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }

}  // namespace

StandIn::StandIn() : gpu_(device_type) {
  static const bool once = [] {
    c10::SetAllocator(device_type, &memory());
    c10::register_privateuse1_backend("privateuseone");
    at::RegisterPrivateUse1HooksInterface(new Hooks);  // torch keeps it for good
    return true;
  }();
  (void)once;
  allowed = unlimited;
  most = in_use.load();
  sent = fetched = 0;
}
StandIn::~StandIn() { allowed = unlimited; }

void StandIn::limit_memory(int64_t bytes) { allowed = bytes; }
int64_t StandIn::peak() { return most; }
int64_t StandIn::uploaded() { return sent; }
int64_t StandIn::downloaded() { return fetched; }

}  // namespace tl::test
