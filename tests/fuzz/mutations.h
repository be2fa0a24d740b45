// Damaged versions of sound files: what disks, cables and editors do to them, and what an attacker would.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace tl::fuzz {

using Random = std::mt19937_64;

// One to four changes: single bits and bytes, integers of extreme values, pieces cut out, repeated, exchanged or cut
// off at the end. `good` is not empty.
std::string damaged_bytes(const std::string& good, Random& random);

// The same for texts, by tokens: numbers become extreme or of another type, strings long or not UTF-8, brackets and
// keys are lost, repeated, exchanged or nested deeply; sometimes damaged_bytes.
std::string damaged_text(const std::string& good, Random& random);

}  // namespace tl::fuzz
