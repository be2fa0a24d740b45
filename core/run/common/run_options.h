// RunOptions and CallOptions: device, memory, folders, events and cancellation of an executor and of its calls.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/cancel.h"
#include "core/base/events.h"
#include "core/io/output/output_rules.h"
#include "core/node/node_run.h"

namespace tl {

// A failure of the chosen GPU is an error (forbid), or the run continues on the CPU (allow).
enum class DeviceFallback { forbid, allow };

struct RunOptions {
  at::ScalarType dtype = at::kFloat;  // float64 for verification
  // From choose_device(). With a GPU, nodes that support it run there; all others run on the CPU, which log and record
  // report. Values are copied between devices as needed.
  std::string device = "cpu";
  DeviceFallback device_fallback = DeviceFallback::forbid;
  std::string device_reason;         // why this device was chosen, for the record
  int64_t gpu_memory = 0;            // [bytes] on the GPU for blocks and cache; 0 = 90 % of the free memory
  int64_t memory = 0;                // [bytes] budget; 0 = 80 % of the available memory
  int64_t cache = 0;                 // [bytes] part of the memory for cached results, at most half; 0 = a quarter
  int64_t memory_given = 0;          // memory allowed for the whole process, for messages and records; 0 = the budget
  std::filesystem::path input_dir;   // base of relative input paths; empty = the working folder
  std::filesystem::path output_dir;  // base of relative output paths
  io::Overwrite overwrite = io::Overwrite::refuse;
  io::ProtectedFiles inputs;  // protected in addition to the graph's own inputs: the file from which the pipeline came
  CancelToken cancel;
  EventSink* events = nullptr;  // must outlive the executor
  bool pictures = false;        // for images of oblique planes: see NodeType::for_pictures; cached separately
};

// Options that may change between calls without clearing the cache.
struct CallOptions {
  CancelToken cancel;
  EventSink* events = nullptr;
  io::Overwrite overwrite = io::Overwrite::refuse;
  io::ProtectedFiles inputs = {};  // protected in addition to the graph's own inputs
  int64_t memory = 0;              // [bytes] for the blocks of this call; 0 = the whole budget minus the cache
  bool pictures = false;           // as in RunOptions
};

// Limits of a coarse first image: bytes of a node's input, as long as at least `min_views` views remain.
struct FirstLookLimits {
  int64_t bytes = 0;
  int64_t min_views = 1;
};

}  // namespace tl
