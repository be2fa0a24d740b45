// Times the operators on one GPU: back-projection, FDK, projection, their transposes, filters, and slabs from the
// processor's memory. Prints one JSON line per case; without a GPU it says so and measures nothing.
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/device/launch.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/projection/slabs/slabs.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

class Gpu {
 public:
  Gpu(const std::string& id, int64_t repeat) : device_(id), repeat_(repeat) {}

  // Median wall time until the GPU has ended.
  void time(const std::string& name, double updates, const std::function<void()>& work, const std::string& more = {}) {
    const bench::Times times = bench::median_times(repeat_, [&] {
      work();
      if (device_.is_cuda()) c10::impl::VirtualGuardImpl(device_.type()).synchronizeDevice(device_.index());
    });
    bench::report(name, times, updates, ", \"device\": \"" + device_.str() + "\"" + more);
  }
  [[nodiscard]] at::Tensor noise(const std::vector<int64_t>& shape) const {
    return at::rand(shape, at::TensorOptions(at::kFloat).device(device_));
  }

 private:
  at::Device device_;
  int64_t repeat_;
};

ScanGeometry parallel(int64_t views, DetectorShape d) {
  return ScanGeometry::parallel(equidistant_angles(views, pi), d).or_throw();
}
ScanGeometry cone(int64_t views, DetectorShape d) {
  const double distance = 4.0 * static_cast<double>(d.cols);
  return ScanGeometry::cone(equidistant_angles(views, 2 * pi), d, distance, 0).or_throw();
}

void pair(Gpu& gpu, const std::string& beam, const ScanGeometry& g, const VolumeGrid& grid) {
  const double updates = static_cast<double>(grid.count()) * static_cast<double>(g.views());
  for (const ViewStorage storage : {ViewStorage::full, ViewStorage::half}) {
    BackProjectorSpec spec{g, grid, g.is_parallel() ? DistanceWeight::none : DistanceWeight::fdk};
    spec.storage = storage;
    const OperatorPtr op = make_back_projector(std::move(spec)).or_throw();
    const at::Tensor x = gpu.noise(op->domain());
    gpu.time("back-projection, " + beam + (storage == ViewStorage::half ? ", half storage" : ""), updates,
             [&] { (void)op->apply(x); });
  }
  // The projector's pair and the transposes are exact gathers in double: an eighth of the size in each direction.
  const VolumeGrid small = grid.binned(2);
  const ScanGeometry fewer = g.binned(2, 2);
  const double less = static_cast<double>(small.count()) * static_cast<double>(fewer.views());
  const OperatorPtr back = make_back_projector({fewer, small}).or_throw(),
                    forward = make_projector({fewer, small}).or_throw();
  const at::Tensor views = gpu.noise(back->domain()), volume = gpu.noise(back->range());
  gpu.time("back-projector's transpose, " + beam, less, [&] { (void)back->adjoint(volume); });
  gpu.time("projection, " + beam, less, [&] { (void)forward->apply(volume); });
  gpu.time("projector's transpose, " + beam, less, [&] { (void)forward->adjoint(views); });
}

void fdk(Gpu& gpu, int64_t n) {
  const ScanGeometry g = cone(n, {n, n, 1, 1});
  const VolumeGrid grid = VolumeGrid::cubic(n, n, n, 0.6);
  ops::RampFilterSpec ramp;
  ramp.views = n;
  ramp.rows = n;
  ramp.cols = n;
  const OperatorPtr weights = ops::make_fdk_weights(g).or_throw(), filter = ops::make_ramp_filter(ramp).or_throw();
  const OperatorPtr back = make_back_projector({g, grid, DistanceWeight::fdk}).or_throw();
  const at::Tensor x = gpu.noise(weights->domain());
  const double samples = static_cast<double>(x.numel());
  gpu.time("FDK weights", samples, [&] { (void)weights->apply(x); });
  gpu.time("ramp filter", samples, [&] { (void)filter->apply(x); });
  gpu.time("FDK, weights to volume", static_cast<double>(grid.count()) * static_cast<double>(n),
           [&] { (void)back->apply(filter->apply(weights->apply(x))); });
}

// From and to the memory of the processor, with a GPU that pretends to be small.
void slabs(Gpu& gpu, const std::string& id, int64_t n) {
  BackProjectorSpec spec{cone(n, {n, n, 1, 1}), VolumeGrid::cubic(n, n, n, 0.6), DistanceWeight::fdk};
  const at::Tensor x = at::rand({n, n, n}, at::kFloat);
  const std::vector<SlabDevice> small = {{id, n * n * n}};  // a quarter of the volume's bytes
  gpu.time("FDK back-projection by slabs", std::pow(static_cast<double>(n), 4),
           [&] { (void)back_project_slabs(spec, x, small).or_throw(); });
}

}  // namespace

// usage: bench_gpu [device=cuda:0] [size=1024] [repeat=3] [threads=2]. device=functors runs the same calls on the
// host, to see that they work: its times say nothing about a GPU.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const std::string wanted = a.text("device", "cuda:0");
  const bool host = wanted == "functors";
  const int64_t n = a.number("size", host ? 32 : 1024);
  a.finish();
  const auto id = host ? Result<std::string>(std::string("cpu")) : choose_device(wanted);
  if (!id.ok() || (!host && id.value() == "cpu")) {
    std::printf("{\"skipped\": \"no CUDA GPU: nothing was measured\"}\n");
    return 0;
  }
  const c10::InferenceMode no_gradients;
  const std::unique_ptr<HostFunctors> functors = host ? std::make_unique<HostFunctors>() : nullptr;
  for (const DeviceInfo& device : devices())
    if (device.id == id.value())
      std::printf("{\"device\": \"%s\", \"name\": \"%s\"}\n", device.id.c_str(), device.name.c_str());
  try {
    Gpu gpu(id.value(), a.repeat());
    pair(gpu, "parallel", parallel(n, {n, n, 1, 1}), VolumeGrid::cubic(n, n, n, 1));
    pair(gpu, "cone", cone(n, {n, n, 1, 1}), VolumeGrid::cubic(n, n, n, 0.6));
    fdk(gpu, n);
    slabs(gpu, id.value(), n);
  } catch (const std::exception& e) {
    bench::stop(e.what());
  }
}
