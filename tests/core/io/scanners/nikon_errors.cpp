// Nikon X-Tek scans with wrong, missing or contradicting values and frames, and texts of all kinds.
#include <ATen/ATen.h>

#include <filesystem>

#include "core/io/open_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::nikon_errors_test {

using namespace tl::test::nikon;
namespace fs = std::filesystem;

class NikonErrorsTest : public test::ScanFolder {
  Q_OBJECT
  [[nodiscard]] fs::path small_scan(const Keys& changed = {}) const { return write_small_scan(folder(), changed); }

 private Q_SLOTS:
  void missing_and_wrong_values_are_refused_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");  // empty: the line is missing
    QTest::addColumn<QString>("words");
    for (const char* key : {"Projections", "WhiteLevel", "DetectorPixelsX", "DetectorPixelsY", "DetectorPixelSizeX",
                            "DetectorPixelSizeY", "SrcToObject", "SrcToDetector", "InitialAngle", "AngularStep"}) {
      QTest::addRow("no %s", key) << key << "" << QString("no line %1").arg(key);
      for (const char* value : {"nan", "inf", "-inf", "1e999", "0,5", "ten", "1 2", "0x10",
                                "\xe2\x88\x92"
                                "5"})
        QTest::addRow("%s %s", key, value) << key << value << QString("%1 is not a number").arg(key);
    }
    for (const char* key : {"Projections", "WhiteLevel", "DetectorPixelsX", "DetectorPixelsY", "DetectorPixelSizeX",
                            "DetectorPixelSizeY", "SrcToObject", "SrcToDetector"})
      for (const char* value : {"0", "-3", "1e300"})
        QTest::addRow("%s %s", key, value)
            << key << value << QString("%1 is %2, not between").arg(key, value == QString("1e300") ? "1e+300" : value);
    for (const char* key : {"InitialAngle", "AngularStep", "ObjectOffsetX", "ObjectRoll", "ObjectTilt",
                            "DetectorOffsetX", "DetectorOffsetY", "CentreOfRotationTop"})
      QTest::addRow("%s huge", key) << key << "-1e9" << QString("%1 is -1e+09, not between").arg(key);
    QTest::newRow("half a projection") << "Projections"
                                       << "1.5"
                                       << "not an integer";
    QTest::newRow("no rotation") << "AngularStep"
                                 << "0"
                                 << "all views have the same angle";
    QTest::newRow("detector before the object") << "SrcToDetector"
                                                << "59"
                                                << "nearer to the source";
    QTest::newRow("too many projections") << "Projections"
                                          << "3"
                                          << "3 projections, but there are 2 frames";
    QTest::newRow("too few projections") << "Projections"
                                         << "1"
                                         << "1 projection, but there are 2 frames";
    QTest::newRow("most projections") << "Projections"
                                      << "16777216"
                                      << "16777216 projections, but";
    QTest::newRow("other columns") << "DetectorPixelsX"
                                   << "6"
                                   << "have 5 x 3 pixels, the file says 6 x 3";
    QTest::newRow("other rows") << "DetectorPixelsY"
                                << "2"
                                << "have 5 x 3 pixels, the file says 5 x 2";
    QTest::newRow("no detector") << "DetectorPixelsY"
                                 << "2000000000"
                                 << "larger than any detector";
  }
  void missing_and_wrong_values_are_refused() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, words);
    refuses(small_scan({{key.toStdString(), value.toStdString()}}), ErrorKind::invalid, {words.toStdString()});
  }
  void contradictions_are_refused() {
    const fs::path file = small_scan();
    const std::string text = test::contents(file);
    test::put(file, text + "SrcToObject=60\r\n");
    QVERIFY(io::open_scan(file).ok());
    test::put(file, text + "SrcToObject=61\r\n");
    refuses(file, ErrorKind::invalid, {"another value of SrcToObject"});
    refuses(small_scan({{"ObjectOffsetX", ""}, {"CentreOfRotationTop", "0.5"}}), ErrorKind::invalid,
            {"states only one", "state ObjectOffsetX"});
  }

  void missing_and_wrong_frames_are_refused() {
    const fs::path file = small_scan();
    fs::rename(path("bead_0002.tif"), path("bead_0003.tif"));
    refuses(file, ErrorKind::invalid, {"frames are missing", "after bead_0001.tif comes bead_0003.tif"});
    fs::rename(path("bead_0003.tif"), path("bead_0002.tif"));
    write_frame(path("bead_0002.tif"), at::arange(12).reshape({3, 4}));
    const auto mixed = io::open_scan(file);
    QVERIFY(!mixed.ok() && test::mentions(mixed.error().message(), {"3 x 4 pixels", "bead_0002.tif"}));
    fs::resize_file(path("bead_0002.tif"), 20);
    const auto truncated = io::open_scan(file);
    QVERIFY(!truncated.ok() && test::mentions(truncated.error().message(), {"bead_0002.tif"}));
    fs::remove(path("bead_0001.tif"));
    fs::remove(path("bead_0002.tif"));
    refuses(file, ErrorKind::invalid, {"no TIFF frames"});
  }

  // Opened as a mere stack of frames, its angles and distances would be guessed.
  void a_folder_is_its_only_file() {
    const fs::path file = small_scan({{"ObjectOffsetX", "0.25"}});
    const io::ScanInfo of_file = io::open_scan(file).or_throw()->info(),
                       info = io::open_scan(folder()).or_throw()->info();
    QCOMPARE(info.format, std::string("nikon_xtekct"));
    QCOMPARE(info.angles.value, of_file.angles.value);
    QCOMPARE(info.offsets.axis->value, of_file.offsets.axis->value);
    QCOMPARE(io::open_scan(folder(), "tiff_stack").or_throw()->info().format, std::string("tiff_stack"));
    fs::copy_file(file, path("other.XTEKCT"));
    refuses(folder(), ErrorKind::invalid, {"2 .xtekct files", "bead.xtekct"});
  }

  void texts_of_any_kind() {
    const fs::path file = small_scan();
    const std::string text = test::contents(file);
    const auto opens = [&](const std::string& other) {
      test::put(file, other);
      const auto scan = io::open_scan(file);
      return scan.ok() ? std::string() : scan.error().message();
    };
    const auto with_ends = [](std::string all, const std::string& end) {
      for (std::size_t at = 0; (at = all.find("\r\n", at)) != std::string::npos; at += end.size())
        all.replace(at, 2, end);
      return all;
    };
    for (const std::string& sound :
         {with_ends(text, "\n"), "\xef\xbb\xbf" + text, text + "OperatorID=J\xfcrgen M\xfcller", "\r\n\r\n" + text,
          with_ends(text, " \t\r\n"), with_ends(with_ends(text, "\n"), "\n").substr(std::string("[XTekCT]\n").size())})
      QVERIFY2(opens(sound).empty(), opens(sound).c_str());
    std::string wide = "\xff\xfe";
    for (const char c : text) wide += std::string{c, '\0'};
    std::string garbage = text;
    for (std::size_t i = 0; i < garbage.size(); ++i) garbage[i] = static_cast<char>(37 * i);
    for (const auto& [bad, words] : {std::pair<std::string, const char*>{wide, "UTF-16"},
                                     {garbage, "not text"},
                                     {text + std::string(1, '\0'), "not text"},
                                     {"[XTekCT]\r\n", "no line"},
                                     {text + std::string(2 << 20, ' '), "too long"}}) {
      test::put(file, bad);
      refuses(file, ErrorKind::invalid, {words});
    }
    // Wherever it is cut, there is an error or a scan.
    for (std::size_t length = 1; length < text.size(); length += 7)
      if (const std::string message = opens(text.substr(0, length)); message.empty())
        QVERIFY2(length > text.find("WhiteLevel"), text.substr(0, length).c_str());
  }
};

TL_TEST_CASE(NikonErrorsTest)

}  // namespace tl::nikon_errors_test

#include "nikon_errors.moc"
