// Cache: the least recently used entries are dropped first, owners are counted and freed separately, pinned ones stay.
#include "core/run/common/cache.h"

#include <random>

#include "tests/support/test_case.h"

namespace tl::cache_test {

namespace {

Hash key(int64_t i) { return Hasher().add(i).digest(); }
std::shared_ptr<void> object(int64_t i) { return std::make_shared<int64_t>(i); }

int64_t sum(const Cache& cache) {
  int64_t all = 0;
  for (const auto& [owner, bytes] : cache.used_by_owner()) all += bytes;
  return all;
}

}  // namespace

class CacheTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_least_recently_used_goes_first() {
    Cache cache(30);
    for (int64_t i = 0; i < 3; ++i) cache.put(key(i), object(i), 10, "a");
    QVERIFY(cache.find(key(0)) != nullptr);
    cache.put(key(3), object(3), 10, "a");
    QVERIFY(cache.holds(key(0)) && !cache.holds(key(1)) && cache.holds(key(2)) && cache.holds(key(3)));
    cache.put(key(4), object(4), 31, "a");
    QVERIFY(!cache.holds(key(4)));
    QCOMPARE(cache.used(), int64_t{30});
  }

  void what_is_pinned_stays() {
    Cache cache(30);
    cache.pin("a");
    cache.put(key(0), object(0), 20, "a");
    cache.put(key(1), object(1), 10, "b");
    cache.put(key(2), object(2), 10, "b");
    QVERIFY(cache.holds(key(0)) && !cache.holds(key(1)) && cache.holds(key(2)));
    // Nothing is given up for what would not fit all the same.
    cache.put(key(3), object(3), 20, "b");
    QVERIFY(cache.holds(key(0)) && cache.holds(key(2)) && !cache.holds(key(3)));
    cache.unpin("a");
    cache.put(key(3), object(3), 20, "b");
    QVERIFY(!cache.holds(key(0)) && cache.holds(key(3)));
    cache.pin("b");
    cache.drop("b");
    QCOMPARE(cache.used(), int64_t{0});
    QVERIFY(cache.used_by_owner().empty() && cache.pinned() == std::set<std::string>{"b"});
  }

  void what_is_used_outlasts_its_owners_inputs() {
    Cache cache(100);
    cache.put(key(0), object(0), 10, "a");
    for (int64_t i = 1; i < 4; ++i) cache.put(key(i), object(i), 10, "a", Lifetime::use);
    cache.put(key(4), object(4), 10, "b", Lifetime::use);
    cache.drop_stale("a");
    QVERIFY(!cache.holds(key(0)) && cache.holds(key(1)) && cache.holds(key(3)));
    // Nothing was used: nobody knows what is over.
    cache.drop_stale("a");
    QCOMPARE(cache.used(), int64_t{40});
    QVERIFY(cache.find(key(2)) != nullptr);
    cache.drop_stale("a");
    QVERIFY(!cache.holds(key(1)) && cache.holds(key(2)) && !cache.holds(key(3)) && cache.holds(key(4)));
    QCOMPARE(cache.used_by_owner().at("a"), int64_t{10});
    cache.drop("a");
    QVERIFY(!cache.holds(key(2)));
  }

  // Whatever is done to it: within the budget, owners add up to all, and what one frees is what one had.
  void the_books_are_right() {
    std::mt19937 random(7);
    Cache cache(1000);
    const std::string owners[] = {"", "a", "b", "c"};
    for (int64_t i = 0; i < 20000; ++i) {
      const std::string& owner = owners[random() % 4];
      switch (random() % 16) {
        case 0: {
          const int64_t before = cache.used();
          const auto had = cache.used_by_owner().find(owner);
          const int64_t bytes = had == cache.used_by_owner().end() ? 0 : had->second;
          cache.drop(owner);
          QCOMPARE(cache.used(), before - bytes);
          QVERIFY(cache.used_by_owner().count(owner) == 0);
          break;
        }
        case 1: cache.pin(owner); break;
        case 2: cache.unpin(owner); break;
        case 3: (void)cache.find(key(static_cast<int64_t>(random() % 500))); break;
        default:
          cache.put(key(static_cast<int64_t>(random() % 500)), object(i), static_cast<int64_t>(random() % 200), owner);
      }
      QVERIFY(cache.used() >= 0 && cache.used() <= cache.budget());
      QCOMPARE(sum(cache), cache.used());
    }
    cache.clear();
    QVERIFY(cache.used() == 0 && cache.used_by_owner().empty());
  }
};

TL_TEST_CASE(CacheTest)

}  // namespace tl::cache_test

#include "cache.moc"
