// Labels above 65535: more objects than uint16 can number, and large numbers, through every format of volumes.
#include "core/io/bytes/saturated.h"
#include "core/io/convert.h"
#include "core/io/open_volume.h"
#include "core/io/volumes/label_table.h"
#include "core/run/executor.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/io/volume_oracle.h"
#include "tests/support/test_case.h"

namespace tl::many_labels_test {

using namespace test::volumes;

namespace {

VolumeGrid many_grid() { return {56, 100, 100, {0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}}; }
// 28 x 50 x 50 voxels that touch no other.
constexpr int64_t objects = 70000;
at::Tensor many_voxels() {
  at::Tensor mask = at::zeros({56, 100, 100}, at::kFloat);
  mask.slice(0, 0, 56, 2).slice(1, 0, 100, 2).slice(2, 0, 100, 2).fill_(1);
  return mask;
}

VolumeGrid small_grid() { return {2, 3, 4, {1, 2, 3}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}}; }
// Neighbours that float32 does not distinguish, and the largest of all.
at::Tensor large_numbers() {
  at::Tensor n = at::arange(24, at::kInt).reshape({2, 3, 4}) + ((1 << 24) + 1);
  n[0][0][0] = 0;
  n[1][2][3] = static_cast<int32_t>(io::max_label_numbers - 1);
  return n;
}

at::Tensor labels_of(const fs::path& file, const Region& region) {
  Graph g;
  g.nodes["load"] = {"input.load_labels", 1, {{"file", file.string()}}};
  Executor e(Registry::all(), {});
  return std::get<Labels>(e.pull(g, "load", "labels", region).or_throw()).data;
}

}  // namespace

class ManyLabelsTest : public VolumeFolder {
  Q_OBJECT

