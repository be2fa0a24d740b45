// Files of strokes: any path through them gives the labels painted directly; torn, damaged and hostile files open
// or say why; two programs, full disks and copies.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <fstream>
#include <set>

#include "core/base/random.h"
#include "core/strokes/delayed_sync.h"
#include "core/strokes/painted_labels.h"
#include "core/strokes/plane_shapes.h"
#include "core/strokes/stroke_bytes.h"
#include "core/strokes/volume_shapes.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_case.h"

namespace tl::strokes::stroke_files_test {

namespace {

namespace fs = std::filesystem;
using Dense = std::vector<uint16_t>;  // the direct method: every voxel of the volume

const VolumeGrid grid = VolumeGrid::cubic(9, 40, 70, 0.5, {1, 2, 3});

std::size_t index_of(const Voxel& v) { return static_cast<std::size_t>((v.k * grid.ny + v.j) * grid.nx + v.i); }
Dense dense(const Bricks& labels) {
  std::vector<int32_t> all(static_cast<std::size_t>(grid.count()));
  read_labels(labels, grid, grid, {0, grid.nz * grid.ny}, all.data());
  return Dense(all.begin(), all.end());
}
std::string bytes_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Random strokes of all shapes.
struct Painter {
  Philox random;
  uint64_t next = 0;
  double uniform() { return random.uniform(next++); }
  Vec3 point() { return grid.position(uniform() * 9 - 0.5, uniform() * 40 - 0.5, uniform() * 70 - 0.5); }
  VoxelSet shape() {
    VoxelSet set(grid);
    const Vec3 from = point();
    const PaintPlane plane{from, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (uniform() < 0.5)
      add_ball(set, grid, from, point(), 0.5 + 2 * uniform());
    else
      add_disc(set, grid, plane, from, from + Vec3{uniform(), uniform(), 0}, 1 + 3 * uniform());
    return set;
  }
};

// A file with some strokes, and the labels at each of them.
struct Painted {
  QTemporaryDir folder;
  fs::path path = fs::path(folder.path().toStdString()) / "scan.strokes";
  std::vector<Dense> at{Dense(static_cast<std::size_t>(grid.count()))};
  std::vector<int64_t> parents{0};

  explicit Painted(int strokes, uint64_t seed = 1) {
    Painter painter{{seed, 0}};
    const auto labels = PaintedLabels::open_or_create(path, grid).or_throw();
    while (static_cast<int>(at.size()) <= strokes) {
      // Mostly over the last one; at times after some undo steps.
      const auto last = static_cast<int64_t>(at.size()) - 1;
      const int64_t parent =
          painter.uniform() < 0.7 ? last : static_cast<int64_t>(painter.uniform() * static_cast<double>(last + 1));
      const VoxelSet shape = painter.shape();
      const auto number = static_cast<uint16_t>(painter.uniform() * 4);
      Dense now = at[static_cast<std::size_t>(parent)];
      const std::set<int64_t> locked = painter.uniform() < 0.3 ? std::set<int64_t>{2} : std::set<int64_t>{};
      shape.for_each([&](int64_t brick, std::size_t index) {
        uint16_t& voxel = now[index_of(shape.layout().voxel(brick, index))];
        if (locked.count(voxel) == 0) voxel = number;
      });
      const Stroke stroke = painted(*labels->at(parent).or_throw(), shape, number, locked);
      if (stroke.empty()) continue;
      TL_CHECK(labels->append(parent, stroke).or_throw() == static_cast<int64_t>(at.size()), "numbers follow");
      at.push_back(std::move(now));
      parents.push_back(parent);
    }
  }
};

}  // namespace

class StrokeFilesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Undo, redo, branches, and jumps between them, in a program that has just opened the file and in one that has not.
  void every_stroke_gives_the_labels_painted_the_plain_way() {
    const Painted file(30);
    const auto labels = PaintedLabels::open(file.path).or_throw();
    QCOMPARE(labels->file().count(), int64_t{30});
    Painter jumps{{9, 0}};
    for (int i = 0; i < 120; ++i) {
      const auto stroke = static_cast<std::size_t>(jumps.uniform() * 31);
      QVERIFY(dense(*labels->at(static_cast<int64_t>(stroke)).or_throw()) == file.at[stroke]);
    }
    for (const Bricks* all : {labels->at(0).or_throw().get()}) QVERIFY(all->bricks().empty());
    for (std::size_t n = 1; n <= 30; ++n)
      QCOMPARE(labels->file().parent(static_cast<int64_t>(n)).or_throw(), file.parents[n]);
  }

