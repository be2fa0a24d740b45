// HDF5 files of any layout, whose datasets the user names: frames, keys, flats, darks, angles; and what is refused.
#include <QTemporaryDir>
#include <fstream>

#include "core/graph/graph_json.h"
#include "core/io/open_scan.h"
#include "core/io/reader/scan_info.h"
#include "core/run/executor.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::hdf5_by_hand_test {

using tl::test::Hdf5Maker;
using tl::test::ramp;
namespace fs = std::filesystem;

namespace {

constexpr int views = 6, rows = 3, cols = 5;

Result<std::unique_ptr<io::ScanReader>> open(const fs::path& file, const io::ScanChoices& choices) {
  return io::open_scan(file, {}, {.choices = choices});
}

float first_pixel(io::ScanReader& scan, int64_t view) {
  return scan.read({{view, view + 1}, {0, 1}, {0, 1}}).or_throw().item<float>();
}

}  // namespace

class Hdf5ByHandTest : public test::ScanFolder {
  Q_OBJECT

  // A dark, a flat, six views and an invalid frame, pixel 0 of frame i being 1 + 100 i; angles per frame.
  [[nodiscard]] fs::path keyed() const {
    if (fs::exists(path("keyed.h5"))) return path("keyed.h5");  // it may be open
    Hdf5Maker h5(path("keyed.h5").string());
    h5.frames<uint16_t>("/scan/images", views + 3, rows, cols, 1);
    h5.numbers<int32_t>("/scan/kinds", {views + 3}, {2, 1, 0, 0, 0, 0, 0, 0, 3});
    h5.numbers<double>("/motors/turn", {views + 3}, ramp(views + 3, -60, 30), "deg");
    return path("keyed.h5");
  }
  [[nodiscard]] fs::path apart() const {
    if (fs::exists(path("apart.h5"))) return path("apart.h5");
    Hdf5Maker h5(path("apart.h5").string());
    h5.frames<uint16_t>("/raw", views, rows, cols, 1);
    h5.frames<uint16_t>("/open_beam", 2, rows, cols, 900);
    h5.frames<uint16_t>("/closed", 1, rows, cols, 7);
    h5.numbers<double>("/turn", {views}, ramp(views, 0, 30), "deg");
    h5.numbers<double>("/flat_picture", {rows, cols}, std::vector<double>(rows * cols, 1));
    return path("apart.h5");
  }

