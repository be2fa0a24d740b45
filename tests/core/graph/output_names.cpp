// Names of output files: no output node of the registry writes a file that is named like another format.
#include "core/graph/output_names.h"

#include <QTemporaryDir>
#include <filesystem>

#include "core/io/volumes/format.h"
#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::output_names_test {
namespace {

namespace fs = std::filesystem;

const ParamDecl& file_of(const NodeType& type) {
  for (const ParamDecl& decl : type.params)
    if (decl.path == PathRole::output) return decl;
  throw std::logic_error("an output node without a file");
}

// Endings of other files that a user may have lying there.
const std::vector<std::string> foreign_endings = {".jpg", ".txt", ".xls", ".name", ".5um"};

std::vector<std::string> all_endings() {
  std::vector<std::string> all = foreign_endings;
  for (const NodeType& type : Registry::all().types())
    for (const OutputFormat& format : output_formats(type))
      all.insert(all.end(), format.endings.begin(), format.endings.end());
  return all;
}

bool has(const std::vector<std::string>& endings, const std::string& ending) {
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

}  // namespace

class OutputNamesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_output_node_has_formats() {
    for (const NodeType& type : Registry::all().types()) {
      if (!type.is_output) {
        QVERIFY2(output_formats(type).empty(), type.id.c_str());
        continue;
      }
      const std::vector<OutputFormat> formats = output_formats(type);
      QVERIFY2(!formats.empty(), type.id.c_str());
      // The defaults fit each other.
      const std::string name = std::get<std::string>(file_of(type).initial);
      QVERIFY2(check_output_name(type.id, formats.front().choice, name).ok(), type.id.c_str());
    }
  }

  // The law: whatever the name, what is written has it only if it fits.
  void a_wrong_ending_is_refused_before_anything_runs_data() {
    QTest::addColumn<QString>("id");
    for (const NodeType& type : Registry::all().types())
      if (type.is_output) QTest::newRow(type.id.c_str()) << QString::fromStdString(type.id);
  }
  void a_wrong_ending_is_refused_before_anything_runs() {
    QFETCH(QString, id);
    const NodeType& type = *Registry::all().find(id.toStdString());
    const std::string file = file_of(type).name;
    int refused = 0;
    const QTemporaryDir folder;
    for (const auto& trial : test::default_trials(type, folder.path().toStdString())) {
      Executor executor(test::registry(), test::options_in(folder.path().toStdString()));
      for (const OutputFormat& format : output_formats(type))
        for (const std::string& ending : all_endings()) {
          Graph graph = trial.graph;
          GraphNode& node = graph.nodes["node"];
          node.params[file] = "result" + ending;
          if (!format.choice.empty()) node.params["format"] = format.choice;
          // DICOM has integers alone, with the values that become the smallest and the largest.
          if (format.choice == "dicom" && type.id == "output.save_volume") {
            node.params["type"] = std::string("uint16");
            node.params["low"] = Number{0, Unit::none};
            node.params["high"] = Number{1, Unit::none};
          }
          const bool fits = has(format.endings, ending) || (format.is_folder && has(foreign_endings, ending));
          const auto checked = executor.check(graph);
          const std::string what = format.choice + " as result" + ending;
          QVERIFY2(checked.ok() == fits, (what + (checked.ok() ? "" : ": " + checked.error().message())).c_str());
          if (fits) continue;
          ++refused;
          QVERIFY2(!checked.error().hint.empty(), what.c_str());
        }
      break;
    }
    QVERIFY(refused > 0);
  }

  void the_ending_follows_the_format() {
    const NodeType& type = *Registry::all().find("output.save_volume");
    GraphNode node{"output.save_volume", 1, {}};
    const auto name = [&] { return std::get<std::string>(node.params.at("file")); };
    for (const io::VolumeFormat& format : io::volume_formats()) {
      node.params["file"] = std::string("a/bone_0.5um.tif");
      node.params["format"] = std::string(format.id);
      match_name_and_format(node, type, "format");
      const std::string ending(format.extensions.substr(0, format.extensions.find(' ')));
      QCOMPARE(name(), "a/bone_0.5um" + (ending == ".tif" ? std::string(".tif") : ending));
    }
    // Also from an ending of two parts, and from a name that is not set.
    node.params = {{"file", std::string("a.nii.gz")}, {"format", std::string("nrrd")}};
    match_name_and_format(node, type, "format");
    QCOMPARE(name(), std::string("a.nrrd"));
    node.params = {{"format", std::string("nifti")}};
    match_name_and_format(node, type, "format");
    QCOMPARE(name(), std::string("volume.nii"));
    // Nothing changes where they agree.
    node.params = {{"file", std::string("a.NII.GZ")}, {"format", std::string("nifti")}};
    match_name_and_format(node, type, "format");
    QCOMPARE(name(), std::string("a.NII.GZ"));
  }

  void the_format_follows_the_ending() {
    const NodeType& type = *Registry::all().find("output.save_volume");
    GraphNode node{"output.save_volume", 1, {{"file", std::string("a.nii.gz")}}};
    match_name_and_format(node, type, "file");
    QCOMPARE(std::get<std::string>(node.params.at("format")), std::string("nifti"));
    // An ending that no format has changes nothing: the node says what is wrong with it.
    node.params["file"] = std::string("a.jpg");
    match_name_and_format(node, type, "file");
    QCOMPARE(std::get<std::string>(node.params.at("format")), std::string("nifti"));
    const Result<void> checked = check_output_name(type.id, "nifti", "a.jpg");
    QVERIFY(!checked.ok() && checked.error().hint.find("a.jpg.nii") != std::string::npos);
  }

  void messages_name_both_formats_and_a_name() {
    const Result<void> checked = check_output_name("output.save_volume", "nifti", "good.tif");
    QVERIFY(!checked.ok());
    const std::string message = checked.error().message();
    for (const char* part : {"good.tif", "TIFF", "NIfTI", "good.nii"})
      QVERIFY2(message.find(part) != std::string::npos, message.c_str());
  }
};

TL_TEST_CASE(OutputNamesTest)

}  // namespace tl::output_names_test

#include "output_names.moc"
