// Names of saved files in the window: the ending follows the format, and an existing file is asked about under the name
// that is then written.
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <fstream>
#include <iterator>

#include "core/io/voxels/volume_info.h"
#include "tests/support/gui/studio_process.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/graph_editor.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/session/save_dialog.h"

namespace tl::ui::save_names_test {
namespace {

using test::Answer;
using test::patience_ms;
using test::Studio;

std::string file_bytes(const QString& file) {
  std::ifstream in(file.toStdString(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const QString& file, const char* text) {
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(text);
}

// Types names into the file dialogs that come, one after the other, and leaves them where there is none.
class Names final : public QObject {
 public:
  explicit Names(QStringList names) : names_(std::move(names)) {
    timer_.start(30);
    connect(&timer_, &QTimer::timeout, this, [this] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr || dialog == last_) return;
      last_ = dialog;
      ++asked;
      if (names_.isEmpty()) return dialog->reject();
      dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(names_.takeFirst());
      QTimer::singleShot(0, dialog, &QDialog::accept);
    });
  }
  int asked = 0;

 private:
  QStringList names_;
  QTimer timer_;
  QPointer<QDialog> last_;
};

}  // namespace

class SaveNamesTest final : public QObject {
  Q_OBJECT

  static std::string param(const Studio& studio, const char* name) {
    const auto& params = studio.document.graph().nodes.at("save").params;
    const auto set = params.find(name);
    return set == params.end() ? std::string() : std::get<std::string>(set->second);
  }
  static bool open_small(Studio& studio) {
    if (!studio.open_example()) return false;
    studio.document.edit("Smaller", [](Graph& g) {
      auto& params = g.nodes["simulate"].params;
      params["views"] = int64_t{30};
      params["cols"] = int64_t{48};
      params["rows"] = int64_t{4};
      for (auto& [id, node] : g.nodes)
        if (node.type == "output.save_volume" && id != "save")
          throw std::logic_error("the example saves by another node");
    });
    return studio.document.graph().nodes.contains("save");
  }

 private Q_SLOTS:
  void initTestCase() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Theme::instance().set(QStringLiteral("dark"));
  }

  void the_name_follows_the_format_in_form_and_canvas() {
    Studio studio;
    QVERIFY(open_small(studio));
    const std::string tif = param(studio, "file");
    QVERIFY(QString::fromStdString(tif).endsWith(".tif"));
    studio.window.canvas().editor().set_parameter("save", "format", std::string("nifti"));
    QCOMPARE(param(studio, "file"), tif.substr(0, tif.size() - 4) + ".nii");
    // One step.
    studio.document.undo_stack().undo();
    QCOMPARE(param(studio, "file"), tif);
    QVERIFY(param(studio, "format") != "nifti");
    studio.window.canvas().editor().set_parameter("save", "file", std::string("other.nrrd"));
    QCOMPARE(param(studio, "format"), std::string("nrrd"));
    studio.document.undo_stack().setClean();
  }

  // The fault: Format NIfTI wrote a NIfTI file named .tif over a good TIFF.
  void another_format_never_replaces_a_good_file() {
    Studio studio;
    QVERIFY(open_small(studio));
    const QString tif = studio.folder.filePath(QString::fromStdString(param(studio, "file")));
    put(tif, "a good TIFF");
    studio.selection.set_one("save");
    studio.window.canvas().editor().set_parameter("save", "format", std::string("nifti"));
    QTest::keyClick(&studio.window, Qt::Key_F5);
    const QString nii = tif.chopped(4) + ".nii";
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Wrote " + nii), patience_ms);
    QCOMPARE(file_bytes(tif), std::string("a good TIFF"));
    QVERIFY(io::read_volume_info(nii.toStdString()).ok());
    // A pipeline file that has them in disagreement is refused before anything runs, with a name to take.
    studio.document.edit("By hand", [](Graph& g) { g.nodes["save"].params["file"] = std::string("example.tif"); });
    studio.window.messages().clear();
    QTest::keyClick(&studio.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("is named like"), patience_ms);
    QCOMPARE(file_bytes(tif), std::string("a good TIFF"));
    studio.document.undo_stack().setClean();
  }

  void a_name_gets_its_ending_once() {
    QCOMPARE(with_ending("a", {".csv"}), QStringLiteral("a.csv"));
    QCOMPARE(with_ending("a.CSV", {".csv"}), QStringLiteral("a.CSV"));
    QCOMPARE(with_ending("a.txt", {".csv"}), QStringLiteral("a.txt.csv"));
    QCOMPARE(with_ending("a.onnx", {".safetensors", ".onnx"}), QStringLiteral("a.onnx"));
    QCOMPARE(with_ending("/x/.csv", {".csv"}), QStringLiteral("/x/.csv.csv"));
    QCOMPARE(with_ending("frames", {QString()}), QStringLiteral("frames"));
    QCOMPARE(with_ending("frames", {}), QStringLiteral("frames"));
  }

  // The pipeline itself: "scan" is saved as scan.json, which is asked about.
  void saving_a_pipeline_asks_about_the_file_that_is_written() {
    Studio studio;
    QVERIFY(open_small(studio));
    const QString file = studio.folder.filePath("scan.json");
    put(file, "mine");
    {
      const Names names({studio.folder.filePath("scan")});
      const Answer no(Qt::Key_Escape);
      QVERIFY(!studio.window.files().save_as());
      QVERIFY2(no.words.contains("scan.json"), qPrintable(no.words));
      QCOMPARE(file_bytes(file), std::string("mine"));
    }
    const Names names({studio.folder.filePath("scan")});
    const Answer yes(QStringLiteral("Replace"));
    QVERIFY(studio.window.files().save_as());
    QCOMPARE(studio.document.path(), file);
  }
};

TL_TEST_CASE(SaveNamesTest)

}  // namespace tl::ui::save_names_test

#include "save_names.moc"