 private Q_SLOTS:
  void frames_are_sorted_by_keys() {
    const auto scan =
        open(keyed(), {.data = "/scan/images", .image_key = "/scan/kinds", .angles_dataset = "/motors/turn"})
            .or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("hdf5"));
    QCOMPARE(info.views, views);
    QCOMPARE(info.flats, 1);
    QCOMPARE(info.darks, 1);
    QVERIFY(noted(info, "1 frame marked invalid"));
    QCOMPARE(first_pixel(*scan, 0), 201.0F);
    QCOMPARE(scan->read_flats({0, rows}, {0, cols}).or_throw()[0][0][0].item<float>(), 101.0F);
    QVERIFY(std::abs(info.angles.value.front()) < 1e-12 && info.angles.origin == Origin::user);
    QVERIFY(std::abs(info.angles.value.back() - 150 * pi / 180) < 1e-12);
  }

  void flats_and_darks_have_datasets_of_their_own() {
    const auto scan =
        open(apart(),
             {.data = "/raw", .flats = "/open_beam", .darks = "/closed", .angles_dataset = "/turn", .energy = 25})
            .or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.views, views);
    QCOMPARE(info.flats, 2);
    QCOMPARE(info.darks, 1);
    QCOMPARE(info.energy->value, 25.0);
    QCOMPARE(first_pixel(*scan, 1), 101.0F);
    QCOMPARE(scan->read_darks({0, rows}, {0, cols}).or_throw().min().item<float>(), 7.0F);
    // Without flats and darks, and with angles of another kind.
    const auto plain = open(apart(), {.data = "/raw", .angle_step = 0.1}).or_throw();
    QCOMPARE(plain->info().flats, 0);
    QVERIFY(std::abs(plain->info().angles.value[3] - 0.3) < 1e-12);
  }

  // An average has rows and columns only, also in chunks of which one may be missing.
  void averages_of_flats_count_as_one() {
    {
      Hdf5Maker h5(path("averages.h5").string());
      h5.frames<uint16_t>("/raw", views, rows, cols, 1);
      h5.numbers<double>("/flat", {rows, cols}, ramp(rows * cols, 900, 0.5));
      h5.numbers<float>("/dark", {rows, cols}, std::vector<float>(rows * cols, 7), {}, {2, 2}, test::Packing::deflate);
      h5.numbers<float>("/unwritten", {rows, cols}, {}, {}, {2, 2});
    }
    const auto scan = open(path("averages.h5"), {.data = "/raw", .flats = "/flat", .darks = "/dark"}).or_throw();
    QCOMPARE(scan->info().flats, 1);
    QCOMPARE(scan->info().flat_positions, std::vector<double>{-0.5});
    const at::Tensor flat = scan->read_flats({1, 3}, {2, 4}).or_throw();
    QCOMPARE(flat.size(0), int64_t{1});
    QVERIFY(
        at::equal(flat[0], 900 + 0.5 * (5 * at::arange(1, 3, at::kFloat).unsqueeze(1) + at::arange(2, 4, at::kFloat))));
    QVERIFY(at::equal(scan->read_darks({0, rows}, {0, cols}).or_throw(), at::full({1, rows, cols}, 7.0)));
    const auto missing = open(path("averages.h5"), {.data = "/raw", .darks = "/unwritten"}).or_throw();
    const auto dark = missing->read_darks({0, rows}, {0, cols});
    QVERIFY(!dark.ok() && test::mentions(dark.error().message(), {"never recorded", "/unwritten"}));
  }

  // The user names the file, which needs no further consent; links in it do.
  void flats_and_darks_may_be_in_other_files() {
    fs::create_directories(path("scan"));
    fs::create_directories(path("references"));
    {
      Hdf5Maker h5(path("scan/raw.h5").string());
      h5.frames<uint16_t>("/raw", views, rows, cols, 1);
    }
    {
      Hdf5Maker h5(path("references/open.h5").string());
      h5.frames<uint16_t>("/flats", 2, rows, cols, 900);
      h5.external_link("closed.h5", "/darks", "/elsewhere");
    }
    {
      Hdf5Maker h5(path("references/closed.h5").string());
      h5.frames<uint16_t>("/darks", 1, rows, cols, 7);
    }
    io::ScanChoices choices{.data = "/raw", .flats = "/flats", .darks = "/darks"};
    choices.flats_file = path("references/open.h5");
    choices.darks_file = path("references/closed.h5");
    const auto scan = open(path("scan/raw.h5"), choices).or_throw();
    QCOMPARE(scan->info().flats, 2);
    QCOMPARE(scan->read_flats({0, rows}, {0, cols}).or_throw()[1][0][0].item<float>(), 1000.0F);
    QCOMPARE(scan->read_darks({0, rows}, {0, cols}).or_throw().min().item<float>(), 7.0F);
    const auto files = scan->files();
    for (const char* name : {"scan/raw.h5", "references/open.h5", "references/closed.h5"})
      QVERIFY2(std::find(files.begin(), files.end(), path(name)) != files.end(), name);
    QVERIFY(scan->info().outside.size() == 1 && test::mentions(scan->info().outside[0], {"open.h5", "closed.h5"}));
    choices.darks = "/elsewhere";
    choices.darks_file = path("references/open.h5");
    const auto linked = open(path("scan/raw.h5"), choices);
    QVERIFY(!linked.ok() && io::refuses_outside_links(linked.error()));
    choices.outside_links = io::OutsideLinks::follow;
    const auto followed = open(path("scan/raw.h5"), choices);
    choices.outside_links = io::OutsideLinks::refuse;
    QCOMPARE(followed.value()->read_darks({0, rows}, {0, cols}).or_throw().min().item<float>(), 7.0F);
    // What is missing, or changes.
    choices.darks_file = path("references/nothing.h5");
    QVERIFY(test::mentions(open(path("scan/raw.h5"), choices).error().message(), {"does not exist", "nothing.h5"}));
    std::ofstream(path("references/open.h5"), std::ios::app) << "more";
    const auto changed = scan->read_flats({0, rows}, {0, cols});
    QVERIFY(!changed.ok() && test::mentions(changed.error().message(), {"changed while it was read", "open.h5"}));
  }

  void the_load_node_reads_references_of_other_files() {
    {
      Hdf5Maker h5(path("flats_only.h5").string());
      h5.frames<uint16_t>("/flats", 1, rows, cols, 500);
    }
    Graph graph;
    graph.nodes["load"] = {"input.load_scan",
                           1,
                           {{"file", apart().string()},
                            {"data", std::string("/raw")},
                            {"flats", std::string("/flats")},
                            {"flats_file", path("flats_only.h5").string()},
                            {"angle_step", Number{30, Unit::deg}}}};
    const auto flat = [&] {
      Executor executor(Registry::all(), {});
      const auto scan = std::get<Projections>(executor.pull(graph, "load", "projections").or_throw());
      return scan.references.flats[0][0][0].item<float>();
    };
    QCOMPARE(flat(), 500.0F);
    Hdf5Maker(path("flats_only.h5").string()).frames<uint16_t>("/flats", 1, rows, cols, 600);
    QCOMPARE(flat(), 600.0F);
  }

  void frames_may_be_sinograms() {
    {
      Hdf5Maker h5(path("sino.h5").string());
      h5.frames<uint16_t>("/sino", rows, views, cols, 1);
    }
    const auto scan =
        open(path("sino.h5"), {.data = "/sino", .angle_step = 0.1, .order = io::FrameOrder::sinograms}).or_throw();
    QCOMPARE(scan->info().views, views);
    QCOMPARE(scan->info().rows, rows);
    QCOMPARE(first_pixel(*scan, 2), 21.0F);
  }

  // A file of a known layout, of which other frames are wanted.
  void the_users_word_counts_more_than_the_layout() {
    {
      Hdf5Maker h5(path("known.h5").string());
      h5.frames<uint16_t>("/exchange/data", 4, rows, cols, 1);
      h5.numbers<double>("/exchange/theta", {4}, ramp(4, 0, 45), "deg");
      h5.frames<uint16_t>("/second_camera", views, rows, cols, 500);
      h5.numbers<double>("/turn", {views}, ramp(views, 0, 30), "deg");
    }
    QCOMPARE(open(path("known.h5"), {}).or_throw()->info().format, std::string("dxchange"));
    const auto scan = open(path("known.h5"), {.data = "/second_camera", .angles_dataset = "/turn"}).or_throw();
    QCOMPARE(scan->info().views, views);
    QCOMPARE(first_pixel(*scan, 0), 500.0F);
  }

  void the_load_node_passes_them_on() {
    Graph graph;
    graph.nodes["load"] = {"input.load_scan",
                           1,
                           {{"file", keyed().string()},
                            {"data", std::string("/scan/images")},
                            {"image_key", std::string("/scan/kinds")},
                            {"angles_dataset", std::string("/motors/turn")},
                            {"energy", Number{30, Unit::keV}}}};
    Executor executor(Registry::all(), {});
    const auto scan = std::get<Projections>(executor.pull(graph, "load", "projections").or_throw());
    QCOMPARE(scan.data.size(0), int64_t{views});
    QCOMPARE(scan.data[0][0][0].item<float>(), 201.0F);
  }

  void what_cannot_be_is_refused() {
    const auto refused = [&](const fs::path& file, const io::ScanChoices& choices,
                             std::initializer_list<std::string> words) {
      const auto scan = open(file, choices);
      QVERIFY(!scan.ok());
      QVERIFY2(test::mentions(scan.error().message(), words), scan.error().message().c_str());
    };
    refused(keyed(), {.data = "/scan/nothing"}, {"keyed.h5:/scan/nothing"});
    refused(keyed(), {.data = "/motors/turn"}, {"/motors/turn"});
    refused(keyed(), {.data = "/scan/images", .image_key = "/nothing"}, {"keyed.h5:/nothing"});
    refused(apart(), {.data = "/raw", .image_key = "/closed"}, {"/closed"});
    refused(apart(), {.data = "/flat_picture"}, {"/flat_picture", "rank 3"});
    refused(apart(), {.data = "/raw", .flats = "/turn"}, {"/turn", "[row, column]"});
    refused(apart(), {.data = "/raw", .image_key = "/x", .flats = "/open_beam"}, {"flats and darks"});
    refused(apart(), {.image_key = "/x"}, {"without the dataset of the frames"});
    refused(keyed(), {.data = "/scan/images", .angles_dataset = "/scan/images"}, {"/scan/images"});
    refused(keyed(), {.data = "/scan/images", .energy = -1}, {"energy"});
    {
      Hdf5Maker h5(path("small.h5").string());
      h5.frames<uint16_t>("/raw", 2, rows, cols + 1, 1);
      h5.frames<uint16_t>("/open_beam", 2, rows, cols, 1);
    }
    refused(path("small.h5"), {.data = "/raw", .flats = "/open_beam"}, {"/open_beam"});
    // A file of unknown layout says what to do.
    refused(apart(), {}, {"--data"});
  }
};

TL_TEST_CASE(Hdf5ByHandTest)

}  // namespace tl::hdf5_by_hand_test

#include "hdf5_by_hand.moc"
