// Slabs: they divide any number of slices without gap, and their names are read back.
#include "core/io/output/slab.h"

#include "tests/support/test_case.h"

namespace tl::slab_test {

using io::Slab;

class SlabTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void slabs_divide_the_slices();
  void texts_and_names_are_read_back();
  void other_texts_are_refused();
};

void SlabTest::slabs_divide_the_slices() {
  for (const int64_t slices : {1, 2, 7, 64, 2049})
    for (const int64_t count : {1, 2, 3, 7, 64, 3000}) {
      int64_t end = 0, shortest = slices, longest = 0;
      for (int64_t i = 1; i <= count; ++i) {
        const Range r = io::slab_range({i, count}, slices);
        QCOMPARE(r.begin, end);
        end = r.end;
        shortest = std::min(shortest, r.size());
        longest = std::max(longest, r.size());
      }
      QCOMPARE(end, slices);
      QVERIFY(longest - shortest <= 1);
    }
}

void SlabTest::texts_and_names_are_read_back() {
  const Slab slab{12, 340};
  QVERIFY(io::parse_slab(io::to_string(slab)).or_throw() == slab);
  const auto file = io::slab_file("results/volume.tif", slab);
  QCOMPARE(file.string(), std::string("results/volume.tif.slabs/12-of-340.tif"));
  QVERIFY(io::slab_of_file(file).or_throw() == slab);
  QVERIFY(!io::slab_of_file(file.string() + ".json").ok());
}

void SlabTest::other_texts_are_refused() {
  for (const char* text : {"", "/", "1", "1/", "/2", "0/2", "3/2", "-1/2", "1/-2", "1/2 ", " 1/2", "1/2/3", "a/b",
                           "1.0/2", "1/100001", "99999999999999999999/2"})
    QVERIFY2(!io::parse_slab(text).ok(), text);
  for (const char* name : {"1-of-2", "1-of-2.tiff", "1of2.tif", "3-of-2.tif", ".1-of-2.tif.part"})
    QVERIFY2(!io::slab_of_file(name).ok(), name);
}

TL_TEST_CASE(SlabTest)

}  // namespace tl::slab_test

#include "slab.moc"