  void undo_and_redo_give_the_same_bytes() {
    const Painted file(5);
    const auto labels = PaintedLabels::open(file.path).or_throw();
    const auto before = labels->at(5).or_throw();
    Bricks now = *before;
    const Stroke last = labels->file().read(5).or_throw();
    QVERIFY(apply(now, last, Direction::undo).ok());
    QVERIFY(dense(now) == file.at[static_cast<std::size_t>(file.parents[5])]);
    QVERIFY(!apply(now, last, Direction::undo).ok());  // it is not there any more
    QVERIFY(apply(now, last, Direction::redo).ok());
    QVERIFY(dense(now) == dense(*before));
    QCOMPARE(now.bricks().size(), before->bricks().size());
  }

  void nothing_is_rewritten() {
    const Painted file(6);
    const std::string before = bytes_of_file(file.path);
    const auto labels = PaintedLabels::open(file.path).or_throw();
    VoxelSet shape(grid);
    add_ball(shape, grid, grid.centre, grid.centre, 2);
    QCOMPARE(labels->append(2, painted(*labels->at(2).or_throw(), shape, 7, {})).or_throw(), int64_t{7});
    QVERIFY(bytes_of_file(file.path).starts_with(before));
    QVERIFY(dense(*labels->at(6).or_throw()) == file.at[6]);
  }

  // It stands for the strokes, not for the file.
  void the_lineage_follows_the_strokes() {
    const Painted file(8), same(8), other(8, 2);
    const auto lineage = [](const Painted& p, int64_t stroke) {
      return PaintedLabels::open(p.path).or_throw()->lineage(stroke).or_throw();
    };
    std::set<std::string> all;
    for (int64_t n = 0; n <= 8; ++n) {
      QCOMPARE(lineage(file, n), lineage(same, n));
      all.insert(lineage(file, n));
    }
    QCOMPARE(all.size(), std::size_t{9});
    QCOMPARE(lineage(file, 0), lineage(other, 0));
    QVERIFY(lineage(file, 8) != lineage(other, 8));
  }

  // A killed program or a full disk leaves the file cut anywhere.
  void a_file_cut_anywhere_opens_or_says_why() {
    const Painted file(4);
    const std::string all = bytes_of_file(file.path);
    const fs::path cut = file.path.parent_path() / "cut.strokes";
    int64_t last = -1;
    for (std::size_t length = 0; length <= all.size(); ++length) {
      put_file(cut, all.substr(0, length));
      const auto opened = StrokeFile::open(cut);
      if (length < 152) {
        QVERIFY(!opened.ok() && opened.error().message().find("cut.strokes") != std::string::npos);
        continue;
      }
      QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
      const int64_t count = opened.value()->count();
      QVERIFY(count == last || count == last + 1);
      last = count;
      for (int64_t n = 1; n <= count; ++n) QVERIFY(opened.value()->read(n).ok());
    }
    QCOMPARE(last, int64_t{4});
    // The remains go with the next stroke, and that is said.
    put_file(cut, all.substr(0, all.size() - 3));
    const auto labels = PaintedLabels::open(cut).or_throw();
    VoxelSet shape(grid);
    add_ball(shape, grid, grid.centre, grid.centre, 3);
    QCOMPARE(labels->append(3, painted(*labels->at(3).or_throw(), shape, 9, {})).or_throw(), int64_t{4});
    QVERIFY2(labels->file().note().find("cut off") != std::string::npos, labels->file().note().c_str());
    const auto again = StrokeFile::open(cut).or_throw();
    QCOMPARE(again->count(), int64_t{4});
    QVERIFY(again->read(4).ok());
  }

  // Each byte changed: the file opens without the last stroke, or says which stroke is damaged and what to do. It never
  // gives wrong labels.
  void a_changed_byte_is_noticed() {
    const Painted file(3);
    const std::string all = bytes_of_file(file.path);
    const fs::path changed = file.path.parent_path() / "changed.strokes";
    const std::size_t step = std::max<std::size_t>(1, all.size() / 800);
    for (std::size_t at = 0; at < all.size(); at += at < 400 ? 1 : step)
      for (const int bit : {1, 128}) {
        std::string bytes = all;
        bytes[at] = static_cast<char>(bytes[at] ^ bit);
        put_file(changed, bytes);
        const auto opened = PaintedLabels::open(changed);
        if (!opened.ok()) {
          QVERIFY(!opened.error().hint.empty());
          continue;
        }
        for (int64_t n = 1; n <= opened.value()->file().count(); ++n) {
          const auto labels = opened.value()->at(n);
          if (labels.ok())
            QVERIFY(dense(*labels.value()) == file.at[static_cast<std::size_t>(n)]);
          else
            QVERIFY2(labels.error().message().find("damaged") != std::string::npos &&
                         labels.error().message().find("changed.strokes") != std::string::npos,
                     labels.error().message().c_str());
        }
      }
  }