  std::string mask_file() const {
    io::VolumeTarget t = target(path("mask.nrrd"), many_grid());
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, many_voxels()).or_throw();
    return t.path.string();
  }
  Graph objects_of(const std::string& mask) const {
    Graph g;
    g.nodes["load"] = {"input.load_labels", 1, {{"file", mask}}};
    g.nodes["objects"] = {"segment.components", 1, {}};
    g.nodes["table"] = {"measure.regions", 1, {}};
    g.links = {{"load", "labels", "objects", "labels"}, {"objects", "labels", "table", "labels"}};
    return g;
  }
  Graph saving(const std::string& mask, const io::VolumeFormat& format, const std::string& to) const {
    Graph g = objects_of(mask);
    g.nodes["save"] = {"output.save_labels", 1, {{"file", path(to).string()}, {"format", std::string(format.id)}}};
    g.links.push_back({"objects", "labels", "save", "labels"});
    return g;
  }
  // Written as int32, whatever the numbers are.
  fs::path large_file(const io::VolumeFormat& f) const {
    io::VolumeTarget t = target(file_of(f), small_grid(), SampleType::int32);
    t.low = 0;
    t.high = io::largest_sample(t.type);
    t.unit = Unit::none;
    t.description = io::with_label_table({}, {});
    write(f, t, large_numbers()).or_throw();
    return t.path;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void more_than_65535_objects_are_counted_and_measured() {
    const Graph g = objects_of(mask_file());
    Executor e(Registry::all(), {});
    const auto count = [&](const char* node) {
      return std::get<Scalar>(e.pull(g, node, "count").or_throw()).value.item<double>();
    };
    QCOMPARE(count("objects"), static_cast<double>(objects));
    QCOMPARE(count("table"), static_cast<double>(objects));
    const auto table = std::get<Table>(e.pull(g, "table", "regions").or_throw());
    QCOMPARE(table.columns[0].values.back(), static_cast<double>(objects));
    for (const double voxels : table.columns[1].values) QCOMPARE(voxels, 1.0);
  }

  void objects_come_back_from_every_format_data() { formats(); }
  void objects_come_back_from_every_format() {
    const std::string mask = mask_file(), to = "v" + first_ending(format());
    const Graph g = saving(mask, format(), to);
    // Blocks of some slices, so that the first ones have been written when the numbers become too large.
    RunOptions o;
    o.memory = int64_t{64} << 20;
    Executor e(Registry::all(), o);
    const auto run = e.run(g, {"save"});
    if (!format().stores(SampleType::int32)) {
      QVERIFY(!run.ok() && run.error().what.find("65535") != std::string::npos && !fs::exists(path(to)));
      QVERIFY2(run.error().hint.find("NRRD") != std::string::npos, run.error().hint.c_str());
      return;
    }
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
    const auto volume = io::open_volume(path(to)).or_throw();
    QCOMPARE(volume->info().voxel_type, std::string("int32"));
    const at::Tensor back = labels_of(path(to), volume->info().grid);
    const at::Tensor made = std::get<Labels>(e.pull(g, "objects", "labels", many_grid()).or_throw()).data;
    QVERIFY(back.scalar_type() == at::kInt && back.equal(made));
    QCOMPARE(back.max().item<int64_t>(), objects);
    // The temporary file is gone.
    for (const auto& one : fs::directory_iterator(path(".")))
      QVERIFY2(one.path().filename().string().front() != '.', one.path().c_str());
  }

  void few_objects_need_16_bits_and_32_can_be_chosen() {
    const std::string mask = mask_file();
    Graph g = saving(mask, *io::find_volume_format("nrrd"), "v.nrrd");
    g.nodes["objects"].params["neighbours"] = std::string("corners");
    g.nodes["part"] = {"segment.remove_small", 1, {}};
    g.links[0] = {"load", "labels", "part", "labels"};
    g.links.push_back({"part", "labels", "objects", "labels"});
    g.nodes["part"].params["least_voxels"] = int64_t{2};  // nothing is left
    for (const auto& [numbers, type] :
         {std::pair{"automatic", "uint16"}, std::pair{"b16", "uint16"}, std::pair{"b32", "int32"}}) {
      g.nodes["save"].params["numbers"] = std::string(numbers);
      RunOptions o;
      o.overwrite = io::Overwrite::replace;
      QVERIFY(Executor(Registry::all(), o).run(g, {"save"}).ok());
      QCOMPARE(io::open_volume(path("v.nrrd")).or_throw()->info().voxel_type, std::string(type));
    }
    // 16 bits that were chosen are kept to.
    g = saving(mask, *io::find_volume_format("nrrd"), "w.nrrd");
    g.nodes["save"].params["numbers"] = std::string("b16");
    const auto refused = Executor(Registry::all(), {}).run(g, {"save"});
    QVERIFY(!refused.ok() && refused.error().hint.find("32") != std::string::npos && !fs::exists(path("w.nrrd")));
  }

  void numbers_that_floats_do_not_hold_come_back_data() { formats(); }
  void numbers_that_floats_do_not_hold_come_back() {
    if (!format().stores(SampleType::int32)) QSKIP("the format has no int32");
    const fs::path file = large_file(format());
    const auto labels = io::open_labels(file).or_throw();
    QCOMPARE(labels->info().voxel_type, std::string("int32"));
    QVERIFY(labels->read({{0, 2}, {0, 3}, {0, 4}}).or_throw().equal(large_numbers()));
    QVERIFY(labels->read({{1, 2}, {1, 3}, {2, 4}})
                .or_throw()
                .equal(large_numbers().slice(0, 1, 2).slice(1, 1, 3).slice(2, 2, 4)));
    // The nearest voxels of a plane, too.
    const VolumeGrid points = VolumeGrid::plane(5, 5, 0.2, small_grid().centre, {0.8, 0.6, 0}, {-0.6, 0.8, 0});
    const at::Tensor of_plane = labels_of(file, points);
    const at::Tensor all = large_numbers().flatten();
    for (int64_t i = 0; i < of_plane.numel(); ++i) {
      const int64_t number = of_plane.flatten()[i].item<int64_t>();
      QVERIFY(number == 0 || all.eq(number).any().item<bool>());
    }
    QVERIFY(of_plane.ne(0).any().item<bool>());
  }

  void converted_labels_keep_their_numbers() {
    const fs::path file = large_file(*io::find_volume_format("nrrd"));
    const auto source = io::open_volume(file).or_throw();
    QVERIFY(io::has_wide_labels(source->info(), {}));
    source->read_labels();
    io::VolumeConversion wanted;
    wanted.output = path("to.nii");
    wanted.format = io::find_volume_format("nifti");
    wanted.type = SampleType::int32;
    wanted.description = source->info().description;
    wanted.rules = io::no_inputs(io::Overwrite::refuse);
    io::convert_volume(*source, wanted, {}, [](int64_t, int64_t) {}).or_throw();
    const auto labels = io::open_labels(wanted.output).or_throw();
    QVERIFY(labels->read({{0, 2}, {0, 3}, {0, 4}}).or_throw().equal(large_numbers()));
  }

  void integers_saturate() {
    QCOMPARE(io::saturated(uint64_t{1} << 63), std::numeric_limits<int32_t>::max());
    QCOMPARE(io::saturated(int64_t{-1} << 40), std::numeric_limits<int32_t>::min());
    QCOMPARE(io::saturated(uint32_t{70000}), 70000);
    QCOMPARE(io::saturated(int16_t{-3}), -3);
  }

  void labels_of_other_programs_are_read() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python");
    struct Python : test::oracle::VolumeOracle {
      using test::oracle::VolumeOracle::has_itk;
      using test::oracle::VolumeOracle::path;
      using test::oracle::VolumeOracle::python;
    } python;
    if (!python.has_itk()) QSKIP("the Python of TL_TEST_PYTHON has no SimpleITK (installer/setup.sh --test-python)");
    QByteArray problem;
    QVERIFY2(python.python(R"(
import h5py, numpy as np, SimpleITK as sitk, tifffile
n = (np.arange(24).reshape(2, 3, 4) + 2**24 + 1).astype('u4')
n[0, 0, 0] = 0
tifffile.imwrite('u.tif', n, photometric='minisblack')
tifffile.imwrite('i.tif', n.astype('i4'), photometric='minisblack', compression='zlib', tile=(16, 16))
v = sitk.GetImageFromArray(n)
for name in ('u.mhd', 'u.mha', 'u.nrrd', 'u.nii', 'u.nii.gz'):
    sitk.WriteImage(v, name)
sitk.WriteImage(sitk.GetImageFromArray(n.astype('u8')), 'l.nrrd', useCompression=True)
sitk.WriteImage(sitk.GetImageFromArray(n.astype('f8')), 'd.nrrd')
n[1, 1, 1] = 2**31 + 5
tifffile.imwrite('large.tif', n, photometric='minisblack')
sitk.WriteImage(sitk.GetImageFromArray(n.astype('u8') + 2**40), 'large.nrrd')
n = n.astype('i4')
n[1, 1, 1] = -7
tifffile.imwrite('negative.tif', n, photometric='minisblack')
with h5py.File('u.h5', 'w') as f:
    f['entry/definition'] = 'NXtomoproc'
    f['entry/data/data'] = (np.arange(24).reshape(2, 3, 4) + 2**24 + 1).astype('u4')
)",
                           problem),
             problem.constData());
    const at::Tensor whole = at::arange(24, at::kInt).reshape({2, 3, 4}) + ((1 << 24) + 1);
    at::Tensor numbered = whole.clone();
    numbered[0][0][0] = 0;
    const GridBox all{{0, 2}, {0, 3}, {0, 4}};
    // Rows of TIFF and HDF5 run downwards, those of ITK along +y.
    const std::map<std::string, at::Tensor> expected = {
        {"u.tif", numbered.flip(1)}, {"i.tif", numbered.flip(1)}, {"u.mhd", numbered},
        {"u.mha", numbered},         {"u.nrrd", numbered},        {"u.nii", numbered},
        {"u.nii.gz", numbered},      {"l.nrrd", numbered},        {"u.h5", whole.flip(1)}};
    for (const auto& [name, want] : expected) {
      const at::Tensor back = io::open_labels(python.path(name.c_str())).or_throw()->read(all).or_throw();
      QVERIFY2(back.equal(want), name.c_str());
    }
    for (const auto& [name, words] : {std::pair{"large.tif", "2147483647"}, std::pair{"large.nrrd", "2147483647"},
                                      std::pair{"negative.tif", "-7"}, std::pair{"d.nrrd", "float32"}}) {
      const auto refused = io::open_labels(python.path(name)).or_throw()->read(all);
      QVERIFY2(!refused.ok() && refused.error().kind == ErrorKind::invalid, name);
      QVERIFY2(refused.error().message().find(words) != std::string::npos, refused.error().message().c_str());
    }
  }

  // Other programs read what we write.
  void other_programs_read_ours() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python");
    for (const char* id : {"imagej_tiff", "nxtomoproc", "nrrd", "nifti", "metaimage"})
      (void)large_file(*io::find_volume_format(id));
    QProcess python;
    python.setWorkingDirectory(dir_->path());
    python.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", R"(
import h5py, numpy as np, tifffile
n = (np.arange(24).reshape(2, 3, 4) + 2**24 + 1).astype('i4')
n[0, 0, 0] = 0
n[1, 2, 3] = 2**31 - 2
n = n[:, ::-1]
t = tifffile.TiffFile('v.tif')
assert t.asarray().dtype == np.int32 and np.array_equal(t.asarray(), n)
with h5py.File('v.h5') as f:
    assert f['entry/data/data'].dtype == np.int32 and np.array_equal(f['entry/data/data'][()], n)
try:
    import SimpleITK as sitk
except ImportError:
    sitk = None
if sitk is None:
    print('SimpleITK is not installed: NRRD, NIfTI and MetaImage are left out')
for name in ('v.nrrd', 'v.nii', 'v.mhd') if sitk else ():
    v = sitk.GetArrayFromImage(sitk.ReadImage(name))
    assert v.dtype == np.int32 and np.array_equal(v, n), name
)"});
    QVERIFY(python.waitForFinished(-1));
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    if (const QByteArray left_out = python.readAllStandardOutput(); !left_out.isEmpty()) qInfo() << left_out.trimmed();
  }
};

TL_TEST_CASE(ManyLabelsTest)

}  // namespace tl::many_labels_test

#include "many_labels.moc"
