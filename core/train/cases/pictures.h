// Cases of generated images, each image from a seed of its own.
#pragma once

#include <functional>
#include <string>

#include "core/train/cases/generated_cases.h"

namespace tl::train {

using MakePicture = std::function<Item(const std::string& name, int64_t edge, uint64_t seed)>;

// Images to train, to validate and to test with, no two of which share a seed.
GeneratedCase case_of_images(std::vector<LabelClass> classes, const CaseSize& size, uint64_t seed,
                             const MakePicture& make);

}  // namespace tl::train
