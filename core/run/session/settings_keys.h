// SettingsKeys: keys of the nodes' settings, inputs and input files that read no file content.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/run/session/session_context.h"
#include "core/values/hash.h"

namespace tl {

class SettingsKeys {
 public:
  explicit SettingsKeys(const SessionContext& context) : context_(context) {}
  // None for nodes with parameters from outside, or outputs given without a key, or downstream of such nodes. Input
  // files count by name, size and modification time at the first request.
  std::optional<Hash> key(const std::string& node);

 private:
  std::optional<Hash> make(const std::string& node);

  const SessionContext& context_;
  std::map<std::string, std::optional<Hash>> keys_;
};

}  // namespace tl
