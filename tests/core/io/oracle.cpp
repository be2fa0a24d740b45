// Interoperability with h5py, tifffile and fabio: they read our files and we read theirs. Needs the Python named by
// TL_TEST_PYTHON.
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>

#include "core/io/open_scan.h"
#include "core/io/output/views_writer.h"
#include "core/io/output/volume_writer.h"
#include "tests/support/committed.h"
#include "tests/support/test_case.h"

namespace tl::oracle_test {

class IoOracleTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  std::string path(const char* name) const { return dir_.filePath(name).toStdString(); }
  // Runs a script in the folder of the files; an assertion in it fails the test with its message.
  void python(const QString& script) const {
    QProcess process;
    process.setWorkingDirectory(dir_.path());
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", script});
    QVERIFY2(process.waitForFinished(60000), "Python does not answer");
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  }

 private Q_SLOTS:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON"))
      QSKIP("TL_TEST_PYTHON names no Python with h5py, tifffile and fabio");
  }

  void tifffile_reads_our_volume() {
    const at::Tensor v = at::arange(60, at::kFloat).reshape({5, 3, 4}) * 0.5 - 3;
    VolumeGrid grid = VolumeGrid::cubic(5, 3, 4, 0.00065);
    grid.step_z.z = 0.0013;
    io::VolumeTarget t{
        path("v.tif"), grid, Unit::per_mm, io::SampleType::float32, 0, 1, io::no_inputs(io::Overwrite::refuse),
        "a=b\n{}"};
    auto writer = io::open_imagej_tiff(t);
    QVERIFY(writer.ok() && writer.value()->write({0, 5}, v).ok() && test::committed(writer.value()->finish()).ok());
    t.path = path("u.tif");
    t.type = io::SampleType::uint16;
    t.low = -3;
    t.high = 26.5;
    writer = io::open_imagej_tiff(t);
    QVERIFY(writer.ok() && writer.value()->write({0, 5}, v).ok() && test::committed(writer.value()->finish()).ok());
    python(R"(
import numpy as np, tifffile
want = (np.arange(60, dtype='f4').reshape(5, 3, 4) * 0.5 - 3)[:, ::-1]
with tifffile.TiffFile('v.tif') as f:
    m = f.imagej_metadata
    assert f.is_imagej and not f.is_bigtiff and len(f.pages) == 5, f.flags
    assert m['images'] == 5 and m['slices'] == 5 and m['unit'] == 'micron' and m['spacing'] == 1.3, m
    assert m['min'] == -3 and m['max'] == 26.5, m
    num, den = f.pages[0].tags['XResolution'].value
    assert abs(num / den * 0.65 - 1) < 1e-9, (num, den)
    assert f.series[0].axes == 'ZYX' and f.series[0].shape == (5, 3, 4), f.series
    assert np.array_equal(f.asarray(), want)
assert np.array_equal(tifffile.memmap('v.tif'), want)
u = tifffile.TiffFile('u.tif')
m = u.imagej_metadata
assert u.asarray().dtype == np.uint16 and m['cf'] == 0, m
assert np.abs(m['c0'] + m['c1'] * u.asarray() - want).max() <= m['c1'] / 2 * 1.001
)");
  }

  // As the ESRF's converters expect it: texts and scalars of h5py, frames as a virtual dataset of the detector's file.
  void we_read_a_bliss_file_of_h5py() {
    python(R"(
import h5py, numpy as np
def frames(n, first): return (first + np.arange(n * 12).reshape(n, 3, 4)).astype('u2')
with h5py.File('pcolinux_0000.h5', 'w') as f: f['entry_0000/measurement/data'] = frames(5, 1000)
with h5py.File('bliss.h5', 'w') as f:
    f.attrs['creator'] = 'Bliss'
    head = f.create_group('1.1')
    head.attrs['NX_class'] = 'NXentry'
    head['title'] = 'tomo:fullturn'
    head['technique/tomoconfig/detector'] = ['pcolinux']
    head['technique/tomoconfig/rotation'] = ['hrsrot']
    head['technique/scan/energy'] = 19.0
    head['technique/scan/energy'].attrs['units'] = 'keV'
    head['technique/optic/sample_pixel_size'] = np.asarray([6.5, 6.6])
    head['technique'].attrs['tomo_version'] = '2.5.0'
    for number, title, key, n in ((2, 'dark images', 2, 2), (3, 'reference images 1', 1, 3), (4, 'projections 0 - 5', 0, 5)):
        scan = f.create_group('%d.1' % number)
        scan['title'] = title
        scan['technique/image_key'] = key
        if key:
            scan['measurement/pcolinux'] = frames(n, 100 * key)
        else:
            layout = h5py.VirtualLayout((5, 3, 4), 'u2')
            layout[...] = h5py.VirtualSource('pcolinux_0000.h5', 'entry_0000/measurement/data', (5, 3, 4))
            scan.create_group('measurement').create_virtual_dataset('pcolinux', layout)
        scan['instrument/positioners/hrsrot'] = np.linspace(0, 180, n + 1)
)");
    const auto scan = io::open_scan(path("bliss.h5")).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("esrf_bliss"));
    QCOMPARE(info.views, int64_t{5});
    QCOMPARE(info.flats, int64_t{3});
    QCOMPARE(info.darks, int64_t{2});
    QVERIFY(std::abs(info.angles.value[1] - 36 * pi / 180) < 1e-12);
    QVERIFY(info.energy->value == 19 && info.energy->origin == Origin::file);
    QVERIFY(std::abs(info.pixel_size_v.value - 0.0066) < 1e-12 && info.pixel_size_v.is_unit_guessed());
    QVERIFY(at::equal(scan->read({{1, 5}, {0, 3}, {1, 4}}).or_throw(),
                      (1000 + at::arange(60, at::kFloat)).reshape({5, 3, 4}).slice(0, 1, 5).slice(2, 1, 4)));
    QCOMPARE(scan->read_darks({0, 3}, {0, 4}).or_throw()[1][2][3].item<float>(), 223.0F);
  }

  void we_read_raw_frames_of_simpleitk() {
    python(R"(
import numpy as np, SimpleITK as sitk
image = sitk.GetImageFromArray(np.arange(60, dtype='u2').reshape(5, 3, 4))
image.SetSpacing((0.01, 0.02, 1))
sitk.WriteImage(image, 'views.mhd')
)");
    const auto scan = io::open_scan(path("views.mhd"), {}, {.choices = {.angle_step = 0.1}}).or_throw();
    QCOMPARE(scan->info().format, std::string("raw_frames"));
    QVERIFY(at::equal(scan->read({{0, 5}, {0, 3}, {0, 4}}).or_throw(), at::arange(60, at::kFloat).reshape({5, 3, 4})));
    QVERIFY(scan->info().pixel_size_u.value == 0.01 && scan->info().pixel_size_v.value == 0.02);
  }

  void h5py_reads_our_scan() {
    Projections p;
    p.geometry = ScanGeometry::cone(equidistant_angles(5, pi), {3, 4, 0.05, 0.06}, 120, 80).or_throw();
    p.data = at::arange(60, at::kFloat).reshape({5, 3, 4});
    p.references.flats = at::full({2, 3, 4}, 1000.F);
    p.references.darks = at::full({1, 3, 4}, 7.F);
    p.references.flat_positions = {-0.5, 4.5};
    QVERIFY(io::write_nxtomo(path("s.nx"), p, 25.3, io::no_inputs(io::Overwrite::refuse)).ok());
    python(R"(
import h5py, numpy as np
with h5py.File('s.nx') as f:
    e = f[f.attrs['default']]
    assert e['definition'].asstr()[()] == 'NXtomo' and e.attrs['NX_class'] == 'NXentry'
    d = e['instrument/detector']
    assert d['data'].dtype == np.uint16 and d['data'].shape == (8, 3, 4) and d['data'].chunks == (1, 3, 4)
    assert list(d['image_key']) == [2, 1, 0, 0, 0, 0, 0, 1]
    # nabu refuses scans without these.
    assert list(d['image_key_control']) == list(d['image_key'])
    assert d['field_of_view'][()] == b'Full'
    assert np.array_equal(d['data'][2:7], np.arange(60).reshape(5, 3, 4))
    a = e['sample/rotation_angle']
    assert a.attrs['units'] == 'degree' and np.allclose(a[2:7], np.arange(5) * 36) and len(a) == 8
    assert d['x_pixel_size'][()] == 0.05 and d['x_pixel_size'].attrs['units'] == 'mm'
    assert d['distance'][()] == 80 and e['instrument/source/distance'][()] == -120
    assert e['instrument/beam/incident_energy'][()] == 25.3
    assert e['data/data'].shape == (8, 3, 4)
)");
  }

  // Views that roll: the usual fields are those of any scan, and the vectors are next to them.
  void h5py_reads_saved_views() {
    Orbit o;
    o.beam = Beam::cone;
    o.angles = equidistant_angles(5, pi);
    o.source_to_axis = 120;
    o.axis_to_detector = 80;
    o.axis = 0.75;
    o.roll = {0.01, -0.01, 0.02, -0.02, 0};
    io::ViewsTarget target;
    target.path = path("rolled.nx");
    target.geometry = ScanGeometry::from_orbit(o, {3, 4, 0.05, 0.05}).or_throw();
    target.rules = io::no_inputs(io::Overwrite::refuse);
    auto writer = io::open_nxtomo_views(target).or_throw();
    QVERIFY(writer->write(target.geometry.full(), at::arange(60, at::kFloat).reshape({5, 3, 4})).ok());
    QVERIFY(test::committed(writer->finish()).ok());
    python(R"(
import h5py, numpy as np
with h5py.File('rolled.nx') as f:
    e = f[f.attrs['default']]
    assert e['definition'].asstr()[()] == 'NXtomo' and e.attrs['NX_class'] == 'NXentry'
    d = e['instrument/detector']
    assert d['data'].shape == (5, 3, 4) and np.array_equal(d['data'][()], np.arange(60).reshape(5, 3, 4))
    assert list(d['image_key']) == [0] * 5 == list(d['image_key_control'])
    assert np.allclose(e['sample/rotation_angle'][()], np.arange(5) * 36)
    assert d['x_pixel_size'][()] == 0.05 and abs(d['distance'][()] - 80) < 1e-9
    assert abs(e['instrument/source/distance'][()] + 120) < 1e-9
    assert abs(d['x_rotation_axis_pixel_position'][()] - 0.75) < 1e-9
    v = d['view_positions']
    assert v.attrs['units'] == 'mm' and v.shape == (60,)
    v = v[()].reshape(5, 4, 3)  # source, detector, u, v
    assert np.allclose(np.linalg.norm(v[:, 0], axis=1), 120) and np.allclose(np.linalg.norm(v[:, 2], axis=1), 0.05)
    assert np.allclose(np.arcsin(v[:, 2, 2] / 0.05), [0.01, -0.01, 0.02, -0.02, 0])
)");
  }

  void we_read_their_files() {
    python(R"(
import h5py, numpy as np, tifffile, os
n = np.arange(4 * 3 * 5).reshape(4, 3, 5)
with h5py.File('dx.h5', 'w') as f:
    f.create_dataset('exchange/data', data=n.astype('>i4'), chunks=(2, 2, 2), compression='gzip', shuffle=True)
    f['exchange/theta'] = np.array([0, 45, 90, 135.0])
    f['exchange/theta'].attrs['units'] = 'degrees'
with h5py.File('half.h5', 'w') as f:
    f['exchange/data'] = n.astype('f2')
os.mkdir('t')
for i in range(4):
    tifffile.imwrite(f't/p_{i}.tif', n[i].astype('u2'), byteorder='>', compression='zlib', predictor=True)
tifffile.imwrite('ij.tif', n.astype('f4'), imagej=True, resolution=(2, 2), metadata={'unit': 'um', 'axes': 'ZYX'})
)");
    const at::Tensor want = at::arange(60, at::kFloat).reshape({4, 3, 5});
    for (const char* name : {"dx.h5", "half.h5", "t", "ij.tif"}) {
      auto scan = io::open_scan(path(name));
      QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
      QVERIFY2(at::equal(scan.value()->read({{0, 4}, {0, 3}, {0, 5}}).value(), want), name);
      QVERIFY2(at::equal(scan.value()->read({{1, 3}, {2, 3}, {1, 4}}).value(),
                         want.slice(0, 1, 3).slice(1, 2, 3).slice(2, 1, 4)),
               name);
    }
    QVERIFY(std::abs(io::open_scan(path("dx.h5")).value()->info().angles.value[3] - 0.75 * pi) < 1e-15);
  }

  void we_read_what_fabio_writes() {
    QProcess import;
    import.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", "import fabio"});
    if (!import.waitForFinished(60000) || import.exitCode() != 0) QSKIP("the Python of TL_TEST_PYTHON has no fabio");
    python(R"(
import os, numpy as np
from fabio.edfimage import EdfImage
n = np.arange(4 * 3 * 5).reshape(4, 3, 5)
for kind in ['u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'u8', 'i8', 'f4', 'f8']:
    os.mkdir('edf_' + kind)
    for i in range(4):
        EdfImage(data=n[i].astype(kind), header={'title': 'frame %d' % i}).write('edf_%s/a_%04d.edf' % (kind, i))
    stack = EdfImage(data=n[0].astype(kind))
    for i in range(1, 4):
        stack.append_frame(data=n[i].astype(kind))
    stack.write('edf_%s/stack.edf' % kind)
os.mkdir('edf_gz')
for i in range(4):
    EdfImage(data=n[i].astype('u2')).write('edf_gz/a_%04d.edf.gz' % i)
assert open('edf_gz/a_0000.edf.gz', 'rb').read(2) == b'\x1f\x8b'
)");
    const at::Tensor want = at::arange(60, at::kFloat).reshape({4, 3, 5});
    for (const char* kind : {"u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"})
      for (const std::string& name : {std::string("edf_") + kind, std::string("edf_") + kind + "/stack.edf"}) {
        auto scan = io::open_scan(path(name.c_str()));
        QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
        QVERIFY2(at::equal(scan.value()->read({{0, 4}, {0, 3}, {0, 5}}).value(), want), name.c_str());
      }
    QVERIFY(at::equal(io::open_scan(path("edf_gz")).or_throw()->read({{0, 4}, {0, 3}, {0, 5}}).or_throw(), want));
  }
};

TL_TEST_CASE(IoOracleTest)

}  // namespace tl::oracle_test

#include "oracle.moc"
