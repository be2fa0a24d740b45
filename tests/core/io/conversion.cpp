// Conversion of volumes: formats into each other, regions, and what integers cannot hold.
#include "core/base/text.h"
#include "core/io/convert.h"
#include "core/io/open_volume.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::conversion_test {

using namespace test::volumes;

class VolumeConversionTest : public VolumeFolder {
  Q_OBJECT

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  // Each format to each: the same voxels at the same position.
  void formats_convert_into_each_other_data() { formats(); }
  void formats_convert_into_each_other() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), SampleType::uint16);
    write(format(), t, numbers()).or_throw();
    const at::Tensor whole = read_all(t.path).or_throw();
    for (const io::VolumeFormat& to : io::volume_formats()) {
      const auto source = io::open_volume(t.path).or_throw();
      io::VolumeConversion wanted;
      wanted.output = path(std::string(to.id) + first_ending(to));
      wanted.format = &to;
      wanted.box = io::parse_box("1:4,:,1:", source->info().grid).or_throw();
      wanted.description = source->info().description;
      wanted.rules = io::no_inputs(io::Overwrite::refuse);
      int64_t slices_done = 0;
      const auto done = io::convert_volume(*source, wanted, {}, [&](int64_t slices, int64_t) { slices_done = slices; });
      QVERIFY2(done.ok(), done.ok() ? "" : done.error().message().c_str());
      QCOMPARE(slices_done, 3);
      const auto written = io::open_volume(wanted.output).or_throw();
      const VolumeGrid part = t.grid.sub({1, 4}, {0, 4}, {1, 3});
      QVERIFY(norm(written->info().grid.position(0, 0, 0) - part.position(0, 0, 0)) <
              std::max(tolerance(format()), tolerance(to)));
      // The scale of the integers is kept where other programs read it, else it is applied.
      const bool scaled = to.integer_scale != io::IntegerScale::by_tomoloom;
      QCOMPARE(written->info().voxel_type, std::string(scaled ? "uint16" : "float32"));
      QCOMPARE(std::string(trimmed(written->info().description)),
               format().lacks.empty() && to.lacks.empty() ? record : std::string());
      QVERIFY(read_all(wanted.output).or_throw().allclose(whole.slice(0, 1, 4).slice(2, 1, 3), 0, 1e-5));
    }
  }

  void what_will_be_clipped_is_known() {
    const io::VolumeTarget t = target(path("v.nrrd"), off_centre());
    const at::Tensor voxels = numbers().clone();  // -3 to 18.83
    voxels[0][0][0] = std::nan("");
    write(*io::find_volume_format("nrrd"), t, voxels).or_throw();
    const auto source = io::open_volume(t.path).or_throw();
    io::VolumeConversion wanted;
    wanted.format = io::find_volume_format("metaimage");
    QCOMPARE(io::count_clipped(*source, wanted, {}).or_throw().voxels, 0);
    wanted.type = SampleType::uint8;
    wanted.low = 0;
    wanted.high = 18;
    const io::ClippedVoxels clipped = io::count_clipped(*source, wanted, {}).or_throw();
    // Half a step, 0.035, outside of the range is rounding.
    const at::Tensor v = voxels.to(at::kDouble);
    QCOMPARE(clipped.below, (v < 0).sum().item<int64_t>());
    QCOMPARE(clipped.above, (v > 18.04).sum().item<int64_t>());
    QCOMPARE(clipped.not_numbers, 1);
    QCOMPARE(clipped.voxels, 60);
    QVERIFY(clipped.below == 8 && clipped.above == 3);
    QVERIFY(clipped.text({SampleType::uint8, 0, 18}).starts_with("20 % of the voxels"));
  }

  // DICOM has integers only: the range is measured if nobody gives one.
  void floats_become_integers_where_there_are_no_floats() {
    const io::VolumeTarget t = target(path("v.nrrd"), off_centre());
    write(*io::find_volume_format("nrrd"), t, numbers()).or_throw();
    const auto source = io::open_volume(t.path).or_throw();
    io::VolumeConversion wanted;
    wanted.output = path("v.dicom");
    wanted.format = io::find_volume_format("dicom");
    wanted.rules = io::no_inputs(io::Overwrite::refuse);
    QCOMPARE(io::conversion_target(source->info(), wanted).error().kind, ErrorKind::invalid);
    wanted = io::with_measured_range(*source, wanted, {}).or_throw();
    QVERIFY(*wanted.low == numbers().min().item<double>() && *wanted.high == numbers().max().item<double>());
    QCOMPARE(io::count_clipped(*source, wanted, {}).or_throw().clipped(), 0);
    io::convert_volume(*source, wanted, {}, [](int64_t, int64_t) {}).or_throw();
    QVERIFY(are_close(read_all(wanted.output).or_throw(), numbers(), 0.501 * (*wanted.high - *wanted.low) / 65535));
    wanted.type = SampleType::float32;
    wanted.low = wanted.high = {};
    QCOMPARE(io::conversion_target(source->info(), wanted).error().where, std::string("type"));
    wanted.type = {};
    wanted.compression = io::Compression::gzip;
    QVERIFY(!io::conversion_target(source->info(), wanted).ok());
  }

  // A table next to the source, if none is embedded in it, is copied too; labels have no means.
  void tables_of_labels_go_along_data() { formats(); }
  void tables_of_labels_go_along() {
    const VolumeGrid grid{3, 131, 4, {0, 0, 0}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}};
    const at::Tensor voxels = at::arange(grid.count(), at::kFloat).reshape({3, 131, 4}).remainder(7);
    io::VolumeTarget t = target(path("from.nrrd"), grid, SampleType::uint16);
    t.description = {};
    t.low = 0;
    t.high = 65535;
    write(*io::find_volume_format("nrrd"), t, voxels).or_throw();
    put(path("from.nrrd.labels.json"), R"({"classes": [{"number": 3, "name": "pore"}]})");
    const auto source = io::open_volume(t.path).or_throw();
    io::VolumeConversion wanted;
    wanted.output = file_of(format());
    wanted.format = &format();
    wanted.labels = io::label_table_of(source->info()).or_throw();
    wanted.rules = io::no_inputs(io::Overwrite::refuse);
    io::convert_volume(*source, wanted, {}, [](int64_t, int64_t) {}).or_throw();
    const auto written = io::open_volume(wanted.output).or_throw();
    const LabelTable table = io::label_table_of(written->info()).or_throw();
    QVERIFY(table.classes.size() == 1 && table.classes.front() == (LabelClass{3, "pore", ""}));
    QCOMPARE(fs::exists(io::label_table_file(wanted.output)), !format().lacks.empty());
    QVERIFY(read_all(wanted.output).or_throw().equal(voxels));
    if (!fs::exists(wanted.output / "1")) return;
    const at::Tensor level = read_all(wanted.output / "1").or_throw(), in_file = voxels.flip(1);
    QVERIFY(level.equal(in_file.slice(0, 0, 3, 2).slice(1, 0, 131, 2).slice(2, 0, 4, 2).flip(1)));
  }

  // Comments of other programs may be Latin-1.
  // NAME.labels.json next to a volume is its table, with and without the ending of NAME; the longer name comes first.
  void tables_next_to_volumes_are_found() {
    for (const char* name : {"l.nrrd", "l.nii.gz", "l.ome.zarr", "l.v2.tif", "l"}) {
      const std::string file(name);
      const std::string stem = file.substr(0, file == "l.v2.tif" ? 4 : 1);
      put(path(stem + ".labels.json"), R"({"classes": [{"number": 1, "name": "short"}]})");
      io::VolumeFileInfo info;
      info.path = path(file);
      QCOMPARE(io::label_table_of(info).or_throw().classes.front().name, std::string("short"));
      put(path(file + ".labels.json"), R"({"classes": [{"number": 1, "name": "long"}]})");
      QCOMPARE(io::label_table_of(info).or_throw().classes.front().name, std::string("long"));
      for (const auto& one : fs::directory_iterator(path(""))) fs::remove(one.path());
    }
  }

  void texts_of_other_encodings_are_converted_data() { formats(); }
  void texts_of_other_encodings_are_converted() {
    io::VolumeTarget t = target(path("from.nii"), off_centre(), SampleType::uint16);
    t.description = "caf\xe9";
    write(*io::find_volume_format("nifti"), t, numbers()).or_throw();
    const auto source = io::open_volume(t.path).or_throw();
    QCOMPARE(source->info().description, t.description);
    io::VolumeConversion wanted;
    wanted.output = file_of(format());
    wanted.format = &format();
    wanted.description = source->info().description;
    wanted.rules = io::no_inputs(io::Overwrite::refuse);
    const auto done = io::convert_volume(*source, wanted, {}, [](int64_t, int64_t) {});
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().message().c_str());
    const std::string text = io::open_volume(wanted.output).or_throw()->info().description;
    QVERIFY(format().lacks.empty() ? text.starts_with("caf") : text.empty());
  }

  void regions_are_parsed() {
    const VolumeGrid g = off_centre();
    const GridBox all = io::parse_box(",,", g).or_throw();
    QVERIFY(all.z == Range({0, 5}) && all.y == Range({0, 4}) && all.x == Range({0, 3}));
    const GridBox some = io::parse_box("2,1:,:2", g).or_throw();
    QVERIFY(some.z == Range({2, 3}) && some.y == Range({1, 4}) && some.x == Range({0, 2}));
    for (const char* wrong : {"", "1:2", "1:2,1:2", "a,b,c", "0:6,:,:", "3:3,:,:", "-1:2,:,:", "1:2,1:2,1:2,1:2"})
      QVERIFY2(!io::parse_box(wrong, g).ok(), wrong);
  }
};

TL_TEST_CASE(VolumeConversionTest)

}  // namespace tl::conversion_test

#include "conversion.moc"
