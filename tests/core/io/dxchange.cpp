// APS Data Exchange: the real tooth scan, fallbacks, guessed metadata, and files with one error each.
#include <cmath>
#include <fstream>

#include "core/io/open_scan.h"
#include "core/io/reader/scan_info.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::dxchange_test {

using tl::test::Hdf5Maker;
using tl::test::ramp;

class IoDxchangeTest : public test::ScanFolder {
  Q_OBJECT

 private Q_SLOTS:
  void the_real_tooth() {
    std::filesystem::path shared = std::filesystem::path(TL_SOURCE_DIR) / "../shared/data";
    if (qEnvironmentVariableIsSet("TL_SHARED_DATA")) shared = qgetenv("TL_SHARED_DATA").toStdString();
    if (!std::filesystem::exists(shared / "aps_tooth.h5")) QSKIP("the shared data folder is not here");
    auto scan = io::open_scan(shared / "aps_tooth.h5");
    QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
    const io::ScanInfo& info = scan.value()->info();
    QCOMPARE(info.format, std::string("dxchange"));
    QCOMPARE(info.views, 181);
    QCOMPARE(info.rows, 2);
    QCOMPARE(info.cols, 640);
    QCOMPARE(info.flats, 10);
    QCOMPARE(info.darks, 10);
    QCOMPARE(info.angles.origin, Origin::file);
    QVERIFY(std::abs(info.angles.value.back() * 180 / pi - 179.00552486187846) < 1e-9);
    QCOMPARE(info.pixel_size_u.origin, Origin::guessed);
    const auto part = scan.value()->read({{100, 102}, {1, 2}, {300, 304}});
    QVERIFY(part.ok());
    // Read with h5py.
    const std::array<float, 4> expected = {10425.75F, 10286.25F, 10422.5F, 10762.5F};
    for (int c = 0; c < 4; ++c) QCOMPARE(part.value()[0][0][c].item<float>(), expected[static_cast<std::size_t>(c)]);
    QCOMPARE(scan.value()->read_flats({0, 2}, {0, 640}).value()[3][0][100].item<float>(), 28148.75F);
  }

  void regions_are_parts_of_the_whole() {
    {
      Hdf5Maker h5(path("a.h5"));
      h5.frames<uint16_t>("/exchange/data", 5, 3, 4, 7);
      h5.frames<uint16_t>("/exchange/data_white", 2, 3, 4, 1000);
      h5.frames<uint16_t>("/exchange/data_dark", 1, 3, 4, 3);
      h5.numbers<double>("/exchange/theta", {5}, ramp(5, 0, 0.5), "rad");
      h5.numbers<double>("/measurement/instrument/detection_system/objective/resolution", {}, {0.65}, "um");
      h5.numbers<double>("/measurement/instrument/monochromator/energy", {1}, {25300}, "eV");
    }
    auto scan = io::open_scan(path("a.h5"));
    QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
    const io::ScanInfo& info = scan.value()->info();
    QCOMPARE(info.pixel_type, std::string("uint16"));
    QCOMPARE(info.angles.value[4], 2.0);
    QCOMPARE(info.pixel_size_u.value, 0.65e-3);
    QCOMPARE(info.pixel_size_v.origin, Origin::file);
    QCOMPARE(info.energy->value, 25.3);
    QCOMPARE(info.flat_positions.size(), std::size_t(2));
    const at::Tensor all = scan.value()->read({{0, 5}, {0, 3}, {0, 4}}).value();
    QCOMPARE(all.scalar_type(), at::kFloat);
    QCOMPARE(all[4][2][3].item<float>(), 7.F + 400 + 20 + 3);
    QVERIFY(at::equal(scan.value()->read({{1, 4}, {2, 3}, {1, 3}}).value(),
                      all.slice(0, 1, 4).slice(1, 2, 3).slice(2, 1, 3)));
    QCOMPARE(scan.value()->read_darks({1, 2}, {0, 4}).value()[0][0][3].item<float>(), 3.F + 10 + 3);
    QCOMPARE(scan.value()->read({{2, 2}, {0, 3}, {0, 4}}).value().numel(), 0);
    QCOMPARE(scan.value()->read({{0, 6}, {0, 3}, {0, 4}}).error().kind, ErrorKind::invalid);
    QCOMPARE(scan.value()->read({{0, 1}, {-1, 3}, {0, 4}}).error().kind, ErrorKind::invalid);
    QCOMPARE(scan.value()->files(), std::vector<std::filesystem::path>{path("a.h5")});
  }

