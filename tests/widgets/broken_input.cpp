// Broken input, eleven cases: the card of the failing node shows the error, its tool tip and the inspector show the
// remedy, and repairing the input removes the message.
#include <QLabel>
#include <fstream>

#include "core/graph/graph_json.h"
#include "tests/support/disc_scan.h"
#include "tests/support/file_tree.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/inspector/error_card.h"
#include "widgets/inspector/inspector.h"
#include "widgets/theme/theme.h"

namespace tl::ui::broken_input_test {
namespace {

using test::Hdf5Maker;
using test::patience_ms;
using test::Studio;

Graph pipeline(const QString& file) {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", file.toStdString()}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["crop"] = {"correct.crop_bin", 1, {}};
  g.nodes["axis"] = {"axis.wedge", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "crop", "projections"},
             {"crop", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"}};
  return g;
}

// Twelve frames, with so many keys and angles.
void write_frames(const QString& path, hsize_t keys, hsize_t angles) {
  Hdf5Maker file(path.toStdString());
  file.text("/entry/definition", "NXtomo");
  file.frames<uint16_t>("/entry/instrument/detector/data", 12, 4, 32, 50);
  std::vector<int32_t> values(keys, 0);
  values[0] = 2, values[1] = 1;
  file.numbers<int32_t>("/entry/instrument/detector/image_key", {keys}, values);
  file.numbers<double>("/entry/sample/rotation_angle", {angles}, test::ramp(static_cast<int>(angles), 0, 15), "degree");
}

struct Case {
  const char* name;
  const char* node;   // at which the message must be shown
  const char* words;  // of it
  void (*spoil)(Studio&, Graph&, const QString& file);
};

void put(const QString& path, const char* text) { std::ofstream(path.toStdString()) << text; }
void set(Graph& g, const char* node, const char* param, const ParamValue& value) {
  g.nodes[node].params[param] = value;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"no file chosen", "load", "file", [](Studio&, Graph& g, const QString&) { g.nodes["load"].params.clear(); }},
      {"missing file", "load", "",
       [](Studio& s, Graph& g, const QString&) { set(g, "load", "file", s.folder.filePath("gone.nx").toStdString()); }},
      {"a text file", "load", "", [](Studio&, Graph&, const QString& file) { put(file, "not a scan"); }},
      {"an empty file", "load", "", [](Studio&, Graph&, const QString& file) { put(file, ""); }},
      {"a file that ends too early", "load", "",
       [](Studio&, Graph&, const QString& file) { QFile(file).resize(QFileInfo(file).size() / 3); }},
      {"too few keys", "load", "5 values for 12 frames",
       [](Studio&, Graph&, const QString& file) { write_frames(file, 5, 12); }},
      {"too few angles", "load", "angle", [](Studio&, Graph&, const QString& file) { write_frames(file, 12, 7); }},
      {"a parallel beam for a cone", "fbp", "beam",
       [](Studio&, Graph& g, const QString&) { g.nodes["fbp"].type = "recon.fdk"; }},
      {"a crop beyond the detector", "crop", "",
       [](Studio&, Graph& g, const QString&) {
         set(g, "crop", "first_col", int64_t{500});
         set(g, "crop", "last_col", int64_t{600});
       }},
      {"a required link is missing", "fbp", "projections",
       [](Studio&, Graph& g, const QString&) { g.links.pop_back(); }},
      {"a quarter turn is too little for the axis", "axis", "",
       [](Studio&, Graph& g, const QString&) { set(g, "load", "last_view", int64_t{30}); }},
  };
  return all;
}

}  // namespace

class BrokenInputTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void is_reported_on_the_node_data();
  void is_reported_on_the_node();
  void nodes_of_a_newer_program_are_kept();
};

void BrokenInputTest::is_reported_on_the_node_data() {
  QTest::addColumn<int>("index");
  for (std::size_t i = 0; i < cases().size(); ++i) QTest::newRow(cases()[i].name) << static_cast<int>(i);
}

