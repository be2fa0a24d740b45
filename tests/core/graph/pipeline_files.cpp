// Pipelines are opened from their files, from records and from results; other files are refused.
#include <ATen/ATen.h>

#include <QFile>
#include <QTemporaryDir>

#include "core/graph/pipeline_paths.h"
#include "core/io/output/volume_writer.h"
#include "tests/support/committed.h"
#include "tests/support/io/pipeline_text.h"
#include "tests/support/test_case.h"

namespace tl::pipeline_files_test {

using namespace tl::test::pipelines;

namespace {

std::string write_file(const QTemporaryDir& folder, const char* name, const std::string& text) {
  QFile file(folder.filePath(QString::fromUtf8(name)));
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(text.data(), static_cast<qint64>(text.size()));
  return file.fileName().toStdString();
}

}  // namespace

class PipelineFilesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void pipelines_open_from_files_and_records() {
    const QTemporaryDir folder;
    const Graph graph = full_graph();
    const std::string text = to_json(graph);
    const auto plain = load_pipeline(write_file(folder, "plain.json", text), registry());
    QVERIFY2(plain.ok(), plain.ok() ? "" : plain.error().message().c_str());
    const auto here = [&](const Graph& g) { return with_relative_inputs(g, registry(), folder.path().toStdString()); };
    QVERIFY(here(plain.value()) == graph);
    const auto record = load_pipeline(
        write_file(folder, "record.json", "{\"parameters\": [], \"pipeline\": " + text + "}"), registry());
    QVERIFY2(record.ok(), record.ok() ? "" : record.error().message().c_str());
    QVERIFY(here(record.value()) == graph);
    const std::string bad = write_file(folder, "bad.json", "{\"pipeline\":\n" + text_with("\"factr\": 1") + "}");
    QCOMPARE(load_pipeline(bad, registry()).error().where, bad + ":9, pipeline.nodes.filter.parameters.factr");
  }

  void a_result_opens_as_its_pipeline() {
    const QTemporaryDir folder;
    const Graph graph = full_graph();
    for (const char* name : {"volume.tif", "slices"}) {
      io::VolumeTarget target;
      target.path = folder.filePath(QString::fromUtf8(name)).toStdString();
      target.grid = VolumeGrid::cubic(2, 3, 4, 0.1);
      target.description = "{\"pipeline\": " + to_json(graph) + ", \"provenance\": {}}";
      auto writer = target.path.has_extension() ? io::open_imagej_tiff(target) : io::open_tiff_stack(target);
      QVERIFY(writer.ok());
      QVERIFY(writer.value()->write({0, 2}, at::zeros({2, 3, 4})).ok());
      QVERIFY(test::committed(writer.value()->finish()).ok());
      const auto read = load_pipeline(target.path.string(), registry());
      QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
      const auto folder_of_target = target.path.has_extension() ? target.path.parent_path() : target.path;
      QVERIFY(with_relative_inputs(read.value(), registry(), folder_of_target) == graph);
    }
  }

  void files_that_cannot_be_pipelines() {
    const QTemporaryDir folder;
    const std::string here = folder.path().toStdString();
    QCOMPARE(load_pipeline(here + "/none.json", registry()).error().kind, ErrorKind::io);
    QCOMPARE(load_pipeline(here, registry()).error().kind, ErrorKind::invalid);  // no slices in it
    QCOMPARE(load_pipeline(write_file(folder, "torn.tif", std::string("II*\0", 4)), registry()).error().where.empty(),
             false);
    QCOMPARE(load_pipeline("/dev/zero", registry()).error().kind, ErrorKind::io);
    QCOMPARE(load_pipeline(write_file(folder, "empty.json", ""), registry()).error().kind, ErrorKind::invalid);
    QFile big(folder.filePath(QStringLiteral("big.json")));
    QVERIFY(big.open(QIODevice::WriteOnly) && big.resize(qint64{1} << 40));  // sparse
    QVERIFY(load_pipeline(big.fileName().toStdString(), registry()).error().what.find("more than any") !=
            std::string::npos);
  }
};

TL_TEST_CASE(PipelineFilesTest)

}  // namespace tl::pipeline_files_test

#include "pipeline_files.moc"
