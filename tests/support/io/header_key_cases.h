// Header keys: compares every key of a standard, with a value, to the reader's table.
#pragma once

#include <ATen/ATen.h>

#include <QtTest/QtTest>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/io/keys/header_keys.h"
#include "core/io/open_scan.h"
#include "core/io/open_volume.h"
#include "core/io/reader/describe.h"
#include "core/io/voxels/grid_text.h"

namespace tl::test::keys {

// The result of reading a file: its numbers and all notes, or an error.
struct Reading {
  std::string error, said;
  at::Tensor numbers;
  [[nodiscard]] bool same(const Reading& other) const {
    return error == other.error && said == other.said &&
           (!error.empty() || at::equal(numbers.nan_to_num(-1e6), other.numbers.nan_to_num(-1e6)));
  }
};

inline Reading read_volume(const std::filesystem::path& file) {
  Reading r;
  const auto volume = io::open_volume(file);
  if (!volume.ok()) return {volume.error().message(), {}, {}};
  const io::VolumeFileInfo& info = volume.value()->info();
  const VolumeGrid& g = info.grid;
  const auto numbers = volume.value()->read({{0, g.nz}, {0, g.ny}, {0, g.nx}});
  if (!numbers.ok()) return {numbers.error().message(), {}, {}};
  r.numbers = numbers.value();
  r.said = io::grid_text(g) + " " + info.voxel_type + " " + std::string(symbol(info.unit)) + " " + info.description;
  for (const std::string& note : info.notes) r.said += "\n" + note;
  return r;
}

inline Reading read_scan(const std::filesystem::path& file) {
  const auto scan = io::open_scan(file);
  if (!scan.ok()) return {scan.error().message(), {}, {}};
  const io::ScanInfo& info = scan.value()->info();
  const auto views = scan.value()->read({{0, info.views}, {0, info.rows}, {0, info.cols}});
  if (!views.ok()) return {views.error().message(), {}, {}};
  return {{}, io::describe(info), views.value()};
}

using Changes = std::map<std::string, std::string>;  // new values of keys; an empty one removes the key

// A key of the standard, a value other than the usual one, and further changes without which it would have no effect.
struct KeyCase {
  std::string key, value;
  Changes with = {};
};

// `read`: reads the test's file with changed keys.
inline void check_keys(const io::HeaderKeys& table, const std::vector<KeyCase>& standard,
                       const std::function<Reading(const Changes&)>& read) {
  std::set<std::string> of_standard, of_table;
  for (const KeyCase& one : standard) of_standard.insert(one.key);
  for (const std::string& name : table.names()) of_table.insert(name);
  for (const std::string& name : of_standard)
    QVERIFY2(of_table.contains(name), ("the reader's table lacks " + name).c_str());
  for (const std::string& name : of_table)
    QVERIFY2(of_standard.contains(name), ("the test has no value of " + name).c_str());
  for (const KeyCase& one : standard) {
    const io::HeaderKey& key = *table.find(one.key);
    Changes changed = one.with;
    changed[one.key] = one.value;
    const Reading before = read(one.with), after = read(changed);
    const std::string what = one.key + " = " + one.value + ": " + before.error + " | " + after.error + after.said;
    if (key.use == io::KeyUse::used) {
      QVERIFY2(!before.same(after), ("is passed over: " + what).c_str());
      continue;
    }
    QVERIFY2(before.error.empty() && !key.meaning.empty(), what.c_str());
    if (key.use == io::KeyUse::harmless) {
      QVERIFY2(before.same(after), ("is not harmless: " + what).c_str());
      continue;
    }
    QVERIFY2(after.error.find(one.key) != std::string::npos && after.error.find(key.meaning) != std::string::npos,
             ("is not refused: " + what).c_str());
    for (std::string_view left = key.neutral;;) {
      const std::size_t end = left.find('|');
      changed[one.key] = std::string(left.substr(0, end));
      QVERIFY2(read(changed).same(before), ("changes something: " + one.key + " = " + changed[one.key]).c_str());
      if (end == std::string_view::npos) break;
      left.remove_prefix(end + 1);
    }
  }
}

}  // namespace tl::test::keys
