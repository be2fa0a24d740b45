// JobPipeline: the options of its executor.
#include "core/run/common/job_pipeline.h"

#include "core/run/common/run_options.h"

namespace tl {

RunOptions run_options(const JobPipeline& pipeline, const CancelToken& cancel) {
  RunOptions options;
  options.device = pipeline.device;
  options.device_fallback = DeviceFallback::allow;
  options.memory = pipeline.memory;
  options.input_dir = pipeline.input_dir;
  options.cancel = cancel;
  return options;
}

}  // namespace tl
