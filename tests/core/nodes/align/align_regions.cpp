// Directions of noisy images by network and matching: exactness, files, verdicts, and images that show nothing.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <cmath>

#include "core/nodes/align/region_training.h"
#include "core/run/executor.h"
#include "tests/support/directions/particles.h"
#include "tests/support/given_scan.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::align_regions_test {

namespace {

constexpr double pixel = 2e-7;  // [mm]: 2 angstrom

void give(const test::Particles& p) {
  const int64_t n = p.volume.size(0);
  test::given_scan = {};
  test::given_scan.data = p.images;
  test::given_scan.kind = PixelKind::absorption;
  test::given_scan.geometry =
      ScanGeometry::parallel(std::vector<double>(static_cast<std::size_t>(p.images.size(0)), 0.0), {n, n, pixel, pixel})
          .or_throw();
  test::given_volume = {p.volume, VolumeGrid::cubic(n, n, n, pixel), Unit::per_mm};
}

Graph graph_of(const std::map<std::string, ParamValue>& params) {
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  g.nodes["volume"] = {"test.given_volume", 1, {}};
  g.nodes["regions"] = {"align.regions", 1, params};
  g.links = {{"scan", "projections", "regions", "projections"}, {"volume", "volume", "regions", "volume"}};
  return g;
}

// Enough for what does not depend on how well the network has learned.
const std::map<std::string, ParamValue> quick{{"regions", std::string("6")},
                                              {"steps", int64_t{3}},
                                              {"edge", int64_t{16}},
                                              {"spacing", Number{18, Unit::deg}},
                                              {"reach", Number{2, Unit::px}}};

const std::vector<double>& column(const Table& t, const std::string& name) {
  const auto found = std::find_if(t.columns.begin(), t.columns.end(), [&](const auto& c) { return c.name == name; });
  if (found == t.columns.end()) qFatal("the table has no column %s", name.c_str());
  return found->values;
}

struct Outputs {
  Projections images;
  Table table;
  Scalar agreement;
};
Result<Outputs> outputs_of(const Graph& g, test::HeardMessages* heard = nullptr) {
  RunOptions options;
  options.events = heard;
  Executor e(test::registry_with_given(), options);
  TL_TRY(const Value images, e.pull(g, "regions", "projections"));
  TL_TRY(const Value table, e.pull(g, "regions", "directions"));
  TL_TRY(const Value agreement, e.pull(g, "regions", "agreement"));
  return Outputs{std::get<Projections>(images), std::get<Table>(table), std::get<Scalar>(agreement)};
}

std::string refusal(const Graph& g) {
  const auto r = outputs_of(g);
  if (!r.ok() && r.error().kind != ErrorKind::invalid) return "of another kind: " + r.error().message();
  return r.ok() ? "was found" : r.error().message();
}
bool refuses(const Graph& g, const std::string& words) {
  const std::string text = refusal(g);
  if (text.find(words) == std::string::npos) qWarning("%s", text.c_str());
  return text.find(words) != std::string::npos;
}

// In each image: what is left of a direction that is given modulo the pixel size of the test.
double off(const View& found, const View& truth) { return test::direction_error(found, truth); }

}  // namespace

