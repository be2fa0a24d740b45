// Rotation axes of other programs: each frame of columns is converted, and where the columns are lost no axis is
// written.
#include "tests/core/graph/foreign_support.h"

namespace tl::foreign_test {

class ForeignAxesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Columns from the middle of the first one there, from the detector centre here.
  void rotation_axes_change_their_frame() {
    const std::string list =
        "- {method: standard_tomo, module_path: httomo.data.hdf.loaders}\n"
        "- method: FBP2d_astra\n  module_path: httomolibgpu.recon.algorithm\n"
        "  parameters: {center: 1290.5}\n";
    QCOMPARE(value(read("httomo", list, known_scan).graph, "geometry.set", "axis"), std::string("11 px"));
    const ReadPipeline unknown = read("httomo", list);
    QCOMPARE(node_of(unknown.graph, "geometry.set"), nullptr);
    QVERIFY(names(unknown.lost, "FBP2d_astra.center"));
    // A crop names its width itself: columns 100 to 299, centre 99.5.
    const std::string cropped =
        "- method: standard_tomo\n  module_path: httomo.data.hdf.loaders\n  parameters:\n"
        "    preview: {detector_x: {start: 100, stop: 300}}\n" +
        list.substr(list.find('\n') + 1);
    QCOMPARE(value(read("httomo", cropped).graph, "geometry.set", "axis"), std::string("1191 px"));
    QCOMPARE(
        value(read("nabu", "[dataset]\nlocation=a.nx\n[reconstruction]\nrotation_axis_position = 1279.5\n", known_scan)
                  .graph,
              "geometry.set", "axis"),
        std::string("0 px"));
    // Pairs of columns: (1290.5 + 0.5) / 2 - 0.5 = 645 of 1280, whose centre is 639.5.
    QCOMPARE(value(read("nabu", nabu_conf, known_scan).graph, "geometry.set", "axis"), std::string("5.5 px"));
    QVERIFY(names(read("nabu", nabu_conf).lost, "[reconstruction] rotation_axis_position"));
  }

  // httomolibgpu takes column w / 2 in integers: half a pixel from the middle of an even width.
  void httomo_does_not_default_to_the_middle() {
    const auto list_with = [](const std::string& axis, const ScanFacts& facts) {
      return write("httomo",
                   chain({{"input.load_scan", {}},
                          {"correct.flat_field", {}},
                          {"geometry.set", {{"axis", axis}}},
                          {"recon.fbp", {}}}),
                   facts);
    };
    ScanFacts odd = known_scan;
    odd.columns = 2561;
    QVERIFY(list_with("0 px", known_scan).text.find("center: 1279.5") != std::string::npos);
    QVERIFY(list_with("0.5 px", known_scan).text.find("center: null") != std::string::npos);
    QVERIFY(list_with("0 px", odd).text.find("center: null") != std::string::npos);
    QVERIFY(names(list_with("0 px", {}).lost, "set.axis"));
    const std::string none = list_with("0.5 px", known_scan).text;
    QCOMPARE(value(read("httomo", none, known_scan).graph, "geometry.set", "axis"), std::string("0.5 px"));
    QCOMPARE(value(read("httomo", none, odd).graph, "geometry.set", "axis"), std::string("0 px"));
    const ReadPipeline unknown = read("httomo", none);
    QCOMPARE(node_of(unknown.graph, "geometry.set"), nullptr);
    QVERIFY(names(unknown.lost, ".center"));
  }

  // What the other program cannot crop, join or stitch leaves it other columns: no axis is written for them.
  void axes_behind_lost_crops_are_lost() {
    using Nodes = std::vector<std::pair<std::string, std::map<std::string, std::string>>>;
    const auto with = [](const std::map<std::string, std::string>& crop, const std::string& axis) {
      return chain(Nodes{{"input.load_scan", {}},
                         {"correct.crop_bin", crop},
                         {"correct.flat_field", {}},
                         {"geometry.set", {{"axis", axis}}},
                         {"recon.fbp", {}}});
    };
    for (const char* axis : {"5 px", "0 px"}) {
      const WrittenPipeline nabu = write("nabu", with({{"first_col", "200"}}, axis), known_scan);
      QVERIFY2(names(nabu.lost, "set.axis"), nabu.text.c_str());
      QVERIFY(nabu.text.find("rotation_axis_position = \n") != std::string::npos);
      const WrittenPipeline binned = write("httomo", with({{"bin_cols", "2"}}, axis), known_scan);
      QVERIFY2(names(binned.lost, "set.axis"), binned.text.c_str());
    }
    // What they can is converted: columns 200 to 999, axis 5 px: 404.5 of 800.
    const Graph cropped = with({{"first_col", "200"}, {"last_col", "999"}}, "5 px");
    QVERIFY(write("httomo", cropped, known_scan).text.find("center: 404.5") != std::string::npos);
    QVERIFY(
        write("nabu", with({{"bin_cols", "2"}}, "5.5 px"), known_scan).text.find("rotation_axis_position = 1290.5") !=
        std::string::npos);
    // Stitched half turns have a width that nobody knows yet.
    const std::string stitched = R"(- method: standard_tomo
  module_path: httomo.data.hdf.loaders
  parameters: {data_path: auto, image_key_path: auto, rotation_angles: auto}
- method: sino_360_to_180
  module_path: httomolibgpu.misc.morph
  parameters: {overlap: 200, side: left}
- method: FBP2d_astra
  module_path: httomolibgpu.recon.algorithm
  parameters: {center: 899.5}
)";
    const ReadPipeline p = read("httomo", stitched, known_scan);
    QCOMPARE(node_of(p.graph, "geometry.set"), nullptr);
    QVERIFY2(names(p.lost, "FBP2d_astra.center"), all_losses(p.lost).c_str());
  }
};

TL_TEST_CASE(ForeignAxesTest)

}  // namespace tl::foreign_test

#include "foreign_axes.moc"
