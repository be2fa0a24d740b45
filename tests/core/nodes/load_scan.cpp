// The load node: flats and darks are read once for all blocks of views of the same rows and columns.
#include <ATen/ATen.h>

#include <QTemporaryDir>

#include "core/run/executor.h"
#include "core/values/flat_positions.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/live_record.h"
#include "tests/support/test_case.h"

namespace tl::load_scan_test {

class LoadScanTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

 private Q_SLOTS:
  void flats_and_darks_are_read_once() {
    const std::string file = dir_.filePath("scan.h5").toStdString();
    {
      test::Hdf5Maker h5(file);
      h5.frames<uint16_t>("/exchange/data", 12, 6, 16, 100);
      h5.frames<uint16_t>("/exchange/data_white", 3, 6, 16, 900);
      h5.frames<uint16_t>("/exchange/data_dark", 2, 6, 16, 10);
      h5.numbers<double>("/exchange/theta", {12}, test::ramp(12, 0, 15), "degree");
    }
    Graph graph;
    graph.nodes["load"] = {"input.load_scan", 1, {{"file", file}}};
    Executor executor(Registry::all(), {});
    const auto block = [&](Range views, Range rows) {
      const Value value = executor.pull(graph, "load", "projections", ScanRegion{views, rows, {0, 16}}).or_throw();
      return std::get<Projections>(value);
    };
    const Projections first = block({0, 4}, {0, 6}), second = block({4, 12}, {0, 6}), part = block({0, 4}, {2, 5});
    QCOMPARE(first.references.flats.sizes(), at::IntArrayRef({3, 6, 16}));
    QCOMPARE(first.references.darks.sizes(), at::IntArrayRef({2, 6, 16}));
    QVERIFY(second.references.flats.data_ptr() == first.references.flats.data_ptr());
    QVERIFY(second.references.darks.data_ptr() == first.references.darks.data_ptr());
    QVERIFY(at::equal(part.references.flats, first.references.flats.narrow(1, 2, 3)));
    QVERIFY(at::equal(part.references.darks, first.references.darks.narrow(1, 2, 3)));
    QVERIFY(second.references.flat_positions == first.references.flat_positions);
  }

  // Between two views: between the chosen ones. With a view: with the nearest chosen one away from the gap.
  void flats_stand_among_the_chosen_views() {
    const std::vector<int64_t> every_tenth = {0, 10, 20, 30};
    QCOMPARE(position_among(every_tenth, -0.5), -0.5);
    QCOMPARE(position_among(every_tenth, 12.5), 1.5);
    QCOMPARE(position_among(every_tenth, 39.5), 3.5);
    QCOMPARE(position_among(every_tenth, 19.25), 1.0);  // with view 19, the last before a gap
    QCOMPARE(position_among(every_tenth, 19.75), 2.0);  // with view 20, the first after it
    QCOMPARE(position_among(every_tenth, -0.25), 0.0);
    QCOMPARE(position_among(every_tenth, 30.25), 3.0);
    // Parts of the scan of which no view was chosen stay away.
    const std::vector<int64_t> middle = {20, 21, 22};
    QCOMPARE(position_among(middle, 9.25), -11.0);
    QCOMPARE(position_among(middle, 19.75), 0.0);
    QCOMPARE(position_among(middle, 22.25), 2.0);
    QCOMPARE(position_among(middle, 22.75), 3.0);
    QCOMPARE(position_among(middle, 32.25), 12.0);
  }

  // Three parts of ten views with flats at both ends. Where no view of the middle one is chosen, its flats would stand
  // with those of its neighbours: they are left out.
  void flats_of_a_gap_are_left_out() {
    const std::vector<double> ends = {-0.25, 9.25, 9.75, 19.25, 19.75, 29.25};
    const FlatsAmong gap = flats_among({0, 5, 9, 20, 25, 29}, ends);
    QCOMPARE(gap.flats, (std::vector<int64_t>{0, 1, 4, 5}));
    QCOMPARE(gap.positions, (std::vector<double>{0, 2, 3, 5}));
    const FlatsAmong one_view = flats_among({5, 15, 25}, ends);
    QCOMPARE(one_view.flats, (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
    // Outside of the chosen views they correct none; between two views they belong to both sides.
    QCOMPARE(flats_among({12, 15}, ends).positions, (std::vector<double>{-12, -3, -2, 5, 6, 15}));
    QCOMPARE(flats_among({0, 29}, {-0.5, 9.5, 19.5}).positions, (std::vector<double>{-0.5, 0.5, 0.5}));
    // Flats of several times outside of the chosen views stay apart: a view has the nearest, as in the whole scan.
    QCOMPARE(flats_among({30, 31}, {-0.5, -0.5, 9.5, 19.5, 30.5, 39.5, 49.5}).positions,
             (std::vector<double>{-2.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5}));
    // Flats of the gap alone are better than none.
    QCOMPARE(flats_among({0, 29}, {9.75, 19.25}).flats.size(), std::size_t{2});
  }

  // An image of one view of the load node reads neither flats nor darks: the memory that is kept afterwards would not
  // hold them. A sinogram comes with them, since the flat-field node asks for the same.
  void an_image_of_a_view_reads_no_flats() {
    constexpr int64_t flats = 100, rows = 32, cols = 48, view_bytes = rows * cols * 4;
    const std::string file = dir_.filePath("many_flats.h5").toStdString();
    {
      test::Hdf5Maker h5(file);
      h5.frames<uint16_t>("/exchange/data", 12, rows, cols, 100);
      h5.frames<uint16_t>("/exchange/data_white", flats, rows, cols, 900);
      h5.frames<uint16_t>("/exchange/data_dark", flats, rows, cols, 10);
      h5.numbers<double>("/exchange/theta", {12}, test::ramp(12, 0, 15), "degree");
    }
    Graph graph;
    // Flats that become twelve times brighter are odd, but are asked for here.
    graph.nodes["load"] = {"input.load_scan", 1, {{"file", file}, {"odd_references", std::string("keep")}}};
    Executor executor(Registry::all(), {});
    ScanRegion one{{3, 4}, {0, rows}, {0, cols}, WithReferences::left_out};
    const auto pulled = [&] {
      return std::get<Projections>(executor.pull(graph, "load", "projections", one).or_throw());
    };
    const Projections without = pulled();
    QVERIFY(!without.references.flats.defined() && !without.references.darks.defined());
    one.references = WithReferences::wanted;
    const Projections with = pulled();
    QCOMPARE(with.references.flats.size(0), flats);
    QVERIFY(at::equal(with.data, without.data));

    test::Record record;
    live::Engine engine(Registry::all(), test::options(), record);
    engine.set_graph(graph);
    engine.request("view", {"load", "projections", ScanRegion{{3, 4}, {0, rows}, {0, cols}}});
    const auto picture = record.sharp("view", 0);
    QVERIFY(picture && !picture->error);
    QVERIFY(at::equal(test::tensor(*picture)[0], with.data[0].to(at::kFloat)));
    QVERIFY(record.wait([&] { return record.cached.used > 0; }));
    QVERIFY(record.cached.used < 10 * view_bytes);
    engine.request("sinogram", {"load", "projections", ScanRegion{{0, 12}, {3, 4}, {0, cols}}});
    QVERIFY(record.sharp("sinogram", 0).has_value());
    QVERIFY(record.wait([&] { return record.cached.used > 2 * flats * cols * 4; }));
  }
};

TL_TEST_CASE(LoadScanTest)

}  // namespace tl::load_scan_test

#include "load_scan.moc"
