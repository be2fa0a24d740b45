// Requests to a reading process and its replies, as messages. Replies are checked, because a damaged file may have
// corrupted the process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/bytes/input_files.h"
#include "core/io/hdf5/tree.h"
#include "core/io/process/messages.h"
#include "core/io/reader/scan.h"
#include "core/io/reader/scan_choices.h"
#include "core/io/voxels/volume_info.h"

namespace tl::io {

// How a reading process opens a file. The slices of a volume are read like the views of a scan.
enum class FileContent : uint32_t { scan, volume };
struct OpenRequest {
  std::string folder, path, format;  // folder: the working folder, to which relative paths refer
  int64_t threads = 1;
  ScanChoices choices = {};
  FileContent content = FileContent::scan;
};
// How many blocks of shared memory a reading process keeps mapped: the ones received last.
inline constexpr std::size_t memories_kept = 2;
// `memory` is the shared memory for the frames, sent with this message or with one of the last messages that sent a
// block.
enum class PixelNumbers : uint32_t { floats, counts, integers };  // float32, uint16, int32
struct ReadRequest {
  FrameRegion region;
  PixelNumbers numbers = PixelNumbers::floats;
  uint64_t memory = 0;           // its id
  int64_t offset = 0, step = 0;  // offset in bytes; stride between frames in elements
};
// Request for the tree of an HDF5 file, or for the description of a TIFF file.
struct PathRequest {
  std::string folder, path;
};
struct OpenReply {
  ScanInfo info;  // for a volume: its slices described as views
  std::optional<VolumeFileInfo> volume;
  std::vector<InputFile> files;
};

// T: one of the structs above, Hdf5Tree or Error. The fields of each struct, and of its members, are listed once in
// reader_messages.cpp, for both directions.
template <class T>
Message serialise(MessageKind kind, const T& content);
// Nothing unless the body is such a struct: exactly its fields, all within their bounds.
template <class T>
std::optional<T> deserialise(const Message& message);
// A message MessageKind::failed, with texts short enough for deserialise().
Message failure(Error error);

}  // namespace tl::io
