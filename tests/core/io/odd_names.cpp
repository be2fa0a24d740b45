// Volumes with odd names are read again, in all formats: blanks, percent signs, words and characters to which a format
// or a library gives a meaning.
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::odd_names_test {

using namespace test::volumes;

class IoOddNamesTest : public VolumeFolder {
  Q_OBJECT

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void written_volumes_are_read_again_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    for (const io::VolumeFormat& f : io::volume_formats())
      for (const char* name : {"stenosis 77 %",
                               "LIST_x",
                               "LIST",
                               "list 1",
                               "LOCAL",
                               "x%d 5 6",
                               "%04d",
                               "a%d 1 3 1",
                               " first",
                               "last ",
                               "12_bone",
                               "bone (1) [2] {3}",
                               "Knochen \u00e4\u00f6\u00fc",
                               "\u9aa8",
                               "a,b;c=d",
                               "it's",
                               "quote\"d",
                               "#1",
                               "a:b",
                               "two\nlines",
                               "tab\there",
                               "a\\b",
                               "-option",
                               "*",
                               "v.old",
                               "back`tick",
                               "$HOME",
                               "~"})
        QTest::newRow((std::string(f.id) + ": " + name).c_str()) << QString::fromStdString(std::string(f.id)) << name;
  }
  void written_volumes_are_read_again() {
    QFETCH(QString, name);
    const fs::path file = path(name.toStdString() + (format().extensions.empty() ? "" : first_ending(format())));
    for (const io::Compression compression : {io::Compression::none, io::Compression::gzip}) {
      if (!format().check_compression(compression).ok()) continue;
      if (format().id == "nifti" && compression == io::Compression::gzip) continue;  // has names of its own
      // As long names of slices allow it, and where a folder has an ending of its own.
      io::VolumeTarget t = target(file, off_centre(), best_type(format()));
      t.compression = compression;
      t.rules = io::no_inputs(io::Overwrite::replace);
      const Result<void> written = write(format(), t, numbers());
      QVERIFY2(written.ok(), written.ok() ? "" : written.error().message().c_str());
      const auto back = read_all(file);
      QVERIFY2(back.ok(), back.ok() ? "" : back.error().message().c_str());
      QVERIFY(are_close(back.value(), numbers(), value_tolerance(t)));
    }
  }

  // A header gives no name that its format would take for a list or a pattern; ITK takes them so.
  void metaimage_names_what_it_can() {
    const io::VolumeFormat& meta = *io::find_volume_format("metaimage");
    const auto data_of = [&](const char* name) {
      write(meta, target(path(name), off_centre()), numbers()).or_throw();
      const std::string text = bytes_of(path(name)), key = "ElementDataFile = ";
      const std::size_t at = text.find(key) + key.size();
      return text.substr(at, text.find('\n', at) - at);
    };
    QCOMPARE(data_of("bone.mhd"), std::string("bone.raw"));
    QCOMPARE(data_of("my list.mhd"), std::string("my list.raw"));
    for (const char* name : {"50 %.mhd", "LIST_x.mhd", "LISTE.mhd", " x.mhd", "a\nb.mhd"})
      QCOMPARE(data_of(name), std::string("LOCAL"));
    // Other programs' headers with such names.
    for (const char* name : {"50 %.raw", "LIST_x.raw"}) {
      put(path(name), std::string(60, '\3'));
      put(path("other.mhd"),
          std::string("NDims = 3\nDimSize = 3 4 5\nElementType = MET_UCHAR\nElementDataFile = ") + name);
      QVERIFY(read_all(path("other.mhd")).or_throw().equal(at::full({5, 4, 3}, 3.F)));
    }
  }
};

TL_TEST_CASE(IoOddNamesTest)

}  // namespace tl::odd_names_test

#include "odd_names.moc"
