// The node for networks that are programs: nothing runs without trust; whole slices or volumes whatever part is wanted;
// gradients pass backwards, so that learning goes on without tangents.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "core/learn/learner/learner.h"
#include "core/net/script/trusted_programs.h"
#include "core/run/executor.h"
#include "gpu/operator/forward_mode.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/script_maker.h"
#include "tests/support/test_case.h"

namespace tl::script_node_test {

using namespace test::volumes;

namespace {

constexpr int64_t nz = 4, ny = 12, nx = 15;

VolumeGrid lattice() { return {nz, ny, nx, {3, -2, 7}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}; }
at::Tensor values(double pitch) { return at::arange(nz * ny * nx, at::kFloat).mul(pitch).sin().view({nz, ny, nx}); }

// Sees everything: the mean of what it is given is one of its scores.
const std::string whole_slices =
    "def forward(self, x):\n"
    "    m = torch.mean(x, [2, 3], True).expand_as(x)\n"
    "    return torch.cat([torch.conv2d(x, self.w, padding=[1, 1]), x - m, x * m], 1)\n";
const std::string whole_volumes =
    "def forward(self, x):\n"
    "    m = torch.mean(x, [2, 3, 4], True).expand_as(x)\n"
    "    return torch.cat([2 * x, x - m, x * m], 1)\n";

std::map<std::string, at::Tensor> kernel(at::ScalarType type = at::kFloat) {
  return {{"w", at::arange(9, at::kDouble).mul(1.7).cos().view({1, 1, 3, 3}).to(type)}};
}

// Of slices [z, y, x] one by one.
at::Tensor slice_scores(const at::Tensor& v) {
  const at::Tensor x = v.unsqueeze(1), m = x.mean({2, 3}, true);
  return at::cat({at::conv2d(x, kernel().at("w"), {}, {1, 1}, {1, 1}), x - m, x * m}, 1);
}
at::Tensor probabilities(const at::Tensor& scores) { return at::softmax(scores, 1).transpose(0, 1); }

using Settings = std::map<std::string, ParamValue>;

RunOptions roomy(at::ScalarType type = at::kFloat) {
  RunOptions o;
  o.memory = int64_t{1} << 28;
  o.dtype = type;
  return o;
}

}  // namespace

class ScriptNode : public VolumeFolder {
  Q_OBJECT

  std::string program() const { return path("n.pt").string(); }
  void save(const std::string& name, const at::Tensor& numbers) {
    io::VolumeTarget t = target(path(name + ".nrrd"), lattice());
    t.description = {};
    t.rules = io::no_inputs(io::Overwrite::replace);
    write(*io::find_volume_format("nrrd"), t, numbers).or_throw();
  }
  void trust(const std::string& source, const std::map<std::string, at::Tensor>& parameters = {}) {
    test::save_script(program(), source, parameters);
    (void)net::trust_program(program()).or_throw();
  }
  Graph pipeline(Settings settings = {{"classes", int64_t{3}}}, int volumes = 1) const {
    Graph g;
    settings["program"] = program();
    g.nodes["script"] = {"segment.script", 1, settings};
    for (int i = 0; i < volumes; ++i) {
      const std::string id = i == 0 ? "volume" : "volume_" + std::to_string(i + 1);
      g.nodes[id] = {"input.load_volume", 1, {{"file", path(id + ".nrrd").string()}}};
      g.links.push_back({id, "volume", "script", id});
    }
    return g;
  }
  static Value pulled(const Graph& g, const std::string& port, const std::optional<Region>& region = {}) {
    Executor e(Registry::all(), roomy());
    return e.pull(g, "script", port, region).or_throw();
  }
  static at::Tensor maps(const Graph& g, const std::optional<Region>& region = {}) {
    return std::get<Maps>(pulled(g, "probabilities", region)).data;
  }
  static Error refusal(const Graph& g) {
    Executor e(Registry::all(), roomy());
    const auto made = e.pull(g, "script", "labels");
    return made.ok() ? Error{} : made.error();
  }
  static void expect_refused(const Graph& g, const std::string& words) {
    const Error e = refusal(g);
    QVERIFY2(e.kind == ErrorKind::invalid && e.message().find(words) != std::string::npos,
             (words + ": " + e.message()).c_str());
  }
  static double difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    test::use_data_folder(path("data"));
    save("volume", values(0.7));
    save("volume_2", values(1.3));
  }

