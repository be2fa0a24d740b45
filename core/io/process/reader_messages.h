// Requests to a reading process and its replies, as messages. Replies are checked, because a damaged file may have
// corrupted the process.
#pragma once

#include <filesystem>
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

// What a reading process opens a file as. The slices of a volume are read as if they were the views of a scan.
enum class FileContent : uint32_t { scan, volume };
struct OpenRequest {
  std::string folder, path, format;  // folder: the working folder, against which relative paths are resolved
  int64_t threads = 1;
  ScanChoices choices = {};
  FileContent content = FileContent::scan;
};
// How many blocks of shared memory a reading process keeps mapped: those that it received last.
inline constexpr std::size_t memories_kept = 2;
// `memory` is the shared memory for the frames, sent with this message or one of those that brought the last blocks.
enum class PixelNumbers : uint32_t { floats, counts, integers };  // float32, uint16, int32
struct ReadRequest {
  FrameRegion region;
  PixelNumbers numbers = PixelNumbers::floats;
  uint64_t memory = 0;           // its id
  int64_t offset = 0, step = 0;  // offset in bytes; step from frame to frame in elements
};
struct OpenReply {
  ScanInfo info;  // of a volume: of its slices as views
  std::optional<VolumeFileInfo> volume;
  std::vector<InputFile> files;
};

Message pack(const OpenRequest& request);
Message pack(const ReadRequest& request);
Message pack_path(MessageKind kind, const std::string& folder, const std::string& path);
Message pack(const OpenReply& reply);
Message pack(const Hdf5Tree& tree);
Message pack(const Error& error);

std::optional<OpenRequest> unpack_open_request(const Message& message);
std::optional<ReadRequest> unpack_read_request(const Message& message);
std::optional<OpenReply> unpack_open_reply(const Message& message);
std::optional<Hdf5Tree> unpack_tree(const Message& message);
std::optional<Error> unpack_error(const Message& message);

}  // namespace tl::io
