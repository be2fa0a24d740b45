// RecordFile: an NXtomo file that grows while frames arrive and can be read meanwhile (HDF5 1.10, SWMR). Internal to
// core/stream.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/stream/frames/frame.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {

// While a record is written, "r.nx" is "r.nx.recording".
std::filesystem::path recording_name(const std::filesystem::path& name);

// Metadata of each row besides its pixels, as arrays over all rows.
struct RowFacts {
  std::vector<int32_t> image_key;  // 0 view, 1 flat, 2 dark, 3 no frame arrived, or without beam
  std::vector<int64_t> frame_number;
  std::vector<double> angle, arrival_time, sender_time;  // [deg], [s]

  [[nodiscard]] std::size_t rows() const { return image_key.size(); }
  void resize(std::size_t rows);
};

// Frames of one shape and type. After a kill, the file contains everything up to the last flush(); recover_record()
// makes a record of it. One thread at a time.
class RecordFile {
 public:
  // Creates the file for frames like this one; `quantity` describes the pixels ("counts"), `geometry` was announced by
  // the sender. Errors: io, also if the file exists.
  static Result<std::unique_ptr<RecordFile>> create(const std::filesystem::path& path, const Frame& like,
                                                    const std::string& quantity,
                                                    const std::optional<StreamGeometry>& geometry = {});
  virtual ~RecordFile() = default;
  // Writes a frame into an empty row; rows in between are lost frames until theirs arrive.
  virtual Result<void> add(int64_t row, const Frame& frame) = 0;
  // A number next to the frames. Written by the next flush().
  virtual void add(const TimedValue& value) = 0;
  virtual Result<void> flush() = 0;
  // Flushes and closes. The file still has to get its name: end_record().
  virtual Result<void> close() = 0;
  // For checking the free space on its disk.
  [[nodiscard]] virtual int handle() const = 0;
};

// Prevents others from recovering a record while it is written. Independent of HDF5's own locks, so that readers may
// follow. Io: another process has locked it.
Result<void> lock_record(int handle, const std::filesystem::path& path);

// Paths within the file.
namespace record {
inline constexpr const char* log = "/entry/stream";
inline constexpr const char* log_names = "/entry/stream/names";  // fixed texts: name, unit
inline constexpr const char* log_units = "/entry/stream/units";
inline constexpr const char* log_name_of = "/entry/stream/name_of";  // for each value: the index of its name
inline constexpr const char* log_times = "/entry/stream/times";      // [s since 1970]
inline constexpr const char* log_values = "/entry/stream/values";
inline constexpr const char* frame_numbers = "/entry/instrument/detector/frame_number";
inline constexpr const char* arrival_times = "/entry/instrument/detector/arrival_time";
inline constexpr const char* sender_times = "/entry/instrument/detector/sender_time";
inline constexpr const char* image_keys = "/entry/instrument/detector/image_key";
inline constexpr std::size_t name_length = 128, unit_length = 32;  // bytes
}  // namespace record

}  // namespace tl::stream
