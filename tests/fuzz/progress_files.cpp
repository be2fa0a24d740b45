// Damaged journals of learning and points of sweeps: an interrupted run that begins again takes what is sound, bit for
// bit, and nothing else.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/learn/journal.h"
#include "core/learn/sweep/sweep_store.h"
#include "tests/fuzz/many_trials.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::progress_files_test {

using tl::test::contents;
namespace fs = std::filesystem;

namespace {

struct Evaluation {
  std::vector<double> at;
  learn::Journal::Record record;
};

// Short lists and one that is packed.
std::vector<Evaluation> evaluations() {
  fuzz::Random random(7);
  std::uniform_real_distribution<double> number(-3, 3);
  std::vector<Evaluation> all;
  for (const std::size_t length : {1, 2, 2, 400}) {
    Evaluation e;
    for (std::size_t i = 0; i < length; ++i) {
      e.at.push_back(number(random));
      e.record.gradient.push_back(number(random));
    }
    e.record.loss = number(random);
    all.push_back(std::move(e));
  }
  return all;
}

}  // namespace

class ProgressFilesFuzz : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void journals_replay_what_was_written_or_nothing() {
    const QTemporaryDir dir;
    const fs::path file = dir.filePath("run.journal").toStdString();
    const std::vector<Evaluation> all = evaluations();
    {
      const auto journal = learn::Journal::open(file, "identity", io::no_inputs(io::Overwrite::refuse));
      QVERIFY(journal.ok());
      for (const Evaluation& e : all) QVERIFY(journal.value()->add("loss", e.at, e.record).ok());
    }
    const std::string good = contents(file);
    {
      const auto journal = learn::Journal::open(file, "identity", io::no_inputs(io::Overwrite::refuse));
      QVERIFY(journal.ok());
      for (const Evaluation& e : all) QVERIFY(journal.value()->replay("loss", e.at).has_value());
    }
    const auto failures = fuzz::run_trials(fuzz::trials(2000), [&](int64_t trial) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      std::ofstream(file, std::ios::binary) << fuzz::damaged_text(good, random);
      const auto journal = learn::Journal::open(file, "identity", io::no_inputs(io::Overwrite::refuse));
      if (!journal.ok()) return journal.error().kind == ErrorKind::internal ? journal.error().message() : "";
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto record = journal.value()->replay("loss", all[i].at);
        if (!record) return {};
        if (record->loss != all[i].record.loss || record->gradient != all[i].record.gradient)
          return "evaluation " + std::to_string(i) + " came back with other numbers";
      }
      return {};
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }

  void points_of_sweeps_come_back_whole_or_not_at_all() {
    const QTemporaryDir dir;
    const fs::path folder = fs::path(dir.path().toStdString()) / "name.sweep";
    const Hash job = Hasher().add("job").digest();
    learn::SweepResult point;
    point.point.values = {"0.25", "hann"};
    point.point.score = 0.1;
    point.tile = at::arange(12, at::kFloat).view({3, 4});
    const auto store = learn::SweepStore::open(folder, job, io::no_inputs(io::Overwrite::refuse));
    QVERIFY(store.ok());
    QVERIFY(store.value().keep(0, point).ok());
    fs::path file;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename() != "sweep.json") file = entry.path();
    const std::string good = contents(file);
    QVERIFY(!good.empty());
    const auto failures = fuzz::run_trials(fuzz::trials(2000), [&](int64_t trial) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      const std::string bad = trial % 2 == 0 ? fuzz::damaged_bytes(good, random) : fuzz::damaged_text(good, random);
      std::ofstream(file, std::ios::binary) << bad;
      const auto found = store.value().find(0);
      if (!found) return {};
      const bool same = found->point.values == point.point.values && found->point.score == point.point.score &&
                        found->tile.defined() && at::equal(found->tile, point.tile);
      return same ? "" : "another point came back";
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }
};

TL_TEST_CASE(ProgressFilesFuzz)

}  // namespace tl::progress_files_test

#include "progress_files.moc"
