// Finds tomography sequences among the scans of a BLISS file, by technique/image_key and titles.
#include "core/io/scans/bliss_scans.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

#include "core/base/text.h"
#include "core/io/bytes/reader_limits.h"

namespace tl::io {
namespace {

constexpr std::size_t max_scans = 4096;
constexpr double for_scan = 5e-3;  // [s] of processor time

// "sample_0001_12.1" is scan 12 of the series "sample_0001_".
std::optional<BlissScan> scan_named(const std::string& name) {
  if (!name.ends_with(".1")) return std::nullopt;
  std::size_t begin = name.size() - 2;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1])) != 0) --begin;
  if (begin == name.size() - 2 || (begin > 0 && name[begin - 1] != '_')) return std::nullopt;
  BlissScan scan;
  scan.group = "/" + name;
  scan.series = name.substr(0, begin);
  const auto read = std::from_chars(name.data() + begin, name.data() + name.size() - 2, scan.number);
  return read.ec == std::errc() ? std::optional(scan) : std::nullopt;
}

std::optional<double> first_number_of(const Hdf5File& file, const std::string& name) {
  if (!file.has_dataset(name)) return std::nullopt;
  const auto data = file.dataset(name);
  if (!data.ok()) return std::nullopt;
  const auto values = data.value().read_all();
  return values.ok() && !values.value().empty() ? std::optional(values.value().front()) : std::nullopt;
}

// Titles as the tomography sequences of BLISS have given them over the years.
BlissKind kind_of_title(const std::string& title) {
  const std::string text = lower_case(title);
  const auto begins = [&](std::string_view word) { return text.starts_with(word); };
  if (begins("dark")) return BlissKind::darks;
  if (begins("flat") || begins("ref")) return BlissKind::flats;
  if (begins("projections")) return BlissKind::projections;
  if (begins("static images") || begins("return_ref") || begins("return ref")) return BlissKind::alignment;
  return begins("tomo:") ? BlissKind::sequence : BlissKind::other;
}

void find_kind(const Hdf5File& file, BlissScan& scan) {
  scan.title = file.text(scan.group + "/title").value_or("");
  scan.kind = kind_of_title(scan.title);
  const std::string technique = scan.group + "/technique";
  if (const auto key = first_number_of(file, technique + "/image_key")) {
    scan.source = KindSource::image_key;
    scan.kind = *key == 0    ? BlissKind::projections
                : *key == 1  ? BlissKind::flats
                : *key == 2  ? BlissKind::darks
                : *key == -1 ? BlissKind::alignment
                             : BlissKind::other;
  } else if (scan.kind == BlissKind::other &&
             (file.has(technique + "/tomoconfig") || file.has_dataset(technique + "/scan/tomo_n"))) {
    scan.kind = BlissKind::sequence;
  }
}

// The numbers of the scans that a sequence says are its own; none if it does not.
std::set<int64_t> numbers_listed(const Hdf5File& file, const BlissScan& head) {
  for (const char* name : {"/subscans/scan_numbers", "/measurement/scan_numbers"}) {
    if (!file.has_dataset(head.group + name)) continue;
    const auto data = file.dataset(head.group + name);
    if (!data.ok()) continue;
    const auto values = data.value().read_all();
    if (!values.ok()) continue;
    std::set<int64_t> numbers;
    for (const double v : values.value()) numbers.insert(std::llround(v));
    return numbers;
  }
  return {};
}

}  // namespace

bool is_written_by_bliss(const Hdf5File& file) {
  for (const char* name : {"creator", "publisher"})
    if (lower_case(file.attribute("/", name).value_or("")).starts_with("bliss")) return true;
  return false;
}

std::vector<BlissSequence> bliss_sequences(const Hdf5File& file) {
  std::vector<BlissScan> scans;
  for (const std::string& name : file.children("/"))
    if (auto scan = scan_named(name); scan && scans.size() < max_scans) scans.push_back(std::move(*scan));
  std::sort(scans.begin(), scans.end(), [](const BlissScan& a, const BlissScan& b) {
    return std::tie(a.series, a.number) < std::tie(b.series, b.number);
  });
  std::vector<BlissSequence> found;
  std::set<int64_t> listed;
  for (BlissScan& scan : scans) {
    allow_cpu_time_for_object(for_scan);
    find_kind(file, scan);
    if (scan.kind == BlissKind::other) continue;
    if (scan.kind == BlissKind::sequence) {
      listed = numbers_listed(file, scan);
      found.push_back({scan, {}});
      continue;
    }
    const bool follows = !found.empty() && found.back().head.series == scan.series;
    if (follows && !listed.empty() && !listed.contains(scan.number)) continue;
    if (!follows) {
      listed.clear();
      found.push_back({scan, {}});
    }
    found.back().scans.push_back(std::move(scan));
  }
  std::erase_if(found, [](const BlissSequence& sequence) {
    return std::none_of(sequence.scans.begin(), sequence.scans.end(),
                        [](const BlissScan& scan) { return scan.kind == BlissKind::projections; });
  });
  return found;
}

}  // namespace tl::io
