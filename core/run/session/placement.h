// Placement: on which device a node runs, and why; moves values between devices.
#pragma once

#include <string>

#include "core/run/session/resolved.h"
#include "core/run/session/session_context.h"
#include "core/values/values.h"

namespace tl {

class Placement {
 public:
  explicit Placement(SessionContext& context) : context_(context) {}
  // Sets the device of a node, and the reason if that is not the GPU. Its parameters and inputs must be known;
  // `input_device` is the device of its first input.
  void place(ResolvedNode& r, const std::string& input_device) const;
  // Writes the node's device into the report, and the reason into the log once per node.
  void report(const std::string& node, const ResolvedNode& r);
  // Reports the device of a measuring node.
  void report_measurement(const std::string& node);

 private:
  void log_once(const std::string& node, const std::string& text);

  SessionContext& context_;
};

// Moves the tensors of a value to a device; scalars and view vectors stay on the CPU.
Value move_to_device(Value value, const std::string& device);

}  // namespace tl
