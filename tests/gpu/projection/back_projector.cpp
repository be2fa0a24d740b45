// Back-projector: values by a plain sum over views, slabs and crops, number of threads, CUDA functor on the host.
#include "gpu/projection/back_projector/back_projector.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>

#include <filesystem>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/device/cuda_module.h"
#include "gpu/projection/back_projector/cpu/columns.h"
#include "gpu/projection/view_map.h"
#include "tests/support/test_case.h"

namespace tl::back_projector_test {

namespace {

at::Tensor noise(at::IntArrayRef shape, uint64_t seed, at::ScalarType type = at::kDouble) {
  at::Tensor t = at::empty(shape, at::kDouble);
  double* p = t.mutable_data_ptr<double>();
  const Philox random{seed, 7};
  for (int64_t i = 0; i < t.numel(); ++i) p[i] = random.normal(static_cast<uint64_t>(i));
  return t.to(type);
}

double worst(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }
double range_of(const at::Tensor& a) { return (a.max() - a.min()).item<double>(); }

ScanGeometry cone(int64_t views = 24, DetectorShape detector = {20, 31, 0.5, 0.4}) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(views, 2 * pi, 0.1);
  o.source_to_axis = 60;
  o.axis_to_detector = 25;
  o.axis = 0.7;
  o.tilt = 0.03;
  o.source_shift_u = 1.5;
  return ScanGeometry::from_orbit(o, detector).or_throw();
}

OperatorPtr make(const ScanGeometry& g, const VolumeGrid& grid, DistanceWeight w = DistanceWeight::none) {
  return make_back_projector({g, grid, w, {}}).or_throw();
}

// Makes the loops of one instruction set run while it lives.
class ForcedVariant {
 public:
  explicit ForcedVariant(const char* name) : before_(qgetenv(variable)) { qputenv(variable, name); }
  ~ForcedVariant() { before_.isNull() ? qunsetenv(variable) : qputenv(variable, before_); }
  ForcedVariant(const ForcedVariant&) = delete;
  ForcedVariant& operator=(const ForcedVariant&) = delete;

  // Those that this processor has; the others are named in a warning.
  static std::vector<const char*> all() {
    const auto best = ops::best_cpu_variant();
    std::vector<const char*> names{"plain"};
    if (best >= ops::CpuVariant::avx2) names.push_back("avx2");
    if (best >= ops::CpuVariant::avx512) names.push_back("avx512");
    if (names.size() < 3) qWarning("this processor has only the variants up to %s", names.back());
    return names;
  }

 private:
  static constexpr const char* variable = "TL_CPU_VARIANT";
  QByteArray before_;
};

// The definition: project each voxel centre, interpolate, add.
at::Tensor by_definition(const ScanGeometry& g, const VolumeGrid& grid, DistanceWeight w, const at::Tensor& p) {
  at::Tensor out = at::zeros({grid.nz, grid.ny, grid.nx}, at::kDouble);
  const auto in = p.accessor<double, 3>();
  auto o = out.accessor<double, 3>();
  const auto pixel = [&](int64_t view, int64_t r, int64_t c) {
    return r < 0 || c < 0 || r >= p.size(1) || c >= p.size(2) ? 0.0 : in[view][r][c];
  };
  for (int64_t k = 0; k < grid.nz; ++k)
    for (int64_t j = 0; j < grid.ny; ++j)
      for (int64_t i = 0; i < grid.nx; ++i)
        for (int64_t view = 0; view < g.views(); ++view) {
          const auto hit = g.project(view, grid.position(double(k), double(j), double(i)));
          const double origin = g.project(view, {}).depth;
          const auto c = int64_t(std::floor(hit.col)), r = int64_t(std::floor(hit.row));
          const double fc = hit.col - double(c), fr = hit.row - double(r);
          const double value = (1 - fr) * ((1 - fc) * pixel(view, r, c) + fc * pixel(view, r, c + 1)) +
                               fr * ((1 - fc) * pixel(view, r + 1, c) + fc * pixel(view, r + 1, c + 1));
          o[k][j][i] += value * (w == DistanceWeight::fdk ? std::pow(origin / hit.depth, 2) : 1.0);
        }
  return out;
}

ScanGeometry plain_cone() {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(67, 2 * pi, 0.1);
  o.source_to_axis = 40;
  o.axis_to_detector = 25;
  o.axis = 1.3;
  o.source_shift_u = 0.7;
  return ScanGeometry::from_orbit(o, {37, 41, 0.5, 0.45}).or_throw();
}

// Every variant's float32 against the loops for any geometry in double, to 1e-6 of the range: rounding of positions
// within a window of 32 pixels and of sums over some dozens of views.
void compare_variants(const ScanGeometry& g, const VolumeGrid& grid, DistanceWeight w) {
  const at::Tensor p = noise({g.views(), g.detector().rows, g.detector().cols}, 11, at::kFloat);
  const at::Tensor volume = noise({grid.nz, grid.ny, grid.nx}, 12, at::kFloat);
  const OperatorPtr generic = make_back_projector({g, grid, w, {}, KernelChoice::generic}).or_throw();
  const at::Tensor wanted = generic->apply(p.to(at::kDouble)), back = generic->adjoint(volume.to(at::kDouble));
  for (const char* name : ForcedVariant::all()) {
    const ForcedVariant variant(name);
    const double gap = worst(make(g, grid, w)->apply(p).to(at::kDouble), wanted) / range_of(wanted);
    if (!(gap <= 1e-6))
      QFAIL(qPrintable(QString("%1, %2 slices: off by %3 of the range").arg(name).arg(grid.nz).arg(gap)));
    const double back_gap = worst(make(g, grid, w)->adjoint(volume).to(at::kDouble), back) / range_of(back);
    if (!(back_gap <= 1e-6))
      QFAIL(qPrintable(QString("%1, %2 slices, transpose: off by %3").arg(name).arg(grid.nz).arg(back_gap)));
  }
}

}  // namespace

class BackProjectorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void follows_its_definition() {
    const VolumeGrid grid{6, 8, 10, {0.5, 0.2, -0.3}, {0.7, 0, 0}, {0, 0.5, 0}, {0, 0, 0.9}};
    const auto lamino = ScanGeometry::laminography(equidistant_angles(16, 2 * pi, 0.2), {14, 16, 0.6, 0.7}, 0.4, 0.3);
    for (const ScanGeometry& g : {cone(), lamino.value()})
      for (const VolumeGrid& v : {grid, grid.slab({2, 3})}) {
        const at::Tensor p = noise({g.views(), g.detector().rows, g.detector().cols}, 3);
        const DistanceWeight w = g.is_parallel() ? DistanceWeight::none : DistanceWeight::fdk;
        const at::Tensor wanted = by_definition(g, v, w, p);
        const OperatorPtr op = make(g, v, w);
        QVERIFY(worst(op->apply(p), wanted) < 1e-11);
        // float32: rounding of sums of unit normals over a few dozen views.
        QVERIFY(worst(op->apply(p.to(at::kFloat)).to(at::kDouble), wanted) < 1e-5);
      }
  }
  void oblique_grid_follows_its_definition() {
    const VolumeGrid grid =
        VolumeGrid::plane(9, 11, 0.5, {0.3, -0.2, 0.1}, {1, 0.4, 0.2}, cross(Vec3{0.3, 0.1, 1}, Vec3{1, 0.4, 0.2}));
    const ScanGeometry g = cone();
    const at::Tensor p = noise({g.views(), 20, 31}, 4);
    QVERIFY(worst(make(g, grid, DistanceWeight::fdk)->apply(p), by_definition(g, grid, DistanceWeight::fdk, p)) <
            1e-11);
  }
  void transpose_is_exact() {
    const ScanGeometry g = cone();
    const VolumeGrid grid = VolumeGrid::cubic(7, 12, 11, 0.8, {0.1, 0.2, 0.3});
    const OperatorPtr op = make(g, grid, DistanceWeight::fdk);
    for (const auto& [type, bound] : {std::pair{at::kDouble, 1e-12}, std::pair{at::kFloat, 1e-6}}) {
      const at::Tensor x = noise(op->domain(), 1, type), y = noise(op->range(), 2, type);
      const at::Tensor ax = op->apply(x).to(at::kDouble), aty = op->adjoint(y).to(at::kDouble);
      const double gap = ((ax * y).sum() - (aty * x).sum()).abs().item<double>();
      QVERIFY(gap <= bound * ax.norm().item<double>() * y.to(at::kDouble).norm().item<double>());
    }
  }
  void slab_and_row_crop_give_the_same_numbers() {
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(30, pi), {40, 33, 0.5, 0.5}, 0.3).or_throw();
    const VolumeGrid grid = VolumeGrid::cubic(20, 16, 16, 0.5);
    const at::Tensor p = noise({30, 40, 33}, 5, at::kFloat);
    const at::Tensor whole = make(g, grid)->apply(p);
    const double bound = 1e-6 * range_of(whole);
    const Range z{7, 12};
    QVERIFY(worst(make(g, grid.slab(z))->apply(p), whole.narrow(0, z.begin, z.size())) <= bound);
    // Slices 7...11 need rows 18...26 at most.
    const ScanRegion rows{{0, 30}, {16, 30}, {0, 33}};
    const at::Tensor part = make(g.crop(rows), grid.slab(z))->apply(p.narrow(1, 16, 14).contiguous());
    QVERIFY(worst(part, whole.narrow(0, z.begin, z.size())) <= bound);
  }
  void thread_count_changes_no_bit() {
    const auto parallel = ScanGeometry::parallel(equidistant_angles(31, pi, 0.1), {20, 31, 0.5, 0.4}, 0.3).or_throw();
    for (const ScanGeometry& g : {cone(), plain_cone(), parallel}) {
      const OperatorPtr op = make(g, VolumeGrid::cubic(9, 140, 37, 0.2), DistanceWeight::fdk);
      const at::Tensor x = noise(op->domain(), 8, at::kFloat), y = noise(op->range(), 9, at::kFloat);
      const int threads = at::get_num_threads();
      at::set_num_threads(1);
      const at::Tensor ax = op->apply(x), aty = op->adjoint(y), slope = op->vectors_gradient(x, y);
      at::set_num_threads(3);
      QVERIFY(at::equal(op->apply(x), ax));
      QVERIFY(at::equal(op->adjoint(y), aty));
      QVERIFY(at::equal(op->vectors_gradient(x, y), slope));
      at::set_num_threads(threads);
    }
  }
  void every_variant_agrees_with_the_reference() {
    // Odd sizes: partial tiles and groups, more slices than a block, a detector that cuts the object on every side.
    const auto parallel = ScanGeometry::parallel(equidistant_angles(70, pi, 0.1), {37, 41, 0.5, 0.45}, 0.3).or_throw();
    const ScanGeometry fan = plain_cone();
    for (const ScanGeometry& g : {parallel, fan, fan.crop({{0, 67}, {9, 30}, {4, 33}})})
      for (const int64_t nz : {1, 3, 21, 85, 300}) {
        const VolumeGrid grid{nz, 19, 35, {0.3, -0.2, 0.7}, {0.6, 0, 0}, {0, 0.55, 0}, {0, 0, 22.0 / double(nz)}};
        for (const DistanceWeight w : {DistanceWeight::none, DistanceWeight::fdk})
          if (w == DistanceWeight::none || !g.is_parallel()) compare_variants(g, grid, w);
      }
  }
  void every_variant_serves_any_voxel_size() {
    // Several pixels per voxel, too many for registers; many voxels per pixel; a grid far beyond the detector.
    const auto parallel = ScanGeometry::parallel(equidistant_angles(23, pi, 0.1), {37, 41, 0.5, 0.45}, 0.3).or_throw();
    for (const ScanGeometry& g : {parallel, plain_cone()})
      for (const double voxel : {2.3, 1.1, 0.05})
        compare_variants(g, VolumeGrid::cubic(17, 18, 20, voxel), DistanceWeight::none);
  }
  void every_variant_serves_tilted_scans_and_oblique_planes() {
    // Windows of the detector inside it, across its edges and beyond; points behind the source; large and small steps.
    const auto lamino = ScanGeometry::laminography(equidistant_angles(37, 2 * pi, 0.2), {24, 26, 0.6, 0.7}, 0.4, 0.3);
    const Vec3 along{1, 0.4, 0.2}, across = cross(Vec3{0.3, 0.1, 1}, along);
    for (const ScanGeometry& g : {lamino.value(), cone(37, {30, 33, 0.6, 0.6})})
      for (const DistanceWeight w : {DistanceWeight::none, DistanceWeight::fdk}) {
        if (w == DistanceWeight::fdk && g.is_parallel()) continue;
        for (const double step : {0.4, 0.9, 2.9})
          compare_variants(g, VolumeGrid::plane(21, 30, step, {0.3, -0.2, 0.1}, along, across), w);
        compare_variants(g, VolumeGrid::cubic(11, 18, 13, 0.5, {0.2, 0.1, 0.3}), w);
        compare_variants(g, VolumeGrid::cubic(1, 40, 40, 4), w);
      }
  }
  void shifted_views_do_not_leave_traces() {
    // Slices that one view sees and the next does not, over several groups of views.
    Orbit o;
    o.angles = equidistant_angles(300, pi);
    for (int64_t v = 0; v < 300; ++v) o.shift_v.push_back(v % 3 == 0 ? 9.0 : -9.0);
    const ScanGeometry g = ScanGeometry::from_orbit(o, {12, 600, 0.5, 0.5}).or_throw();
    compare_variants(g, VolumeGrid::cubic(20, 17, 18, 0.5), DistanceWeight::none);
  }
  void fast_loops_are_chosen_from_the_geometry() {
    const VolumeGrid grid = VolumeGrid::cubic(5, 6, 7, 0.5, {0.2, 0.1, 0.3});
    const auto kind = [&](const ScanGeometry& g, const VolumeGrid& v) {
      const auto maps = ops::view_maps(g, v);
      return ops::column_kind({maps.data(), g.views(), g.detector().rows, g.detector().cols, v.nz, v.ny, v.nx,
                               DistanceMode::none, g.is_parallel() ? 0 : 1});
    };
    const std::vector<double> angles = equidistant_angles(9, pi, 0.1);
    const DetectorShape d{5, 6, 0.5, 0.5};
    QVERIFY(kind(ScanGeometry::parallel(angles, d, 0.3).or_throw(), grid) == ops::ColumnKind::fixed_rows);
    QVERIFY(kind(ScanGeometry::cone(angles, d, 50, 20, 0.3).or_throw(), grid) == ops::ColumnKind::moving_rows);
    QVERIFY(kind(ScanGeometry::laminography(angles, d, 0.3).or_throw(), grid) == ops::ColumnKind::none);
    QVERIFY(kind(cone(), grid) == ops::ColumnKind::none);  // tilted
    const VolumeGrid plane = VolumeGrid::plane(5, 5, 0.5, {}, {1, 0, 0}, {0, 0, 1});
    QVERIFY(kind(ScanGeometry::parallel(angles, d, 0.3).or_throw(), plane) == ops::ColumnKind::none);
  }
  void gradient_at_a_kink_is_the_mean_of_both_slopes() {
    // One voxel on the axis, which lands on the middle of pixel 2 in both beams.
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Orbit o;
      o.beam = beam;
      o.angles = {0.3};
      o.source_to_axis = beam == Beam::cone ? 50 : 0;
      o.axis_to_detector = beam == Beam::cone ? 50 : 0;
      const ScanGeometry g = ScanGeometry::from_orbit(o, {1, 5, 1, 1}).or_throw();
      const OperatorPtr op = make(g, VolumeGrid::cubic(1, 1, 1, 1));
      const at::Tensor p = at::tensor({0.0, 1.0, 3.0, 4.0, 0.0}, at::kDouble).view({1, 1, 5});
      const at::Tensor slope = op->vectors_gradient(p, at::ones({1, 1, 1}, at::kDouble));
      // The detector moved by one pixel along u moves the landing by -1: slopes 2 and 1 on the two sides.
      const View& w = g.view(0);
      const double along_u = slope[0][3].item<double>() * w.u.x + slope[0][4].item<double>() * w.u.y;
      QVERIFY(std::abs(along_u + 1.5) < 1e-12);
      QVERIFY(std::abs(slope[0][5].item<double>()) < 1e-12);  // along v: the only row, slopes +3 and -3
    }
  }
  void module_opens_without_a_gpu() {
    const std::string path = std::string(TL_BINARY_DIR) + "/lib/libtl_cuda.so";
    if (!std::filesystem::exists(path)) QSKIP("built without the CUDA module");
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) QSKIP("the CUDA runtime library is not on this machine");
    const auto entry = reinterpret_cast<CudaModuleEntry>(dlsym(library, cuda_module_entry));
    QVERIFY(entry != nullptr);
    QCOMPARE(entry()->abi, cuda_module_abi);
    QVERIFY(entry()->device_count() >= 0);
    QVERIFY(entry()->error_text(2) != nullptr);
  }
  void refuses_wrong_tensors() {
    const OperatorPtr op = make(cone(2), VolumeGrid::cubic(1, 2, 2, 1));
    for (const at::Tensor& bad : {at::zeros({2, 20, 30}), at::zeros({2, 20, 31}, at::kInt), at::Tensor(),
                                  at::zeros({2, 31, 20}).transpose(1, 2)}) {
      try {
        (void)op->apply(bad);
        QFAIL("a wrong tensor was accepted");
      } catch (const Failure& failure) {
        QCOMPARE(failure.error().kind, ErrorKind::invalid);
      }
    }
    QVERIFY(!make_back_projector({cone(2), VolumeGrid::cubic(0, 2, 2, 1)}).ok());
  }
  void refuses_a_variant_that_does_not_exist() {
    const ForcedVariant variant("sse9");
    const ScanGeometry g = ScanGeometry::parallel({0.1}, {2, 3, 1, 1}).or_throw();
    const OperatorPtr op = make(g, VolumeGrid::cubic(1, 2, 2, 1));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::zeros(op->domain(), at::kFloat)));
  }
  void cancels() {
    BackProjectorSpec spec{cone(2), VolumeGrid::cubic(1, 2, 2, 1)};
    spec.cancel.cancel();
    const OperatorPtr op = make_back_projector(spec).or_throw();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::zeros(op->domain())));
  }
};

TL_TEST_CASE(BackProjectorTest)

}  // namespace tl::back_projector_test

#include "back_projector.moc"
