// Save surfaces: files that numpy reads as their formats say, names and colours of classes, errors that leave no file.
#include <QProcess>
#include <set>
#include <sstream>

#include "core/io/output/output_file.h"
#include "core/mesh/mesh_file.h"
#include "core/run/executor.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::mesh_files_test {

using namespace test::volumes;

namespace {

constexpr const char* table_text =
    R"({"classes": [{"number": 1, "name": "hard enamel", "colour": "#102030"}, {"number": 4, "name": "dentine"}], "not_labelled": 9})";

// Reads all three formats with numpy alone: vertices [n, 3], triangles [m, 3] and what else a format has.
constexpr const char* readers = R"(
import json, numpy as np

def stl(name):
    data = open(name, 'rb').read()
    assert not data.startswith(b'solid')
    count = int(np.frombuffer(data, '<u4', 1, 80)[0])
    assert len(data) == 84 + 50 * count, (len(data), count)
    t = np.frombuffer(data, np.dtype([('n', '<f4', 3), ('p', '<f4', (3, 3)), ('a', '<u2')]), count, 84)
    v, i = np.unique(t['p'].reshape(-1, 3), axis=0, return_inverse=True)
    n = np.cross(t['p'][:, 1] - t['p'][:, 0], t['p'][:, 2] - t['p'][:, 0])
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    assert np.abs(n - t['n']).max() < 1e-2
    return v, i.reshape(-1, 3)

def ply(name):
    data = open(name, 'rb').read()
    head, body = data.split(b'end_header\n', 1)
    lines = head.decode().split('\n')
    assert lines[:2] == ['ply', 'format binary_little_endian 1.0'] and max(map(len, lines)) <= 250
    vertices, faces = (int(l.split()[2]) for l in lines if l.startswith('element'))
    v = np.frombuffer(body, np.dtype([('p', '<f4', 3), ('c', 'u1', 3)]), vertices)
    f = np.frombuffer(body, np.dtype([('k', 'u1'), ('i', '<i4', 3), ('c', 'u1', 3), ('l', '<i4')]), faces, 15 * vertices)
    assert len(body) == 15 * vertices + 20 * faces and (f['k'] == 3).all()
    text = json.loads(''.join(l[17:] for l in lines if l.startswith('comment tomoloom ')))
    return v, f, text, lines

def obj(name):
    v, groups, materials, text = [], {}, {}, ''
    for l in open(name, encoding='utf8').read().splitlines():
        w = l.split()
        if w[0] == 'v': v.append([float(x) for x in w[1:]])
        elif w[0] == 'g': group = groups.setdefault(w[1], [])
        elif w[0] == 'usemtl': materials[list(groups)[-1]] = w[1]
        elif w[0] == 'f': group.append([int(x) - 1 for x in w[1:]])
        elif w[0] == 'mtllib': library = l[7:]
        elif l.startswith('# tomoloom '): text += l[11:]
    return np.array(v), groups, materials, library, json.loads(text)

def volume(v, t):
    a, b, c = (v[t[:, i]].astype(float) for i in range(3))
    return (np.cross(a, b) * c).sum() / 6

def is_closed(t):
    edges = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
    forward = set(map(tuple, edges))
    return len(forward) == len(edges) and all((b, a) in forward for a, b in forward)
)";

}  // namespace

class MeshFilesTest : public VolumeFolder {
  Q_OBJECT

