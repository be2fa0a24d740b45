// Compares volumes with the libraries of the Python interpreter named by TL_TEST_PYTHON: scripts in a folder, and one
// volume for all of them.
#pragma once

#include <ATen/ATen.h>

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <string>

#include "core/io/volumes/format.h"
#include "core/io/volumes/volume.h"
#include "tests/support/committed.h"

namespace tl::test::oracle {

inline constexpr double same_place = 1e-9;  // [mm]

inline VolumeGrid grid_of_files() { return {4, 3, 5, {1.5, -2, 7}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}}; }
inline at::Tensor voxels_of_files() { return at::arange(60, at::kFloat).reshape({4, 3, 5}) * 0.5 - 3; }

class VolumeOracle : public QObject {
 protected:
  QTemporaryDir dir_;
  std::string path(const char* name) const { return dir_.filePath(name).toStdString(); }

  // Runs a script in the folder of the files; a failed assertion in it fails the test with its message.
  bool python(const QString& script, QByteArray& problem) const {
    QProcess process;
    process.setWorkingDirectory(dir_.path());
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", script});
    const bool answered = process.waitForFinished(-1);
    problem = process.readAllStandardError();
    return answered && process.exitCode() == 0;
  }
  bool has_itk() const {
    QByteArray problem;
    return python("import SimpleITK", problem);
  }
  bool has(const char* module) const {
    QByteArray problem;
    return python(QStringLiteral("import ") + QLatin1String(module), problem);
  }
  void write(const char* format, const char* name, io::SampleType type = io::SampleType::float32,
             io::Compression compression = io::Compression::none) const {
    io::VolumeTarget t{
        path(name),           grid_of_files(), Unit::per_mm, type, -3, 26.5, io::no_inputs(io::Overwrite::refuse),
        "{\"pipeline\": 1}\n"};
    t.compression = compression;
    const auto writer = io::find_volume_format(format)->write(t).or_throw();
    writer->write({0, 4}, voxels_of_files()).or_throw();
    test::committed(writer->finish()).or_throw();
  }
};

}  // namespace tl::test::oracle
