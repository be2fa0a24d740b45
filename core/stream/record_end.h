// Completes a record: last changes and final name, after a regular end or after a kill.
#pragma once

#include <filesystem>

#include "core/base/error.h"
#include "core/io/output/output_rules.h"

namespace tl::stream {

struct EndedRecord {
  std::filesystem::path path;
  int64_t views = 0, flats = 0, darks = 0, lost = 0;  // rows
  int64_t scan = 0;                                   // Frame::scan, if the stream is known
};

// Checked before anything is received: invalid if the record, or one that a killed process left, exists and may not be
// replaced, or if it is an input.
Result<void> check_record_name(const std::filesystem::path& name, const io::OutputRules& rules);

// Makes a closed recording the record `name`: values of headers become NXlog; angles are deleted if some view has none;
// the file is synced and renamed. Errors: io; invalid (the name is taken, and may not be replaced).
Result<EndedRecord> end_record(const std::filesystem::path& name, const io::OutputRules& rules);

// Recovers "r.nx.recording", which a killed process left: rows that were not flushed count as lost. Errors as above; io
// also if a process still writes it, or nothing was flushed; invalid: another ending.
Result<EndedRecord> recover_record(const std::filesystem::path& recording, const io::OutputRules& rules);

}  // namespace tl::stream
