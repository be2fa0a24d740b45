// STAR tables and IMOD's transforms: written by hand as other programs write them, round trips, and what is damaged.
#include <QTemporaryDir>
#include <random>

#include "core/io/text/star_file.h"
#include "core/io/text/xf_file.h"
#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::star_and_xf_test {

namespace {

// As RELION 3.1 writes it.
const std::string relion = R"(
# version 30001

data_optics

loop_
_rlnOpticsGroup #1
_rlnImagePixelSize #2
           1     1.244000


# version 30001

data_particles

loop_
_rlnImageName #1
_rlnAngleRot #2
_rlnOriginXAngst #3
000001@Extract/job007/a.mrcs    -43.5    1.25
000002@Extract/job007/a.mrcs    1.2e1   -9999   # a comment

)";

Result<std::vector<io::StarTable>> parsed(const std::string& text) { return io::parse_star(text, "f.star"); }

}  // namespace

class StarAndXfTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void tables_of_relion() {
    for (const bool windows : {false, true}) {
      std::string text = relion;
      if (windows)
        for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
      const auto tables = parsed(text).or_throw();
      QCOMPARE(tables.size(), std::size_t{2});
      QVERIFY(tables[0].name == "optics" && tables[1].name == "particles");
      QCOMPARE(tables[1].rows.size(), std::size_t{2});
      QCOMPARE(tables[1].column("rlnAngleRot"), int64_t{1});
      QCOMPARE(tables[1].column("rlnAnglePsi"), int64_t{-1});
      QCOMPARE(tables[1].rows[1], (std::vector<std::string>{"000002@Extract/job007/a.mrcs", "1.2e1", "-9999"}));
    }
  }
  void words_texts_and_items() {
    const auto tables = parsed(
                            "data_a\n_one 'a b'\n_two \"it's\"\n_three\n;first\nsecond\n;\n"
                            "data_b loop_ _x _y 1 2\n3 'data_' loop_ _z q")
                            .or_throw();
    QCOMPARE(tables.size(), std::size_t{3});
    QCOMPARE(tables[0].rows.at(0), (std::vector<std::string>{"a b", "it's", "first\nsecond\n"}));
    QCOMPARE(tables[1].rows.at(1), (std::vector<std::string>{"3", "data_"}));
    QVERIFY(tables[2].name == "b" && tables[2].rows.at(0).at(0) == "q");
    QVERIFY(parsed("").or_throw().empty());
    QVERIFY(parsed("data_x\nloop_\n_a\n").or_throw().at(0).rows.empty());
  }
  void round_trip() {
    const io::StarTable t{"b", {"one", "two"}, {{"1", "a b"}, {"", "data_x"}, {"#", "_y"}, {"it's", "\"x y\""}}};
    const auto back = parsed(io::star_text(t)).or_throw();
    QCOMPARE(back.size(), std::size_t{1});
    QVERIFY(back[0].name == t.name && back[0].columns == t.columns && back[0].rows == t.rows);
  }
  void damaged() {
    for (const char* text : {"loop_\n_a _b\n1 2 3", "1", "data_\n_a", "data_\n_a 1 2", "loop_ 1", "loop_ loop_ _a 1",
                             "data_\n_a 'x", "data_\n_a\n;x\n"}) {
      const auto found = parsed(text);
      QVERIFY2(!found.ok() && found.error().where.starts_with("f.star:") && !found.error().hint.empty(), text);
    }
    // Bytes in any order end in tables or an error.
    std::mt19937 random(5);
    for (int i = 0; i < 2000; ++i) {
      std::string bad = relion;
      for (int n = 0; n < 4; ++n) {
        const std::size_t at = random() % bad.size();
        if (random() % 2 == 0)
          bad[at] = "\n;'\"_#@ \t\xff"[random() % 10];
        else
          bad.erase(at, random() % 40);
        if (bad.empty()) bad = " ";
      }
      const auto tables = parsed(bad);
      if (!tables.ok()) continue;
      for (const io::StarTable& t : tables.value())
        for (const auto& row : t.rows) QCOMPARE(row.size(), t.columns.size());
    }
  }
  void transforms() {
    const QTemporaryDir dir;
    const std::filesystem::path file = dir.filePath("a.xf").toStdString();
    // As IMOD's xfalign writes it.
    test::put(file,
              "   1.0000000   0.0000000   0.0000000   1.0000000       0.000       0.000\n"
              "   0.9998477  -0.0174524   0.0174524   0.9998477      -1.250      12.500\n\n");
    const auto found = io::read_xf_file(file).or_throw();
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY(found[0] == io::ImageTransform{});
    QVERIFY((found[1] == io::ImageTransform{0.9998477, -0.0174524, 0.0174524, 0.9998477, -1.25, 12.5}));
    test::put(file, io::xf_text(found));
    QVERIFY(io::read_xf_file(file).or_throw() == found);
    for (const char* bad : {"", "\n\n", "1 0 0 1 0\n", "1 0 0 1 0 0 0\n", "1 0 0 1 nan 0\n", "1 0 0 1 x 0\n"}) {
      test::put(file, bad);
      const auto refused = io::read_xf_file(file);
      QVERIFY2(!refused.ok() && !refused.error().hint.empty(), bad);
    }
    QVERIFY(!io::read_xf_file(dir.filePath("missing.xf").toStdString()).ok());
  }
};

TL_TEST_CASE(StarAndXfTest)

}  // namespace tl::star_and_xf_test

#include "star_and_xf.moc"
