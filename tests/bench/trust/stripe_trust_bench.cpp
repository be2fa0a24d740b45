// How far the search for stripes can be trusted: clean scans in which it finds some, and equal stripes that it misses.
//
// Every scan is a new draw: bodies, noise, orders of recording. scans=N (200), first=N begins at another seed; detail=1
// lists each scan that comes out wrong.
#include "gpu/axis/ring_search.h"
#include "tests/bench/bench.h"
#include "tests/support/clean_scans.h"

using namespace tl;

namespace {

ops::RingSearch search(const test::CleanScan& scan) {
  ops::StripeRemovalSpec spec = ops::automatic_stripe_removal(scan.absorption.size(2), ops::StripeModel::offset);
  spec.order = angle_order(scan.angles);
  return ops::find_rings(scan.absorption, {scan.angles, 0}, spec);
}

struct Count {
  int64_t scans = 0, wrong = 0;
};

void print(const char* what, const std::map<std::string, Count>& all) {
  Count sum;
  for (const auto& [name, c] : all) {
    std::printf("| %s | %s | %lld | %lld |\n", what, name.c_str(), static_cast<long long>(c.scans),
                static_cast<long long>(c.wrong));
    sum.scans += c.scans;
    sum.wrong += c.wrong;
  }
  std::printf("| %s | all | %lld | %lld |\n", what, static_cast<long long>(sum.scans),
              static_cast<long long>(sum.wrong));
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const int64_t scans = arguments.number("scans", 200), first = arguments.number("first", 0);
  const bool detail = arguments.number("detail", 0) != 0;
  arguments.finish();
  std::map<std::string, Count> bodies, noises, orders, missed;
  const auto pick = [](const std::vector<std::string>& all, int64_t i) {
    return all[static_cast<std::size_t>(i) % all.size()];
  };
  for (int64_t i = first; i < first + scans; ++i) {
    test::CleanScans draw(static_cast<uint64_t>(i));
    const std::string body = pick(test::clean_bodies(), i), noise = pick(test::clean_noises(), i / 6),
                      order = pick(test::view_orders(), i / 3 + i / 24);
    test::CleanScan scan = test::numbered_clean_scan(i);
    const ops::RingSearch clean = search(scan);
    const bool wrong = clean.rings || clean.summary.count() > 0;
    for (const auto& [table, key] : {std::pair{&bodies, &body}, {&noises, &noise}, {&orders, &order}}) {
      ++(*table)[*key].scans;
      (*table)[*key].wrong += wrong ? 1 : 0;
    }
    if (wrong && detail)
      std::fprintf(stderr, "clean: %s: %lld stripes, strongest %.1f%s\n", scan.words.c_str(),
                   static_cast<long long>(clean.summary.count()), clean.summary.strongest,
                   clean.rings ? ", RINGS" : "");
    // Two to five columns of one gain, 5 to 20 %, anywhere between the tenth columns from the edges.
    const auto count = static_cast<int64_t>(2 + 4 * draw.uniform());
    const double gain = 1.05 + 0.15 * draw.uniform();
    std::vector<int64_t> places;
    for (int64_t k = 0; k < count; ++k)
      places.push_back(10 +
                       static_cast<int64_t>(static_cast<double>(scan.absorption.size(2) - 24) *
                                            (static_cast<double>(k) + draw.uniform()) / static_cast<double>(count)));
    scan.absorption =
        test::with_equal_stripes(scan.absorption, places, 1 + static_cast<int64_t>(2 * draw.uniform()), gain);
    const ops::RingSearch striped = search(scan);
    int64_t found = 0;
    for (const int64_t c : places) {
      bool all = striped.rings;
      for (const auto& row : striped.rows) {
        const auto marked = ops::striped_columns(row, scan.absorption.size(2));
        all = all && marked[static_cast<std::size_t>(c)] != 0 && striped.walls[static_cast<std::size_t>(c)] == 0;
      }
      found += all ? 1 : 0;
    }
    missed[noise].scans += count;
    missed[noise].wrong += count - found;
    if (found < count && detail)
      std::fprintf(stderr, "equal stripes: %s: %lld of %lld found, gain %.3f, %lld columns in walls\n",
                   scan.words.c_str(), static_cast<long long>(found), static_cast<long long>(count), gain,
                   static_cast<long long>(std::count(striped.walls.begin(), striped.walls.end(), uint8_t{1})));
  }
  std::printf("| what | by | of | wrong |\n|---|---|---|---|\n");
  print("clean scans with a stripe, bodies", bodies);
  print("clean scans with a stripe, noise", noises);
  print("clean scans with a stripe, order of views", orders);
  print("equal stripes missed", missed);
  return 0;
}
