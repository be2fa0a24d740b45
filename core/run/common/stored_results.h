// StoredResults: whole outputs that a run has stored, or that a plan assumes to be stored, so that blocks need not
// compute them again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/run/common/external_values.h"
#include "core/run/common/plan.h"

namespace tl {

class StoredResults {
 public:
  // `whole`: the region that the value covers. The bytes of a result in a scratch file do not count as memory.
  void add(const Section& section, Value value, const Region& whole);
  // Assumes that the stored sections of a plan exist, although nothing was computed.
  void assume(const Plan& plan);
  [[nodiscard]] bool contains(const std::string& node, const std::string& port) const;
  // The value on a region. None if the output is not stored, or the region is not part of it.
  [[nodiscard]] std::optional<Value> find(const std::string& node, const std::string& port, const Region& region) const;
  // Bytes of stored results in memory, real and assumed; not available to blocks.
  [[nodiscard]] int64_t resident_bytes() const { return resident_; }

 private:
  struct Stored {
    Value value;
    Region region;
  };
  std::map<OutputId, Stored> stored_;
  std::set<OutputId> assumed_;
  int64_t resident_ = 0;
};

}  // namespace tl
