// RecordDiff: differences between the records of two results.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/node/registry.h"

namespace tl {

// A difference, as text for each side; "" if a side lacks it.
struct Difference {
  std::string what;  // "fbp.filter"
  std::string first, second;
  // Difference of two found values in standard deviations, if both have an uncertainty.
  std::optional<double> sigmas = {};
};

struct RecordDiff {
  std::vector<Difference> pipeline;    // nodes by type and version, links
  std::vector<Difference> parameters;  // used and found values, with uncertainty
  std::vector<Difference> inputs;      // fingerprints of the files that nodes read
  std::vector<Difference> versions;    // versions of the program and its libraries; device and number type
  [[nodiscard]] bool empty() const {
    return pipeline.empty() && parameters.empty() && inputs.empty() && versions.empty();
  }
};

// The record of a result: its own text if it is a record, the record next to it (NAME.json), or its embedded text,
// which has no found parameters. Invalid for files without any of these.
Result<std::string> record_of(const std::string& path);

// A record's text, and its name for errors.
struct NamedRecord {
  std::string_view text;
  std::string name;
};
// Compares two records. Names of files (inputs are compared by fingerprint), timings and the layout of the canvas are
// ignored. Malformed members are ignored; invalid only for texts that are not JSON objects.
Result<RecordDiff> compare_records(const NamedRecord& first, const NamedRecord& second, const Registry& registry);

}  // namespace tl
