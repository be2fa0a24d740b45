// How many pixels of an image of labels have each number.
#pragma once

#include <cstdint>
#include <map>

#include "core/picture/image.h"

namespace tl::picture {

// NaN, which lies outside of the labels, is not counted.
std::map<int64_t, int64_t> label_counts(const Image& labels);

}  // namespace tl::picture
