// Volumes compared with h5py, tifffile and ITK: they read our files and we read theirs, at the same position. Needs
// the Python named by TL_TEST_PYTHON.
#include "core/io/open_volume.h"
#include "tests/support/io/volume_oracle.h"
#include "tests/support/test_case.h"

namespace tl::volume_oracle_test {

using namespace test::oracle;

class VolumeOracleTest : public VolumeOracle {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with h5py and tifffile");
  }

  void h5py_reads_our_volume() {
    write("nxtomoproc", "v.h5");
    write("nxtomoproc", "u.h5", io::SampleType::uint16);
    QByteArray problem;
    QVERIFY2(python(R"(
import h5py, numpy as np
want = (np.arange(60, dtype='f4').reshape(4, 3, 5) * 0.5 - 3)[:, ::-1]
with h5py.File('v.h5') as f:
    e = f[f.attrs['default']]
    assert e['definition'].asstr()[()] == 'NXtomoproc' and e.attrs['NX_class'] == 'NXentry'
    assert e['reconstruction'].attrs['NX_class'] == 'NXprocess' and e['reconstruction/program'].asstr()[()] == 'Tomoloom'
    d = e['data/data']
    assert np.array_equal(d[()], want) and d.attrs['units'] == '1/mm'
    assert isinstance(e.get('reconstruction/results/data', getlink=True), h5py.SoftLink)
    assert np.array_equal(e['reconstruction/results/data'][()], want)
    assert np.allclose(e['data/x'][()], 1.5 + (np.arange(5) - 2) * 0.5) and e['data/x'].attrs['units'] == 'mm'
    assert np.allclose(e['data/y'][()], -2 - (np.arange(3) - 1) * 0.25)
    assert np.allclose(e['data/z'][()], 7 + (np.arange(4) - 1.5) * 2)
    assert e['reconstruction/record'].asstr()[()] == '{"pipeline": 1}\n'
with h5py.File('u.h5') as f:
    d = f['entry/data/data']
    assert d.dtype == np.uint16
    assert np.abs(d.attrs['offset'] + d.attrs['scaling'] * d[()] - want).max() <= d.attrs['scaling'] / 2 * 1.001
)",
                    problem),
             problem.constData());
  }

  void itk_reads_our_volumes() {
    if (!has_itk()) QSKIP("the Python of TL_TEST_PYTHON has no SimpleITK (installer/setup.sh --test-python)");
    using Written = std::pair<const char*, const char*>;
    for (const auto& [format, name] : {Written{"metaimage", "v.mhd"}, Written{"metaimage", "v.mha"},
                                       Written{"nrrd", "v.nrrd"}, Written{"nifti", "v.nii"}})
      write(format, name);
    QByteArray problem;
    QVERIFY2(python(R"(
import numpy as np, SimpleITK as sitk
want = (np.arange(60, dtype='f4').reshape(4, 3, 5) * 0.5 - 3)[:, ::-1]
for name in ('v.mhd', 'v.mha', 'v.nrrd', 'v.nii'):
    v = sitk.ReadImage(name)
    assert np.array_equal(sitk.GetArrayFromImage(v), want), name
    first = v.TransformIndexToPhysicalPoint((0, 0, 0)), v.TransformIndexToPhysicalPoint((4, 2, 3))
    assert np.allclose(first, ((0.5, -1.75, 4), (2.5, -2.25, 10)), atol=1e-5), (name, first)
)",
                    problem),
             problem.constData());
  }

  void others_read_our_compressed_volumes() {
    if (!has_itk()) QSKIP("the Python of TL_TEST_PYTHON has no SimpleITK (installer/setup.sh --test-python)");
    using Written = std::pair<const char*, const char*>;
    for (const auto& [format, name] :
         {Written{"metaimage", "packed.mhd"}, Written{"metaimage", "packed.mha"}, Written{"nrrd", "packed.nrrd"},
          Written{"nifti", "packed.nii.gz"}, Written{"nxtomoproc", "packed.h5"}, Written{"imagej_tiff", "packed.tif"},
          Written{"tiff_stack", "slices"}})
      write(format, name, io::SampleType::float32, io::Compression::gzip);
    QByteArray problem;
    QVERIFY2(python(R"(
import h5py, numpy as np, SimpleITK as sitk, tifffile
want = (np.arange(60, dtype='f4').reshape(4, 3, 5) * 0.5 - 3)[:, ::-1]
for name in ('packed.mhd', 'packed.mha', 'packed.nrrd', 'packed.nii.gz'):
    assert np.array_equal(sitk.GetArrayFromImage(sitk.ReadImage(name)), want), name
with h5py.File('packed.h5') as f:
    d = f['entry/data/data']
    assert d.compression == 'gzip' and np.array_equal(d[()], want)
with tifffile.TiffFile('packed.tif') as t:
    assert len(t.pages) == 4 and t.pages[0].compression.name == 'ADOBE_DEFLATE', t.pages[0].compression
    assert np.array_equal(t.asarray(), want) and t.imagej_metadata['images'] == 4
    assert t.imagej_metadata['min'] == -3 and t.imagej_metadata['max'] == 26.5
for k in range(4):
    assert np.array_equal(tifffile.imread(f'slices/slices_{k:05}.tif'), want[k])
)",
                    problem),
             problem.constData());
  }

  void we_read_volumes_of_itk() {
    if (!has_itk()) QSKIP("the Python of TL_TEST_PYTHON has no SimpleITK (installer/setup.sh --test-python)");
    QByteArray problem;
    QVERIFY2(python(R"(
import numpy as np, SimpleITK as sitk
v = sitk.GetImageFromArray(np.arange(60).reshape(4, 3, 5).astype('i2'))
v.SetSpacing((0.5, 0.25, 2))
v.SetOrigin((1, 2, 3))
v.SetDirection((0, -1, 0, 1, 0, 0, 0, 0, 1))
for name in ('t.mhd', 't.mha', 't.nrrd', 't.nii', 't.nii.gz'):
    sitk.WriteImage(v, name)
sitk.WriteImage(v, 'z.nrrd', useCompression=True)
sitk.WriteImage(v, 'z.mha', useCompression=True)
sitk.WriteImage(v, 'z.mhd', useCompression=True)
)",
                    problem),
             problem.constData());
    const at::Tensor stored = at::arange(60, at::kFloat).reshape({4, 3, 5});
    for (const char* name : {"t.mhd", "t.mha", "t.nrrd", "t.nii", "t.nii.gz", "z.nrrd", "z.mha", "z.mhd"}) {
      const auto opened = io::open_volume(path(name));
      QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
      io::VolumeReader& volume = *opened.value();
      const VolumeGrid& g = volume.info().grid;
      QCOMPARE(volume.info().voxel_type, std::string("int16"));
      const at::Tensor back = volume.read({{0, 4}, {0, 3}, {0, 5}}).or_throw();
      // Column i, row j, page k of the file lie at (1 - 0.25 j, 2 + 0.5 i, 3 + 2 k); rows run backwards in the grid.
      QVERIFY2(back.equal(stored.flip(1)), name);
      const Vec3 last_row = g.position(0, 2, 0), other = g.position(3, 0, 4);
      QVERIFY2(norm(last_row - Vec3{1, 2, 3}) < 1e-5 && norm(other - Vec3{0.5, 4, 9}) < 1e-5, name);
      // Backwards through packed bytes too.
      QVERIFY(
          volume.read({{1, 2}, {1, 2}, {2, 4}}).or_throw().equal(back.slice(0, 1, 2).slice(1, 1, 2).slice(2, 2, 4)));
    }
  }

  void tifffile_reads_our_place_and_we_read_its_stacks() {
    write("imagej_tiff", "v.tif");
    QByteArray problem;
    QVERIFY2(python(R"(
import numpy as np, tifffile
m = tifffile.TiffFile('v.tif').imagej_metadata
# Voxel (column, row, page) lies at ((c - xorigin) dx, -(r - yorigin) dy, (p - zorigin) dz).
assert np.allclose([m['xorigin'], m['yorigin'], m['zorigin']], [-1, -7, -2]), m
n = np.arange(60).reshape(4, 3, 5)
tifffile.imwrite('ij.tif', n.astype('f4'), imagej=True, resolution=(2, 4), metadata={'unit': 'um', 'spacing': 3, 'axes': 'ZYX'})
tifffile.imwrite('big.tif', n.astype('u2'), bigtiff=True, photometric='minisblack', tile=(16, 16), compression='zlib')
tifffile.imwrite('cm.tif', n.astype('u1'), photometric='minisblack', resolution=(1000, 500), resolutionunit='CENTIMETER')
tifffile.imwrite('frames.tif', n.astype('u1').reshape(2, 2, 3, 5), imagej=True, metadata={'axes': 'TZYX'})
tifffile.imwrite('one.tif', n.astype('u2'), imagej=True)
tifffile.imwrite('one.ome.tif', n.astype('u2'), metadata={'axes': 'ZYX', 'PhysicalSizeX': 2, 'PhysicalSizeY': 4, 'PhysicalSizeZ': 8})
tifffile.imwrite('two.ome.tif', n.astype('u2').reshape(2, 2, 3, 5), metadata={'axes': 'CZYX'})
tifffile.imwrite('two.tif', n.astype('u2').reshape(2, 2, 3, 5))
tifffile.imwrite('deep.tif', n.astype('u2'), volumetric=True, tile=(16, 16, 16), photometric='minisblack')
)",
                    problem),
             problem.constData());
    const auto voxel = [](const io::VolumeReader& v) {
      const VolumeGrid& g = v.info().grid;
      return Vec3{g.step_x.x, g.step_y.y, g.step_z.z};
    };
    const at::Tensor stored = at::arange(60, at::kFloat).reshape({4, 3, 5}).flip(1);
    const auto imagej = io::open_volume(path("ij.tif")).or_throw(), big = io::open_volume(path("big.tif")).or_throw(),
               cm = io::open_volume(path("cm.tif")).or_throw();
    for (const auto* v : {&imagej, &big, &cm}) QVERIFY((*v)->read({{0, 4}, {0, 3}, {0, 5}}).or_throw().equal(stored));
    QVERIFY(norm(voxel(*imagej) - Vec3{0.0005, 0.00025, 0.003}) < same_place);
    QVERIFY(imagej->info().voxel_size == Origin::file && imagej->info().position == Origin::guessed);
    QVERIFY(big->info().voxel_size == Origin::guessed);
    QVERIFY(norm(voxel(*cm) - Vec3{0.01, 0.02, 0.01}) < same_place);
    for (const auto& [name, words] : {std::pair{"frames.tif", "2 slices and 2 frames"},
                                      {"two.ome.tif", "2 channels and 2 slices"},
                                      {"two.tif", "2 indices of axis 0 and 2 indices of axis 1"},
                                      {"deep.tif", "ImageDepth"}}) {
      const auto refused = io::open_volume(path(name));
      QVERIFY2(!refused.ok() && refused.error().what.find(words) != std::string::npos, name);
    }
    for (const char* name : {"one.tif", "one.ome.tif"})
      QVERIFY(io::open_volume(path(name)).or_throw()->read({{0, 4}, {0, 3}, {0, 5}}).or_throw().equal(stored));
    QVERIFY(norm(voxel(*io::open_volume(path("one.ome.tif")).or_throw()) - Vec3{0.002, 0.004, 0.008}) < same_place);
  }

  void we_read_volumes_of_nabu() {
    QByteArray problem;
    QVERIFY2(python(R"(
import h5py, numpy as np
n = np.arange(60, dtype='f4').reshape(4, 3, 5)
with h5py.File('nabu.hdf5', 'w') as f:
    f['entry0000/reconstruction/results/data'] = n
with h5py.File('axes.h5', 'w') as f:
    f['e/definition'] = 'NXtomoproc'
    f['e/data/data'] = n
    for name, first, step, count in (('x', 2, 0.5, 5), ('y', 1, -0.5, 3), ('z', 0, 4, 4)):
        f['e/data/' + name] = (first + step * np.arange(count)) * 1000
        f['e/data/' + name].attrs['units'] = 'um'
with h5py.File('scan.h5', 'w') as f:
    f['exchange/data'] = n
with h5py.File('elsewhere.h5', 'w') as f:
    f['e/reconstruction/results/data'] = h5py.ExternalLink('/etc/hostname', '/data')
)",
                    problem),
             problem.constData());
    const at::Tensor stored = at::arange(60, at::kFloat).reshape({4, 3, 5}).flip(1);
    const auto nabu = io::open_volume(path("nabu.hdf5")).or_throw(), axes = io::open_volume(path("axes.h5")).or_throw();
    for (const auto* v : {&nabu, &axes}) QVERIFY((*v)->read({{0, 4}, {0, 3}, {0, 5}}).or_throw().equal(stored));
    QVERIFY(nabu->info().voxel_size == Origin::guessed && !nabu->info().notes.empty());
    QVERIFY(norm(axes->info().grid.position(0, 2, 0) - Vec3{2, 1, 0}) < same_place);
    QVERIFY(norm(axes->info().grid.position(3, 0, 4) - Vec3{4, 0, 12}) < same_place);
    QVERIFY(io::open_volume(path("scan.h5")).error().what.find("no volume") != std::string::npos);
    QCOMPARE(io::open_volume(path("elsewhere.h5")).error().kind, ErrorKind::io);
  }
};

TL_TEST_CASE(VolumeOracleTest)

}  // namespace tl::volume_oracle_test

#include "oracle.moc"