void BrokenInputTest::is_reported_on_the_node() {
  QFETCH(int, index);
  const Case& now = cases().at(static_cast<std::size_t>(index));
  Studio studio;
  const QString file = studio.folder.filePath("scan.nx");
  test::write_disc_scan(file.toStdString(), {});
  Graph graph = pipeline(file);
  now.spoil(studio, graph, file);
  QVERIFY(studio.open());
  studio.document.reset(graph);
  studio.window.show_main_page();
  const auto* canvas = studio.window.findChild<Canvas*>();
  const auto card = [&] { return studio.window.findChild<Canvas*>()->scene().node(now.node)->card(); };
  QVERIFY(canvas != nullptr);
  QTRY_VERIFY_WITH_TIMEOUT(!card().error.isEmpty(), patience_ms);
  const QString text = card().error + " | " + card().hint;
  QVERIFY2(text.contains(QLatin1String(now.words), Qt::CaseInsensitive), qPrintable(text));
  QVERIFY2(!card().hint.isEmpty(), qPrintable(text));  // what to do about it
  qInfo("%s: %s", now.name, qPrintable(text));
  studio.selection.set_one(now.node);
  auto* error_card = studio.window.inspector().findChild<ErrorCard*>();
  QTRY_VERIFY(error_card->isVisible());
  // A file that is whole again is found without being asked for.
  test::write_disc_scan(file.toStdString(), {});
  studio.document.edit("Repair", [&](Graph& g) { g = pipeline(file); });
  QTRY_VERIFY_WITH_TIMEOUT(card().error.isEmpty(), patience_ms);
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

// A pipeline of a newer program opens: what is not known is on the canvas with its links, does not run, and is saved as
// it was; the rest works.
void BrokenInputTest::nodes_of_a_newer_program_are_kept() {
  Studio studio;
  const QString scan = studio.folder.filePath("scan.nx"), file = studio.folder.filePath("newer.json");
  test::write_disc_scan(scan.toStdString(), {});
  Graph graph = pipeline(scan);
  std::string text = portable_json(graph, Registry::all(), studio.folder.path().toStdString());
  const std::string future = R"("nodes": {
    "denoise": {"type": "filter.from_tomorrow", "version": 3, "parameters": {"strength": {"of": [1, 2]}}},)";
  text.replace(text.find("\"nodes\": {"), 10, future);
  const std::string links = R"("links": [{"from": "fbp.volume", "to": "denoise.volume"},)";
  text.replace(text.find("\"links\": ["), 10, links);
  test::put(file.toStdString(), text);
  QVERIFY(studio.open());
  studio.window.files().open(file);
  QTRY_VERIFY_WITH_TIMEOUT(studio.document.graph().nodes.contains("denoise"), patience_ms);
  const Card& card = studio.window.findChild<Canvas*>()->scene().node("denoise")->card();
  QVERIFY(card.error.contains("does not know") && card.port("volume", Side::input) != nullptr);
  studio.selection.set_one("denoise");
  test::handle_queued_events();
  studio.selection.set_one("fbp");
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.info("fbp", "volume") != nullptr, patience_ms);
  test::keep_picture(studio.window, "newer-node", 1500);
  studio.document.edit("Cutoff", [](Graph& g) { g.nodes.at("fbp").params["cutoff"] = Number{0.4, Unit::nyquist}; });
  QTest::keyClick(&studio.window, Qt::Key_S, Qt::ControlModifier);
  QTRY_VERIFY(!studio.document.is_modified());
  const std::string saved = test::contents(file.toStdString());
  QVERIFY(saved.find("filter.from_tomorrow") != std::string::npos && saved.find("strength") != std::string::npos);
  QVERIFY(saved.find("0.4") != std::string::npos && saved.find("denoise.volume") != std::string::npos);
}

TL_TEST_CASE(BrokenInputTest)

}  // namespace tl::ui::broken_input_test

#include "broken_input.moc"
