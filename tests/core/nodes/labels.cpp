// Labels through every volume format: numbers and classes come back, nothing is interpolated, and what is not a label
// is refused.
#include "core/io/open_volume.h"
#include "core/io/output/output_file.h"
#include "core/io/volumes/label_table.h"
#include "core/run/executor.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::labels_test {

using namespace test::volumes;

namespace {

const char* const table_text =
    R"({"classes": [{"number": 7, "name": "Kupfer", "colour": "#b87333"}, {"number": 3, "name": "pore"}], "not_labelled": 0})";

// Large numbers, which uint8 could not hold, and neighbours whose mean would be another class.
at::Tensor classes() {
  at::Tensor n = at::arange(60, at::kFloat).reshape({5, 4, 3}).remainder(4) * 2000;
  n[4][3][2] = 65535;
  return n;
}

}  // namespace

class LabelsTest : public VolumeFolder {
  Q_OBJECT

  // A file of any numbers.
  std::string file(const std::string& name, const at::Tensor& voxels, const VolumeGrid& grid) const {
    io::VolumeTarget t = target(path(name), grid);
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, voxels).or_throw();
    return t.path.string();
  }
  Graph saving(const std::string& from, const io::VolumeFormat& format, const std::string& to) const {
    Graph g;
    g.nodes["load"] = {"input.load_labels", 1, {{"file", from}}};
    g.nodes["save"] = {
        "output.save_labels",
        1,
        {{"file", path(to).string()}, {"format", std::string(format.id)}, {"classes", path("classes.json").string()}}};
    g.links.push_back({"load", "labels", "save", "labels"});
    return g;
  }
  static Result<at::Tensor> pull(const std::string& from, const Region& region) {
    Graph g;
    g.nodes["load"] = {"input.load_labels", 1, {{"file", from}}};
    Executor e(Registry::all(), {});
    TL_TRY(const Value value, e.pull(g, "load", "labels", region));
    return std::get<Labels>(value).data;
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    put(path("classes.json"), table_text);
  }

  void numbers_and_classes_come_back_data() { formats(); }
  void numbers_and_classes_come_back() {
    const std::string from = file("from.nrrd", classes(), off_centre());
    const std::string to = "v" + first_ending(format());
    Executor e(Registry::all(), {});
    const auto run = e.run(saving(from, format(), to), {"save"});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
    const auto volume = io::open_volume(path(to)).or_throw();
    QCOMPARE(volume->info().voxel_type, std::string("uint16"));
    QVERIFY(distance(volume->info().grid, off_centre()) < tolerance(format()));
    const at::Tensor back = pull(path(to).string(), volume->info().grid).or_throw();
    QVERIFY(back.scalar_type() == at::kInt && back.to(at::kFloat).equal(classes()));
    const LabelTable table = io::label_table_of(volume->info()).or_throw();
    QVERIFY(table.not_labelled == 0 && table.classes.size() == 2);
    QVERIFY(table.classes[0] == (LabelClass{3, "pore", ""}) &&
            table.classes[1] == (LabelClass{7, "Kupfer", "#b87333"}));
    // The file that has room for text needs no second one.
    QCOMPARE(fs::exists(io::label_table_file(path(to))), !format().lacks.empty());
  }

  // Without a file of classes the table comes along from where the labels come from, and replaces an old one.
  void tables_pass_through() {
    const std::string from = file("from.nrrd", classes(), off_centre());
    put(path("from.nrrd.labels.json"), table_text);
    put(path("to.nrrd.labels.json"), R"({"classes": [{"number": 7, "name": "old"}]})");
    Graph g = saving(from, *io::find_volume_format("nrrd"), "to.nrrd");
    g.nodes["save"].params.erase("classes");
    RunOptions o;
    o.overwrite = io::Overwrite::replace;
    for (const bool cleaned : {false, true}) {
      if (cleaned) {
        g.nodes["clean"] = {"segment.remove_small", 1, {{"least_voxels", int64_t{2}}}};
        g.links = {{"load", "labels", "clean", "labels"}, {"clean", "labels", "save", "labels"}};
      }
      Executor e(Registry::all(), o);
      const auto run = e.run(g, {"save"});
      QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
      const LabelTable table = io::label_table_of(io::open_volume(path("to.nrrd")).or_throw()->info()).or_throw();
      QVERIFY(table.classes.size() == 2 && table.classes[1] == (LabelClass{7, "Kupfer", "#b87333"}));
    }
    // Numbers of objects are not classes. A table next to the file may have been written by hand: it stays.
    struct : EventSink {
      std::string said;
      void message(LogLevel, std::string_view, std::string_view text) override { said += text; }
    } sink;
    g.nodes["clean"] = {"segment.components", 1, {}};
    put(path("to.nrrd.labels.json"), R"({"classes": [{"number": 7, "name": "old"}]})");
    o.events = &sink;
    QVERIFY(Executor(Registry::all(), o).run(g, {"save"}).ok());
    QVERIFY2(sink.said.find("to.nrrd.labels.json") != std::string::npos, sink.said.c_str());
    QCOMPARE(io::label_table_of(io::open_volume(path("to.nrrd")).or_throw()->info()).or_throw().classes.front().name,
             std::string("old"));
    fs::remove(path("to.nrrd.labels.json"));
    QVERIFY(Executor(Registry::all(), o).run(g, {"save"}).ok());
    QVERIFY(io::label_table_of(io::open_volume(path("to.nrrd")).or_throw()->info()).or_throw() == LabelTable{});
  }

  void nothing_is_interpolated() {
    const VolumeGrid g = off_centre();
    const std::string from = file("from.nrrd", classes(), g);
    std::set<int> all;
    for (int64_t i = 0; i < 60; ++i) all.insert(classes().flatten()[i].item<int>());
    const Vec3 along{0.8, 0.6, 0}, across{-0.36, 0.48, 0.8};
    for (const VolumeGrid& points : {g.binned(2), VolumeGrid::plane(9, 8, 0.0003, g.centre, along, across)}) {
      const at::Tensor labels = pull(from, points).or_throw();
      for (int64_t i = 0; i < labels.numel(); ++i) QVERIFY(all.contains(labels.flatten()[i].item<int>()));
      // Each is the voxel that lies nearest, of two as near the one of the lower index.
      for (int64_t p = 0; p < points.count(); ++p) {
        const int64_t i = p % points.nx, j = p / points.nx % points.ny, k = p / points.nx / points.ny;
        const Vec3 at = points.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
        constexpr double same_point = 1e-6;  // of a voxel
        double least = 1e9;
        int nearest = -1;
        for (int64_t z = 0; z < g.nz; ++z)
          for (int64_t y = 0; y < g.ny; ++y)
            for (int64_t x = 0; x < g.nx; ++x) {
              // In voxels: they are not cubes.
              const Vec3 d = at - g.position(static_cast<double>(z), static_cast<double>(y), static_cast<double>(x));
              const double away =
                  std::max({std::abs(d.x / g.step_x.x), std::abs(d.y / g.step_y.y), std::abs(d.z / g.step_z.z)});
              // The lower ones come first.
              if (away >= least - same_point) continue;
              least = away;
              nearest = classes()[z][y][x].item<int>();
            }
        QCOMPARE(labels[k][j][i].item<int>(), least < 0.5 + same_point ? nearest : 0);
      }
    }
  }

  void levels_of_labels_are_voxels() {
    const VolumeGrid grid{5, 131, 70, {0, 0, 0}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}};
    const at::Tensor voxels = at::arange(grid.count(), at::kFloat).reshape({5, 131, 70}).remainder(7);
    const std::string from = file("from.nrrd", voxels, grid);
    Executor e(Registry::all(), {});
    QVERIFY(e.run(saving(from, *io::find_volume_format("ome_zarr"), "v.ome.zarr"), {"save"}).ok());
    const at::Tensor level = read_all(path("v.ome.zarr") / "1").or_throw();
    const at::Tensor in_file = voxels.flip(1);
    QVERIFY(level.equal(in_file.slice(0, 0, 5, 2).slice(1, 0, 131, 2).slice(2, 0, 70, 2).flip(1)));
  }

  void what_is_not_a_label_is_refused_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("words");
    QTest::newRow("a fraction") << 0.37 << "0.37";
    QTest::newRow("more than floats hold") << 16777216.0 << "float32";
    QTest::newRow("negative") << -1.0 << "-1";
    QTest::newRow("no number") << std::nan("") << "nan";
  }
  void what_is_not_a_label_is_refused() {
    QFETCH(double, value);
    QFETCH(QString, words);
    at::Tensor voxels = classes();
    voxels[2][1][1] = value;
    const std::string from = file("from.nrrd", voxels, off_centre());
    Executor e(Registry::all(), {});
    const auto run = e.run(saving(from, *io::find_volume_format("nrrd"), "v.nrrd"), {"save"});
    QVERIFY(!run.ok() && run.error().kind == ErrorKind::invalid);
    QVERIFY2(run.error().message().find(words.toStdString()) != std::string::npos, run.error().message().c_str());
    QVERIFY(run.error().message().find("from.nrrd") != std::string::npos && !fs::exists(path("v.nrrd")));
  }

  void measured_values_are_refused() {
    const io::VolumeTarget t = target(path("values.nrrd"), off_centre(), SampleType::uint16);
    write(*io::find_volume_format("nrrd"), t, numbers()).or_throw();
    const auto refused = pull(t.path.string(), off_centre());
    QVERIFY(!refused.ok() && refused.error().what.find("scaled") != std::string::npos);
  }

  // Tables that a user writes next to a file, and wrong ones.
  void tables_are_checked() {
    const std::string from = file("from.nrrd", classes(), off_centre());
    const auto volume = io::open_volume(from).or_throw();
    QVERIFY(io::label_table_of(volume->info()).or_throw() == LabelTable{});
    put(path("from.nrrd.labels.json"), table_text);
    const LabelTable table = io::label_table_of(volume->info()).or_throw();
    QCOMPARE(table.classes.size(), 2U);
    QVERIFY(io::label_table_from_json(io::to_json_text(table), "t").or_throw() == table);
    for (const char* wrong :
         {"", "[]", "{}", R"({"classes": 3})", R"({"classes": [{"name": "a"}]})",
          R"({"classes": [{"number": 2147483647}]})", R"({"classes": [{"number": 1.5}]})",
          R"({"classes": [{"number": 1}, {"number": 1}]})", R"({"classes": [{"number": 1, "colour": "red"}]})",
          R"({"classes": [], "not_labelled": -1})"}) {
      const auto refused = io::label_table_from_json(wrong, "t.json");
      QVERIFY2(!refused.ok() && refused.error().where == "t.json" && !refused.error().hint.empty(), wrong);
    }
    put(path("from.nrrd.labels.json"), "[]");
    QVERIFY(!pull(from, off_centre()).ok());
  }
};

TL_TEST_CASE(LabelsTest)

}  // namespace tl::labels_test

#include "labels.moc"
