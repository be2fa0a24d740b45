// Verification of devices: functors on the host and on every GPU, and a kernel in the module for each functor.
#include <dlfcn.h>

#include <filesystem>

#include "gpu/device/cpu_variant.h"
#include "gpu/device/cuda_module.h"
#include "gpu/device/device.h"
#include "gpu/device/half.h"
#include "gpu/device/launch.h"
#include "gpu/operator/reduce.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/device_cases.h"
#include "tests/support/check_table.h"

namespace tl::devices_test {

namespace {

// A tensor that only claims to be on a GPU: torch itself cannot make a real one without it.
at::Tensor pretended(std::vector<double>& memory, const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t n : shape) count *= n;
  memory.assign(static_cast<std::size_t>(count), 0.5);
  const at::Device gpu(at::kCUDA, 0);
  return at::for_blob(memory.data(), shape)
      .options(at::TensorOptions(at::kDouble).device(gpu))
      .target_device(gpu)
      .make_tensor();
}

}  // namespace

class DevicesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void functors_on_the_host() { test::assert_table(verify_device("functors"), 500); }

  void a_module_made_from_other_texts_is_refused() {
    CudaModule module{};
    module.abi = cuda_module_abi;
    module.texts = kernel_texts();
    QVERIFY(why_module_refused(module).empty());
    module.texts = "others";
    QVERIFY(!why_module_refused(module).empty());
    module.texts = kernel_texts();
    module.abi = cuda_module_abi - 1;
    QVERIFY(!why_module_refused(module).empty());
  }

  // After the walk above: whatever ran on the host is in the module, made from the same text.
  void every_functor_has_a_kernel() {
    const std::string path = std::string(TL_BINARY_DIR) + "/lib/libtl_cuda.so";
    if (!std::filesystem::exists(path)) QSKIP("built without the CUDA module");
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) QSKIP("the CUDA runtime library is not on this machine");
    const auto entry = reinterpret_cast<CudaModuleEntry>(dlsym(library, cuda_module_entry));
    QVERIFY(entry != nullptr);
    const std::vector<UsedFunctor> used = used_functors();
    QVERIFY(used.size() >= 30);
    for (const UsedFunctor& functor : used) {
      const CudaKernel* kernel = entry()->find(functor.type.c_str(), functor.size);
      QVERIFY2(kernel != nullptr && kernel->launch != nullptr, functor.type.c_str());
    }
    QVERIFY(entry()->find(used.front().type.c_str(), used.front().size + 1) == nullptr);
    QVERIFY(entry()->find("no such functor", 8) == nullptr);
  }

  // What a record calls the processor says what ran, not what could have run.
  void the_processor_is_named_with_the_instructions_in_use() {
    const QByteArray before = qgetenv("TL_CPU_VARIANT");
    qputenv("TL_CPU_VARIANT", "plain");
    const std::string plain = devices().front().name;
    before.isEmpty() ? qunsetenv("TL_CPU_VARIANT") : qputenv("TL_CPU_VARIANT", before);
    QVERIFY2(plain.find("AVX") == std::string::npos, plain.c_str());
    if (ops::best_cpu_variant() == ops::CpuVariant::plain) QSKIP("this processor has no AVX2");
    const std::string best = devices().front().name;
    QVERIFY2(best.find("AVX") != std::string::npos, best.c_str());
  }

  void every_gpu_agrees() {
    if (devices().size() == 1) QSKIP("no CUDA device on this machine");
    for (const DeviceInfo& device : devices())
      if (device.id != "cpu") test::assert_table(verify_device(device.id), 500);
  }

  void without_a_gpu_front_doors_say_unavailable() {
    if (cuda_module() != nullptr) QSKIP("a CUDA device is present");
    const auto refuses = [](const std::string& name, const auto& work) {
      try {
        work();
        QFAIL(("a GPU was used that is not there: " + name).c_str());
      } catch (const Failure& failure) {
        QVERIFY2(failure.error().kind == ErrorKind::unavailable, name.c_str());
      } catch (const std::exception& e) {
        QFAIL((name + " failed with an unexpected error: " + e.what()).c_str());
      }
    };
    std::vector<double> memory;
    const auto scan = verify::scan_cases().front();
    for (const auto& [name, make, on_devices] : verify::operator_cases()) {
      const OperatorPtr op = make(scan);
      if (op == nullptr) continue;
      const at::Tensor x = pretended(memory, op->domain());
      refuses(name, [&] { (void)op->apply(x); });
    }
    for (const auto& [name, op] : verify::device_operator_cases()) {
      const at::Tensor x = pretended(memory, op->domain());
      refuses(name, [&, op = op] { (void)op->apply(x); });
    }
    const at::Tensor x = pretended(memory, {3, 4, 5});
    refuses("sum", [&] { (void)total(x); });
    refuses("extrema", [&] { (void)extrema(x); });
  }

  void sums_have_the_same_bits() {
    const at::Tensor x = verify::gaussian({70001}, 4, 4);
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
      const at::Tensor t = x.to(type);
      const double sum = total(t), squares = total_of_squares(t), variance = moments(t).variance;
      const HostFunctors here;
      QCOMPARE(total(t), sum);
      QCOMPARE(total_of_squares(t), squares);
      QCOMPARE(moments(t).variance, variance);
    }
    at::Tensor bad = x.clone();
    bad[5] = NAN;
    bad[70000] = -INFINITY;
    const HostFunctors here;
    const Extrema e = extrema(bad);
    QCOMPARE(e.nans, int64_t{1});
    QVERIFY(std::isinf(e.min) && e.min < 0);
  }

  // Every one of the 65536 bit patterns, against torch.
  void half_numbers() {
    const at::Tensor all = at::arange(65536, at::kInt).to(at::kShort);
    const at::Tensor halves = at::empty({65536}, at::kHalf);
    std::memcpy(halves.mutable_data_ptr(), all.const_data_ptr(), 131072);
    const at::Tensor wanted = halves.to(at::kFloat);
    for (int64_t n = 0; n < 65536; ++n) {
      const float value = wanted.const_data_ptr<float>()[n], ours = ops::to_float(ops::Half{static_cast<uint16_t>(n)});
      QVERIFY(value == ours || (std::isnan(value) && std::isnan(ours)));
      if (!std::isnan(value)) QCOMPARE(ops::to_half(value).bits, static_cast<uint16_t>(n));
    }
    // Numbers between, those halfway included, round as torch rounds them.
    at::Tensor values = at::cat({verify::gaussian({20000}, 2, 2).mul(8).exp().to(at::kFloat),
                                 (wanted.narrow(0, 0, 31743) + wanted.narrow(0, 1, 31743)) / 2});
    const at::Tensor rounded = values.to(at::kHalf);
    for (int64_t n = 0; n < values.numel(); ++n)
      QCOMPARE(ops::to_half(values.const_data_ptr<float>()[n]).bits,
               static_cast<const uint16_t*>(rounded.const_data_ptr())[n]);
    QVERIFY(std::isnan(ops::to_float(ops::to_half(NAN))));
  }
};

TL_TEST_CASE(DevicesTest)

}  // namespace tl::devices_test

#include "devices.moc"