class AlignRegions : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

 private Q_SLOTS:
  void init() { at::set_num_threads(2); }

  // Small images with strong noise: 32 x 32, variances of signal and noise 1 to 2.
  void directions_of_noisy_images() {
    test::ParticlesSpec of;
    of.images = 150;
    const test::Particles p = test::particles(of);
    give(p);
    auto params = quick;
    params["steps"] = int64_t{400};
    params["edge"] = int64_t{24};
    params["spacing"] = Number{12, Unit::deg};
    params["give"] = std::string("all");
    const Outputs o = outputs_of(graph_of(params)).or_throw();
    QCOMPARE(o.images.data.size(0), of.images);
    QVERIFY(o.images.data.equal(p.images));
    const ops::SphereRegions regions(6);
    std::vector<double> errors, agreeing;
    double right = 0, near = 0;
    for (int64_t i = 0; i < of.images; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const View& truth = p.geometry.view(i);
      errors.push_back(off(o.images.geometry.view(i), truth));
      if (column(o.table, "agrees")[at] == 1) agreeing.push_back(errors.back());
      const int64_t named = static_cast<int64_t>(column(o.table, "region")[at]),
                    true_region = regions.of(-1 * truth.beam);
      right += named == true_region ? 1 : 0;
      near += regions.are_near(named, true_region) ? 1 : 0;
      // Where the object lies in the image.
      const ScanGeometry::Hit a = o.images.geometry.project(i, {}), b = p.geometry.project(i, {});
      if (errors.back() < 5) QVERIFY(std::hypot(a.col - b.col, a.row - b.row) < 1.5);
    }
    const auto n = static_cast<double>(of.images);
    const std::string text = "right " + std::to_string(right / n) + ", or neighbouring " + std::to_string(near / n) +
                             ", median error " + std::to_string(test::median_of(errors)) + " degrees, " +
                             std::to_string(agreeing.size()) + " agree: " + std::to_string(test::median_of(agreeing));
    qInfo("%s", text.c_str());
    QVERIFY2(right / n > 0.45, text.c_str());  // of a short training, in which 0.61 were right; 0.17 by chance
    QVERIFY2(test::median_of(errors) <= 3 && test::median_of(agreeing) <= 2.5, text.c_str());
    QVERIFY2(static_cast<double>(agreeing.size()) > 0.85 * n, text.c_str());
    QVERIFY(o.agreement.verdict == Verdict::resolved);
    QVERIFY(std::abs(o.agreement.value.item<double>() - 100 * static_cast<double>(agreeing.size()) / n) < 1e-9);
  }
  // 'Save table' writes STAR, which 'Directions from a file' reads: the same views.
  void star_file() {
    test::ParticlesSpec of;
    of.images = 12;
    give(test::particles(of));
    auto params = quick;
    params["give"] = std::string("all");
    Graph g = graph_of(params);
    const Outputs found = outputs_of(g).or_throw();
    g.nodes["save"] = {"output.save_table", 1, {{"file", std::string("found.star")}}};
    g.links.push_back({"regions", "directions", "save", "table"});
    RunOptions options;
    options.output_dir = dir_.path().toStdString();
    Executor e(test::registry_with_given(), options);
    e.run(g).or_throw();
    Graph back;
    back.nodes["scan"] = {"test.given", 1, {}};
    back.nodes["read"] = {
        "geometry.directions", 1, {{"file", dir_.filePath(QStringLiteral("found.star")).toStdString()}}};
    back.links = {{"scan", "projections", "read", "projections"}};
    const auto read = std::get<Projections>(e.pull(back, "read", "projections").or_throw());
    QCOMPARE(read.geometry.views(), found.images.geometry.views());
    for (int64_t i = 0; i < read.geometry.views(); ++i) {
      const View &a = read.geometry.view(i), &b = found.images.geometry.view(i);
      // Numbers of the file are written exactly; angles lose digits near the poles.
      for (const Vec3& d : {a.u - b.u, a.v - b.v, a.detector - b.detector}) QVERIFY(norm(d) < 1e-6 * pixel);
      QVERIFY(norm(a.beam - b.beam) < 1e-6);
    }
  }
  void the_seed_fixes_all() {
    test::ParticlesSpec of;
    of.images = 20;
    give(test::particles(of));
    const auto numbers = [](const Graph& g) { return test::numbers_of(outputs_of(g).or_throw().table); };
    const Graph g = graph_of(quick);
    const at::Tensor first = numbers(g);
    QVERIFY(numbers(g).equal(first));
    at::set_num_threads(1);
    QVERIFY(numbers(g).equal(first));
    auto other = quick;
    other["seed"] = int64_t{2};
    QVERIFY(!numbers(graph_of(other)).equal(first));
  }
  // A rotation of the image changes the scores but little; the gradient of a step lowers the loss.
  void the_network() {
    const net::NamedTensors network = net::new_region_network(8, 6, 3);
    const at::Tensor image = at::arange(8 * 24, at::kFloat).mul(0.37).sin().view({1, 8, 24});
    const at::Tensor scores = net::region_scores(network, image);
    QVERIFY(scores.sizes().equals({1, 6}));
    // The angles are halved twice: rotations by four of them change nothing.
    QVERIFY(at::allclose(net::region_scores(network, image.roll(4, 2)), scores, 1e-4, 1e-5));
    QVERIFY(!at::allclose(net::region_scores(network, image.flip(2)), scores, 1e-2, 1e-2));
    test::ParticlesSpec of;
    of.images = 1;
    const test::Particles p = test::particles(of);
    ops::ReferenceSpec reference;
    reference.volume = p.volume;
    reference.grid = VolumeGrid::cubic(32, 32, 32, 1);
    reference.detector = p.geometry.detector();
    reference.edge = 16, reference.parts = 3;
    const ops::ReferenceViews views = ops::ReferenceViews::make(reference).or_throw();
    const ops::SphereRegions regions(6);
    RegionTraining training{views, regions};
    training.steps = 60;
    training.noise = 0.02;
    std::vector<double> losses;
    training.progress = [&](int64_t, double loss) { losses.push_back(loss); };
    trained_region_network(training);
    QCOMPARE(losses.size(), std::size_t{60});
    const auto mean = [&](std::size_t from) {
      double sum = 0;
      for (std::size_t i = from; i < from + 10; ++i) sum += 0.1 * losses[i];
      return sum;
    };
    QVERIFY2(mean(50) < 0.6 * mean(0), (std::to_string(mean(0)) + " " + std::to_string(mean(50))).c_str());
    training.cancel.cancel();
    try {
      trained_region_network(training);
      QFAIL("was not cancelled");
    } catch (const Failure& f) {
      QVERIFY(f.error().kind == ErrorKind::cancelled);
    }
  }
  // One image; an empty one; one without numbers; one of noise.
  void images_that_show_nothing() {
    test::ParticlesSpec of;
    of.images = 1;
    give(test::particles(of));
    auto all = quick;
    all["give"] = std::string("all");
    QCOMPARE(outputs_of(graph_of(all)).or_throw().images.data.size(0), int64_t{1});
    of.images = 12;
    test::Particles p = test::particles(of);
    const double sigma = std::sqrt(p.images.var().item<double>() / 1.5);  // that of the others' noise
    p.images[3].fill_(0.7);
    p.images[5].fill_(std::nanf(""));
    const Philox random{4, 4};
    for (int64_t i = 0; i < 32 * 32; ++i) p.images[7].view(-1)[i] = sigma * random.normal(static_cast<uint64_t>(i));
    p.images[8][4][4] = std::nanf("");
    give(p);
    test::HeardMessages heard;
    const Outputs o = outputs_of(graph_of(all), &heard).or_throw();
    QCOMPARE(o.images.data.size(0), int64_t{9});
    QVERIFY(heard.warned("1025 pixels without a value") && heard.warned("3 of 12 images show no more"));
    for (std::size_t i = 0; i < 12; ++i) {
      const bool is_flat = i == 3 || i == 5 || i == 7;
      QCOMPARE(column(o.table, "verdict")[i] == 2, is_flat);
      QCOMPARE(std::isnan(column(o.table, "rlnAngleRot")[i]), is_flat);
    }
    test::given_scan.data = test::given_scan.data.index_select(0, at::tensor({3, 5, 7}, at::kLong));
    test::given_scan.geometry = test::given_scan.geometry.select(std::array<int64_t, 3>{3, 5, 7});
    QVERIFY(refuses(graph_of(all), "no image shows more of the reference than noise does"));
  }
  // A ball looks the same from everywhere; what is not of a volume or of square images is refused.
  void ambiguous_and_unsuitable_input() {
    test::ParticlesSpec of;
    of.images = 10;
    test::Particles p = test::particles(of);
    const std::vector<ops::SmoothBall> ball{{{0, 0, 0}, 3, 1}};
    p.volume = ops::volume_of_balls(ball, 32).to(at::kFloat);
    const at::Tensor clean = ops::views_of_balls(ball, p.geometry);
    const Philox random{4, 5};
    p.images = clean.clone();
    const double sigma = std::sqrt(clean.var().item<double>());
    for (int64_t i = 0; i < p.images.numel(); ++i)
      p.images.view(-1)[i] += sigma * random.normal(static_cast<uint64_t>(i));
    give(p);
    auto all = quick;
    all["give"] = std::string("all");
    test::HeardMessages heard;
    const Outputs o = outputs_of(graph_of(all), &heard).or_throw();
    QVERIFY(o.agreement.verdict == Verdict::ambiguous);
    QVERIFY(heard.warned("Directions are ambiguous"));

    p = test::particles(of);
    give(p);
    test::given_volume.grid = VolumeGrid::cubic(32, 32, 32, 10 * pixel);
    QVERIFY(refuses(graph_of(quick), "the reference is"));
    give(p);
    test::given_volume.data = p.volume.clone();
    test::given_volume.data[3][3][3] = std::nanf("");
    QVERIFY(refuses(graph_of(quick), "not finite numbers"));
    test::given_volume.data.zero_();
    QVERIFY(refuses(graph_of(quick), "show nothing"));
    give(p);
    test::given_scan.data = p.images.narrow(1, 0, 30).contiguous();
    test::given_scan.geometry = ScanGeometry::parallel(std::vector<double>(10, 0.0), {30, 32, pixel, pixel}).or_throw();
    QVERIFY(refuses(graph_of(quick), "not square"));
    give(p);
    test::given_scan.kind = PixelKind::transmission;
    QVERIFY(refuses(graph_of(quick), "found in absorption"));
    give(p);
    test::given_scan.geometry =
        ScanGeometry::cone(std::vector<double>(10, 0.0), {32, 32, pixel, pixel}, 1, 1).or_throw();
    QVERIFY(refuses(graph_of(quick), "cone beam"));
    give(p);
    auto far = quick;
    far["reach"] = Number{9, Unit::px};
    QVERIFY(refuses(graph_of(far), "out of images"));
  }
};

TL_TEST_CASE(AlignRegions)

}  // namespace tl::align_regions_test

#include "align_regions.moc"
