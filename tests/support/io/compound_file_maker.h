// Makes compound files ([MS-CFB]) for tests, independently of our own reader. Equal calls make equal bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace tl::test {

enum class SectorOrder { forwards, backwards };

struct CompoundLayout {
  int64_t sector = 4096;                      // bytes: 4096 (version 4) or 512 (version 3)
  int64_t unused = 0;                         // number of unused sectors before the first stream
  SectorOrder order = SectorOrder::forwards;  // order of the sectors of a stream
};

class CompoundFileMaker {
 public:
  // "ImageInfo/Angles": storages are created as needed.
  void add(const std::string& path, const std::string& bytes) {
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
      entries_[path.substr(0, at)].kind = storage;
    entries_[path] = {stream, bytes};
  }
  template <class T>
  void numbers(const std::string& path, const std::vector<T>& values) {
    add(path, std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
  }
  void remove(const std::string& path) { entries_.erase(path); }

  void write(const std::string& file, const CompoundLayout& layout = {}) {
    Writer out{layout, {}, {}};
    out.table.assign(static_cast<std::size_t>(layout.unused), unused);
    entries_[""].kind = root;
    std::vector<std::string> order;  // order of the entries; the root comes first
    for (auto& [path, entry] : entries_) {
      entry.number = static_cast<uint32_t>(order.size());
      order.push_back(path);
    }
    std::string small;
    std::vector<uint32_t> small_table;
    for (auto& [path, entry] : entries_) {
      if (entry.kind != stream || entry.bytes.empty()) continue;
      entry.first =
          entry.bytes.size() < smallest_in_sectors ? add_small(entry.bytes, small, small_table) : out.add(entry.bytes);
    }
    Entry& top = entries_[""];
    top.bytes = small;
    top.first = out.add(small);
    const int64_t small_table_sectors = out.sectors(4 * small_table.size());
    const uint32_t first_small_table = out.add(bytes_of(small_table));
    link_siblings();
    std::string directory;
    for (const std::string& path : order) directory += entry_bytes(path);
    while (directory.size() % static_cast<std::size_t>(layout.sector) != 0) directory += empty_entry();
    const int64_t directory_sectors = out.sectors(directory.size());
    const uint32_t first_entry = out.add(directory);
    finish(out, file, {first_entry, first_small_table}, {directory_sectors, small_table_sectors});
  }

 private:
  enum Kind : uint8_t { none = 0, storage = 1, stream = 2, root = 5 };
  static constexpr uint32_t end = 0xfffffffe, unused = 0xffffffff, of_table = 0xfffffffd, of_table_list = 0xfffffffc;
  static constexpr std::size_t smallest_in_sectors = 4096;
  struct Entry {
    Kind kind = none;
    std::string bytes;
    uint32_t number = 0, first = end, left = unused, right = unused, child = unused;
  };
  static std::string bytes_of(const std::vector<uint32_t>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size()};
  }
  template <class T>
  static void put(std::string& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }

  // The table of sectors, and the data written so far.
  struct Writer {
    CompoundLayout layout;
    std::vector<uint32_t> table;
    std::map<uint32_t, std::string> written;  // by the sector

    [[nodiscard]] int64_t sectors(std::size_t bytes) const {
      return (static_cast<int64_t>(bytes) + layout.sector - 1) / layout.sector;
    }
    uint32_t add(const std::string& bytes) {
      const auto count = static_cast<uint32_t>(sectors(bytes.size())), base = static_cast<uint32_t>(table.size());
      if (count == 0) return end;
      table.resize(base + count);
      const auto place = [&](uint32_t i) {
        return base + (layout.order == SectorOrder::backwards ? count - 1 - i : i);
      };
      for (uint32_t i = 0; i < count; ++i) {
        table[place(i)] = i + 1 < count ? place(i + 1) : end;
        written[place(i)] =
            bytes.substr(i * static_cast<std::size_t>(layout.sector), static_cast<std::size_t>(layout.sector));
      }
      return place(0);
    }
  };

  static uint32_t add_small(const std::string& bytes, std::string& small, std::vector<uint32_t>& table) {
    const auto first = static_cast<uint32_t>(table.size()), count = static_cast<uint32_t>((bytes.size() + 63) / 64);
    for (uint32_t i = 0; i < count; ++i) table.push_back(i + 1 < count ? first + i + 1 : end);
    small += bytes;
    small.resize(table.size() * 64);
    return first;
  }

