// Writes the geometry that a sender announced to where the reader of NXtomo finds it. Internal to core/stream.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/io/hdf5/nexus_groups.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {

// Writes distances and pixel sizes; and vectors, for view_positions() at the end of the record. Senders state no unit:
// lengths are written as mm. The caller holds hdf5_mutex().
void write_stream_geometry(const StreamGeometry& geometry, io::NexusGroups& file);
// Twelve numbers for each of these views (ScanGeometry::vectors()), converted from ASTRA vectors, whose rows point up
// instead of down: z changes its sign. The index of a vector is the view's number modulo the number of vectors.
std::vector<double> view_positions(std::span<const double> astra_vectors, Beam beam, std::span<const int64_t> numbers);
// The angle of each view, from the direction of its rows [deg], without jumps of a full turn.
std::vector<double> angles_of_vectors(std::span<const double> astra_vectors);

// Paths within the file, the first while it is written.
namespace record {
inline constexpr const char* stream_vectors = "/entry/stream/vectors";
inline constexpr const char* stream_beam = "/entry/stream/beam";  // 1: cone
}  // namespace record

}  // namespace tl::stream
