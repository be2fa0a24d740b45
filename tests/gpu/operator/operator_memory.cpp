// Peak memory of operators: at most input, output, a tenth more, and a small constant.
#include <ATen/Parallel.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <string>

#include "core/base/units.h"
#include "gpu/correction/flats/flat_field.h"
#include "gpu/correction/minus_log.h"
#include "gpu/correction/stripes/dead.h"
#include "gpu/correction/stripes/filtering.h"
#include "gpu/correction/stripes/fitting.h"
#include "gpu/correction/stripes/fourier_wavelet.h"
#include "gpu/correction/stripes/ring_removal.h"
#include "gpu/correction/stripes/sorting.h"
#include "gpu/correction/view_resampling.h"
#include "gpu/correction/zingers.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/gridrec.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/image/bilateral_filter.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/image/median_filter.h"
#include "gpu/image/non_local_means.h"
#include "gpu/image/total_variation/total_variation.h"
#include "gpu/phase/paganin.h"
#include "gpu/phase/phase_retrieval.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

// Every allocation of the program goes through these, those of libraries too.
// NOLINTBEGIN(bugprone-reserved-identifier): the C library's own names for what is replaced here
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

std::atomic<int64_t> live_bytes{0}, peak_bytes{0};

void* counted(void* memory) {
  if (memory == nullptr) return memory;
  const auto size = static_cast<int64_t>(malloc_usable_size(memory));
  const int64_t now = live_bytes.fetch_add(size) + size;
  int64_t before = peak_bytes.load();
  while (now > before && !peak_bytes.compare_exchange_weak(before, now)) {
  }
  return memory;
}

}  // namespace