  // Two balls of radius 8 voxels of 0.1 mm, 1 at x = -1 mm and 4 at x = 1 mm, and a voxel that nobody has labelled.
  std::string labels() const {
    const int64_t edge = 44;
    const VolumeGrid grid = VolumeGrid::cubic(24, 24, edge, 0.1, {});
    at::Tensor voxels = at::zeros({24, 24, edge}, at::kFloat);
    auto numbers = voxels.accessor<float, 3>();
    for (int64_t k = 0; k < 24; ++k)
      for (int64_t j = 0; j < 24; ++j)
        for (int64_t i = 0; i < edge; ++i) {
          const Vec3 p = grid.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
          for (const double x : {-1.0, 1.0})
            if (norm(p - Vec3{x, 0, 0}) <= 0.8) numbers[k][j][i] = x < 0 ? 1.F : 4.F;
        }
    numbers[0][0][0] = 9;
    io::VolumeTarget t = target(path("labels.nrrd"), grid);
    t.description = {};
    t.rules = io::no_inputs(io::Overwrite::replace);
    write(*io::find_volume_format("nrrd"), t, voxels).or_throw();
    put(path("labels.nrrd.labels.json"), table_text);
    return t.path.string();
  }
  Graph saving(const std::string& file, const std::map<std::string, ParamValue>& more = {}) const {
    Graph g;
    g.nodes["load"] = {"input.load_labels", 1, {{"file", labels()}}};
    g.nodes["save"] = {"output.save_mesh", 1, {{"file", path(file).string()}}};
    for (const auto& [name, value] : more) g.nodes["save"].params[name] = value;
    g.links.push_back({"load", "labels", "save", "labels"});
    return g;
  }
  static Result<void> run(const Graph& graph, const RunOptions& options = {}) {
    Executor e(Registry::all(), options);
    const auto done = e.run(graph, {"save"});
    return done.ok() ? ok() : Result<void>(done.error());
  }
  void check_by_numpy(const QString& script) const {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with numpy");
    QProcess process;
    process.setWorkingDirectory(dir_->path());
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", QLatin1String(readers) + script});
    QVERIFY(process.waitForFinished(-1));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void numpy_reads_stl() {
    run(saving("s.stl")).or_throw();
    check_by_numpy(R"(
v, t = stl('s.stl')
assert is_closed(t)
assert abs(volume(v, t) / (2 * 4 / 3 * np.pi * 0.8 ** 3) - 1) < 0.02, volume(v, t)
assert np.abs(v.max(0) - (1.8, 0.8, 0.8)).max() < 0.06 and np.abs(v.min(0) - (-1.8, -0.8, -0.8)).max() < 0.06
)");
  }

  void numpy_reads_ply() {
    run(saving("s.PLY", {{"keep", Number{0.5, Unit::none}}})).or_throw();
    check_by_numpy(R"(
v, f, text, lines = ply('s.PLY')
assert 'comment label 1 hard enamel' in lines and 'comment label 4 dentine' in lines
assert set(f['l']) == {1, 4} and text['pipeline']['nodes']['save']['type'] == 'output.save_mesh' and 'provenance' in text
for number, colour, x in ((1, (0x10, 0x20, 0x30), -1), (4, (0xf0, 0xe4, 0x42), 1)):
    own = f[f['l'] == number]
    assert (own['c'] == colour).all() and (v['c'][own['i']] == colour).all()
    assert is_closed(own['i']) and abs(volume(v['p'], own['i']) / (4 / 3 * np.pi * 0.8 ** 3) - 1) < 0.02
    assert abs(v['p'][own['i']].reshape(-1, 3).mean(0)[0] - x) < 0.1
)");
  }

  void numpy_reads_obj() {
    run(saving("s.obj", {{"smoothing", int64_t{0}}})).or_throw();
    QVERIFY(std::filesystem::exists(path("s.mtl")));
    check_by_numpy(R"(
v, groups, materials, library, text = obj('s.obj')
assert library == 's.mtl' and 'pipeline' in text and list(groups) == ['hard_enamel', 'dentine']
for t in groups.values():
    t = np.array(t)
    assert is_closed(t) and abs(volume(v, t) / (4 / 3 * np.pi * 0.8 ** 3) - 1) < 0.02
lines = open('s.mtl').read().splitlines()
colour = np.array(lines[lines.index('newmtl ' + materials['hard_enamel']) + 1].split()[1:], float)
assert np.abs(colour * 255 - (0x10, 0x20, 0x30)).max() < 1e-3
)");
  }

  // Whatever the blocks: without smoothing, whose sums depend on the order, the triangles are the same.
  void a_small_budget_gives_the_same_file() {
    const auto of_phantom = [this](const std::string& file) {
      Graph g;
      g.nodes["phantom"] = {
          "input.labelled_phantom", 1, {{"width", int64_t{64}}, {"height", int64_t{256}}, {"bodies", int64_t{20}}}};
      g.nodes["save"] = {"output.save_mesh", 1, {{"file", path(file).string()}, {"smoothing", int64_t{0}}}};
      g.links.push_back({"phantom", "labels", "save", "labels"});
      return g;
    };
    run(of_phantom("a.stl")).or_throw();
    RunOptions small;
    // Two blocks: labels have 4 MB, the phantom takes 13 for them, and the slab of a surface 15.
    small.memory = 34'000'000;
    run(of_phantom("b.stl"), small).or_throw();
    const auto triangles = [this](const std::string& name) {
      const std::string bytes = bytes_of(path(name));
      std::multiset<std::string> all;
      for (std::size_t at = 84; at < bytes.size(); at += 50) all.insert(bytes.substr(at, 50));
      return all;
    };
    QVERIFY(triangles("a.stl").size() > 10'000);
    QVERIFY(triangles("b.stl") == triangles("a.stl"));
    small.memory = 3'000'000;
    const auto refused = run(of_phantom("c.stl"), small);
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::device);
    QVERIFY2(refused.error().message().find("triangles") != std::string::npos, refused.error().message().c_str());
    QVERIFY2(refused.error().message().find("--max-memory") != std::string::npos, refused.error().message().c_str());
    QVERIFY(!fs::exists(path("c.stl")));
  }

  void chosen_classes_alone() {
    run(saving("s.obj", {{"numbers", NumberList{{4}, Unit::none}}})).or_throw();
    const std::string text = bytes_of(path("s.obj"));
    QVERIFY(text.find("g dentine") != std::string::npos && text.find("g hard_enamel") == std::string::npos);
  }

  void what_cannot_be_written_is_said_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<double>("number");
    QTest::addColumn<QString>("said");
    QTest::addRow("ending") << "s.vtk" << 1.0 << ".stl, .ply or .obj";
    QTest::addRow("no ending") << "surface" << 1.0 << ".stl, .ply or .obj";
    QTest::addRow("not there") << "s.stl" << 7.0 << "no voxel has the number 7";
    QTest::addRow("no number") << "s.stl" << 1.5 << "an integer";
    QTest::addRow("no folder") << "missing/s.ply" << 1.0 << "missing";
  }
  void what_cannot_be_written_is_said() {
    QFETCH(QString, file);
    QFETCH(double, number);
    QFETCH(QString, said);
    const auto done = run(saving(file.toStdString(), {{"numbers", NumberList{{number}, Unit::none}}}));
    QVERIFY(!done.ok());
    QVERIFY2(done.error().message().find(said.toStdString()) != std::string::npos, done.error().message().c_str());
    for (const auto& entry : std::filesystem::directory_iterator(dir_->path().toStdString()))
      QVERIFY2(entry.path().filename().string().rfind("labels.nrrd", 0) == 0, entry.path().c_str());
  }

