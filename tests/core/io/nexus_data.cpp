// NeXus files without NXtomo's names: frames, keys and angles found by signal, axes and indices of NXdata groups.
#include <QTemporaryDir>
#include <cmath>

#include "core/io/open_scan.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/test_case.h"

namespace tl::nexus_data_test {

using tl::test::Hdf5Maker;

class IoNexusDataTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  const std::string group_ = "/entry/imaging";

  std::string path() const { return dir_->filePath("scan.nxs").toStdString(); }
  static bool noted(const io::ScanInfo& info, const std::string& words) {
    return std::any_of(info.notes.begin(), info.notes.end(),
                       [&](const std::string& n) { return n.find(words) != std::string::npos; });
  }
  // A dark, a flat, and three projections, as a beamline of Diamond writes them: the angles are a motor's readback.
  void write_frames(Hdf5Maker& h5) const {
    h5.frames<uint16_t>(group_ + "/data", 5, 2, 3, 0);
    h5.numbers<int32_t>(group_ + "/image_key", {5}, {2, 1, 0, 0, 0});
    h5.attribute("/entry", "NX_class", "NXentry");
    h5.attribute(group_, "NX_class", "NXdata");
    h5.attribute(group_, "signal", "data");
  }
  std::vector<double> degrees() const {
    const auto scan = io::open_scan(path());
    if (!scan.ok()) qWarning("%s", scan.error().message().c_str());
    if (!scan.ok()) return {};
    std::vector<double> out;
    for (const double a : scan.value()->info().angles.value) out.push_back(std::round(a * 180 / pi * 1e9) / 1e9);
    return out;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void axes_lead_to_the_angles() {
    {
      Hdf5Maker h5(path());
      write_frames(h5);
      h5.numbers<double>(group_ + "/stage", {5}, {0, 0, 1, 61, 121}, "deg");
      h5.attribute(group_, "axes", std::vector<std::string>{"stage", ".", "."});
    }
    QCOMPARE(degrees(), (std::vector<double>{1, 61, 121}));
    const auto scan = io::open_scan(path()).or_throw();
    QCOMPARE(scan->info().flats, int64_t{1});
    QCOMPARE(scan->info().darks, int64_t{1});
    QVERIFY(scan->info().angles.origin == Origin::file);
    QCOMPARE(scan->info().angles.source, group_ + "/stage");
    QCOMPARE(scan->read({{1, 2}, {0, 1}, {0, 1}}).value().item<float>(), 300.0F);
  }

  // Where the motor was sent, where it was read back, and the time: all of them along the frames.
  void readback_is_better_than_set_point() {
    {
      Hdf5Maker h5(path());
      write_frames(h5);
      h5.numbers<double>(group_ + "/gts_theta_value_set", {5}, {0, 0, 0, 60, 120}, "deg");
      h5.numbers<double>(group_ + "/gts_theta_value", {5}, {0, 0, 0.25, 60.25, 120.25}, "deg");
      h5.numbers<double>(group_ + "/elapsed", {5}, {0, 1, 2, 3, 4}, "s");
      h5.attribute(group_, "axes", std::vector<std::string>{"gts_theta_value_set", ".", "."});
      for (const char* name : {"gts_theta_value_set", "gts_theta_value", "elapsed"})
        h5.attribute(group_, std::string(name) + "_indices", int64_t{0});
    }
    QCOMPARE(degrees(), (std::vector<double>{0.25, 60.25, 120.25}));
  }

  void a_name_decides_where_units_are_missing() {
    {
      Hdf5Maker h5(path());
      write_frames(h5);
      h5.numbers<double>(group_ + "/height", {5}, {9, 9, 9, 9, 9});
      h5.numbers<double>(group_ + "/omega", {5}, {0, 0, 5, 65, 125});
      h5.attribute(group_, "height_indices", int64_t{0});
      h5.attribute(group_, "omega_indices", int64_t{0});
    }
    QCOMPARE(degrees(), (std::vector<double>{5, 65, 125}));
    QVERIFY(noted(io::open_scan(path()).or_throw()->info(), "degrees are assumed"));
  }

  // An axis across the detector is not an angle of views, whatever its unit.
  void other_dimensions_are_not_angles() {
    {
      Hdf5Maker h5(path());
      write_frames(h5);
      h5.numbers<double>(group_ + "/two_theta", {3}, {1, 2, 3}, "deg");
      h5.attribute(group_, "two_theta_indices", int64_t{2});
    }
    QVERIFY(io::open_scan(path()).or_throw()->info().angles.origin == Origin::guessed);
  }

  // Without image_key an axis of angles still says that these are views.
  void the_default_group_comes_first() {
    {
      Hdf5Maker h5(path());
      for (const std::string name : {"a_preview", "z_full"}) {
        const std::string group = "/entry/" + name;
        h5.frames<uint16_t>(group + "/frames", 3, 2, name == "z_full" ? 4 : 2, 0);
        h5.numbers<double>(group + "/rotation", {3}, {0, 60, 120}, "deg");
        h5.attribute(group, "NX_class", "NXdata");
        h5.attribute(group, "signal", "frames");
        h5.attribute(group, "axes", std::vector<std::string>{"rotation", ".", "."});
      }
      h5.attribute("/entry", "NX_class", "NXentry");
      h5.attribute("/entry", "default", "z_full");
    }
    const auto scan = io::open_scan(path()).or_throw();
    QCOMPARE(scan->info().views, int64_t{3});
    QCOMPARE(scan->info().cols, int64_t{4});
  }

  // An interrupted scan: angle i belongs to frame i, and what has no partner is left out, said in a note.
  void frames_and_angles_may_differ_in_number() {
    for (const int angles : {4, 7}) {
      {
        Hdf5Maker h5(path());
        write_frames(h5);
        std::vector<double> values = {0, 0, 1, 61, 121, 181, 241};
        values.resize(static_cast<std::size_t>(angles));
        h5.numbers<double>(group_ + "/stage", {values.size()}, values, "deg");
        h5.attribute(group_, "axes", std::vector<std::string>{"stage", ".", "."});
      }
      QCOMPARE(degrees(), angles == 4 ? (std::vector<double>{1, 61}) : (std::vector<double>{1, 61, 121}));
      QVERIFY(noted(io::open_scan(path()).or_throw()->info(),
                    angles == 4 ? "1 projection without an angle left out" : "the last angles are not used"));
    }
  }

  // As many angles as projections: darks and flats have none.
  void angles_of_projections_alone() {
    {
      Hdf5Maker h5(path());
      write_frames(h5);
      h5.numbers<double>(group_ + "/stage", {3}, {1, 61, 121}, "deg");
      h5.attribute(group_, "axes", std::vector<std::string>{"stage", ".", "."});
    }
    QCOMPARE(degrees(), (std::vector<double>{1, 61, 121}));
    QVERIFY(noted(io::open_scan(path()).or_throw()->info(), "one angle per projection"));
  }

  // NXtomo's frames without angles, next to a preview of every other frame that has some.
  void angles_of_other_frames_are_not_taken() {
    {
      Hdf5Maker h5(path());
      h5.frames<uint16_t>("/entry/instrument/detector/data", 6, 2, 3, 0);
      h5.numbers<int32_t>("/entry/instrument/detector/image_key", {6}, {0, 0, 0, 0, 0, 0});
      h5.frames<uint16_t>("/entry/preview/data", 3, 2, 3, 0);
      h5.numbers<double>("/entry/preview/stage", {3}, {0, 60, 120}, "deg");
      h5.attribute("/entry/preview", "NX_class", "NXdata");
      h5.attribute("/entry/preview", "signal", "data");
      h5.attribute("/entry/preview", "stage_indices", int64_t{0});
    }
    const auto scan = io::open_scan(path()).or_throw();
    QCOMPARE(scan->info().views, int64_t{6});
    QVERIFY(scan->info().angles.origin == Origin::guessed);
  }

  void names_that_lead_nowhere_are_not_a_scan() {
    {
      Hdf5Maker h5(path());
      h5.frames<uint16_t>(group_ + "/data", 5, 2, 3, 0);
      h5.attribute(group_, "NX_class", "NXdata");
      h5.attribute(group_, "signal", "lost");
      h5.attribute(group_, "axes", std::vector<std::string>{"gone"});
      h5.attribute("/entry", "NX_class", "NXentry");
      h5.attribute("/entry", "default", "nobody");
    }
    const auto scan = io::open_scan(path());
    QVERIFY(!scan.ok());
    QVERIFY2(scan.error().message().find("no entry is an NXtomo scan") != std::string::npos,
             scan.error().message().c_str());
  }
};

TL_TEST_CASE(IoNexusDataTest)

}  // namespace tl::nexus_data_test

#include "nexus_data.moc"
