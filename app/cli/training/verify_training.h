// Accuracies of trained and pruned networks as rows of the verification table.
#pragma once

#include "app/cli/common/cli.h"
#include "gpu/verify/verify.h"

namespace tl::cli {

// The generated cases of `tomoloom train` and `tomoloom prune` at their quick size: whether the published order holds.
// Each row is the difference of two scores. Some six minutes on two cores; throws Failure, also after cancellation.
CheckTable verify_training(const Cli& cli);

}  // namespace tl::cli
