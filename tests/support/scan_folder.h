// A test class with a folder of its own for scans that may be refused.
#pragma once

#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <filesystem>
#include <initializer_list>
#include <string>

#include "core/io/format.h"
#include "tests/support/partial_scans.h"

namespace tl::test {

class ScanFolder : public QObject {
 protected:
  [[nodiscard]] std::filesystem::path folder() const { return dir_.path().toStdString(); }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder() / name; }

  // Opening fails with these words.
  static void refuses(const std::filesystem::path& file, ErrorKind kind, std::initializer_list<std::string> words,
                      const io::OpenOptions& options = {}) {
    const auto scan = io::open_scan(file, {}, options);
    QVERIFY(!scan.ok());
    const std::string message = scan.error().message();
    QVERIFY2(scan.error().kind == kind && mentions(message, words), message.c_str());
    QVERIFY2(!scan.error().hint.empty() && mentions(scan.error().where, {file.string()}), message.c_str());
  }

 private:
  QTemporaryDir dir_;
};

}  // namespace tl::test