  // With checksums that fit, as a hostile file has them: a stroke of this volume, or an error.
  void hostile_strokes_are_refused_or_valid() {
    const Painted file(2);
    const auto opened = StrokeFile::open(file.path).or_throw();
    const Stroke stroke = opened->read(2).or_throw();
    const std::vector<std::byte> bytes = bytes_of(stroke);
    QVERIFY(stroke_of(bytes, opened->layout(), "here").or_throw() == stroke);
    Painter random{{4, 0}};
    int refused = 0;
    for (int trial = 0; trial < 4000; ++trial) {
      std::vector<std::byte> bad = bytes;
      for (int n = 0; n <= trial % 3; ++n) {
        const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(bad.size()));
        bad[trial % 2 == 0 ? at : at % 24] = static_cast<std::byte>(random.uniform() * 256);
      }
      if (trial % 5 == 0) bad.resize(static_cast<std::size_t>(random.uniform() * static_cast<double>(bad.size())));
      const auto read = stroke_of(bad, opened->layout(), "here");
      if (!read.ok()) {
        ++refused;
        QVERIFY(read.error().message().find("(here)") != std::string::npos);
        continue;
      }
      for (const BrickChange& change : read.value().bricks)
        for (const VoxelChange& v : change.voxels)
          QVERIFY(v.before != v.after && opened->layout().holds(opened->layout().voxel(change.brick, v.index)));
    }
    QVERIFY(refused > 3000);
  }

  void damage_within_names_the_stroke_and_the_remedy() {
    const Painted file(6);
    std::string all = bytes_of_file(file.path);
    const std::size_t third = all.find("stroke  ", all.find("stroke  ", all.find("stroke  ") + 1) + 1);
    all[third + 1] = 'X';
    put_file(file.path, all);
    const auto opened = StrokeFile::open(file.path);
    QVERIFY(!opened.ok());
    const std::string message = opened.error().message();
    QVERIFY2(message.find("stroke 3") != std::string::npos &&
                 message.find("set \"stroke\" to 2") != std::string::npos &&
                 message.find(std::to_string(third)) != std::string::npos,
             message.c_str());
    fs::resize_file(file.path, third);  // what the message proposes
    const auto rest = StrokeFile::open(file.path);
    QVERIFY(rest.ok() && rest.value()->count() == 2);
  }

  void strangers_are_refused() {
    const Painted file(2);
    const fs::path stranger = file.path.parent_path() / "stranger";
    for (const std::string& bytes : {std::string(), std::string(4000, 'x'), std::string("Tomoloom strokes")}) {
      put_file(stranger, bytes);
      const auto opened = StrokeFile::open(stranger);
      QVERIFY(!opened.ok() && opened.error().message().find("not a file of strokes") != std::string::npos);
    }
    QVERIFY(!StrokeFile::open(file.path.parent_path()).ok());
    QVERIFY(!StrokeFile::open(stranger.string() + "-missing").ok());
    const auto labels = PaintedLabels::open(file.path).or_throw();
    for (const int64_t stroke : {int64_t{3}, int64_t{-1}, int64_t{1} << 40}) {
      const auto none = labels->at(stroke);
      QVERIFY(!none.ok() && none.error().message().find("which has 2") != std::string::npos);
    }
  }

