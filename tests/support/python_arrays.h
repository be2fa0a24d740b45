// Arrays passed to a Python interpreter and back, to compare our operators with its libraries: the interpreter of
// TL_TEST_PYTHON, or the system's if that lacks the library.
#pragma once

#include <ATen/ATen.h>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <stdexcept>
#include <string>

#include "tests/support/patience.h"

namespace tl::test {

// Scripts may use load(name, kind) and save(name, array, kind); arrays are files without a format in one folder.
class PythonArrays {
 public:
  // Empty, or why no Python interpreter has that module.
  static QString missing(const QString& module) {
    return python_with(module).isEmpty() ? "neither TL_TEST_PYTHON nor the system has a Python with " + module +
                                               " (installer/setup.sh --test-python)"
                                         : QString();
  }
  // For scripts that need this Python module, or several: "onnx, onnxruntime".
  explicit PythonArrays(const QString& module) : python_(python_with(module)) {}

  void put(const std::string& name, const at::Tensor& x) const {
    const at::Tensor plain = x.contiguous();
    write(name, plain.const_data_ptr(), plain.nbytes());
    write(name + ".shape", plain.sizes().data(), static_cast<std::size_t>(plain.dim()) * sizeof(int64_t));
  }
  at::Tensor get(const std::string& name, at::ScalarType type) const {
    QFile shape(path(name + ".shape"));
    if (!shape.open(QIODevice::ReadOnly)) throw std::runtime_error("Python left no shape of " + name);
    const QByteArray sizes = shape.readAll();
    at::Tensor x = at::zeros(at::IntArrayRef(reinterpret_cast<const int64_t*>(sizes.constData()),
                                             static_cast<std::size_t>(sizes.size()) / sizeof(int64_t)),
                             type);
    QFile file(path(name));
    if (!file.open(QIODevice::ReadOnly) || file.size() != static_cast<qint64>(x.nbytes()) ||
        file.read(static_cast<char*>(x.mutable_data_ptr()), file.size()) != file.size())
      throw std::runtime_error("Python left no " + name + " of the right size");
    return x;
  }
  // Throws Python's error output if the script fails.
  void run(const QString& script) const {
    const char* preamble = R"(
import numpy as np
def load(name, kind):
    return np.fromfile(name, kind).reshape(np.fromfile(name + '.shape', 'i8'))
def save(name, array, kind):
    array = np.ascontiguousarray(array, kind)
    array.tofile(name)
    np.array(array.shape, 'i8').tofile(name + '.shape')
)";
    // From a file, because some libraries read the source code of functions passed to them.
    const QByteArray source = (preamble + script).toUtf8();
    write("script.py", source.constData(), static_cast<std::size_t>(source.size()));
    QProcess process;
    process.setWorkingDirectory(dir_.path());
    process.start(python_, {"script.py"});
    if (!process.waitForFinished(patience_ms)) throw std::runtime_error("Python does not answer");
    if (process.exitCode() != 0) throw std::runtime_error(process.readAllStandardError().toStdString());
  }

 private:
  // Empty: none.
  static QString python_with(const QString& module) {
    for (const QString& python : {qEnvironmentVariable("TL_TEST_PYTHON"), QString("/usr/bin/python3")}) {
      if (python.isEmpty()) continue;
      QProcess import;
      import.start(python, {"-c", "import numpy, " + module});
      if (import.waitForFinished(patience_ms) && import.exitCode() == 0) return python;
    }
    return {};
  }
  [[nodiscard]] QString path(const std::string& name) const { return dir_.filePath(QString::fromStdString(name)); }
  void write(const std::string& name, const void* data, std::size_t bytes) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(static_cast<const char*>(data), static_cast<qint64>(bytes)) != static_cast<qint64>(bytes))
      throw std::runtime_error("cannot write " + name);
  }
  QString python_;
  QTemporaryDir dir_;
};

}  // namespace tl::test
