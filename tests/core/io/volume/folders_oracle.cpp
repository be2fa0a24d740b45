// OME-Zarr compared with zarr-python, DICOM with pydicom and ITK: they read our volumes and we read theirs, at the same
// position. Needs the Python named by TL_TEST_PYTHON.
#include "core/io/open_volume.h"
#include "core/io/volumes/label_table.h"
#include "tests/support/io/volume_oracle.h"
#include "tests/support/test_case.h"

namespace tl::volume_folders_oracle_test {

using namespace test::oracle;

class VolumeFoldersOracleTest : public VolumeOracle {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with h5py and tifffile");
  }

  void zarr_reads_our_volumes() {
    if (!has("zarr")) QSKIP("the Python of TL_TEST_PYTHON has no zarr (installer/setup.sh --test-python)");
    write("ome_zarr", "v2.ome.zarr");
    write("ome_zarr", "u2.ome.zarr", io::SampleType::uint16, io::Compression::gzip);
    write("ome_zarr_05", "v3.ome.zarr");
    write("ome_zarr_05", "u3.ome.zarr", io::SampleType::uint16, io::Compression::gzip);
    QByteArray problem;
    QVERIFY2(python(R"(
import numpy as np, zarr
want = (np.arange(60, dtype='f4').reshape(4, 3, 5) * 0.5 - 3)[:, ::-1]
for name, version in (('v2.ome.zarr', 2), ('u2.ome.zarr', 2), ('v3.ome.zarr', 3), ('u3.ome.zarr', 3)):
    g = zarr.open_group(name, mode='r')
    assert g.metadata.zarr_format == version, name
    around = g.attrs if version == 2 else g.attrs['ome']
    image = around['multiscales'][0]
    assert (image['version'] == '0.4') if version == 2 else (around['version'] == '0.5')
    assert [(a['name'], a['type'], a['unit']) for a in image['axes']] == [(n, 'space', 'millimeter') for n in 'zyx']
    level = image['datasets'][0]
    scale, place = level['coordinateTransformations']
    assert scale == {'type': 'scale', 'scale': [2, 0.25, 0.5]}, scale
    # Voxel (k, j, i) lies at z, -y, x.
    assert place == {'type': 'translation', 'translation': [4, 1.75, 0.5]}, place
    a = g[level['path']]
    if version == 3:
        assert tuple(a.metadata.dimension_names) == ('z', 'y', 'x')
    if name.startswith('v'):
        assert a.dtype == np.float32 and np.array_equal(a[:], want), name
    else:
        ours = g.attrs['tomoloom']
        assert a.dtype == np.uint16
        assert np.abs(ours['offset'] + ours['step'] * a[:] - want).max() <= ours['step'] / 2 * 1.001
    assert g.attrs['tomoloom']['record'] == '{"pipeline": 1}\n'
)",
                    problem),
             problem.constData());
  }

  // Voxels whose values are linear in their positions, and labels: a level has those of the positions that it states.
  void zarr_finds_levels_at_their_places() {
    if (!has("zarr")) QSKIP("the Python of TL_TEST_PYTHON has no zarr (installer/setup.sh --test-python)");
    const VolumeGrid g{4, 260, 8, {1.5, -2, 7}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}};
    const at::Tensor x = at::arange(8, at::kFloat) * 0.5 + g.position(0, 0, 0).x,
                     y = (at::arange(260, at::kFloat) * 0.25 + g.position(0, 0, 0).y).unsqueeze(1),
                     z = (at::arange(4, at::kFloat) * 2 + g.position(0, 0, 0).z).reshape({4, 1, 1});
    for (const char* format : {"ome_zarr", "ome_zarr_05"})
      for (const char* kind : {"values", "labels"}) {
        io::VolumeTarget t{path((std::string(format) + "_" + kind).c_str()),
                           g,
                           Unit::per_mm,
                           io::SampleType::float32,
                           0,
                           1,
                           io::no_inputs(io::Overwrite::refuse),
                           {}};
        if (kind == std::string("labels")) t.description = io::with_label_table({}, {});
        const auto writer = io::find_volume_format(format)->write(t).or_throw();
        writer->write({0, 4}, (z + 10 * y + 100 * x).contiguous()).or_throw();
        test::committed(writer->finish()).or_throw();
      }
    QByteArray problem;
    QVERIFY2(python(R"(
import numpy as np, zarr
for name in ('ome_zarr_values', 'ome_zarr_labels', 'ome_zarr_05_values', 'ome_zarr_05_labels'):
    g = zarr.open_group(name, mode='r')
    image = (g.attrs['ome'] if '05' in name else g.attrs)['multiscales'][0]
    assert len(image['datasets']) == 3 and image['type'] == ('mean' if 'values' in name else 'nearest')
    for level in image['datasets']:
        scale, place = (t[t['type']] for t in level['coordinateTransformations'])
        a = g[level['path']][:]
        z, y, x = np.meshgrid(*(p + s * np.arange(n) for p, s, n in zip(place, scale, a.shape)), indexing='ij')
        assert np.abs(z - 10 * y + 100 * x - a).max() < 1e-3, (name, level)
)",
                    problem),
             problem.constData());
  }

  void we_read_volumes_of_zarr() {
    if (!has("zarr")) QSKIP("the Python of TL_TEST_PYTHON has no zarr (installer/setup.sh --test-python)");
    QByteArray problem;
    QVERIFY2(python(R"(
import numpy as np, zarr
from zarr.codecs import BloscCodec, ZstdCodec, GzipCodec, BytesCodec, Crc32cCodec
from numcodecs import Blosc, Zstd, Zlib, GZip, LZ4, BZ2
n = np.arange(60).reshape(4, 3, 5)
def image(g, version, rank, unit='micrometer'):
    axes = [dict(name='tczyx'[5 - rank + i], type='tczyx'[5 - rank + i] in 'zyx' and 'space' or 'other') for i in range(rank)]
    for a in axes[-3:]:
        a['unit'] = unit
    one = [1.0] * (rank - 3)
    m = [dict(axes=axes, datasets=[dict(path='full', coordinateTransformations=[
        dict(type='scale', scale=one + [2000, 250, 500]), dict(type='translation', translation=[0] * (rank - 3) + [4000, 1750, 500])])])]
    if version == 2:
        m[0]['version'] = '0.4'
        g.attrs['multiscales'] = m
    else:
        g.attrs['ome'] = dict(version='0.5', multiscales=m)
for name, codec in (('blosc', Blosc('lz4', 5, Blosc.BITSHUFFLE)), ('zstd', Zstd(3)), ('zlib', Zlib(1)), ('gzip', GZip(1)), ('none', None),
                    ('lz4', LZ4()), ('bz2', BZ2())):
    g = zarr.open_group(f'{name}.zarr', mode='w', zarr_format=2)
    a = g.create_array('full', shape=(1, 1, 4, 3, 5), chunks=(1, 1, 3, 2, 4), dtype='>i2', compressors=codec,
                       chunk_key_encoding={'name': 'v2', 'separator': '/'})
    a[:] = n[None, None]
    image(g, 2, 5)
for name, codecs in (('blosc3', BloscCodec(cname='zstd', clevel=5)), ('zstd3', ZstdCodec(level=3)), ('gzip3', GzipCodec(level=5)),
                     ('none3', None), ('sum3', [ZstdCodec(level=1), Crc32cCodec()]), ('plain_sum3', Crc32cCodec())):
    g = zarr.open_group(f'{name}.zarr', mode='w', zarr_format=3)
    a = g.create_array('full', shape=(4, 3, 5), chunks=(3, 2, 4), dtype='int16', compressors=codecs)
    a[:] = n
    image(g, 3, 3)
a = zarr.open_group('shards.zarr', mode='w', zarr_format=3)
s = a.create_array('full', shape=(4, 3, 5), chunks=(2, 3, 5), shards=(4, 3, 5), dtype='int16')
s[:] = n
image(a, 3, 3)
a = zarr.create_array('array.zarr', shape=(4, 3, 5), chunks=(2, 2, 2), dtype='uint8', zarr_format=2, overwrite=True)
a[:2] = n[:2]
g = zarr.open_group('channels.zarr', mode='w', zarr_format=2)
g.create_array('full', shape=(2, 4, 3, 5), chunks=(1, 4, 3, 5), dtype='u1')
image(g, 2, 4)
)",
                    problem),
             problem.constData());
    const at::Tensor stored = at::arange(60, at::kFloat).reshape({4, 3, 5}).flip(1);
    for (const char* name :
         {"blosc", "zstd", "zlib", "gzip", "none", "blosc3", "zstd3", "gzip3", "none3", "sum3", "plain_sum3"}) {
      const auto opened = io::open_volume(path((std::string(name) + ".zarr").c_str()));
      QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
      io::VolumeReader& volume = *opened.value();
      QCOMPARE(volume.info().voxel_type, std::string("int16"));
      const auto back = volume.read({{0, 4}, {0, 3}, {0, 5}});
      QVERIFY2(back.ok(), back.ok() ? "" : back.error().message().c_str());
      QVERIFY2(back.value().equal(stored), name);
      QVERIFY(
          volume.read({{2, 4}, {1, 3}, {3, 5}}).or_throw().equal(stored.slice(0, 2, 4).slice(1, 1, 3).slice(2, 3, 5)));
      const VolumeGrid &g = volume.info().grid, want = grid_of_files();
      QVERIFY2(norm(g.position(0, 0, 0) - want.position(0, 0, 0)) < same_place &&
                   norm(g.position(3, 2, 4) - want.position(3, 2, 4)) < same_place,
               name);
    }
    for (const auto& [name, word] :
         {std::pair{"lz4.zarr", "lz4"}, std::pair{"bz2.zarr", "bz2"}, std::pair{"shards.zarr", "shards"}}) {
      const auto refused = io::open_volume(path(name));
      QVERIFY2(!refused.ok() && refused.error().kind == ErrorKind::unavailable, name);
      QVERIFY2(refused.error().what.find(word) != std::string::npos, refused.error().what.c_str());
    }
    const auto array = io::open_volume(path("array.zarr")).or_throw();
    QVERIFY(array->info().voxel_size == Origin::guessed);
    const at::Tensor half = array->read({{0, 4}, {0, 3}, {0, 5}}).or_throw();
    QVERIFY(half.slice(0, 0, 2).equal(stored.slice(0, 0, 2)) &&
            half.slice(0, 2, 4).count_nonzero().item<int64_t>() == 0);
    QVERIFY(io::open_volume(path("channels.zarr")).error().what.find("channels") != std::string::npos);
  }

  void pydicom_and_itk_read_our_series() {
    if (!has("pydicom, SimpleITK"))
      QSKIP("the Python of TL_TEST_PYTHON has no pydicom or SimpleITK (installer/setup.sh --test-python)");
    write("dicom", "v.dicom", io::SampleType::uint16);
    QByteArray problem;
    QVERIFY2(python(R"(
import glob, numpy as np, pydicom, SimpleITK as sitk
want = (np.arange(60, dtype='f4').reshape(4, 3, 5) * 0.5 - 3)[:, ::-1]
files = sorted(glob.glob('v.dicom/*.dcm'))
assert len(files) == 4
slices = [pydicom.dcmread(f) for f in files]
assert len({s.SeriesInstanceUID for s in slices}) == 1 and len({s.SOPInstanceUID for s in slices}) == 4
assert len({s.StudyInstanceUID for s in slices}) == 1 and len({s.FrameOfReferenceUID for s in slices}) == 1
for k, s in enumerate(slices):
    assert s.file_meta.TransferSyntaxUID == pydicom.uid.ExplicitVRLittleEndian
    assert s.file_meta.MediaStorageSOPInstanceUID == s.SOPInstanceUID and s.SOPInstanceUID.is_valid
    assert s.SpecificCharacterSet == 'ISO_IR 192' and next(iter(s)).keyword == 'SpecificCharacterSet'
    assert s.Modality == 'CT' and s.InstanceNumber == k + 1 and s.RescaleType == '1/mm'
    assert s.PixelSpacing == [0.25, 0.5] and s.SliceThickness == 2
    assert s.ImagePositionPatient == [0.5, -1.75, 4 + 2 * k] and s.ImageOrientationPatient == [1, 0, 0, 0, -1, 0]
    values = s.RescaleIntercept + s.RescaleSlope * s.pixel_array
    assert np.abs(values - want[k]).max() <= float(s.RescaleSlope) / 2 * 1.001
reader = sitk.ImageSeriesReader()
ids = reader.GetGDCMSeriesIDs('v.dicom')
assert len(ids) == 1
reader.SetFileNames(reader.GetGDCMSeriesFileNames('v.dicom', ids[0]))
v = reader.Execute()
assert v.GetSize() == (5, 3, 4)
a = sitk.GetArrayFromImage(v)
for index in ((0, 0, 0), (4, 2, 3)):
    x, y, z = v.TransformIndexToPhysicalPoint(index)
    k, j, i = round((z - 4) / 2), round((-1.75 - y) / 0.25), round((x - 0.5) / 0.5)
    assert abs(a[index[2], index[1], index[0]] - want[k, j, i]) < 5e-4, index
)",
                    problem),
             problem.constData());
  }

  void we_read_series_of_others() {
    if (!has("pydicom, SimpleITK"))
      QSKIP("the Python of TL_TEST_PYTHON has no pydicom or SimpleITK (installer/setup.sh --test-python)");
    QByteArray problem;
    QVERIFY2(python(R"(
import os, numpy as np, pydicom, SimpleITK as sitk
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ImplicitVRLittleEndian, ExplicitVRLittleEndian, RLELossless, generate_uid
n = np.arange(60).reshape(4, 3, 5) - 30
def write(folder, syntax, bits=16, stored=16, change=lambda s, k: None):
    os.mkdir(folder)
    series = generate_uid()
    for k in range(4):
        s = Dataset()
        s.file_meta = FileMetaDataset()
        s.file_meta.TransferSyntaxUID = syntax
        s.SOPClassUID = s.file_meta.MediaStorageSOPClassUID = '1.2.840.10008.5.1.4.1.1.2'
        s.SOPInstanceUID = s.file_meta.MediaStorageSOPInstanceUID = generate_uid()
        s.SeriesInstanceUID, s.InstanceNumber = series, k + 1
        # A sequence to walk through.
        inner = Dataset()
        inner.PatientID = 'x'
        s.ReferencedStudySequence = pydicom.Sequence([inner, inner])
        s.ReferencedStudySequence.is_undefined_length = True
        s.ReferencedStudySequence[0].is_undefined_length_sequence_item = True
        s.ImagePositionPatient, s.ImageOrientationPatient = [1, 2, 3 + 2 * k], [0, 1, 0, -1, 0, 0]
        s.PixelSpacing, s.SliceThickness = [0.25, 0.5], 1
        s.Rows, s.Columns, s.SamplesPerPixel, s.PhotometricInterpretation = 3, 5, 1, 'MONOCHROME2'
        s.BitsAllocated, s.BitsStored, s.HighBit, s.PixelRepresentation = bits, stored, stored - 1, 1
        s.RescaleSlope, s.RescaleIntercept = 2, -5
        pixels = n[k].astype('<i2')
        if stored < bits:
            pixels = ((pixels.view('<u2') & ((1 << stored) - 1)) | 0xa000).astype('<u2')
        s.PixelData = pixels.tobytes()
        change(s, k)
        # In the order of the positions or not.
        s.save_as(f'{folder}/{"dbca"[k]}', enforce_file_format=True)
write('implicit', ImplicitVRLittleEndian)
write('explicit', ExplicitVRLittleEndian)
write('twelve', ExplicitVRLittleEndian, stored=12)
def slopes(s, k): s.RescaleSlope, s.RescaleIntercept = 2 * (k + 1), -5
write('slopes', ExplicitVRLittleEndian, change=slopes)
def color(s, k): s.SamplesPerPixel = 3
write('color', ExplicitVRLittleEndian, change=color)
write('rle', ExplicitVRLittleEndian)
for f in os.listdir('rle'):
    s = pydicom.dcmread('rle/' + f)
    s.compress(RLELossless)
    s.save_as('rle/' + f)
v = sitk.GetImageFromArray(n.astype('i2'))
v.SetSpacing((0.5, 0.25, 2))
v.SetOrigin((1, 2, 3))
v.SetDirection((0, -1, 0, 1, 0, 0, 0, 0, 1))
w = sitk.ImageFileWriter()
w.KeepOriginalImageUIDOn()
os.mkdir('itk')
for k in range(4):
    one = v[:, :, k:k + 1]
    for key, value in {'0008|0060': 'CT', '0020|000e': '1.2.3.4', '0020|0013': str(k)}.items():
        one.SetMetaData(key, value)
    w.SetFileName(f'itk/{k}.dcm')
    w.Execute(one)
)",
                    problem),
             problem.constData());
    const at::Tensor stored = (at::arange(60, at::kFloat).reshape({4, 3, 5}) - 30);
    for (const char* name : {"implicit", "explicit", "twelve", "slopes", "itk"}) {
      const auto opened = io::open_volume(path(name));
      QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
      io::VolumeReader& volume = *opened.value();
      at::Tensor want = std::string(name) == "itk" ? stored : 2 * stored - 5;
      if (std::string(name) == "slopes") want = stored * 2 * at::arange(1, 5, at::kFloat).reshape({4, 1, 1}) - 5;
      const auto back = volume.read({{0, 4}, {0, 3}, {0, 5}});
      QVERIFY2(back.ok(), back.ok() ? "" : back.error().message().c_str());
      // Column i, row j, page k of the file lie at (1 - 0.25 j, 2 + 0.5 i, 3 + 2 k); rows run backwards in the grid.
      QVERIFY2(back.value().equal(want.flip(1)), name);
      const VolumeGrid& g = volume.info().grid;
      QVERIFY2(norm(g.position(0, 2, 0) - Vec3{1, 2, 3}) < 1e-9 && norm(g.position(3, 0, 4) - Vec3{0.5, 4, 9}) < 1e-9,
               name);
    }
    QVERIFY(io::open_volume(path("color")).error().what.find("colours") != std::string::npos);
    const auto packed = io::open_volume(path("rle"));
    QVERIFY(!packed.ok() && packed.error().kind == ErrorKind::unavailable &&
            packed.error().what.find("RLE") != std::string::npos);
  }
};

TL_TEST_CASE(VolumeFoldersOracleTest)

}  // namespace tl::volume_folders_oracle_test

#include "folders_oracle.moc"