  // Children of a storage in the order of the format: shorter names first, then by capital letters.
  std::vector<std::string> children(const std::string& parent) const {
    std::vector<std::string> names;
    for (const auto& [path, entry] : entries_) {
      const std::size_t cut = path.rfind('/');
      if (!path.empty() && (cut == std::string::npos ? std::string() : path.substr(0, cut)) == parent)
        names.push_back(path);
    }
    const auto capitals = [](std::string text) {
      for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      return text;
    };
    std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : capitals(a) < capitals(b);
    });
    return names;
  }
  uint32_t tree(const std::vector<std::string>& names, std::size_t begin, std::size_t stop) {
    if (begin == stop) return unused;
    const std::size_t middle = (begin + stop) / 2;
    Entry& entry = entries_[names[middle]];
    entry.left = tree(names, begin, middle);
    entry.right = tree(names, middle + 1, stop);
    return entry.number;
  }
  void link_siblings() {
    for (auto& [path, entry] : entries_) {
      if (entry.kind == stream) continue;
      const std::vector<std::string> names = children(path);
      entry.child = tree(names, 0, names.size());
    }
  }

  static std::string empty_entry() {
    std::string bytes(128, '\0');
    for (const std::size_t at : {68, 72, 76}) put(bytes, at, unused);
    return bytes;
  }
  std::string entry_bytes(const std::string& path) const {
    const Entry& entry = entries_.at(path);
    const std::string name = path.empty() ? "Root Entry" : path.substr(path.rfind('/') + 1);
    std::string bytes(128, '\0');
    for (std::size_t i = 0; i < name.size(); ++i) bytes[2 * i] = name[i];
    put(bytes, 64, static_cast<uint16_t>(2 * name.size() + 2));
    put(bytes, 66, static_cast<uint8_t>(entry.kind));
    put(bytes, 67, uint8_t{1});
    put(bytes, 68, entry.left);
    put(bytes, 72, entry.right);
    put(bytes, 76, entry.child);
    put(bytes, 116, entry.kind == storage ? 0 : entry.first);
    put(bytes, 120, uint64_t{entry.bytes.size()});
    return bytes;
  }

  // Writes table, list of its sectors, and header.
  static void finish(Writer& out, const std::string& file, const std::vector<uint32_t>& first,
                     const std::vector<int64_t>& sectors) {
    const auto numbers = static_cast<uint32_t>(out.layout.sector / 4), base = static_cast<uint32_t>(out.table.size());
    uint32_t tables = 0, lists = 0;
    for (uint32_t last = 1; tables != last;) {
      last = tables;
      lists = tables > 109 ? (tables - 109 + numbers - 2) / (numbers - 1) : 0;
      tables = (base + tables + lists + numbers - 1) / numbers;
    }
    out.table.resize(base + tables, of_table);
    out.table.resize(base + tables + lists, of_table_list);
    out.table.resize(std::size_t{tables} * numbers, unused);
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < tables; ++i) places.push_back(base + i);
    const std::string table = bytes_of(out.table);
    const auto step = static_cast<std::size_t>(out.layout.sector);
    for (uint32_t i = 0; i < tables; ++i) out.written[base + i] = table.substr(i * step, step);
    for (uint32_t i = 0; i < lists; ++i) {
      std::vector<uint32_t> list(numbers, unused);
      for (uint32_t k = 0; k + 1 < numbers; ++k)
        if (const uint32_t at = 109 + i * (numbers - 1) + k; at < tables) list[k] = places[at];
      list.back() = i + 1 < lists ? base + tables + i + 1 : end;
      out.written[base + tables + i] = bytes_of(list);
    }
    std::string header(step, '\0');
    header.replace(0, 8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8);
    put(header, 24, uint16_t{0x3e});
    put(header, 26, static_cast<uint16_t>(out.layout.sector == 512 ? 3 : 4));
    put(header, 28, uint16_t{0xfffe});
    put(header, 30, static_cast<uint16_t>(out.layout.sector == 512 ? 9 : 12));
    put(header, 32, uint16_t{6});
    put(header, 40, static_cast<uint32_t>(out.layout.sector == 512 ? 0 : sectors[0]));
    put(header, 44, tables);
    put(header, 48, first[0]);
    put(header, 56, static_cast<uint32_t>(smallest_in_sectors));
    put(header, 60, first[1]);
    put(header, 64, static_cast<uint32_t>(sectors[1]));
    put(header, 68, lists > 0 ? base + tables : end);
    put(header, 72, lists);
    for (std::size_t i = 0; i < 109; ++i) put(header, 76 + 4 * i, i < places.size() ? places[i] : unused);
    std::ofstream stream(file, std::ios::binary);
    stream << header;
    for (auto& [sector, bytes] : out.written) {
      stream.seekp((int64_t{sector} + 1) * out.layout.sector);
      bytes.resize(step);
      stream << bytes;
    }
  }

  std::map<std::string, Entry> entries_;
};

}  // namespace tl::test
