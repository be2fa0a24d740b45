// NXtomo: keys, angles, variants of ESRF and Diamond, virtual and linked frames, damaged files; round trip through the
// writer.
#include <sys/resource.h>

#include <QTemporaryDir>
#include <cmath>
#include <csignal>

#include "core/io/open_scan.h"
#include "core/io/output/volume_writer.h"
#include "core/io/reader/scan_info.h"
#include "tests/support/io/first_pixels.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::nxtomo_test {

using tl::test::first_pixels;
using tl::test::Hdf5Maker;
namespace fs = std::filesystem;

class IoNxtomoTest : public test::ScanFolder {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  std::string path(const char* name) const { return dir_->filePath(name).toStdString(); }
  // Frames 2 x 3 whose first pixel is 100 i; one key and one angle (in degrees) per frame.
  static void scan(Hdf5Maker& h5, const std::string& entry, const std::vector<int32_t>& keys,
                   const std::vector<double>& angles) {
    h5.text(entry + "/definition", "NXtomo");
    h5.frames<uint16_t>(entry + "/instrument/detector/data", keys.size(), 2, 3, 0);
    h5.numbers<int32_t>(entry + "/instrument/detector/image_key", {keys.size()}, keys);
    if (!angles.empty()) h5.numbers<double>(entry + "/sample/rotation_angle", {angles.size()}, angles, "degree");
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void keys_sort_the_frames() {
    {
      Hdf5Maker h5(path("a.nxs"));
      // Two darks, a flat before, one in the middle, one invalid frame, a flat after.
      scan(h5, "/entry", {2, 2, 1, 0, 0, 1, 3, 0, 1}, {0, 0, 0, 10, 20, 20, 25, 30, 30});
    }
    auto opened = io::open_scan(path("a.nxs"));
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    io::ScanReader& reader = *opened.value();
    const io::ScanInfo& info = reader.info();
    QCOMPARE(info.format, std::string("nxtomo"));
    QCOMPARE(info.views, 3);
    QCOMPARE(info.flat_positions, (std::vector<double>{-0.5, 1.5, 2.5}));
    QCOMPARE(info.angles.value.size(), std::size_t(3));
    QVERIFY(std::abs(info.angles.value[2] - pi / 6) < 1e-15);
    QCOMPARE(info.angles.origin, Origin::file);
    QVERIFY(noted(info, "1 frame marked invalid"));
    QCOMPARE(first_pixels(reader.read({{0, 3}, {0, 2}, {0, 3}}).value()), (std::vector<int>{300, 400, 700}));
    QCOMPARE(first_pixels(reader.read_flats({0, 2}, {0, 3}).value()), (std::vector<int>{200, 500, 800}));
    QCOMPARE(first_pixels(reader.read_darks({1, 2}, {0, 3}).value()), (std::vector<int>{10, 110}));
    QCOMPARE(reader.read({{1, 3}, {1, 2}, {2, 3}}).value()[1][0][0].item<float>(), 712.F);
  }

  void esrf_dialect() {
    {
      Hdf5Maker raw(path("raw.h5"));
      raw.frames<uint16_t>("/frames", 4, 2, 3, 0);
    }
    {
      Hdf5Maker h5(path("e.nx"));
      const std::string e = "/entry0000", d = e + "/instrument/detector";
      h5.text(e + "/definition", "NXtomo");
      // Frames in another file, found relative to this one.
      const hsize_t shape[3] = {4, 2, 3};
      const hid_t space = H5Screate_simple(3, shape, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
      const hid_t groups = H5Pcreate(H5P_LINK_CREATE);
      H5Pset_create_intermediate_group(groups, 1);
      H5Pset_virtual(plist, space, "./raw.h5", "/frames", space);
      H5Dclose(H5Dcreate2(h5.file(), (d + "/data").c_str(), H5T_NATIVE_UINT16, space, groups, plist, H5P_DEFAULT));
      H5Pclose(groups);
      H5Pclose(plist);
      H5Sclose(space);
      h5.numbers<int32_t>(d + "/image_key", {4}, {1, 0, 0, 0});
      h5.numbers<int32_t>(d + "/image_key_control", {4}, {1, 0, 0, -1});
      h5.numbers<double>(e + "/sample/rotation_angle", {4}, {0, 0, 90, 0}, "degree");
      h5.numbers<double>(d + "/x_pixel_size", {}, {6.5e-6}, "m");
      h5.numbers<double>(d + "/y_pixel_size", {}, {6.5e-6}, "m");
      h5.numbers<double>(e + "/sample/x_pixel_size", {}, {0.65}, "um");
      h5.numbers<double>(e + "/sample/y_pixel_size", {}, {0.65}, "um");
      h5.numbers<double>(e + "/instrument/source/distance", {}, {-145.0}, "m");
      h5.numbers<double>(d + "/distance", {}, {0.1}, "m");
      h5.numbers<double>(e + "/instrument/beam/incident_energy", {}, {19.0}, "keV");
      h5.numbers<double>(d + "/x_rotation_axis_pixel_position", {}, {2.5}, "pixel");
      h5.text(d + "/field_of_view", "Half");
    }
    auto opened = io::open_scan(path("e.nx"));
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    const io::ScanInfo& info = opened.value()->info();
    QCOMPARE(info.views, 2);
    QVERIFY(noted(info, "1 alignment frame"));
    QVERIFY(info.half_acquisition);
    QCOMPARE(info.beam, Beam::parallel);
    QCOMPARE(info.source_to_axis->value, 145e3);
    QVERIFY(noted(info, "negative"));
    QCOMPARE(info.axis_to_detector->value, 100.0);
    QVERIFY(std::abs(info.pixel_size_u.value - 0.65e-3) < 1e-18);  // at the sample
    QCOMPARE(info.energy->value, 19.0);
    QVERIFY(noted(info, "Half"));
    QVERIFY(info.axis_hint && noted(info, "hint"));
    QCOMPARE(info.axis_hint->value, 1.5);  // 2.5 lies beyond half the width: counted from the edge
    QCOMPARE(opened.value()->files().size(), std::size_t(2));
    QCOMPARE(first_pixels(opened.value()->read({{0, 2}, {0, 2}, {0, 3}}).value()), (std::vector<int>{100, 200}));
    opened.value().reset();
    fs::remove(path("raw.h5"));  // HDF5 alone would hand out zeros
    refuses(path("e.nx"), ErrorKind::io, {"raw.h5", "detector/data"});
  }

  void diamond_dialect() {
    {
      Hdf5Maker h5(path("d.nxs"));
      const std::string t = "/entry1/tomo_entry";
      h5.frames<uint16_t>(t + "/instrument/detector/data", 3, 2, 3, 0);
      h5.soft_link(t + "/instrument/detector/data", t + "/data/data");
      h5.numbers<double>(t + "/instrument/detector/image_key", {3}, {1, 0, 0});
      h5.numbers<double>(t + "/data/rotation_angle", {3}, {0, 0, 45});
      h5.soft_link("/entry1", "/entry1/tomo_entry/circle");
    }
    auto opened = io::open_scan(path("d.nxs"));
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    QCOMPARE(opened.value()->info().views, 2);
    QVERIFY(std::abs(opened.value()->info().angles.value[1] - pi / 4) < 1e-15);
    QVERIFY(noted(opened.value()->info(), "degrees are assumed"));
  }

  void several_entries() {
    {
      Hdf5Maker h5(path("s.nx"));
      scan(h5, "/entry0000", {0, 0}, {0, 90});
      scan(h5, "/entry0001", {0, 0, 0}, {0, 60, 120});
      h5.attribute("/", "default", "entry0001");
    }
    auto opened = io::open_scan(path("s.nx"));
    QVERIFY(opened.ok());
    QCOMPARE(opened.value()->info().views, 3);
    QVERIFY(noted(opened.value()->info(), "2 scans"));
  }

  // A magnification of 1.005 counts as parallel: what the pixels see of the sample is smaller by it.
  void nearly_parallel_pixels_are_scaled() {
    for (const bool at_sample : {false, true}) {
      {
        Hdf5Maker h5(path("p.nxs"));
        scan(h5, "/entry", {0, 0}, {0, 90});
        h5.numbers<double>("/entry/instrument/source/distance", {}, {20}, "m");
        h5.numbers<double>("/entry/instrument/detector/distance", {}, {100}, "mm");
        for (const char* size : {"x_pixel_size", "y_pixel_size"})
          h5.numbers<double>((at_sample ? "/entry/sample/" : "/entry/instrument/detector/") + std::string(size), {},
                             {2}, "um");
      }
      auto opened = io::open_scan(path("p.nxs"));
      QVERIFY(opened.ok());
      const io::ScanInfo& info = opened.value()->info();
      QCOMPARE(info.beam, Beam::parallel);
      const double wanted = at_sample ? 2e-3 : 2e-3 / 1.005;
      QVERIFY(std::abs(info.pixel_size_u.value - wanted) < 1e-12 && std::abs(info.pixel_size_v.value - wanted) < 1e-12);
      QVERIFY(noted(info, "divided by it") &&
              (info.pixel_size_u.source.find("divided by the magnification") != std::string::npos) != at_sample);
    }
  }
  void cone_by_distances() {
    {
      Hdf5Maker h5(path("c.nxs"));
      scan(h5, "/entry", {0, 0}, {0, 90});
      h5.numbers<double>("/entry/instrument/source/distance", {}, {-10}, "cm");
      h5.numbers<double>("/entry/instrument/detector/distance", {}, {300}, "mm");
      h5.numbers<double>("/entry/sample/x_pixel_size", {}, {50}, "um");
      h5.numbers<double>("/entry/instrument/detector/y_pixel_size", {}, {0.2}, "furlong");
    }
    auto opened = io::open_scan(path("c.nxs"));
    QVERIFY(opened.ok());
    const io::ScanInfo& info = opened.value()->info();
    QCOMPARE(info.beam, Beam::cone);
    QCOMPARE(info.source_to_axis->value, 100.0);
    QVERIFY(std::abs(info.pixel_size_u.value - 0.2) < 1e-15);  // 50 um times a magnification of 4
    QVERIFY(noted(info, "furlong"));
    QCOMPARE(info.pixel_size_v.origin, Origin::guessed);
    QCOMPARE(info.pixel_size_v.value, info.pixel_size_u.value);
  }

  void wrong_files() {
    const auto make = [&](const std::vector<int32_t>& keys, const std::vector<double>& angles) {
      Hdf5Maker h5(path("w.nxs"));
      scan(h5, "/entry", keys, angles);
    };
    make({1, 2, 3}, {0, 0, 0});
    refuses(path("w.nxs"), ErrorKind::invalid, {"3 frames", "projection", "image_key"});
    make({0, 0, 7}, {0, 0, 0});
    refuses(path("w.nxs"), ErrorKind::invalid, {"frame 2", "7"});
    make({2, 0, 0, 0}, {0, 1});
    refuses(path("w.nxs"), ErrorKind::invalid, {"2 angles", "4 frames", "3 projections"});
    make({2, 0, 0}, {0, 1, std::nan("")});
    refuses(path("w.nxs"), ErrorKind::invalid, {"angle 1", "rotation_angle"});
    {
      Hdf5Maker h5(path("w.nxs"));
      h5.text("/entry/definition", "NXtomo");
    }
    refuses(path("w.nxs"), ErrorKind::invalid, {"missing", "detector/data"});
    {
      Hdf5Maker h5(path("w.nxs"));
      h5.frames<uint16_t>("/entry/instrument/detector/data", 3, 2, 3, 0);
      h5.numbers<int32_t>("/entry/instrument/detector/image_key", {2}, {0, 0});
    }
    refuses(path("w.nxs"), ErrorKind::invalid, {"2 values", "3 frames", "image_key"});
    {
      Hdf5Maker h5(path("w.nxs"));
      h5.text("/entry/definition", "NXtomo");
      h5.frames<uint16_t>("/entry/instrument/detector/data", 3, 2, 3, 0);
    }
    auto no_keys = io::open_scan(path("w.nxs"));
    QVERIFY(no_keys.ok());
    QVERIFY(noted(no_keys.value()->info(), "no image_key"));
  }

  void missing_filter_is_named() {
    {
      Hdf5Maker h5(path("f.nxs"));
      h5.text("/entry/definition", "NXtomo");
      h5.frames<uint16_t>("/entry/other", 1, 1, 1, 0);
      const hsize_t shape[3] = {2, 2, 3};
      const hid_t space = H5Screate_simple(3, shape, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
      const hid_t groups = H5Pcreate(H5P_LINK_CREATE);
      H5Pset_create_intermediate_group(groups, 1);
      H5Pset_chunk(plist, 3, shape);
      H5Pset_filter(plist, 32026, H5Z_FLAG_OPTIONAL, 0, nullptr);
      const hid_t set = H5Dcreate2(h5.file(), "/entry/instrument/detector/data", H5T_NATIVE_UINT16, space, groups,
                                   plist, H5P_DEFAULT);
      QVERIFY(set >= 0);
      H5Dclose(set);
      H5Pclose(groups);
      H5Pclose(plist);
      H5Sclose(space);
    }
    refuses(path("f.nxs"), ErrorKind::unavailable, {"32026", "blosc2", "HDF5_PLUGIN_PATH"});
  }

  void every_truncation_is_an_error() {
    {
      Hdf5Maker h5(path("t.nxs"));
      scan(h5, "/entry", {2, 1, 0, 0}, {0, 0, 0, 90});
    }
    const auto size = fs::file_size(path("t.nxs"));
    int opened = 0;
    for (std::uintmax_t length = 0; length < size; length += 97) {
      fs::copy_file(path("t.nxs"), path("cut.nxs"), fs::copy_options::overwrite_existing);
      fs::resize_file(path("cut.nxs"), length);
      const auto cut = io::open_scan(path("cut.nxs"));
      if (cut.ok()) ++opened;
      if (!cut.ok()) QVERIFY(!cut.error().where.empty() && !cut.error().hint.empty());
    }
    QCOMPARE(opened, 0);
  }

  void written_scans_read_back() {
    Projections p;
    const std::vector<double> angles = equidistant_angles(5, pi, 0.1);
    p.geometry = ScanGeometry::cone(angles, {3, 4, 0.05, 0.06}, 120, 80, 0.25).or_throw();
    p.data = at::arange(60, at::kFloat).reshape({5, 3, 4}) + 100;
    p.references.flats = at::arange(36, at::kFloat).reshape({3, 3, 4}) + 1000;
    p.references.darks = at::full({2, 3, 4}, 7.F);
    p.references.flat_positions = {-0.5, 4.5, 1.5};
    QVERIFY(io::write_nxtomo(path("r.nx"), p, 25.3, io::no_inputs(io::Overwrite::refuse)).ok());
    QCOMPARE(io::write_nxtomo(path("r.nx"), p, 25.3, io::no_inputs(io::Overwrite::refuse)).error().kind,
             ErrorKind::invalid);
    auto opened = io::open_scan(path("r.nx"));
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    const io::ScanInfo& info = opened.value()->info();
    QCOMPARE(info.pixel_type, std::string("uint16"));
    QCOMPARE(info.beam, Beam::cone);
    QCOMPARE(info.source_to_axis->value, 120.0);
    QCOMPARE(info.axis_to_detector->value, 80.0);
    QCOMPARE(info.pixel_size_u.value, 0.05);
    QCOMPARE(info.pixel_size_v.value, 0.06);
    QCOMPARE(info.energy->value, 25.3);
    QCOMPARE(info.axis_hint->value, 0.25);
    QCOMPARE(info.kind, PixelKind::counts);
    QCOMPARE(info.flat_positions, (std::vector<double>{-0.5, 1.5, 4.5}));
    for (std::size_t i = 0; i < 5; ++i) QVERIFY(std::abs(info.angles.value[i] - angles[i]) < 1e-14);
    QVERIFY(at::equal(opened.value()->read({{0, 5}, {0, 3}, {0, 4}}).value(), p.data));
    QVERIFY(at::equal(opened.value()->read_flats({0, 3}, {0, 4}).value()[1], p.references.flats[2]));
    QVERIFY(at::equal(opened.value()->read_darks({0, 3}, {0, 4}).value(), p.references.darks));
  }

  // A full turn with an axis near the edge is written as half acquisition.
  void half_acquisition_is_stated_data() {
    QTest::addColumn<double>("turn");
    QTest::addColumn<double>("axis");
    QTest::addColumn<bool>("stated");
    QTest::newRow("full turn, axis at the edge") << 2 * pi << 20.0 << true;
    QTest::newRow("half a turn, axis at the edge") << pi << 20.0 << false;
    QTest::newRow("full turn, axis near the middle") << 2 * pi << -3.0 << false;
  }
  void half_acquisition_is_stated() {
    QFETCH(double, turn);
    QFETCH(double, axis);
    QFETCH(bool, stated);
    Projections p;
    p.geometry = ScanGeometry::parallel(equidistant_angles(90, turn), {2, 64, 1, 1}, axis).or_throw();
    p.data = at::ones({90, 2, 64});
    io::write_nxtomo(path("r.nx"), p, 0, io::no_inputs(io::Overwrite::refuse)).or_throw();
    QCOMPARE(io::open_scan(path("r.nx")).or_throw()->info().half_acquisition, stated);
  }

  void absorption_stays_float() {
    Projections p;
    p.geometry = ScanGeometry::parallel(equidistant_angles(4, pi), {2, 3, 1, 1}).or_throw();
    p.data = at::arange(24, at::kFloat).reshape({4, 2, 3});
    p.data[0][0][0] = std::nan("");
    p.kind = PixelKind::absorption;
    QVERIFY(io::write_nxtomo(path("r.nx"), p, 0, io::no_inputs(io::Overwrite::refuse)).ok());
    auto opened = io::open_scan(path("r.nx"));
    QVERIFY(opened.ok());
    QCOMPARE(opened.value()->info().pixel_type, std::string("float32"));
    QCOMPARE(opened.value()->info().kind, PixelKind::absorption);
    QCOMPARE(opened.value()->info().beam, Beam::parallel);
    QVERIFY(!opened.value()->info().energy);
    QVERIFY(std::isnan(opened.value()->read({{0, 1}, {0, 1}, {0, 1}}).value().item<float>()));
  }

  void failures_of_the_writer() {
    Projections p;
    p.geometry = ScanGeometry::parallel(equidistant_angles(4, pi), {64, 64, 1, 1}).or_throw();
    p.data = at::rand({4, 64, 64});
    p.kind = PixelKind::absorption;
    QCOMPARE(io::write_nxtomo(path("no/r.nx"), p, 0, io::no_inputs(io::Overwrite::refuse)).error().kind, ErrorKind::io);
    QCOMPARE(io::write_nxtomo("/dev/full", p, 0, io::no_inputs(io::Overwrite::refuse)).error().kind, ErrorKind::io);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    const rlimit limit{20000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto stopped = io::write_nxtomo(path("r.nx"), p, 0, io::no_inputs(io::Overwrite::refuse));
    setrlimit(RLIMIT_FSIZE, &old);
    QCOMPARE(stopped.error().kind, ErrorKind::io);
    QVERIFY(fs::is_empty(dir_->path().toStdString()));
    // The library is in order again.
    QVERIFY(io::write_nxtomo(path("r.nx"), p, 0, io::no_inputs(io::Overwrite::refuse)).ok());
    std::vector<double> vectors = p.geometry.vectors();
    vectors[3] += 5;
    p.geometry = ScanGeometry::from_vectors(Beam::cone, {64, 64, 1, 1}, vectors).or_throw();
    QCOMPARE(io::write_nxtomo(path("q.nx"), p, 0, io::no_inputs(io::Overwrite::refuse)).error().kind,
             ErrorKind::invalid);
  }
};

TL_TEST_CASE(IoNxtomoTest)

}  // namespace tl::nxtomo_test

#include "nxtomo.moc"
