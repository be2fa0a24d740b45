// SweepStore: an interrupted sweep resumes from its stored points; points of other sweeps are ignored, other folders
// untouched.
#include <ATen/ATen.h>

#include <QTemporaryDir>

#include "core/learn/sweep/sweep_store.h"
#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::sweep_store_test {

using learn::SweepResult;
using learn::SweepStore;
namespace fs = std::filesystem;

class SweepStoreTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }
  fs::path folder() const { return path("s.sweep"); }
  Result<SweepStore> open(uint64_t job = 1, io::Overwrite overwrite = io::Overwrite::refuse) {
    return SweepStore::open(folder(), Hash{job, job}, io::no_inputs(overwrite));
  }
  static SweepResult point(double score) {
    return {{{std::to_string(score)}, score, {}}, at::full({2, 3}, score, at::kFloat)};
  }
  // Keeps four points as an interrupted sweep would.
  void keep_four(uint64_t job = 1) {
    auto store = open(job).or_throw();
    for (std::size_t i = 0; i < 4; ++i) store.keep(i, point(static_cast<double>(i))).or_throw();
  }
  std::vector<std::size_t> found(uint64_t job = 1) {
    auto store = open(job).or_throw();
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < 4; ++i)
      if (const auto r = store.find(i); r && *r->point.score == static_cast<double>(i)) indices.push_back(i);
    return indices;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void an_interrupted_sweep_goes_on() {
    keep_four();
    QCOMPARE(found(), (std::vector<std::size_t>{0, 1, 2, 3}));
    auto store = open().or_throw();
    store.remove();
    QVERIFY(!fs::exists(folder()));
  }

  void exchanged_points_are_computed_again() {
    keep_four();
    fs::rename(folder() / "point_1", path("aside"));
    fs::rename(folder() / "point_2", folder() / "point_1");
    fs::rename(path("aside"), folder() / "point_2");
    QCOMPARE(found(), (std::vector<std::size_t>{0, 3}));
  }

  void points_of_another_sweep_are_computed_again() {
    keep_four();
    fs::copy_file(folder() / "point_1", path("other"));
    fs::remove_all(folder());
    keep_four(2);
    fs::copy_file(path("other"), folder() / "point_1", fs::copy_options::overwrite_existing);
    QCOMPARE(found(2), (std::vector<std::size_t>{0, 2, 3}));
  }

  void a_folder_without_its_index_is_used() {
    // The disk was full between the two.
    fs::create_directory(folder());
    QVERIFY(open().ok());
    fs::remove(folder() / "sweep.json");
    QVERIFY(open(2).ok());
    QVERIFY(open(2).ok());
  }

  void another_sweep_is_replaced_only_if_allowed() {
    keep_four();
    const test::Tree before = test::tree_of(path(""));
    QCOMPARE(open(2).error().kind, ErrorKind::invalid);
    QCOMPARE(test::difference(before, test::tree_of(path(""))), std::string());
    QVERIFY(open(2, io::Overwrite::replace).ok());
    QVERIFY(!fs::exists(folder() / "point_1"));
  }

  void no_other_folder_is_emptied_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"foreign", "with a file more", "index of others", "points alone", "a link", "a file"})
      QTest::newRow(what) << what;
  }
  void no_other_folder_is_emptied() {
    QFETCH(QString, what);
    if (what == "foreign") fs::create_directory(folder()), test::put(folder() / "raw.h5", "raw data");
    if (what == "with a file more") keep_four(), test::put(folder() / "notes.txt", "mine");
    if (what == "index of others") fs::create_directory(folder()), test::put(folder() / "sweep.json", "{}");
    if (what == "points alone") fs::create_directory(folder()), test::put(folder() / "point_1", "mine");
    if (what == "a link") fs::create_directory(path("real")), fs::create_symlink(path("real"), folder());
    if (what == "a file") test::put(folder(), "mine");
    const test::Tree before = test::tree_of(path(""));
    for (const auto overwrite : {io::Overwrite::refuse, io::Overwrite::replace}) {
      const auto refused = open(2, overwrite);
      QVERIFY(!refused.ok());
      QCOMPARE(refused.error().kind, ErrorKind::invalid);
      QCOMPARE(test::difference(before, test::tree_of(path(""))), std::string());
    }
  }

  void no_point_is_written_through_a_link() {
    test::put(path("data"), "raw data");
    keep_four();
    fs::remove(folder() / "point_2");
    fs::create_symlink(path("data"), folder() / "point_2");
    auto store = open().or_throw();
    QVERIFY(!store.find(2));
    QVERIFY(!store.keep(2, point(2)).ok());
    QCOMPARE(test::contents(path("data")), std::string("raw data"));
  }

  void one_run_at_a_time() {
    auto first = open();
    QVERIFY(first.ok());
    QCOMPARE(open().error().kind, ErrorKind::io);
    QCOMPARE(open(2, io::Overwrite::replace).error().kind, ErrorKind::io);
  }
};

TL_TEST_CASE(SweepStoreTest)

}  // namespace tl::sweep_store_test

#include "sweep_store.moc"