  void two_programs_do_not_paint_into_one_file() {
    const Painted file(2);
    const auto labels = PaintedLabels::open(file.path).or_throw();
    QVERIFY(PaintedLabels::open(file.path).or_throw() == labels);  // one in this program
    VoxelSet shape(grid);
    add_ball(shape, grid, grid.centre, grid.centre, 2);
    const std::string before = bytes_of_file(file.path);
    {
      // As another program holds it: it has a description of its own.
      const QTemporaryDir elsewhere;
      const fs::path copy = fs::path(elsewhere.path().toStdString()) / "copy.strokes";
      fs::copy_file(file.path, copy);
      const auto open_copy = PaintedLabels::open(copy).or_throw();
      const io::FileDescriptor other(::open(copy.c_str(), O_RDWR | O_CLOEXEC));
      QCOMPARE(flock(other.get(), LOCK_EX | LOCK_NB), 0);
      const auto refused = open_copy->append(2, painted(*open_copy->at(2).or_throw(), shape, 8, {}));
      QVERIFY(!refused.ok());
      QVERIFY2(refused.error().message().find("another program") != std::string::npos,
               refused.error().message().c_str());
      QVERIFY(bytes_of_file(copy) == before);
    }
    // Reading goes on while another one paints, and sees its strokes.
    const auto reader = StrokeFile::open(file.path).or_throw();
    QCOMPARE(labels->append(2, painted(*labels->at(2).or_throw(), shape, 8, {})).or_throw(), int64_t{3});
    QCOMPARE(reader->count(), int64_t{2});
    QVERIFY(reader->look_again().ok() && reader->count() == 3 && reader->read(3).ok());
  }

  void a_full_disk_leaves_the_strokes_before() {
    const Painted file(3);
    const std::string all = bytes_of_file(file.path);
    int refusals = 0;
    for (int64_t room = 1; room < 200; room += 23) {
      test::SmallDisk disk(test::Shortage::limit, static_cast<int64_t>(all.size()) + room);
      QVERIFY(disk.is_made());
      const fs::path copy = disk.folder() / "s.strokes";
      put_file(copy, all);
      const auto labels = PaintedLabels::open(copy).or_throw();
      VoxelSet shape(grid);
      add_ball(shape, grid, grid.centre, grid.centre + Vec3{9, 4, 1}, 4);
      const auto written = labels->append(3, painted(*labels->at(3).or_throw(), shape, 11, {}));
      disk.end_limit();
      if (written.ok()) continue;
      ++refusals;
      QVERIFY(written.error().kind == ErrorKind::io);
      QVERIFY(bytes_of_file(copy) == all);
      QCOMPARE(labels->file().count(), int64_t{3});
      // With room again, painting goes on.
      QVERIFY(labels->append(3, painted(*labels->at(3).or_throw(), shape, 11, {})).ok());
    }
    QVERIFY(refusals > 0);
  }

  // A pipe is not a file on a disk: the system refuses to write it out.
  void a_disk_that_refuses_is_reported() {
    int ends[2] = {-1, -1};
    QVERIFY(pipe(ends) == 0);
    {
      DelayedSync sync;
      QCOMPARE(sync.failure(), 0);
      sync.changed(ends[1]);
      QTRY_COMPARE(sync.failure(), EINVAL);
      sync.changed(ends[1]);
      QCOMPARE(sync.failure(), EINVAL);
    }
    for (const int end : ends) close(end);
  }

  void copies_take_what_they_lack_and_lose_nothing() {
    const Painted file(4), other(4, 2);
    const QTemporaryDir folder;
    const fs::path to = fs::path(folder.path().toStdString()) / "b.strokes";
    QVERIFY(copy_strokes(file.path, to).or_throw() == to);
    QVERIFY(bytes_of_file(to) == bytes_of_file(file.path));
    QVERIFY(copy_strokes(file.path, to).or_throw() == to);  // it has all of them
    // More strokes: the copy gets them.
    const auto labels = PaintedLabels::open(file.path).or_throw();
    VoxelSet shape(grid);
    add_ball(shape, grid, grid.centre, grid.centre, 2);
    (void)labels->append(4, painted(*labels->at(4).or_throw(), shape, 8, {})).or_throw();
    QVERIFY(copy_strokes(file.path, to).or_throw() == to);
    QVERIFY(bytes_of_file(to) == bytes_of_file(file.path));
    // Other strokes are never replaced, nor is a file of another kind.
    const std::string before = bytes_of_file(to);
    const fs::path second = copy_strokes(other.path, to).or_throw();
    QCOMPARE(second.filename().string(), std::string("b-2.strokes"));
    QVERIFY(bytes_of_file(to) == before && bytes_of_file(second) == bytes_of_file(other.path));
    put_file(to, "a diary");
    QCOMPARE(copy_strokes(file.path, to).or_throw().filename().string(), std::string("b-3.strokes"));
    QCOMPARE(bytes_of_file(to), std::string("a diary"));
  }
};

TL_TEST_CASE(StrokeFilesTest)

}  // namespace tl::strokes::stroke_files_test

#include "stroke_files.moc"