  void fallbacks_of_the_format() {
    {
      Hdf5Maker h5(path("b.h5"));
      h5.frames<uint16_t>("/exchange/data", 4, 2, 2, 0);
      h5.frames<uint16_t>("/process/acquisition/flat_fields/flat_field_value", 3, 2, 2, 50);
      h5.frames<uint16_t>("/process/acquisition/dark_fields/dark_field_value", 1, 2, 2, 1);
      h5.numbers<double>("/process/acquisition/rotation/rotation_start", {1}, {10}, "deg");
      h5.numbers<double>("/process/acquisition/rotation/rotation_step", {1}, {0.25}, "deg");
      h5.numbers<int32_t>("/process/acquisition/rotation/num_angles", {1}, {4});
    }
    auto scan = io::open_scan(path("b.h5"));
    QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
    QCOMPARE(scan.value()->info().flats, 3);
    QCOMPARE(scan.value()->info().darks, 1);
    QCOMPARE(scan.value()->info().angles.origin, Origin::file);
    QVERIFY(std::abs(scan.value()->info().angles.value[3] - 10.75 * pi / 180) < 1e-15);
  }

  void what_is_missing_is_guessed_and_said() {
    {
      Hdf5Maker h5(path("c.h5"));
      h5.frames<float>("/exchange/data", 4, 2, 3, 0.5F);
    }
    auto scan = io::open_scan(path("c.h5"));
    QVERIFY(scan.ok());
    const io::ScanInfo& info = scan.value()->info();
    QCOMPARE(info.angles.origin, Origin::guessed);
    QCOMPARE(info.angles.value[1], pi / 4);
    QCOMPARE(info.pixel_size_u.value, 1.0);
    QVERIFY(noted(info, "no angles") && noted(info, "no pixel size") && noted(info, "no flats") &&
            noted(info, "no darks"));
    QCOMPARE(scan.value()->read_flats({0, 2}, {0, 3}).value().size(0), 0);
  }

  void degrees_without_a_unit() {
    {
      Hdf5Maker h5(path("d.h5"));
      h5.frames<float>("/exchange/data", 3, 1, 1, 0.5F);
      h5.numbers<float>("/exchange/theta", {3}, {0, 90, 180});
    }
    auto scan = io::open_scan(path("d.h5"));
    QVERIFY(scan.ok());
    QVERIFY(std::abs(scan.value()->info().angles.value[2] - pi) < 1e-15);
    QVERIFY(noted(scan.value()->info(), "degrees are assumed"));
    QVERIFY(noted(scan.value()->info(), "reverse rotation"));
  }

  void wrong_angles() {
    const auto make = [&](const std::vector<double>& theta, const std::string& units) {
      Hdf5Maker h5(path("e.h5"));
      h5.frames<float>("/exchange/data", 3, 1, 2, 0.5F);
      h5.numbers<double>("/exchange/theta", {theta.size()}, theta, units);
    };
    make({0, 1}, "deg");
    refuses(path("e.h5"), ErrorKind::invalid, {"2 angles", "3 projections", "/exchange/theta"});
    make({0, std::nan(""), 2}, "deg");
    refuses(path("e.h5"), ErrorKind::invalid, {"angle 1", "/exchange/theta"});
    make({0, 1, 2}, "mm");
    refuses(path("e.h5"), ErrorKind::invalid, {"\"mm\"", "/exchange/theta"});
  }

