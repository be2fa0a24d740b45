// The bytes of a stroke in a file: its bricks one after the other, each compressed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/strokes/stroke.h"

namespace tl::strokes {

// For each brick: its number (int64), its count of voxels (uint32), the number of bytes that follow (uint32), and
// compressed by zlib three lists of uint16: steps between indices within the brick, numbers before, numbers after.
// Little-endian.
std::vector<std::byte> bytes_of(const Stroke& stroke);

// invalid: bytes that are not a stroke on such bricks; `where` names the file. Allocates memory for one brick at a
// time.
Result<Stroke> stroke_of(std::span<const std::byte> bytes, const BrickLayout& layout, const std::string& where);

}  // namespace tl::strokes