  // torch.from_file makes a file: a program that has run leaves one.
  void nothing_runs_without_trust_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("forward") << "def forward(self, x):\n    return x + torch.sum(torch.from_file(\"%1\", True, 4))\n";
    // Runs where the file is only loaded.
    QTest::newRow("loading") << "def __getstate__(self):\n    return 1\n"
                                "def __setstate__(self, n: int):\n"
                                "    self.training = torch.numel(torch.from_file(\"%1\", True, 4)) == 0\n"
                                "def forward(self, x):\n    return x\n";
  }
  void nothing_runs_without_trust() {
    QFETCH(QString, source);
    const fs::path trace = path("trace");
    test::save_script(program(), source.arg(QString::fromStdString(trace.string())).toStdString());
    const Graph g = pipeline({});
    {
      Executor e(Registry::all(), roomy());
      QVERIFY(!e.check(g).ok());
    }
    expect_refused(g, net::not_trusted);
    expect_refused(g, "tomoloom trust " + program());
    QVERIFY(!fs::exists(trace));
    (void)net::trust_program(program()).or_throw();
    QVERIFY2(refusal(g).what.empty(), refusal(g).message().c_str());
    QVERIFY(fs::exists(trace));  // it would have been noticed
    QVERIFY(net::forget_program(program()).or_throw());
    expect_refused(g, net::not_trusted);
    // Changed: also where it has run before.
    (void)net::trust_program(program()).or_throw();
    Executor e(Registry::all(), roomy());
    QVERIFY(e.pull(g, "script", "labels").ok());
    std::string bytes = bytes_of(program());
    bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 1);
    put(program(), bytes);
    QTest::qWait(1100);  // states of files are known for a second
    const auto changed = e.pull(g, "script", "labels");
    QVERIFY(!changed.ok() && changed.error().what == net::not_trusted);
  }

  void slices_go_through_the_program() {
    const at::AutoGradMode off(false);
    trust(whole_slices, kernel());
    const at::Tensor expected = probabilities(slice_scores(values(0.7)));
    const at::Tensor whole = maps(pipeline());
    QVERIFY(difference(whole, expected) < 1e-6);
    QVERIFY(std::get<Labels>(pulled(pipeline(), "labels")).data.equal(whole.argmax(0).to(at::kInt)));
    const at::Tensor two = std::get<0>(at::topk(whole, 2, 0));
    QVERIFY(difference(std::get<Volume>(pulled(pipeline(), "uncertainty")).data, 1 - (two[0] - two[1])) < 1e-6);
  }

  // A box, and planes along all axes: the program is given whole slices for them.
  void parts_equal_the_whole() {
    for (const char* dims : {"2", "3"}) {
      trust(dims[0] == '2' ? whole_slices : whole_volumes, kernel());
      const Graph g = pipeline({{"classes", int64_t{3}}, {"dims", std::string(dims)}});
      const at::Tensor whole = maps(g);
      const std::array<Range, 3> parts[] = {{Range{1, 3}, Range{4, 9}, Range{7, 15}},
                                            {Range{2, 3}, Range{0, ny}, Range{0, nx}},
                                            {Range{0, nz}, Range{5, 6}, Range{0, nx}},
                                            {Range{0, nz}, Range{0, ny}, Range{11, 12}}};
      for (const auto& [z, y, x] : parts) {
        const at::Tensor got = maps(g, Region{lattice().sub(z, y, x)});
        QVERIFY2(
            got.equal(whole.narrow(1, z.begin, z.size()).narrow(2, y.begin, y.size()).narrow(3, x.begin, x.size())),
            dims);
      }
    }
  }
  // In three dimensions it sees the whole volume.
  void the_volume_goes_through_the_program() {
    const at::AutoGradMode off(false);
    trust(whole_volumes);
    const at::Tensor x = values(0.7), m = x.mean();
    const at::Tensor expected = at::softmax(at::stack({2 * x, x - m, x * m}), 0);
    QVERIFY(difference(maps(pipeline({{"classes", int64_t{3}}, {"dims", std::string("3")}})), expected) < 1e-6);
  }

  // Points of an oblique plane are those of the voxels around them.
  void oblique_planes_show_the_whole() {
    trust(whole_slices, kernel());
    const at::Tensor whole = maps(pipeline());
    const VolumeGrid plane =
        VolumeGrid::plane(5, 7, 0.5, lattice().centre + Vec3{0.083, 0.117, 0.131}, {0.8, 0.6, 0}, {-0.36, 0.48, 0.8});
    const at::Tensor got = maps(pipeline(), Region{plane});
    int64_t inside = 0;
    for (int64_t j = 0; j < 5; ++j)
      for (int64_t i = 0; i < 7; ++i) {
        const Vec3 at = plane.position(0, static_cast<double>(j), static_cast<double>(i)) - lattice().position(0, 0, 0);
        const auto x = static_cast<int64_t>(std::lround(at.x / 0.5)), y = static_cast<int64_t>(std::lround(at.y / 0.5)),
                   z = static_cast<int64_t>(std::lround(at.z / 0.5));
        if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) continue;
        ++inside;
        for (int64_t c = 0; c < 3; ++c) QCOMPARE(got[c][0][j][i].item<float>(), whole[c][z][y][x].item<float>());
      }
    QVERIFY(inside > 20);
  }

  // Of larger voxels, as images show a large volume: whole slices of them, for a part and for planes along z.
  void coarse_parts_equal_the_coarse_whole() {
    trust(whole_slices, kernel());
    const VolumeGrid coarse = lattice().binned(2);
    const at::Tensor whole = maps(pipeline(), Region{coarse});
    QVERIFY(difference(maps(pipeline(), Region{coarse.sub({1, 2}, {2, 5}, {3, 6})}),
                       whole.narrow(1, 1, 1).narrow(2, 2, 3).narrow(3, 3, 3)) < 1e-6);
    QVERIFY(difference(maps(pipeline(), Region{coarse.sub({0, 2}, {0, 6}, {4, 5})}), whole.narrow(3, 4, 1)) < 1e-6);
    Executor e(Registry::all(), roomy());
    const at::Tensor binned = std::get<Volume>(e.pull(pipeline(), "volume", "volume", Region{coarse}).or_throw()).data;
    QVERIFY(difference(whole, probabilities(slice_scores(binned))) < 1e-6);
  }

  void channels_scaling_and_meaning() {
    const at::AutoGradMode off(false);
    const auto list = [](std::vector<double> numbers) { return NumberList{std::move(numbers), Unit::none}; };
    trust("def forward(self, x):\n    return 3 * x[:, 0:1] - x[:, 1:2]\n");
    const Settings scaled{{"mean", list({0.1, -0.2})}, {"deviation", list({2, 0.5})}};
    const at::Tensor odds = 3 * (values(0.7) - 0.1) / 2 - (values(1.3) + 0.2) / 0.5;
    const at::Tensor found = maps(pipeline(scaled, 2));
    QVERIFY(difference(found, at::stack({at::sigmoid(-odds), at::sigmoid(odds)})) < 1e-6);
    trust("def forward(self, x):\n    return torch.sigmoid(x)\n");
    const at::Tensor one = at::sigmoid(values(0.7));
    QVERIFY(difference(maps(pipeline({{"meaning", std::string("probabilities")}})), at::stack({1 - one, one})) < 1e-6);
    trust("def forward(self, x):\n    return torch.cat([x, 1 - x], 1)\n");
    expect_refused(pipeline({{"meaning", std::string("probabilities")}}), "not probabilities");
    expect_refused(pipeline({{"mean", list({1, 2, 3})}}), "3 numbers are given for 1 volume");
  }

  // What a program writes into its input stays with it.
  void the_volume_is_not_written_to() {
    trust("def forward(self, x):\n    y = torch.cat([x, -x], 1)\n    x.zero_()\n    return y\n");
    Executor e(Registry::all(), roomy());
    const at::Tensor first = std::get<Maps>(e.pull(pipeline({}), "script", "probabilities").or_throw()).data;
    QVERIFY(std::get<Volume>(e.pull(pipeline({}), "volume", "volume").or_throw()).data.equal(values(0.7)));
    QVERIFY(difference(first, at::softmax(at::stack({values(0.7), -values(0.7)}), 0)) < 1e-6);
  }

  // To a threshold before the program: against central differences, and where learning tries tangents first.
  void gradients_pass_backwards() {
    for (const char* dims : {"2", "3"}) {
      trust(dims[0] == '2' ? whole_slices : whole_volumes, kernel(at::kDouble));
      Graph g = pipeline({{"classes", int64_t{3}}, {"dims", std::string(dims)}});
      g.nodes["step"] = {
          "filter.soft_threshold", 1, {{"threshold", Number{0.137, Unit::none}}, {"width", Number{0.3, Unit::none}}}};
      g.links[0].to_node = "step";
      g.links[0].to_port = "volume";
      g.links.push_back({"step", "volume", "script", "volume"});
      save("labels", (values(1.9) * 2).round().abs());
      g.nodes["labels"] = {"input.load_labels", 1, {{"file", path("labels.nrrd").string()}}};
      g.nodes["loss"] = {"objective.segmentation", 1, {}};
      g.links.push_back({"script", "probabilities", "loss", "probabilities"});
      g.links.push_back({"labels", "labels", "loss", "labels"});
      const auto value = [&](const at::Tensor& threshold) -> Result<at::Tensor> {
        Executor e(Registry::all(), roomy(at::kDouble));
        TL_TRY(const Value v, e.pull(g, "loss", "loss", {}, {{{"step", "threshold"}, threshold}}));
        return std::get<Scalar>(v).value;
      };
      const at::Tensor at_point = at::scalar_tensor(0.137, at::kDouble);
      constexpr double h = 1e-6;
      const double slope = (value(at_point + h).or_throw() - value(at_point - h).or_throw()).item<double>() / (2 * h);
      const at::Tensor held = at_point.clone().requires_grad_();
      value(held).or_throw().backward();
      const double backwards = held.grad().item<double>();
      QVERIFY2(std::abs(slope) > 1e-4 && std::abs(backwards - slope) < 1e-5 * std::abs(slope),
               (std::to_string(slope) + " " + std::to_string(backwards)).c_str());
      {
        const at::AutoGradMode off(false);
        const ForwardDirection direction;
        const auto along = value(dual(at_point, at::ones_like(at_point)));
        QVERIFY(!along.ok() && along.error().kind == ErrorKind::unavailable);
      }
      learn::Settings s;
      s.objective = {"loss", "loss"};
      learn::Target target;
      target.node = "step";
      target.name = "threshold";
      s.targets = {target};
      s.stop.iterations = 3;
      Executor e(Registry::all(), roomy());
      const learn::Learned l = learn::learn(e, Registry::all(), g, s).or_throw();
      QCOMPARE(l.found[0].derivative, learn::Derivative::backward);
      QVERIFY(l.found[0].value[0] != 0.137);
    }
  }

  void what_cannot_be_is_refused() {
    trust(whole_slices, kernel());
    Graph none = pipeline();
    none.nodes["script"].params["program"] = std::string();
    expect_refused(none, "no program is chosen");
    expect_refused(pipeline({{"classes", int64_t{4}}}), "gives 1 x 3 x 12 x 15");
    put(program(), "nothing");
    expect_refused(pipeline(), "not a TorchScript file");
    trust(whole_slices, kernel());
    at::Tensor spoilt = values(0.7);
    spoilt[2][3][4] = std::numeric_limits<float>::quiet_NaN();
    save("volume", spoilt);
    expect_refused(pipeline(), "not finite");
  }
};

TL_TEST_CASE(ScriptNode)

}  // namespace tl::script_node_test

#include "script_node.moc"
