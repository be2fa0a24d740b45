// A test class with its own folder for scans that may be refused, and checks of words in the errors.
#pragma once

#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>

#include "core/io/open_scan.h"

namespace tl::test {

inline bool mentions(const std::string& text, std::initializer_list<std::string> words) {
  return std::all_of(words.begin(), words.end(), [&](const auto& w) { return text.find(w) != std::string::npos; });
}
inline std::string notes_of(const io::ScanReader& scan) {
  std::string all;
  for (const std::string& note : scan.info().notes) all += note + "\n";
  return all;
}

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
  static bool noted(const io::ScanInfo& info, const std::string& words) {
    return std::any_of(info.notes.begin(), info.notes.end(),
                       [&](const std::string& note) { return mentions(note, {words}); });
  }

 private:
  QTemporaryDir dir_;
};

}  // namespace tl::test