  void wrong_frames() {
    { Hdf5Maker(path("f.h5")).numbers<float>("/exchange/data", {3, 4}, std::vector<float>(12)); }
    refuses(path("f.h5"), ErrorKind::invalid, {"rank 2", "3 x 4", "/exchange/data"});
    { Hdf5Maker(path("f.h5")).numbers<float>("/exchange/data", {3, 0, 4}, {}); }
    refuses(path("f.h5"), ErrorKind::invalid, {"3 x 0 x 4", "/exchange/data"});
    { Hdf5Maker(path("f.h5")).text("/exchange/data", "hello"); }
    refuses(path("f.h5"), ErrorKind::invalid, {"text", "/exchange/data"});
    { Hdf5Maker(path("f.h5")).numbers<float>("/exchange/data", {3, 2, 4}, {}); }
    refuses(path("f.h5"), ErrorKind::invalid, {"ever written"});
    {
      Hdf5Maker h5(path("f.h5"));
      h5.frames<float>("/exchange/data", 3, 2, 4, 0.F);
      h5.frames<float>("/exchange/data_white", 3, 2, 5, 0.F);
    }
    refuses(path("f.h5"), ErrorKind::invalid, {"2 x 5", "2 x 4", "data_white"});
    {
      Hdf5Maker h5(path("f.h5"));
      h5.frames<float>("/exchange/data", 3, 2, 4, 0.F);
      h5.attribute("/exchange/data", "axes", "x:theta:y");
    }
    refuses(path("f.h5"), ErrorKind::invalid, {"x:theta:y"});
  }

  void sizes_that_no_file_can_hold() {
    const hsize_t huge = hsize_t{1} << 40;
    { Hdf5Maker(path("g.h5")).numbers<uint16_t>("/exchange/data", {huge, 1000, 1000}, {}, {}, {1, 10, 10}); }
    refuses(path("g.h5"), ErrorKind::invalid, {"1099511627776", "/exchange/data"});
    { Hdf5Maker(path("g.h5")).numbers<uint16_t>("/exchange/data", {huge, huge, 4}, {}, {}, {1, 10, 4}); }
    refuses(path("g.h5"), ErrorKind::invalid, {"cannot be addressed"});
  }

  void links() {
    {
      Hdf5Maker h5(path("target.h5"));
      h5.frames<float>("/raw", 3, 2, 4, 1.F);
    }
    { Hdf5Maker(path("h.h5")).external_link("target.h5", "/raw", "/exchange/data"); }
    QVERIFY(io::open_scan(path("h.h5")).ok());
    { Hdf5Maker(path("h.h5")).external_link("gone.h5", "/raw", "/exchange/data"); }
    refuses(path("h.h5"), ErrorKind::io, {"gone.h5"});
    {
      Hdf5Maker h5(path("h.h5"));
      h5.soft_link("/exchange/b", "/exchange/data");
      h5.soft_link("/exchange/data", "/exchange/b");
    }
    refuses(path("h.h5"), ErrorKind::invalid, {"/exchange/b"});
  }

  void flipped_bytes_never_crash() {
    {
      Hdf5Maker h5(path("j.h5"));
      h5.frames<uint16_t>("/exchange/data", 4, 2, 3, 0);
      h5.numbers<double>("/exchange/theta", {4}, ramp(4, 0, 45), "deg");
    }
    QFile file(QString::fromStdString(path("j.h5")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    for (qsizetype i = 0; i < whole.size(); i += 13) {
      QByteArray damaged = whole;
      damaged[i] = static_cast<char>(~damaged[i]);
      QFile out(QString::fromStdString(path("x.h5")));
      QVERIFY(out.open(QIODevice::WriteOnly));
      out.write(damaged);
      out.close();
      auto scan = io::open_scan(path("x.h5"));
      if (scan.ok()) (void)scan.value()->read({{0, 1}, {0, 1}, {0, 1}});
    }
  }

  void damaged_files() {
    {
      Hdf5Maker h5(path("i.h5"));
      h5.frames<uint16_t>("/exchange/data", 50, 20, 20, 0);
    }
    std::filesystem::resize_file(path("i.h5"), 20000);
    refuses(path("i.h5"), ErrorKind::io, {"truncated"});
    std::ofstream(path("empty.h5")).close();
    refuses(path("empty.h5"), ErrorKind::io, {"empty"});
    std::ofstream(path("text.h5")) << "this is not an HDF5 file\n";
    refuses(path("text.h5"), ErrorKind::invalid, {".h5", "Tried"});
    { Hdf5Maker(path("other.h5")).frames<float>("/other", 2, 2, 2, 0.F); }
    refuses(path("other.h5"), ErrorKind::invalid, {"/exchange/data"});
    refuses(path("missing.h5"), ErrorKind::io, {"does not exist"});
  }
};

TL_TEST_CASE(IoDxchangeTest)

}  // namespace tl::dxchange_test

#include "dxchange.moc"
