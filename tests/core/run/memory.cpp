// Memory budgets: limits of control groups, amounts as text, and what is left for blocks next to the program.
#include "core/run/common/memory.h"

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/support/test_case.h"

namespace tl::memory_test {

namespace fs = std::filesystem;

namespace {

constexpr int64_t mib = int64_t{1} << 20;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

class MemoryTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Before: only the root of the hierarchy was read, which has no limit of its own.
  void the_least_limit_of_all_groups_around_counts() {
    QTemporaryDir made;
    const fs::path top = made.path().toStdString(), member = top / "membership";
    write(member, "0::/outer/inner\n");
    QCOMPARE(group_memory(member, top), std::numeric_limits<int64_t>::max());
    write(top / "outer/memory.max", std::to_string(500 * mib) + "\n");
    write(top / "outer/memory.current", std::to_string(100 * mib) + "\n");
    write(top / "outer/inner/memory.max", "max\n");
    QCOMPARE(group_memory(member, top), 400 * mib);
    // The inner one allows less, and cached files that can be dropped do not count.
    write(top / "outer/inner/memory.max", std::to_string(300 * mib) + "\n");
    write(top / "outer/inner/memory.current", std::to_string(250 * mib) + "\n");
    QCOMPARE(group_memory(member, top), 50 * mib);
    write(top / "outer/inner/memory.stat", "anon 1\ninactive_file " + std::to_string(200 * mib) + "\nactive_file 3\n");
    QCOMPARE(group_memory(member, top), 250 * mib);
    // Within a container the group is the root, or lies above it.
    write(top / "memory.max", std::to_string(80 * mib) + "\n");
    for (const char* group : {"0::/\n", "0::/../other\n"}) {
      write(member, group);
      QCOMPARE(group_memory(member, top), 80 * mib);
    }
  }

  void groups_of_the_first_version_count_too() {
    QTemporaryDir made;
    const fs::path top = made.path().toStdString(), member = top / "membership";
    write(member, "12:cpu,cpuacct:/x\n5:memory:/docker/abc/def\n1:name=systemd:/x\n");
    write(top / "memory/memory.limit_in_bytes", "9223372036854771712\n");
    write(top / "memory/memory.usage_in_bytes", std::to_string(900 * mib) + "\n");
    write(top / "memory/docker/abc/memory.limit_in_bytes", std::to_string(256 * mib) + "\n");
    write(top / "memory/docker/abc/memory.usage_in_bytes", std::to_string(56 * mib) + "\n");
    write(top / "memory/docker/abc/def/memory.limit_in_bytes", "9223372036854771712\n");
    QCOMPARE(group_memory(member, top), 200 * mib);
  }

  void this_machine_has_some() { QVERIFY(available_memory() > 0); }

  void amounts_are_read() {
    QCOMPARE(parse_bytes("4GB").or_throw(), int64_t{4'000'000'000});
    QCOMPARE(parse_bytes("1.5 MiB").or_throw(), mib * 3 / 2);
    QCOMPARE(parse_bytes("1B").or_throw(), int64_t{1});
    // Before: less than a byte became 0, which stands for no limit.
    for (const char* text : {"", "0.0001", "0", "-1", "0GB", "nan", "inf", "GB", "1e30", "4 XB"})
      QVERIFY2(!parse_bytes(text).ok(), text);
  }

  // Before: half of any limit was given to blocks, however large the program itself was.
  void what_leaves_no_room_for_blocks_is_refused_with_the_least() {
    for (const int64_t limit : {int64_t{1}, int64_t{1000}, 60 * mib}) {
      const auto refused = blocks_within(limit);
      QVERIFY(!refused.ok());
      QCOMPARE(refused.error().kind, ErrorKind::invalid);
      const std::string hint = refused.error().hint;
      QVERIFY2(hint.rfind("Give at least ", 0) == 0, hint.c_str());
      // What it asks for does.
      const int64_t least = parse_bytes(hint.substr(14)).or_throw();
      const auto allowed = blocks_within(least + 10 * mib);
      QVERIFY2(allowed.ok(), allowed.ok() ? "" : allowed.error().message().c_str());
      QVERIFY(allowed.value() >= min_for_blocks && allowed.value() < least);
    }
  }
};

TL_TEST_CASE(MemoryTest)

}  // namespace tl::memory_test

#include "memory.moc"
