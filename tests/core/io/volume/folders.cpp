// Volumes that are folders of chunks or of a series: levels, what is absent, what leads elsewhere, what is kept.
#include <nlohmann/json.hpp>

#include "core/base/grid_box.h"
#include "core/io/open_volume.h"
#include "core/io/volumes/label_table.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::volume_folders_test {

using namespace test::volumes;

class VolumeFoldersTest : public VolumeFolder {
  Q_OBJECT

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  // Levels of chunked formats: each the mean of 2 x 2 x 2 voxels of the one before, with fewer at the ends.
  void levels_are_means_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("compression");
    for (const char* id : {"ome_zarr", "ome_zarr_05"})
      for (const auto compression : {io::Compression::none, io::Compression::gzip})
        QTest::newRow((std::string(id) + (compression == io::Compression::none ? "" : " gzip")).c_str())
            << id << static_cast<int>(compression);
  }
  void levels_are_means() {
    QFETCH(int, compression);
    const VolumeGrid grid{5, 131, 70, {0, 0, 0}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}};
    const at::Tensor voxels = at::arange(grid.count(), at::kFloat).reshape({5, 131, 70}).remainder(97);
    io::VolumeTarget t = target(file_of(format()), grid);
    t.compression = static_cast<io::Compression>(compression);
    write(format(), t, voxels).or_throw();
    QVERIFY(read_all(t.path).or_throw().equal(voxels));
    // Boxes through several chunks, forwards and backwards.
    const auto volume = io::open_volume(t.path).or_throw();
    for (const GridBox& box : {GridBox{{3, 5}, {60, 131}, {60, 70}}, GridBox{{0, 1}, {3, 70}, {0, 65}}})
      QVERIFY(volume->read(box).or_throw().equal(
          voxels.slice(0, box.z.begin, box.z.end).slice(1, box.y.begin, box.y.end).slice(2, box.x.begin, box.x.end)));
    // A level is an array of its own, whose rows run against y.
    const at::Tensor in_file = voxels.flip(1).unsqueeze(0).unsqueeze(0);
    const at::Tensor mean = at::avg_pool3d(in_file, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}, true, false)[0][0].flip(1);
    const at::Tensor level = read_all(t.path / "1").or_throw();
    QVERIFY(level.size(0) == 3 && level.size(1) == 66 && level.size(2) == 35);
    QVERIFY(level.allclose(mean, 0, 1e-4));
    QVERIFY(!fs::exists(t.path / "2"));
  }

  // The value of a voxel of a coarser level is that of the volume at its position: for labels that of one voxel.
  void levels_lie_where_they_say_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("labels");
    for (const char* id : {"ome_zarr", "ome_zarr_05"})
      for (const bool labels : {false, true})
        QTest::newRow((std::string(id) + (labels ? " labels" : "")).c_str()) << id << labels;
  }
  void levels_lie_where_they_say() {
    QFETCH(bool, labels);
    const VolumeGrid grid{4, 300, 8, {1, 2, 3}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}};
    io::VolumeTarget t = target(file_of(format()), grid);
    if (labels) t.description = io::with_label_table({}, {});
    // Linear in all indices.
    write(format(), t, at::arange(grid.count(), at::kFloat).reshape({4, 300, 8})).or_throw();
    const bool second = format().id == "ome_zarr";
    const auto all = nlohmann::json::parse(bytes_of(t.path / (second ? ".zattrs" : "zarr.json")));
    const auto& image = (second ? all : all["attributes"]["ome"])["multiscales"][0];
    QCOMPARE(image["datasets"].size(), 3U);
    for (std::size_t l = 0; l < 3; ++l) {
      const auto& steps = image["datasets"][l]["coordinateTransformations"];
      const auto scale = steps[0]["scale"].get<std::vector<double>>(),
                 first = steps[1]["translation"].get<std::vector<double>>();
      // The file's y is -y of the scan, its rows begin with the largest.
      const at::Tensor level = read_all(t.path / std::to_string(l)).or_throw().flip(1).contiguous();
      const auto n = level.accessor<float, 3>();
      QVERIFY(n.size(0) == 4 >> l && n.size(1) == 300 >> l && n.size(2) == 8 >> l);
      for (int64_t k = 0; k < n.size(0); ++k)
        for (int64_t j = 0; j < n.size(1); ++j)
          for (int64_t i = 0; i < n.size(2); ++i) {
            const auto at = [&](std::size_t axis, int64_t index) {
              return first[axis] + static_cast<double>(index) * scale[axis];
            };
            const GridPoint p = fractional_index(grid, {at(2, i), -at(1, j), at(0, k)});
            QVERIFY(std::abs(n[k][j][i] - ((p.k * 300 + p.j) * 8 + p.i)) < 1e-3);
          }
    }
  }

  // zarr.json and .zattrs are UTF-8.
  void texts_of_other_encodings_are_written() {
    for (const char* id : {"ome_zarr", "ome_zarr_05"}) {
      const io::VolumeFormat& f = *io::find_volume_format(id);
      io::VolumeTarget t = target(path(id), off_centre());
      t.description = "caf\xe9";
      write(f, t, numbers()).or_throw();
      QCOMPARE(io::open_volume(t.path).or_throw()->info().description, std::string("caf\xef\xbf\xbd"));
    }
  }

  void values_of_absent_chunks_are_read() {
    const io::VolumeFormat& zarr = *io::find_volume_format("ome_zarr_05");
    write(zarr, target(path("v.ome.zarr"), off_centre()), numbers()).or_throw();
    fs::remove(path("v.ome.zarr") / "0/c/0/0/0");
    const std::string header = bytes_of(path("v.ome.zarr") / "0/zarr.json");
    const auto filled = [&](const std::string& value) {
      std::string changed = header;
      changed.replace(changed.find("\"fill_value\": 0"), 15, "\"fill_value\": " + value);
      put(path("v.ome.zarr") / "0/zarr.json", changed);
      return read_all(path("v.ome.zarr") / "0");
    };
    QVERIFY(filled("7").or_throw().equal(at::full({5, 4, 3}, 7.F)));
    const auto is_noted = [&] {
      const auto notes = io::open_volume(path("v.ome.zarr") / "0").or_throw()->info().notes;
      return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
        return note.starts_with("1 of 1 chunks are absent and are read as 0");
      });
    };
    QVERIFY(!is_noted());
    QVERIFY(filled("null").or_throw().equal(at::zeros({5, 4, 3})));
    QVERIFY(is_noted());
    QVERIFY(filled("\"NaN\"").or_throw().isnan().all().item<bool>());
    QVERIFY(filled("\"0x7fc00000\"").or_throw().isnan().all().item<bool>());
    QVERIFY(filled("\"0xbfc00000\"").or_throw().equal(at::full({5, 4, 3}, -1.5F)));
    for (const char* unknown : {"\"pi\"", "\"0x7fc0\"", "\"0xbfc0000g\"", "[0, 0]"})
      QCOMPARE(filled(unknown).error().kind, ErrorKind::unavailable);
  }

  void many_files_are_noted() {
    const io::VolumeFormat& zarr = *io::find_volume_format("ome_zarr");
    write(zarr, target(path("v.ome.zarr"), off_centre()), numbers()).or_throw();
    for (int i = 0; i < 4096; ++i) put(path("v.ome.zarr") / "0" / std::to_string(i + 1), "");
    const auto volume = io::open_volume(path("v.ome.zarr")).or_throw();
    QVERIFY(!volume->info().notes.empty() && volume->info().notes.front().find("4096 files") != std::string::npos);
  }

  void a_chunk_that_is_absent() {
    const io::VolumeFormat& zarr = *io::find_volume_format("ome_zarr");
    write(zarr, target(path("v.ome.zarr"), off_centre()), numbers()).or_throw();
    fs::remove(path("v.ome.zarr") / "0/0/0/0");
    QCOMPARE(read_all(path("v.ome.zarr")).error().kind, ErrorKind::io);
    // Others leave out chunks that are all fill_value.
    put(path("v.ome.zarr") / ".zattrs", "{}");
    std::string header = bytes_of(path("v.ome.zarr") / "0/.zarray");
    header.replace(header.find("\"fill_value\": 0"), 15, "\"fill_value\": 3");
    put(path("v.ome.zarr") / "0/.zarray", header);
    QVERIFY(read_all(path("v.ome.zarr") / "0").or_throw().equal(at::full({5, 4, 3}, 3.F)));
    QVERIFY(io::open_volume(path("v.ome.zarr")).error().hint.find("v.ome.zarr/0") != std::string::npos);
  }

  void chunks_outside_of_the_folder_are_not_read() {
    const io::VolumeFormat& zarr = *io::find_volume_format("ome_zarr");
    write(zarr, target(path("v.ome.zarr"), off_centre()), numbers()).or_throw();
    fs::rename(path("v.ome.zarr") / "0/0/0/0", path("chunk"));
    fs::create_symlink(path("chunk"), path("v.ome.zarr") / "0/0/0/0");
    const auto read = read_all(path("v.ome.zarr"));
    QVERIFY(!read.ok() && read.error().what.find("outside") != std::string::npos);
    std::string header = bytes_of(path("v.ome.zarr") / ".zattrs");
    header.replace(header.find("\"path\": \"0\""), 11, "\"path\": \"..\"");
    put(path("v.ome.zarr") / ".zattrs", header);
    QCOMPARE(io::open_volume(path("v.ome.zarr")).error().kind, ErrorKind::invalid);
  }

  // Only what a folder of ours can hold is ever removed.
  void other_files_in_a_folder_are_kept() {
    for (const char* id : {"ome_zarr", "ome_zarr_05", "dicom"}) {
      const io::VolumeFormat& f = *io::find_volume_format(id);
      io::VolumeTarget t = target(path("v" + first_ending(f)), off_centre(), best_type(f));
      write(f, t, numbers()).or_throw();
      put(t.path / "notes.txt", "mine");
      t.rules = io::no_inputs(io::Overwrite::replace);
      const auto replaced = write(f, t, numbers());
      QCOMPARE(replaced.error().kind, ErrorKind::invalid);
      QVERIFY(fs::exists(t.path / "notes.txt") && read_all(t.path).ok());
      fs::remove_all(t.path);
    }
  }

  // Of folders that we wrote, whichever slice is missing: first, middle or last. And one too many.
  void missing_slices_are_noticed_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("slice");
    for (const char* id : {"tiff_stack", "dicom"})
      for (const int k : {0, 2, 4}) QTest::addRow("%s, slice %d", id, k) << id << k;
  }
  void missing_slices_are_noticed() {
    QFETCH(int, slice);
    const io::VolumeTarget t = target(path("v" + first_ending(format())), off_centre(), SampleType::uint16);
    write(format(), t, numbers()).or_throw();
    const std::string name = "v_0000" + std::to_string(slice) + (format().id == "dicom" ? ".dcm" : ".tif");
    fs::remove(t.path / name);
    const auto opened = io::open_volume(t.path);
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().kind, ErrorKind::invalid);
    QVERIFY(!opened.error().hint.empty());
  }
  void slices_of_others_may_have_gaps() {
    const io::VolumeFormat& stack = *io::find_volume_format("tiff_stack");
    write(stack, target(path("v"), off_centre()), numbers()).or_throw();
    fs::copy_file(path("v") / "v_00004.tif", path("v") / "v_00005.tif");
    QVERIFY(!io::open_volume(path("v")).ok());  // one too many
    for (const auto& slice : fs::directory_iterator(path("v"))) {
      std::string bytes = bytes_of(slice.path());
      for (const char* word : {"ImageJ=", "grid_mm=", "slices_of_stack="}) bytes[bytes.find(word)] = 'x';
      put(slice.path(), bytes);
    }
    QVERIFY(io::open_volume(path("v")).ok());
    fs::remove(path("v") / "v_00002.tif");
    const auto notes = io::open_volume(path("v")).or_throw()->info().notes;
    QVERIFY(std::any_of(notes.begin(), notes.end(),
                        [](const std::string& note) { return note.find("1 of 6 slices are missing") == 0; }));
  }

  void pages_that_are_missing_are_noticed() {
    const io::VolumeTarget t = target(path("v.tif"), off_centre());
    write(*io::find_volume_format("imagej_tiff"), t, numbers()).or_throw();
    std::string bytes = bytes_of(t.path);
    for (const char* count : {"images=", "slices="}) bytes[bytes.find(std::string(count) + "5") + 7] = '7';
    put(t.path, bytes);
    const auto opened = io::open_volume(t.path);
    const std::string text = opened.ok() ? "was read" : opened.error().message();
    QVERIFY2(text.find("but the file holds 5 images") != std::string::npos, text.c_str());
  }

  void slices_that_change_are_noticed() {
    const io::VolumeFormat& stack = *io::find_volume_format("tiff_stack");
    write(stack, target(path("v"), off_centre()), numbers()).or_throw();
    const auto volume = io::open_volume(path("v")).or_throw();
    volume->read({{0, 1}, {0, 4}, {0, 3}}).or_throw();
    std::string bytes = bytes_of(path("v") / "v_00003.tif");
    put(path("v") / "v_00003.tif", bytes + " ");
    QCOMPARE(volume->inputs()->unchanged().error().kind, ErrorKind::io);
    QCOMPARE(volume->read({{3, 4}, {0, 4}, {0, 3}}).error().kind, ErrorKind::io);
  }

  void a_series_must_be_complete() {
    const io::VolumeFormat& dicom = *io::find_volume_format("dicom");
    write(dicom, target(path("v.dicom"), off_centre(), SampleType::uint16), numbers()).or_throw();
    fs::rename(path("v.dicom") / "v_00002.dcm", path("one.dcm"));
    const auto incomplete = io::open_volume(path("v.dicom"));
    QVERIFY(!incomplete.ok() && incomplete.error().what.find("unequal distances") != std::string::npos);
    // A file of it is a volume of one slice.
    const at::Tensor one = read_all(path("one.dcm")).or_throw();
    QVERIFY(one.size(0) == 1 && are_close(one[0], numbers()[2], 5e-4));
  }
};

TL_TEST_CASE(VolumeFoldersTest)

}  // namespace tl::volume_folders_test

#include "folders.moc"
