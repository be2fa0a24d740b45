// Whatever is converted into whatever: other programs read the values that we read, also where the source states a
// scale of its integers that the target cannot state. Needs the Python named by TL_TEST_PYTHON.
#include "core/io/convert.h"
#include "core/io/open_volume.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/io/volume_oracle.h"
#include "tests/support/test_case.h"

namespace tl::values_elsewhere_test {

using namespace test::oracle;

class IoValuesElsewhereTest : public VolumeOracle {
  Q_OBJECT

  static std::string name_of(const io::VolumeFormat& f) { return std::string(f.id) + test::volumes::first_ending(f); }

 private Q_SLOTS:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python");
    for (const char* module : {"SimpleITK", "pydicom", "tifffile", "zarr", "h5py"})
      if (!has(module)) QSKIP((std::string("the Python of TL_TEST_PYTHON has no ") + module).c_str());
    QByteArray problem;
    // Numbers of each type, with each scale that a format states.
    QVERIFY2(python(R"(
import numpy as np, SimpleITK as sitk, pydicom, struct, os
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, CTImageStorage, generate_uid
n = (np.arange(60).reshape(4, 3, 5) * 4) % 251
def dicom(folder, dtype, slope, intercept):
    os.mkdir(folder)
    series = generate_uid()
    for k in range(4):
        m = FileMetaDataset()
        m.TransferSyntaxUID, m.MediaStorageSOPClassUID, m.MediaStorageSOPInstanceUID = ExplicitVRLittleEndian, CTImageStorage, generate_uid()
        d = FileDataset('', {}, file_meta=m, preamble=b'\0' * 128)
        d.SOPClassUID, d.SOPInstanceUID, d.SeriesInstanceUID = CTImageStorage, m.MediaStorageSOPInstanceUID, series
        d.Rows, d.Columns, d.SamplesPerPixel, d.PhotometricInterpretation = 3, 5, 1, 'MONOCHROME2'
        d.BitsAllocated = d.BitsStored = 8 * np.dtype(dtype).itemsize
        d.HighBit, d.PixelRepresentation = d.BitsStored - 1, int(np.dtype(dtype).kind == 'i')
        d.PixelSpacing, d.ImagePositionPatient, d.ImageOrientationPatient = [.4, .3], [0, 0, k], [1, 0, 0, 0, 1, 0]
        d.RescaleSlope, d.RescaleIntercept = slope, intercept
        d.PixelData = n[k].astype(dtype).tobytes() + b'\0' * (n[k].astype(dtype).nbytes % 2)
        d['PixelData'].VR = 'OW'
        d.save_as(f'{folder}/{k}.dcm', enforce_file_format=True)
def nifti(name, code, dtype, slope, inter):
    h = bytearray(352)
    def put(at, kind, *values): struct.pack_into('<' + kind, h, at, *values)
    put(0, 'i', 348); put(40, '8h', 3, 5, 3, 4, 1, 1, 1, 1); put(70, '2h', code, 8 * np.dtype(dtype).itemsize)
    put(76, '8f', 1, .3, .4, 1, 1, 1, 1, 1); put(108, '3f', 352, slope, inter); put(123, 'b', 2); h[344:348] = b'n+1\0'
    open(name, 'wb').write(bytes(h) + n.astype(dtype).tobytes())
for kind in ('u1', 'i2', 'u2'):
    dicom('dicom plain ' + kind, '<' + kind, 1, 0)
    dicom('dicom hu ' + kind, '<' + kind, 1, -1024)
    dicom('dicom slope ' + kind, '<' + kind, 0.25, 3)
for kind, code in (('u1', 2), ('i2', 4), ('u2', 512), ('i4', 8), ('f4', 16)):
    nifti('plain ' + kind + '.nii', code, '<' + kind, 1, 0)
    nifti('slope ' + kind + '.nii', code, '<' + kind, 0.25, -3)
    nifti('down ' + kind + '.nii', code, '<' + kind, -2, 7)
for kind in ('u1', 'i1', 'u2', 'i2', 'u4', 'i4', 'f4', 'f8'):
    v = sitk.GetImageFromArray((n - (60 if kind[0] == 'i' else 0)).astype(kind))
    for end in ('.nrrd', '.mha'):
        sitk.WriteImage(v, 'itk ' + kind + end)
)",
                    problem),
             problem.constData());
    // What our own writers make of floats.
    for (const io::VolumeFormat& f : io::volume_formats())
      for (const io::SampleType type : {io::SampleType::uint8, io::SampleType::uint16})
        if (f.stores(type))
          write(std::string(f.id).c_str(), ("own " + io::sample_type_name(type) + " " + name_of(f)).c_str(), type);
  }

  void other_programs_read_our_values_data() {
    QTest::addColumn<QString>("id");
    for (const io::VolumeFormat& f : io::volume_formats())
      QTest::newRow(std::string(f.id).c_str()) << QString::fromStdString(std::string(f.id));
  }
  void other_programs_read_our_values() {
    QFETCH(QString, id);
    const io::VolumeFormat& to = *io::find_volume_format(id.toStdString());
    const std::string folder = path(("to " + id).toUtf8().constData());
    std::filesystem::create_directory(folder);
    int sources = 0;
    for (const QString& source : QDir(dir_.path()).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
      if (source.startsWith("to ") || source.endsWith(".raw")) continue;
      ++sources;
      const auto volume = io::open_volume(path(source.toUtf8().constData())).or_throw();
      io::VolumeConversion wanted;
      wanted.format = &to;
      wanted.output = std::filesystem::path(folder) / (source.toStdString() + "." + name_of(to));
      if (to.extensions.empty())
        wanted.output = std::filesystem::path(folder) / ("slices of " + std::to_string(sources));
      wanted.rules = io::no_inputs(io::Overwrite::refuse);
      wanted = io::with_measured_range(*volume, wanted, {}).or_throw();
      const auto done = io::convert_volume(*volume, wanted, {}, [](int64_t, int64_t) {});
      QVERIFY2(done.ok(), (source.toStdString() + ": " + (done.ok() ? "" : done.error().message())).c_str());
      const VolumeGrid& g = volume->info().grid;
      // In the order of files, whose rows run against y.
      const at::Tensor values = volume->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).or_throw().flip(1).contiguous();
      test::volumes::put(wanted.output.string() + ".values",
                         {reinterpret_cast<const char*>(values.const_data_ptr<float>()), 4 * 60});
      const auto back = io::open_volume(wanted.output).or_throw();
      const double rounding =
          to.stores(io::SampleType::float32) ? 1e-4 : 0.004;  // half of 65535 steps of a range of 500
      QVERIFY2(test::volumes::are_close(back->read({{0, 4}, {0, 3}, {0, 5}}).or_throw().flip(1), values, rounding),
               wanted.output.c_str());
    }
    constexpr int min_sources = 40;
    QVERIFY(sources >= min_sources);
    QByteArray problem;
    QVERIFY2(python("folder, rounding = 'to " + id + "', " + (id == "dicom" ? "0.004" : "1e-4") + R"(
import glob, h5py, numpy as np, os, pydicom, SimpleITK as sitk, tifffile, zarr
def mrc(name):  # rows from the bottom
    data = open(name, 'rb').read()
    nx, ny, nz, mode = np.frombuffer(data, '<i4', 4)
    kind = {2: '<f4', 6: '<u2'}[int(mode)]
    return np.frombuffer(data, kind, offset=1024 + int(np.frombuffer(data, '<i4', 1, 92)[0])).reshape(nz, ny, nx)[:, ::-1]
def values_of(name):
    if name.endswith('.mrc'):
        return mrc(name)
    if name.endswith('.dicom'):
        slices = sorted((pydicom.dcmread(f) for f in glob.glob(glob.escape(name) + '/*.dcm')), key=lambda d: d.ImagePositionPatient[2])
        return np.array([d.pixel_array * float(d.RescaleSlope) + float(d.RescaleIntercept) for d in slices])
    if name.endswith('.zarr'):
        return zarr.open_group(name, mode='r')['0'][...]
    if name.endswith('.h5'):
        with h5py.File(name) as f:
            return f[f.attrs['default']]['data/data'][()]
    if name.endswith('.tif'):
        with tifffile.TiffFile(name) as t:
            m = t.imagej_metadata or {}
            return t.asarray().astype('f8') * m.get('c1', 1) + m.get('c0', 0)  # ImageJ's calibration
    if os.path.isdir(name):
        return np.concatenate([values_of(f).reshape(1, 3, 5) for f in sorted(glob.glob(glob.escape(name) + '/*.tif'))])
    return sitk.GetArrayFromImage(sitk.ReadImage(name))
wrong = []
for file in sorted(glob.glob(folder + '/*.values')):
    want, got = np.fromfile(file, '<f4').reshape(4, 3, 5), values_of(file[:-len('.values')])
    if np.shape(got) != want.shape or np.abs(got - want).max() > rounding:
        wrong.append((file, want.min(), want.max(), np.min(got), np.max(got)))
assert not wrong, wrong
)",
                    problem),
             problem.constData());
  }

  // Who asks for integers gets them, with a warning about who else can read their values.
  void scales_of_integers_are_said() {
    for (const io::VolumeFormat& f : io::volume_formats()) {
      io::VolumeTarget t;
      t.type = io::SampleType::uint16;
      t.low = -1024;
      t.high = 3000;
      const std::string note = f.note_on_scale(t);
      QCOMPARE(note.empty(), f.integer_scale == io::IntegerScale::by_all);
      if (!note.empty()) QVERIFY2(note.find("-1024 to 3000") != std::string::npos, note.c_str());
      t.low = 0;
      t.high = 65535;
      QVERIFY(f.note_on_scale(t).empty());
      t.type = io::SampleType::float32;
      QVERIFY(f.note_on_scale(t).empty());
    }
  }
};

TL_TEST_CASE(IoValuesElsewhereTest)

}  // namespace tl::values_elsewhere_test

#include "values_elsewhere.moc"
