// The scans in a raw file of BLISS, the acquisition software of the ESRF, and the tomography sequences that they form.
#pragma once

#include <string>
#include <vector>

#include "core/io/hdf5/file.h"

namespace tl::io {

// What the frames of a scan are. `sequence`: none; it stands before the scans that belong to it, and describes them.
enum class BlissKind { sequence, projections, flats, darks, alignment, other };
enum class KindSource { image_key, title };

struct BlissScan {
  std::string group;   // "/4.1"
  std::string series;  // what precedes the number in the group's name: links to the scans of several files have it
  int64_t number = 0;  // 4
  std::string title;   // "projections 0 - 1000"
  BlissKind kind = BlissKind::other;
  KindSource source = KindSource::title;
};

// A sequence with its scans of projections, flats, darks and alignment frames, in their order. Scans that no sequence
// precedes describe themselves: the head is then the first of them.
struct BlissSequence {
  BlissScan head;
  std::vector<BlissScan> scans;
};

// Whether the root's attributes creator or publisher name BLISS.
bool is_written_by_bliss(const Hdf5File& file);

// All sequences with projections, in the order of their numbers. A scan is a group NUMBER.1, also behind a name and
// "_"; second chains (NUMBER.2) have slow counters and no frames. At most 4096 scans are examined.
std::vector<BlissSequence> bliss_sequences(const Hdf5File& file);

}  // namespace tl::io
