// Raw scans of BLISS: sequences, kinds of scans by keys and by titles, angles of the motor, several parts, z series,
// and what was cut short or is not said.
#include <cmath>

#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/io/first_pixels.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::esrf_bliss_test {

using tl::test::Hdf5Maker;
using tl::test::ramp;
namespace fs = std::filesystem;

namespace {

constexpr int rows = 3, cols = 5;

// Whether a scan says by technique/image_key what it holds.
enum class Keys { none, given };

struct Scan {
  std::string title;
  int key, frames;
  double first_angle = 0;  // [deg], in steps of 10
};

// The head of a sequence, as the software writes it.
void add_head(Hdf5Maker& h5, const std::string& group, const std::string& title) {
  h5.text(group + "/title", title);
  h5.texts(group + "/technique/tomoconfig/detector", {"pcolinux"});
  h5.texts(group + "/technique/tomoconfig/rotation", {"hrsrot"});
  h5.numbers<double>(group + "/technique/scan/energy", {}, {19});
  h5.numbers<double>(group + "/technique/scan/sample_detector_distance", {}, {100}, "mm");
  h5.numbers<double>(group + "/technique/scan/source_sample_distance", {}, {52}, "m");
  h5.numbers<double>(group + "/technique/scan/scan_range", {}, {180}, "deg");
  h5.numbers<double>(group + "/technique/optic/sample_pixel_size", {2}, {6.5, 6.6}, "um");
  h5.attribute(group, "NX_class", "NXentry");
}

// A scan whose frame i has the pixel (0, 0) = first + 100 i, with one position more than frames.
void add_scan(Hdf5Maker& h5, const std::string& group, const Scan& scan, uint16_t first, Keys keys = Keys::given) {
  h5.text(group + "/title", scan.title);
  h5.frames<uint16_t>(group + "/instrument/pcolinux/data", static_cast<hsize_t>(scan.frames), rows, cols, first);
  h5.attribute(group + "/instrument/pcolinux", "NX_class", "NXdetector");
  h5.soft_link(group + "/instrument/pcolinux/data", group + "/measurement/pcolinux");
  h5.numbers<double>(group + "/instrument/positioners/hrsrot", {static_cast<hsize_t>(scan.frames + 1)},
                     ramp(scan.frames + 1, scan.first_angle, 10), "deg");
  h5.numbers<double>(group + "/instrument/positioners/sz", {}, {4}, "mm");
  if (keys == Keys::given) h5.numbers<int32_t>(group + "/technique/image_key", {}, {scan.key});
  h5.attribute(group, "NX_class", "NXentry");
}

const Scan darks{"dark images", 2, 2}, flats{"reference images 1", 1, 3};

double degrees(double radians) { return std::round(radians * 180 / pi * 1e6) / 1e6; }

}  // namespace

class EsrfBlissTest : public test::ScanFolder {
  Q_OBJECT

  // Darks, flats, projections in two parts with flats between them, flats, and frames at angles already measured.
  void write_sequence(const std::string& name, Keys keys) const {
    Hdf5Maker h5(path(name).string());
    h5.attribute("/", "creator", "Bliss");
    add_head(h5, "/1.1", "tomo:fullturn");
    add_scan(h5, "/2.1", darks, 10, keys);
    add_scan(h5, "/3.1", flats, 1000, keys);
    add_scan(h5, "/4.1", {"projections 0 - 4", 0, 4, 0}, 2000, keys);
    add_scan(h5, "/5.1", flats, 1500, keys);
    add_scan(h5, "/10.1", {"projections 4 - 6", 0, 2, 40}, 3000, keys);
    add_scan(h5, "/11.1", flats, 1700, keys);
    add_scan(h5, "/12.1", {"static images", -1, 2}, 9000, keys);
    // Slow counters of the same scan, and a scan of something else.
    h5.numbers<double>("/4.2/measurement/current", {3}, {200, 199, 198}, "mA");
    h5.text("/13.1/title", "ascan sy 0 1 10 0.1");
    h5.numbers<double>("/13.1/measurement/diode", {11}, ramp(11, 0, 1));
  }
  void write_plain(const std::string& name) const {
    Hdf5Maker h5(path(name).string());
    add_head(h5, "/1.1", "tomo:basic");
    add_scan(h5, "/2.1", {"projections 0 - 4", 0, 4, 0}, 2000);
  }

