// Segmentation compared with scikit-image and scipy on ten random volumes. Needs the Python named by TL_TEST_PYTHON.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>

#include "gpu/segmentation/chan_vese.h"
#include "gpu/segmentation/cleaning.h"
#include "gpu/segmentation/components.h"
#include "gpu/segmentation/distance.h"
#include "gpu/segmentation/geodesic_contour.h"
#include "gpu/segmentation/hysteresis.h"
#include "gpu/segmentation/level_set.h"
#include "gpu/segmentation/local_extrema.h"
#include "gpu/segmentation/morphology.h"
#include "gpu/segmentation/random_walker.h"
#include "gpu/segmentation/region_growing.h"
#include "gpu/segmentation/thresholds/thresholds.h"
#include "gpu/segmentation/watershed.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::scikit_image_test {

using namespace tl::ops;

namespace {

constexpr int volumes = 10;
constexpr Connectivity connectivities[] = {Connectivity::faces, Connectivity::edges, Connectivity::corners};
constexpr double float32_rounding = 3e-7;   // relative, of a root in float32
constexpr double float64_rounding = 1e-15;  // of sums in another order, of values up to 1 (measured 3.3e-16)
constexpr double level_rounding = 1e-5;     // relative, of the width of a grey level
// Of the labels; where two probabilities differ by less than their errors the label is open (measured 99.96 %).
constexpr double min_share = 0.999;
// Of residuals of 1e-5, compared with a direct solution; weights of 1e-10 magnify them (measured 2.2e-3).
constexpr double probability_error = 5e-3;

// What every script begins with: arrays by name, without a format.
const char* preamble = R"(
import warnings
import numpy as np
from scipy import ndimage as ndi
from skimage import filters, measure, morphology, segmentation
warnings.simplefilter('ignore')
def load(name, kind):
    return np.fromfile(name, kind).reshape(np.fromfile(name + '.shape', 'i8'))
def save(name, array, kind):
    np.ascontiguousarray(array, kind).tofile(name)
)";

at::Tensor volume(int i) { return test::blobs(test::small_shape(i), 200 + static_cast<uint64_t>(i)); }
at::Tensor grey_volume(int i) { return test::grey_blobs(test::small_shape(i), 200 + static_cast<uint64_t>(i)); }
std::string case_name(const char* what, int i) { return what + std::to_string(i); }

}  // namespace

class ScikitImageTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  QString path(const std::string& name) const { return dir_.filePath(QString::fromStdString(name)); }
  void put(const std::string& name, const at::Tensor& x) const {
    const at::Tensor plain = x.contiguous();
    write(name, plain.const_data_ptr(), plain.nbytes());
    write(name + ".shape", plain.sizes().data(), plain.dim() * sizeof(int64_t));
  }
  void write(const std::string& name, const void* data, std::size_t bytes) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(static_cast<const char*>(data), static_cast<qint64>(bytes)), static_cast<qint64>(bytes));
  }
  at::Tensor get(const std::string& name, at::IntArrayRef shape, at::ScalarType type) const {
    at::Tensor x = at::zeros(shape, type);
    QFile file(path(name));
    if (!file.open(QIODevice::ReadOnly) || file.size() != static_cast<qint64>(x.nbytes()) ||
        file.read(static_cast<char*>(x.mutable_data_ptr()), file.size()) != file.size())
      throw std::runtime_error("Python left no " + name + " of the right size");
    return x;
  }
  void python(const QString& script) const {
    QProcess process;
    process.setWorkingDirectory(dir_.path());
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", preamble + script});
    QVERIFY2(process.waitForFinished(test::patience_ms), "Python does not answer");
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  }

 private Q_SLOTS:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with scikit-image");
    QProcess import;
    import.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", "import skimage"});
    if (!import.waitForFinished(test::patience_ms) || import.exitCode() != 0)
      QSKIP("the Python of TL_TEST_PYTHON has no scikit-image (installer/setup.sh --test-python)");
  }

  // The same level, or the next one where scikit-image's sums in float32 round differently.
  void thresholds() {
    constexpr ThresholdMethod methods[] = {ThresholdMethod::otsu, ThresholdMethod::li, ThresholdMethod::yen,
                                           ThresholdMethod::isodata, ThresholdMethod::triangle};
    for (int i = 0; i < volumes; ++i) {
      put(case_name("float", i), volume(i));
      put(case_name("grey", i), grey_volume(i).to(at::kInt));
    }
    python(R"(
for i in range(10):
    for name, kind in (('float', 'f4'), ('grey', 'i4')):
        v = load(f'{name}{i}', kind)
        t = [f(v) for f in (filters.threshold_otsu, filters.threshold_li, filters.threshold_yen,
                            filters.threshold_isodata, filters.threshold_triangle)]
        save(f'{name}{i}.out', t + list(filters.threshold_multiotsu(v, 3)), 'f8')
)");
    for (int i = 0; i < volumes; ++i)
      for (const bool whole : {false, true}) {
        const at::Tensor v = whole ? grey_volume(i) : volume(i);
        const double level = whole ? 1 : (v.max() - v.min()).item<double>() / 256;
        const auto expected =
            test::values_of<double>(get(case_name(whole ? "grey" : "float", i) + ".out", {7}, at::kDouble));
        GreyHistogram h;
        h.add(v);
        std::vector<double> found;
        for (const ThresholdMethod m : methods) found.push_back(threshold(h, m).or_throw());
        for (const double t : multi_otsu_thresholds(h, 3).or_throw()) found.push_back(t);
        for (std::size_t k = 0; k < found.size(); ++k)
          QVERIFY2(
              std::abs(found[k] - expected[k]) <= level * (1 + level_rounding),
              qPrintable(QString("volume %1, method %2: %3, not %4").arg(i).arg(k).arg(found[k]).arg(expected[k])));
      }
  }

  void components_and_cleaning() {
    for (int i = 0; i < volumes; ++i) put(case_name("v", i), (volume(i) * 1.2).round().clamp(0, 3).to(at::kInt));
    python(R"(
for i in range(10):
    v = load(f'v{i}', 'i4')
    for c in (1, 2, 3):
        save(f'v{i}.{c}', measure.label(v, connectivity=c, background=0), 'i4')
        label = measure.label(v > 0, connectivity=c)
        save(f'v{i}.small{c}', np.isin(label, np.flatnonzero(np.bincount(label.ravel()) >= 9)) & (label > 0), 'b1')
    save(f'v{i}.filled', ndi.binary_fill_holes(v > 0), 'b1')
)");
    for (int i = 0; i < volumes; ++i) {
      const at::Tensor v = (volume(i) * 1.2).round().clamp(0, 3).to(at::kInt);
      for (const Connectivity c : connectivities) {
        const std::string number = std::to_string(static_cast<int>(c));
        QVERIFY(at::equal(components(v, {c, {}}).or_throw().labels,
                          get(case_name("v", i) + "." + number, v.sizes(), at::kInt)));
        QVERIFY(at::equal(remove_small(v.gt(0), {9, c, {}}).or_throw(),
                          get(case_name("v", i) + ".small" + number, v.sizes(), at::kBool)));
      }
      QVERIFY(at::equal(fill_holes(v.gt(0), {}).or_throw(), get(case_name("v", i) + ".filled", v.sizes(), at::kBool)));
    }
  }

  void distances_and_morphology() {
    using Step = Result<at::Tensor> (*)(const at::Tensor&, const MorphologySpec&);
    const std::vector<std::pair<const char*, Step>> steps{
        {".erosion", erosion}, {".dilation", dilation}, {".opening", opening}, {".closing", closing}};
    for (int i = 0; i < volumes; ++i) put(case_name("v", i), volume(i).gt(-0.3));
    python(R"(
for i in range(10):
    v = load(f'v{i}', 'b1')
    save(f'v{i}.cubic', ndi.distance_transform_edt(v), 'f8')
    save(f'v{i}.flat', ndi.distance_transform_edt(v, sampling=(0.5, 0.25, 0.2)), 'f8')
    for r in (1, 2, 3):
        for element, name in ((morphology.ball(r), 'ball'), (np.ones((2 * r + 1,) * 3, 'u1'), 'box')):
            for f in (morphology.erosion, morphology.dilation, morphology.opening, morphology.closing):
                save(f'v{i}.{f.__name__}.{name}{r}', f(v.astype('u1'), element) > 0, 'b1')
)");
    for (int i = 0; i < volumes; ++i) {
      const at::Tensor v = volume(i).gt(-0.3);
      for (const auto& [name, voxel] : {std::pair{".cubic", VoxelSize{}}, {".flat", VoxelSize{0.5, 0.25, 0.2}}}) {
        const at::Tensor expected = get(case_name("v", i) + name, v.sizes(), at::kDouble);
        QVERIFY(test::max_difference(distance_to_background(v, {voxel, {}}).or_throw(), expected) <=
                float32_rounding * expected.max().item<double>());
      }
      for (const auto& [name, f] : steps)
        for (const auto& [element, kind] :
             {std::pair{".ball", StructuringElement::ball}, {".box", StructuringElement::box}})
          for (const int r : {1, 2, 3})
            QVERIFY2(at::equal(f(v, {kind, static_cast<double>(r), {}, {}}).or_throw(),
                               get(case_name("v", i) + name + element + std::to_string(r), v.sizes(), at::kBool)),
                     name);
    }
  }

  void hysteresis_growing_and_maxima() {
    for (int i = 0; i < volumes; ++i) {
      put(case_name("v", i), volume(i));
      put(case_name("grey", i), (volume(i) * 2).round());
    }
    python(R"(
for i in range(10):
    v, g = load(f'v{i}', 'f4'), load(f'grey{i}', 'f4')
    save(f'v{i}.hysteresis', filters.apply_hysteresis_threshold(v, 0.2, 1.1), 'b1')
    save(f'v{i}.flood', segmentation.flood(v.astype('f8'), (3, 4, 5), connectivity=2, tolerance=0.7), 'b1')
    for c in (1, 2, 3):
        save(f'v{i}.max{c}', morphology.local_maxima(v, connectivity=c), 'b1')
        save(f'grey{i}.max{c}', morphology.local_maxima(g, connectivity=c), 'b1')
        save(f'grey{i}.min{c}', morphology.local_minima(g, connectivity=c), 'b1')
)");
    for (int i = 0; i < volumes; ++i) {
      const at::Tensor v = volume(i), grey = (v * 2).round();
      const auto expected = [&](const std::string& name) { return get(name, v.sizes(), at::kBool); };
      QVERIFY(at::equal(hysteresis(v, {0.2, 1.1, Connectivity::faces, {}}).or_throw(),
                        expected(case_name("v", i) + ".hysteresis")));
      at::Tensor seeds = at::zeros(v.sizes(), at::kInt);
      seeds[3][4][5] = 1;
      QVERIFY(at::equal(region_growing(v, seeds, {0.7, Connectivity::edges, {}}).or_throw().gt(0),
                        expected(case_name("v", i) + ".flood")));
      for (const Connectivity c : connectivities) {
        const std::string number = std::to_string(static_cast<int>(c));
        QVERIFY(at::equal(local_extrema(v, Extremum::maximum, c).or_throw(),
                          expected(case_name("v", i) + ".max" + number)));
        QVERIFY(at::equal(local_extrema(grey, Extremum::maximum, c).or_throw(),
                          expected(case_name("grey", i) + ".max" + number)));
        QVERIFY(at::equal(local_extrema(grey, Extremum::minimum, c).or_throw(),
                          expected(case_name("grey", i) + ".min" + number)));
      }
    }
  }

  // Voxel by voxel: continuous and whole heights (plateaus), markers of several voxels, minima, masks, compactness.
  // Lines only between neighbours by faces, on continuous heights.
  void watersheds() {
    const auto markers_of = [](const at::Tensor& v) {
      return components(v.lt(-1.4).logical_or(v.sub(0.3).abs().lt(0.004)), {Connectivity::corners, {}})
          .or_throw()
          .labels;
    };
    for (int i = 0; i < volumes; ++i) {
      put(case_name("float", i), volume(i));
      put(case_name("grey", i), (volume(i) * 2).round());
      put(case_name("markers", i), markers_of(volume(i)));
    }
    python(R"(
for i in range(10):
    markers = load(f'markers{i}', 'i4')
    mask = load(f'float{i}', 'f4') < 0.6
    for name in ('float', 'grey'):
        v = load(f'{name}{i}', 'f4')
        for c in (1, 2, 3):
            w = lambda **more: segmentation.watershed(v, connectivity=c, **more)
            save(f'{name}{i}.plain{c}', w(markers=markers), 'i4')
            save(f'{name}{i}.masked{c}', w(markers=markers, mask=mask), 'i4')
            save(f'{name}{i}.minima{c}', w(mask=mask), 'i4')
            save(f'{name}{i}.compact{c}', w(markers=markers, compactness=0.05), 'i4')
            if name == 'float' and c == 1:  # its queue grows without end where lines meet plateaus
                save(f'{name}{i}.lines{c}', w(markers=markers, watershed_line=True), 'i4')
)");
    for (int i = 0; i < volumes; ++i)
      for (const char* name : {"float", "grey"}) {
        const at::Tensor v = name[0] == 'f' ? volume(i) : (volume(i) * 2).round();
        const at::Tensor markers = markers_of(volume(i)), mask = volume(i).lt(0.6);
        for (const Connectivity c : connectivities) {
          const auto same = [&](const char* kind, const at::Tensor& m, const at::Tensor& inside, double compactness,
                                WatershedLines lines) {
            const std::string file = case_name(name, i) + kind + std::to_string(static_cast<int>(c));
            const at::Tensor found = watershed(v, m, inside, {c, compactness, lines, {}}).or_throw();
            const int64_t other = found.ne(get(file, v.sizes(), at::kInt)).sum().item<int64_t>();
            QVERIFY2(other == 0,
                     qPrintable(QString("%1: %2 voxels differ").arg(QString::fromStdString(file)).arg(other)));
          };
          same(".plain", markers, {}, 0, WatershedLines::none);
          same(".masked", markers, mask, 0, WatershedLines::none);
          same(".minima", {}, mask, 0, WatershedLines::none);
          same(".compact", markers, {}, 0.05, WatershedLines::none);
          if (name[0] == 'f' && c == Connectivity::faces) same(".lines", markers, {}, 0, WatershedLines::drawn);
        }
      }
  }

  // At least 99.9 % of the labels, of the exact solution and of scikit-image's gradients (whose usual 1e-3
  // leaves more than that to chance).
  void random_walkers() {
    const auto seeds_of = [](const at::Tensor& v) {
      at::Tensor seeds = at::zeros(v.sizes(), at::kInt);
      seeds.masked_fill_(v.lt(-1.8), 1);
      seeds.masked_fill_(v.gt(1.8), 2);
      seeds.masked_fill_(v.abs().lt(0.01), 3);
      seeds.slice(2, 0, 2) = -1;
      return seeds;
    };
    const VoxelSize voxel{1, 1, 2};
    for (int i = 0; i < volumes; ++i) {
      put(case_name("v", i), volume(i));
      put(case_name("seeds", i), seeds_of(volume(i)));
    }
    python(R"(
for i in range(10):
    v, seeds = load(f'v{i}', 'f4'), load(f'seeds{i}', 'i4')
    spacing = (1, 1, 2) if i % 2 else None
    save(f'v{i}.labels', segmentation.random_walker(v, seeds, beta=130, mode='cg_j', tol=1e-4, spacing=spacing), 'i4')
    full = segmentation.random_walker(v.astype('f8'), seeds, beta=130, mode='bf', spacing=spacing, return_full_prob=True)
    save(f'v{i}.full', full, 'f8')
)");
    for (int i = 0; i < volumes; ++i) {
      const at::Tensor v = volume(i), seeds = seeds_of(v);
      RandomWalkerSpec spec;
      if (i % 2 == 1) spec.voxel = voxel;
      spec.probabilities = WalkerProbabilities::wanted;
      const RandomWalk walk = random_walker(v, seeds, spec).or_throw();
      const at::Tensor labels = get(case_name("v", i) + ".labels", v.sizes(), at::kInt);
      const at::Tensor full = get(case_name("v", i) + ".full", {3, v.size(0), v.size(1), v.size(2)}, at::kDouble);
      const double share = walk.labels.eq(labels).to(at::kDouble).mean().item<double>();
      QVERIFY2(share >= min_share, qPrintable(QString("volume %1: %2").arg(i).arg(share)));
      const at::Tensor free = walk.labels.gt(0);
      const at::Tensor exact = full.argmax(0).add(1).masked_select(free);
      const double of_exact = walk.labels.masked_select(free).eq(exact).to(at::kDouble).mean().item<double>();
      QVERIFY2(of_exact >= min_share, qPrintable(QString("volume %1, exactly: %2").arg(i).arg(of_exact)));
      QVERIFY(test::max_difference(walk.probabilities, full) <= probability_error);
    }
  }

  void contours() {
    for (int i = 0; i < volumes; ++i) {
      put(case_name("v", i), volume(i).to(at::kDouble));
      put(case_name("slice", i), volume(i)[3].to(at::kDouble));
    }
    python(R"(
from skimage.segmentation import morphsnakes
def from_first_parity(f, *arguments, **more):
    morphsnakes._curvop = morphsnakes._fcycle([lambda u: morphsnakes.sup_inf(morphsnakes.inf_sup(u)),
                                               lambda u: morphsnakes.inf_sup(morphsnakes.sup_inf(u))])
    return f(*arguments, **more)
for i in range(10):
    for name in ('v', 'slice'):
        v = load(f'{name}{i}', 'f8')
        g = segmentation.inverse_gaussian_gradient(v, alpha=5, sigma=1.5)
        save(f'{name}{i}.edges', g, 'f8')
        save(f'{name}{i}.chan', from_first_parity(segmentation.morphological_chan_vese, v, 7, 'checkerboard', smoothing=1 + i % 3,
                                                  lambda1=1, lambda2=1.5), 'b1')
        for balloon in (-1, 0, 1):
            save(f'{name}{i}.geodesic{balloon}',
                 from_first_parity(segmentation.morphological_geodesic_active_contour, g, 6, 'disk', smoothing=i % 3,
                                   balloon=balloon), 'b1')
)");
    for (int i = 0; i < volumes; ++i)
      for (const char* name : {"v", "slice"}) {
        const at::Tensor v = (name[0] == 'v' ? volume(i) : volume(i)[3]).to(at::kDouble);
        const at::Tensor edges = edge_map(v, {5, 1.5, {}}).or_throw();
        const at::Tensor expected_edges = get(case_name(name, i) + ".edges", v.sizes(), at::kDouble);
        QVERIFY(test::max_difference(edges, expected_edges) <= float64_rounding);
        ChanVeseSpec chan;
        chan.steps = 7;
        chan.smoothing = 1 + i % 3;
        chan.outside = 1.5;
        QVERIFY(at::equal(chan_vese(v, checkerboard_level_set(v.sizes().vec()).or_throw(), chan).or_throw(),
                          get(case_name(name, i) + ".chan", v.sizes(), at::kBool)));
        for (const int balloon : {-1, 0, 1}) {
          GeodesicContourSpec spec;
          spec.steps = 6;
          spec.smoothing = i % 3;
          spec.balloon = balloon;
          QVERIFY(at::equal(geodesic_contour(edges, ball_level_set(v.sizes().vec()), spec).or_throw(),
                            get(case_name(name, i) + ".geodesic" + std::to_string(balloon), v.sizes(), at::kBool)));
        }
      }
  }
};

TL_TEST_CASE(ScikitImageTest)

}  // namespace tl::scikit_image_test

#include "scikit_image.moc"
