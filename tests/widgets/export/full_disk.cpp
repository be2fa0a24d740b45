// Exports onto a disk that is full: said before the click where the size is known, and after it where the room went
// meanwhile; nothing of the file is left.
#include <QPushButton>

#include "tests/support/file_tree.h"
#include "tests/support/gui/exporting.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_case.h"

namespace tl::ui::export_full_disk_test {
namespace {

using test::Exporting;
using test::patience_ms;

void add_volume(Document& document) {
  document.edit("Phantom", [&](Graph& g) {
    g.nodes["phantom"] = {"input.labelled_phantom", 1, {{"width", int64_t{32}}, {"height", int64_t{24}}}};
  });
}

}  // namespace

class ExportFullDiskTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void it_is_said_and_nothing_is_left() {
    const test::SmallDisk disk(test::Shortage::disk, 256 << 10);
    if (!disk.is_made()) QSKIP("no file system may be mounted here");
    const QDir folder(QString::fromStdString(disk.folder().string()));
    Exporting e;
    QVERIFY(e.open(add_volume, "phantom"));
    QTRY_VERIFY_WITH_TIMEOUT(e.dialog->session().grid() != nullptr, patience_ms);
    for (const char* format : {"output.save_volume nrrd", "output.save_volume tiff_stack", "output.save_volume zarr"}) {
      if (e.item(format) == nullptr) continue;
      QFile::remove(folder.filePath("filler"));
      e.choose(format);
      e.type("File", folder.filePath("out"));
      e.wait_until_ready();
      QTRY_VERIFY(e.button("Export")->isEnabled());
      // Somebody else takes the room between the look and the click.
      test::put(folder.filePath("filler").toStdString(), std::string(208 << 10, 'x'));
      e.press("Export");
      QTRY_VERIFY_WITH_TIMEOUT(!e.dialog->is_exporting(), patience_ms);
      const QString said = e.text("State of the export");
      QVERIFY2(said.contains("space", Qt::CaseInsensitive) || said.contains("full", Qt::CaseInsensitive),
               qPrintable(said));
      const QStringList left = folder.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
      QVERIFY2(left == QStringList{"filler"}, qPrintable(QString(format) + ": " + left.join(' ')));
      // Now it is known before.
      e.type("File", folder.filePath("again"));
      QTRY_VERIFY2(e.text("Size").contains("too little"), qPrintable(e.text("Size")));
      QVERIFY(!e.button("Export")->isEnabled());
      test::keep_picture(*e.dialog, "export_full_disk");
    }
  }
};

TL_TEST_CASE(ExportFullDiskTest)

}  // namespace tl::ui::export_full_disk_test

#include "full_disk.moc"