  // The materials belong to the file: neither is written where one of them stands already.
  void nothing_is_replaced_unasked() {
    put(path("s.mtl"), "mine");
    QVERIFY(!run(saving("s.obj")).ok());
    QVERIFY(!std::filesystem::exists(path("s.obj")));
    QCOMPARE(bytes_of(path("s.mtl")), std::string("mine"));
    RunOptions replace;
    replace.overwrite = io::Overwrite::replace;
    run(saving("s.obj"), replace).or_throw();
    QVERIFY(bytes_of(path("s.mtl")).rfind("# Materials", 0) == 0);
  }

  void a_full_disk_leaves_nothing() {
    const std::string device = "/dev/full";
    mesh::MeshTarget target;
    target.path = device;
    target.rules = io::no_inputs(io::Overwrite::replace);
    const mesh::Mesh mesh{{1, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}};
    for (const mesh::MeshFormat& format : mesh::mesh_formats()) {
      const auto written = format.write(target, mesh);
      QVERIFY2(!written.ok() && written.error().kind == ErrorKind::io, format.title.data());
    }
  }

  void comments_are_short_and_whole() {
    std::string text;
    for (int i = 0; i < 300; ++i) text += "a\u00e9\u20ac";
    std::istringstream lines(mesh::comment_lines("# ", text));
    std::string line, joined;
    while (std::getline(lines, line)) {
      QVERIFY(line.size() <= 200 && line.rfind("# ", 0) == 0);
      QVERIFY((static_cast<unsigned char>(line[2]) & 0xC0U) != 0x80U);
      joined += line.substr(2);
    }
    QCOMPARE(joined, text);
    QCOMPARE(mesh::part_name({{{3, " two\nlines ", ""}}, {}}, 3), std::string("two lines"));
    QCOMPARE(mesh::part_name({}, 5), std::string("label 5"));
  }
};

TL_TEST_CASE(MeshFilesTest)

}  // namespace tl::mesh_files_test

#include "mesh_files.moc"