extern "C" {
void* malloc(size_t size) noexcept { return counted(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) noexcept { return counted(__libc_calloc(count, size)); }
void* memalign(size_t alignment, size_t size) noexcept { return counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) noexcept {
  if (memory != nullptr) live_bytes -= static_cast<int64_t>(malloc_usable_size(memory));
  __libc_free(memory);
}
void* realloc(void* memory, size_t size) noexcept {
  if (memory != nullptr) live_bytes -= static_cast<int64_t>(malloc_usable_size(memory));
  return counted(__libc_realloc(memory, size));
}
}

namespace tl::operator_memory_test {

using namespace tl::ops;

namespace {

// Scratch of two threads, transforms' plans, tables: what does not grow with the data.
constexpr double constant_bytes = 8.0 * (1 << 20);
constexpr double share_more = 0.10;

struct Case {
  std::string name;
  at::Tensor input;
  std::function<at::Tensor(const at::Tensor&)> run;
};

at::Tensor noise(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t n : shape) count *= n;
  return at::arange(count, at::kFloat).mul_(0.37f).sin_().mul_(0.2f).add_(1).view(shape);
}

void add_linear(std::vector<Case>& cases, const std::string& name, const OperatorPtr& op) {
  cases.push_back({name, noise(op->domain()), [op](const at::Tensor& x) { return op->apply(x); }});
  cases.push_back({name + ", adjoint", noise(op->range()), [op](const at::Tensor& y) { return op->adjoint(y); }});
}

constexpr int64_t views = 120, rows = 96, cols = 256;

std::vector<Case> projections_cases() {
  const VolumeGrid grid = VolumeGrid::cubic(rows, 208, 208, 1);
  const DetectorShape detector{rows, cols, 1, 1};
  const auto angles = equidistant_angles(views, 2 * pi, 0.1);
  Orbit tilted;
  tilted.angles = angles;
  tilted.tilt = 0.02;
  std::vector<Case> all;
  for (const auto& [name, scan] : {std::pair{"parallel", ScanGeometry::parallel(angles, detector, 1.3).or_throw()},
                                   {"cone", ScanGeometry::cone(angles, detector, 900, 300, 1.3).or_throw()},
                                   {"tilted", ScanGeometry::from_orbit(tilted, detector).or_throw()}}) {
    if (std::string(name) != "tilted")
      add_linear(all, std::string("projector, ") + name, make_projector({scan, grid}).or_throw());
    const OperatorPtr back = make_back_projector({scan, grid}).or_throw();
    all.push_back({std::string("back-projector, ") + name, noise(back->domain()),
                   [back](const at::Tensor& x) { return back->apply(x); }});
  }
  RampFilterSpec ramp;
  ramp.views = views;
  ramp.rows = rows;
  ramp.cols = cols;
  add_linear(all, "ramp filter", make_ramp_filter(ramp).or_throw());
  add_linear(all, "FDK weights",
             make_fdk_weights(ScanGeometry::cone(angles, detector, 900, 300).or_throw()).or_throw());
  return all;
}

std::vector<Case> pixel_cases() {
  const at::Tensor x = noise({views, rows, cols});
  FlatFieldSpec flats;
  flats.flats = at::full({2, rows, cols}, 2.0, at::kFloat);
  flats.logarithm = MinusLogSpec{};
  PaganinSpec paganin_spec;
  paganin_spec.energy = 25;
  paganin_spec.plane = {100, 1e-3, 1e-3};
  const at::Tensor ratio = at::scalar_tensor(200.0, at::kDouble), area = at::scalar_tensor(5e-6, at::kDouble);
  FourierWaveletSpec wavelet;
  wavelet.levels = 4;
  RotationSpec turn;
  turn.angle = 0.02;
  return {{"flat-field to absorption", x,
           [flats](const at::Tensor& t) { return flat_field(t, flats).or_throw().logarithm.absorption; }},
          {"minus log", x, [](const at::Tensor& t) { return minus_log(t, {}).or_throw().absorption; }},
          {"zingers", x, [](const at::Tensor& t) { return remove_zingers(t, {}).or_throw().projections; }},
          {"stripes: sorting", x, [](const at::Tensor& t) { return remove_stripes_by_sorting(t, {}).or_throw(); }},
          {"stripes: filtering", x, [](const at::Tensor& t) { return remove_stripes_by_filtering(t, {}).or_throw(); }},
          {"stripes: fitting", x, [](const at::Tensor& t) { return remove_stripes_by_fitting(t, {}).or_throw(); }},
          {"stripes: large", x, [](const at::Tensor& t) { return remove_large_stripes(t, {}).or_throw().projections; }},
          {"stripes: dead", x, [](const at::Tensor& t) { return remove_dead_stripes(t, {}).or_throw().projections; }},
          {"stripes: all", x, [](const at::Tensor& t) { return remove_all_stripes(t, {}).or_throw().projections; }},
          {"stripes: Fourier-wavelet", x,
           [wavelet](const at::Tensor& t) { return remove_stripes_by_fourier_wavelet(t, wavelet).or_throw(); }},
          {"Paganin", x, [paganin_spec](const at::Tensor& t) { return paganin(t, 200.0, paganin_spec).or_throw(); }},
          {"Farago", x,
           [=](const at::Tensor& t) {
             return farago(t, ratio, area, {1e-3, 1e-3, 1e-3, ImageExtension::edge, {}}).or_throw();
           }},
          {"contrast transfer", x,
           [=](const at::Tensor& t) {
             return contrast_transfer(t, ratio, area, {1e-3, 1e-3, 0.01, 0.01, ImageExtension::edge, {}}).or_throw();
           }},
          {"rotation of views", x, [turn](const at::Tensor& t) { return rotate_views(t, turn).or_throw(); }},
          {"gridrec", x, [](const at::Tensor& t) {
             GridrecSpec spec;
             spec.geometry = ScanGeometry::parallel(equidistant_angles(views, pi), {rows, cols, 1, 1}).or_throw();
             spec.width = cols;
             return gridrec(t, spec).or_throw();
           }}};
}

std::vector<Case> volume_cases() {
  const at::Tensor x = noise({48, 256, 256});
  std::vector<Case> all = {
      {"median filter", x, [](const at::Tensor& t) { return median_filter(t, {}).or_throw(); }},
      {"bilateral filter", x, [](const at::Tensor& t) { return bilateral_filter(t, {}).or_throw(); }},
      {"non-local means", x,
       [](const at::Tensor& t) {
         NonLocalMeansSpec spec;
         spec.search = {1, 1, 1};
         return non_local_means(t, spec).or_throw();
       }},
      {"ring removal", x, [](const at::Tensor& t) {
         RingRemovalSpec spec;
         spec.centre_row = spec.centre_col = 127.5;
         return remove_rings(t, spec).or_throw();
       }}};
  add_linear(all, "Gaussian filter", make_gaussian_filter({48, 256, 256, {1, 1, 1}, 4, {}}).or_throw());
  add_linear(all, "unsharp mask", make_unsharp_mask({48, 256, 256, {1, 1, 1}, 4, {}}, 1).or_throw());
  add_linear(all, "differences", make_gradient({48, 256, 256}).or_throw());
  return all;
}

}  // namespace

class OperatorMemoryTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(2); }
  void at_their_peak_data() {
    QTest::addColumn<int>("group");
    QTest::newRow("scans") << 0;
    QTest::newRow("pixels") << 1;
    QTest::newRow("volumes") << 2;
  }
  void at_their_peak() {
    QFETCH(int, group);
    const std::vector<Case> cases = group == 0 ? projections_cases() : group == 1 ? pixel_cases() : volume_cases();
    for (const Case& c : cases) {
      c.run(c.input);  // plans and threads are made once
      const int64_t before = live_bytes.load();
      peak_bytes = before;
      const at::Tensor out = c.run(c.input);
      const auto in_bytes = static_cast<double>(c.input.nbytes()), out_bytes = static_cast<double>(out.nbytes());
      const double taken = in_bytes + static_cast<double>(peak_bytes.load() - before);
      const double allowed = (1 + share_more) * (in_bytes + out_bytes) + constant_bytes;
      const QByteArray text = QByteArray::fromStdString(c.name) + ": input and output " +
                              QByteArray::number((in_bytes + out_bytes) / 1e6) + " MB, at the peak " +
                              QByteArray::number(taken / 1e6) + " MB";
      qInfo("%s", text.constData());
      if (taken > allowed) QTest::qFail((text + ": too much").constData(), __FILE__, __LINE__);
    }
  }
};

TL_TEST_CASE(OperatorMemoryTest)

}  // namespace tl::operator_memory_test

#include "operator_memory.moc"