 private Q_SLOTS:
  void a_sequence_is_one_scan_data() {
    QTest::addColumn<bool>("by_title");
    QTest::newRow("kinds by technique/image_key") << false;
    QTest::newRow("kinds by titles") << true;
  }
  void a_sequence_is_one_scan() {
    QFETCH(bool, by_title);
    const std::string name = by_title ? "titles.h5" : "keys.h5";
    write_sequence(name, by_title ? Keys::none : Keys::given);
    const auto scan = io::open_scan(path(name)).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("esrf_bliss"));
    QCOMPARE(info.views, 6);
    QCOMPARE(info.flats, 9);
    QCOMPARE(info.darks, 2);
    QCOMPARE(info.flat_positions, (std::vector<double>{-0.5, -0.5, -0.5, 3.5, 3.5, 3.5, 5.5, 5.5, 5.5}));
    for (int i = 0; i < 6; ++i) QCOMPARE(degrees(info.angles.value[static_cast<std::size_t>(i)]), 10.0 * i);
    QVERIFY(info.angles.origin == Origin::file);
    QCOMPARE(info.angles.source, std::string("/4.1/instrument/positioners/hrsrot"));
    QCOMPARE(test::first_pixels<float>(scan->read({{2, 6}, {0, 1}, {0, 1}}).or_throw()),
             (std::vector<float>{2200, 2300, 3000, 3100}));
    QCOMPARE(test::first_pixels<float>(scan->read_flats({0, 1}, {0, 1}).or_throw()),
             (std::vector<float>{1000, 1100, 1200, 1500, 1600, 1700, 1700, 1800, 1900}));
    QCOMPARE(test::first_pixels<float>(scan->read_darks({0, 1}, {0, 1}).or_throw()), (std::vector<float>{10, 110}));
    QCOMPARE(noted(info, "is taken from its title"), by_title);
    QVERIFY(noted(info, "projections of 4.1, 10.1, flats of 3.1, 5.1, 11.1, darks of 2.1"));
    QVERIFY(noted(info, "left out: 12.1"));
  }

  void numbers_come_from_the_head() {
    write_sequence("numbers.h5", Keys::given);
    const auto scan = io::open_scan(path("numbers.h5")).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.energy->value, 19.0);
    QVERIFY(info.energy->is_unit_guessed());
    QVERIFY(noted(info, "/1.1/technique/scan/energy has no unit: keV is assumed"));
    QCOMPARE(info.source_to_axis->value, 52000.0);
    QCOMPARE(info.axis_to_detector->value, 100.0);
    QVERIFY(info.beam == Beam::parallel);
    QVERIFY(std::abs(info.pixel_size_u.value - 0.0065) < 1e-12 && std::abs(info.pixel_size_v.value - 0.0066) < 1e-12);
    QVERIFY(info.pixel_size_u.origin == Origin::file);
  }

  // A region of the whole is the region of what was read whole, across the border of two parts.
  void regions_are_those_of_the_whole() {
    write_sequence("regions.h5", Keys::given);
    const auto scan = io::open_scan(path("regions.h5")).or_throw();
    const at::Tensor all = scan->read({{0, 6}, {0, rows}, {0, cols}}).or_throw();
    for (const Samples samples : {Samples::floats, Samples::counts}) {
      const at::Tensor part = scan->read({{1, 6}, {1, 3}, {2, 4}}, samples).or_throw().to(at::kFloat);
      QVERIFY(at::equal(part, all.slice(0, 1, 6).slice(1, 1, 3).slice(2, 2, 4)));
    }
    const at::Tensor some =
        scan->read_views(std::vector<int64_t>{5, 0, 4}, {0, rows}, {0, cols}, Samples::floats, {}).or_throw();
    QVERIFY(at::equal(some, at::stack({all[5], all[0], all[4]})));
  }

  void another_sequence_is_chosen_by_its_number() {
    {
      Hdf5Maker h5(path("two.h5").string());
      add_head(h5, "/1.1", "tomo:basic");
      add_scan(h5, "/2.1", {"projections 0 - 4", 0, 4, 0}, 2000);
      add_head(h5, "/3.1", "tomo:basic");
      add_scan(h5, "/4.1", {"projections 0 - 5", 0, 5, 0}, 5000);
    }
    const auto first = io::open_scan(path("two.h5")).or_throw();
    QCOMPARE(first->info().views, 4);
    QVERIFY(noted(first->info(), "2 tomography sequences"));
    for (const char* name : {"/3.1", "/4.1"}) {
      const auto other = io::open_scan(path("two.h5"), {}, {.choices = {.data = name}}).or_throw();
      QCOMPARE(other->info().format, std::string("esrf_bliss"));
      QCOMPARE(test::first_pixels<float>(other->read({{0, 1}, {0, 1}, {0, 1}}).or_throw()), std::vector<float>{5000});
    }
    refuses(path("two.h5"), ErrorKind::invalid, {"/1.1/technique", "tomography scan"},
            {.choices = {.data = "/1.1/technique"}});
    // A dataset is read as one.
    const auto by_hand =
        io::open_scan(path("two.h5"), {}, {.choices = {.data = "/4.1/instrument/pcolinux/data"}}).or_throw();
    QCOMPARE(by_hand->info().format, std::string("hdf5"));
  }

  // The stages of a z series lie at other heights: they are not parts of one scan.
  void stages_of_a_z_series_are_scans_of_their_own() {
    {
      Hdf5Maker h5(path("stages.h5").string());
      add_head(h5, "/1.1", "tomo:zseries");
      add_scan(h5, "/2.1", darks, 10);
      for (int stage = 0; stage < 2; ++stage) {
        const std::string flat = "/" + std::to_string(3 + 2 * stage), views = "/" + std::to_string(4 + 2 * stage);
        add_scan(h5, flat + ".1", flats, static_cast<uint16_t>(1000 + 500 * stage));
        add_scan(h5, views + ".1", {"projections 0 - 4", 0, 4, 0}, static_cast<uint16_t>(2000 + 1000 * stage));
      }
    }
    const auto first = io::open_scan(path("stages.h5")).or_throw();
    QCOMPARE(first->info().views, 4);
    QCOMPARE(first->info().flats, 3);
    QVERIFY(noted(first->info(), "stages of a z series"));
    const auto second = io::open_scan(path("stages.h5"), {}, {.choices = {.data = "/6.1"}}).or_throw();
    QCOMPARE(test::first_pixels<float>(second->read({{0, 1}, {0, 1}, {0, 1}}).or_throw()), std::vector<float>{3000});
    QCOMPARE(test::first_pixels<float>(second->read_flats({0, 1}, {0, 1}).or_throw()),
             (std::vector<float>{1500, 1600, 1700}));
    QCOMPARE(second->info().darks, 2);
  }

  // The file of a sample links the scans of its datasets, whose frames lie in files of the detector.
  void scans_and_frames_may_be_linked() {
    fs::create_directories(path("sample/scan0004"));
    write_sequence("sample/data.h5", Keys::given);
    {
      Hdf5Maker h5(path("sample/scan0004/pcolinux_0000.h5").string());
      h5.frames<uint16_t>("/entry_0000/measurement/data", 4, rows, cols, 7000);
    }
    {
      Hdf5Maker h5(path("sample/linked.h5").string());
      for (const char* scan : {"1.1", "2.1", "3.1"})
        h5.external_link("data.h5", std::string("/") + scan, std::string("/sample_0001_") + scan);
      const std::string views = "/sample_0001_4.1";
      h5.text(views + "/title", "projections 0 - 4");
      h5.external_link("scan0004/pcolinux_0000.h5", "/entry_0000/measurement/data", views + "/measurement/pcolinux");
      h5.numbers<double>(views + "/measurement/hrsrot", {4}, ramp(4, 5, 45), "deg");
    }
    const auto scan = io::open_scan(path("sample/linked.h5")).or_throw();
    QCOMPARE(scan->info().format, std::string("esrf_bliss"));
    QCOMPARE(scan->info().views, 4);
    QCOMPARE(scan->info().flats, 3);
    QCOMPARE(scan->info().energy->value, 19.0);
    QCOMPARE(degrees(scan->info().angles.value[1]), 50.0);
    QCOMPARE(test::first_pixels<float>(scan->read({{3, 4}, {0, 1}, {0, 1}}).or_throw()), std::vector<float>{7300});
    const auto files = scan->files();
    for (const char* file : {"sample/data.h5", "sample/scan0004/pcolinux_0000.h5"})
      QVERIFY2(
          std::any_of(files.begin(), files.end(), [&](const fs::path& one) { return fs::equivalent(one, path(file)); }),
          file);
    // Outside of the folder only on request.
    {
      Hdf5Maker h5(path("outside.h5").string());
      h5.frames<uint16_t>("/data", 4, rows, cols, 1);
      Hdf5Maker linked(path("sample/outside.h5").string());
      linked.text("/1.1/title", "projections 0 - 4");
      linked.external_link("../outside.h5", "/data", "/1.1/measurement/camera");
      linked.soft_link("/1.1/measurement/camera", "/1.1/instrument/camera/data");
    }
    const auto refused = io::open_scan(path("sample/outside.h5"));
    QVERIFY(!refused.ok() && io::refuses_outside_links(refused.error()));
    const auto followed =
        io::open_scan(path("sample/outside.h5"), {}, {.choices = {.outside_links = io::OutsideLinks::follow}});
    QVERIFY2(followed.ok() && followed.value()->info().outside.size() == 1,
             followed.ok() ? "" : followed.error().message().c_str());
  }

  void what_is_not_said_is_guessed_and_noted() {
    {
      Hdf5Maker h5(path("bare.h5").string());
      h5.attribute("/", "publisher", "bliss");
      h5.text("/1.1/title", "projections 0 - 4");
      h5.frames<uint16_t>("/1.1/instrument/basler/data", 4, rows, cols, 1);
      h5.attribute("/1.1/instrument/basler", "NX_class", "NXdetector");
      h5.numbers<double>("/1.1/instrument/positioners/srot", {4}, ramp(4, 0, 45));
    }
    const auto scan = io::open_scan(path("bare.h5")).or_throw();
    QVERIFY(noted(scan->info(), "detector took the frames is guessed: basler"));
    QVERIFY(noted(scan->info(), "motor rotates is guessed"));
    QVERIFY(noted(scan->info(), "There are no flats"));
    QCOMPARE(degrees(scan->info().angles.value[3]), 135.0);
    QVERIFY(!scan->info().has_pixel_size());
    // Positions of another length, and none at all: the range of the sequence in equal steps.
    {
      Hdf5Maker h5(path("range.h5").string());
      add_head(h5, "/1.1", "tomo:basic");
      h5.text("/2.1/title", "projections 0 - 4");
      h5.frames<uint16_t>("/2.1/measurement/pcolinux", 4, rows, cols, 1);
    }
    const auto range = io::open_scan(path("range.h5")).or_throw();
    QVERIFY(range->info().angles.origin == Origin::guessed);
    QCOMPARE(degrees(range->info().angles.value[3]), 135.0);
  }

  void an_interrupted_scan_has_the_frames_with_angles() {
    {
      Hdf5Maker h5(path("short.h5").string());
      add_head(h5, "/1.1", "tomo:basic");
      h5.text("/2.1/title", "projections 0 - 6");
      h5.frames<uint16_t>("/2.1/measurement/pcolinux", 6, rows, cols, 1);
      h5.numbers<double>("/2.1/measurement/hrsrot", {4}, ramp(4, 0, 30), "deg");
    }
    const auto scan = io::open_scan(path("short.h5")).or_throw();
    QCOMPARE(scan->info().views, 4);
    QVERIFY(noted(scan->info(), "4 angles for 6 frames"));
  }

  void choices_of_the_user_count_more() {
    write_plain("choices.h5");
    const auto scan =
        io::open_scan(path("choices.h5"), {},
                      {.choices = {.angle_step = 0.1, .pixels = io::ScanPixels::transmission, .energy = 30}})
            .or_throw();
    QVERIFY(std::abs(scan->info().angles.value[3] - 0.3) < 1e-12);
    QVERIFY(scan->info().angles.origin == Origin::user && scan->info().kind == PixelKind::transmission);
    QCOMPARE(scan->info().energy->value, 30.0);
    const auto other =
        io::open_scan(path("choices.h5"), {}, {.choices = {.angles_dataset = "/2.1/instrument/positioners/hrsrot"}});
    QVERIFY(!other.ok() && test::mentions(other.error().message(), {"5 angles but 4 projections"}));
    refuses(path("choices.h5"), ErrorKind::invalid, {"not sinograms"},
            {.choices = {.order = io::FrameOrder::sinograms}});
  }

  void a_scan_without_its_frames_is_refused() {
    {
      Hdf5Maker h5(path("gone.h5").string());
      add_head(h5, "/1.1", "tomo:basic");
      h5.text("/2.1/title", "projections 0 - 6");
      h5.external_link("nothing.h5", "/data", "/2.1/measurement/pcolinux");
    }
    const auto scan = io::open_scan(path("gone.h5"));
    QVERIFY(!scan.ok());
    QVERIFY2(test::mentions(scan.error().message(), {"/2.1", "no frames of the detector pcolinux"}),
             scan.error().message().c_str());
  }
};

TL_TEST_CASE(EsrfBlissTest)

}  // namespace tl::esrf_bliss_test

#include "esrf_bliss.moc"
