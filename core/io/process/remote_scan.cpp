// Opens and reads scans and volumes through a separate process, and converts each kind of its end to an error.
#include "core/io/process/remote_scan.h"

#include <ATen/ATen.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <new>
#include <utility>

#include "core/base/wording.h"
#include "core/io/process/reader_messages.h"
#include "core/io/process/reader_service.h"
#include "core/io/reader/scan_checks.h"
#include "gpu/device/threads.h"

namespace tl::io {
namespace {

// The folder to which relative paths refer, also in the reading process.
Result<std::string> working_folder(const std::string& where) {
  std::error_code failed;
  const auto folder = std::filesystem::current_path(failed);
  if (failed == std::errc::not_enough_memory) throw std::bad_alloc();
  if (failed)
    return io_error("the working folder cannot be found: " + failed.message(), where,
                    "Change to a folder that exists, and try again");
  return folder.string();
}

// The error for a process that ended unexpectedly. `work`: "opening it", "reading views 3 to 7".
Error died(const ReceivedMessage& arrival, const std::string& work, const std::string& where) {
  const std::string again = "Copy it again from its source, or repair it with h5repack";
  if (arrival.signal == SIGXCPU)
    return io_error("the file is damaged: " + work + " does not come to an end", where, again);
  if (arrival.signal == SIGKILL || arrival.signal == SIGTERM)
    return io_error("the process that reads the file was ended from outside while " + work, where,
                    "Perhaps memory is short: close other programs, or allow less memory" +
                        two_wordings(" (--max-memory)", " in the preferences"));
  return io_error("the file is damaged: the library that reads it crashes while " + work +
                      (arrival.signal != 0 ? " (signal " + std::to_string(arrival.signal) + ")" : ""),
                  where, again);
}

Error invalid_reply(const std::string& work, const std::string& where) {
  return io_error("the file is damaged: " + work + " gave no valid reply", where,
                  "Copy it again from its source, or repair it with h5repack");
}

// A reply of the wanted kind, or the error.
Result<Message> reply_in(ReceivedMessage arrival, MessageKind wanted, const std::string& work,
                         const std::string& where) {
  if (arrival.how == Received::cancelled) return cancelled();
  if (arrival.how == Received::ended) return died(arrival, work, where);
  if (arrival.message.kind == MessageKind::failed) {
    if (auto error = deserialise<Error>(arrival.message)) return *std::move(error);
    return invalid_reply(work, where);
  }
  if (arrival.message.kind != wanted) return invalid_reply(work, where);
  return std::move(arrival.message);
}

Result<Message> ask(ReaderProcess& process, const Message& request, MessageKind wanted, const CancelToken& cancel,
                    const std::string& work, const std::string& where) {
  return reply_in(process.call(request, cancel), wanted, work, where);
}

const char* frames_word(Frames kind, FileContent content) {
  if (content == FileContent::volume) return "slices";
  return kind == Frames::views ? "views" : kind == Frames::flats ? "flats" : "darks";
}

// "reading views 3 to 7"
std::string reading(const FrameRegion& region, FileContent content) {
  return std::string("reading ") + frames_word(region.kind, content) + " " + std::to_string(region.frames.begin) +
         " to " + std::to_string(region.frames.end - 1);
}

class RemoteScan final : public ScanReader {
 public:
  RemoteScan(std::filesystem::path path, OpenRequest request, OpenReply opened, ReaderProcess process)
      : request_(std::move(request)),
        info_(std::move(opened.info)),
        inputs_(std::make_shared<InputFiles>(std::move(path), std::move(opened.files))),
        process_(std::move(process)) {}

  [[nodiscard]] const ScanInfo& info() const override { return info_; }
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& cancel) override {
    discard_readings(cancel);
    TL_TRY(check_frames(region));
    TL_CHECK(out.dim() == 3 && out.size(0) == region.frames.size() && out.size(1) == region.rows.size() &&
                 out.size(2) == region.cols.size() && out.stride(2) == 1 && out.stride(1) == out.size(2),
             "frames go into a tensor of their shape");
    if (out.numel() == 0) return ok();
    const auto block = blocks(region.kind).find(out.data_ptr());
    if (block) return read_shared(region, out, *block->memory, block->offset, out.stride(0), cancel);
    // Small tensors, and those not in shared memory, are read through `passage_`.
    const int64_t pixels = region.rows.size() * region.cols.size(), frame = pixels * out.element_size();
    if (!passage_ || passage_->size() < frame * region.frames.size()) {
      constexpr int64_t usual = int64_t{1} << 20;
      TL_TRY(passage_, SharedMemory::make(std::max(usual, frame * region.frames.size()), info_.path.string()));
    }
    TL_TRY(read_shared(region, out, *passage_, 0, pixels, cancel));
    for (int64_t i = 0; i < region.frames.size(); ++i)
      std::memcpy(static_cast<std::byte*>(out.data_ptr()) + i * out.stride(0) * out.element_size(),
                  passage_->data() + i * frame, static_cast<std::size_t>(frame));
    return ok();
  }

  Result<bool> begin_reading(const FrameRegion& region, const at::Tensor& out) override {
    TL_TRY(check_frames(region));
    const auto block = blocks(region.kind).find(out.data_ptr());
    if (!block || out.numel() == 0 || !process_.alive()) return false;
    TL_TRY(check_inputs(region));
    const Message request = request_for(region, out, *block->memory, block->offset, out.stride(0));
    begun_.push_back({region, out});
    process_.send(request);
    return true;
  }

  Result<void> finish_reading(const CancelToken& cancel) override {
    TL_CHECK(!begun_.empty(), "no reading was begun");
    const Begun first = std::move(begun_.front());
    begun_.pop_front();
    const Result<Message> done = reply_in(process_.receive(cancel), MessageKind::done,
                                          reading(first.region, request_.content), info_.path.string());
    if (!process_.alive()) forget_process();
    if (done.ok()) return ok();
    // If a file has changed meanwhile, that is the better error.
    TL_TRY(check_inputs(first.region));
    return done.error();
  }

  void discard_readings(const CancelToken& cancel) override {
    while (!begun_.empty()) {
      begun_.pop_front();
      (void)process_.receive(cancel);
      if (!process_.alive()) forget_process();
    }
  }

 private:
  struct Begun {
    FrameRegion region;
    at::Tensor out;  // held here, because the process writes into it
  };

  [[nodiscard]] Result<void> check_frames(const FrameRegion& region) const {
    ScanInfo of_kind;
    of_kind.path = info_.path;
    of_kind.views = region.kind == Frames::views   ? info_.views
                    : region.kind == Frames::flats ? info_.flats
                                                   : info_.darks;
    of_kind.rows = info_.rows;
    of_kind.cols = info_.cols;
    return check_region(of_kind, region.frames, region.rows, region.cols);
  }
  // Checks whether files have changed; if every frame has its own file, only the files of the region.
  Result<void> check_inputs(const FrameRegion& region) {
    const auto count = static_cast<int64_t>(inputs_->files().size());
    const bool one_each = count == info_.views + info_.flats + info_.darks && info_.format == "tiff_stack" &&
                          request_.choices.order != FrameOrder::sinograms && !request_.choices.names_references();
    if (!one_each) {
      // Thousands of sources are not checked for every block: a change is noticed a moment later, at the latest at the
      // end.
      constexpr int64_t few = 64;
      constexpr std::chrono::milliseconds moment{50};
      const auto now = std::chrono::steady_clock::now();
      if (count > few && now - looked_ < moment) return ok();
      looked_ = now;
      return inputs_->check(0, inputs_->files().size());
    }
    const int64_t base = region.kind == Frames::views   ? 0
                         : region.kind == Frames::flats ? info_.views
                                                        : info_.views + info_.flats;
    return inputs_->check(static_cast<std::size_t>(base + region.frames.begin),
                          static_cast<std::size_t>(base + region.frames.end));
  }

  Result<void> read_shared(const FrameRegion& region, const at::Tensor& out, const SharedMemory& memory, int64_t offset,
                           int64_t step, const CancelToken& cancel) {
    TL_TRY(check_inputs(region));
    const std::string where = info_.path.string();
    if (!process_.alive()) TL_TRY(start_again(cancel));
    if (cancel.cancelled()) return cancelled();
    const Message message = request_for(region, out, memory, offset, step);
    process_.send(message);
    const Result<Message> done =
        reply_in(process_.receive(cancel), MessageKind::done, reading(region, request_.content), where);
    if (!process_.alive()) forget_process();
    if (done.ok()) return ok();
    // If a file has changed meanwhile, that is the better error.
    TL_TRY(check_inputs(region));
    return done.error();
  }

  // The request, to be sent: from then on the process has the memory.
  Message request_for(const FrameRegion& region, const at::Tensor& out, const SharedMemory& memory, int64_t offset,
                      int64_t step) {
    const at::ScalarType type = out.scalar_type();
    const PixelNumbers numbers = type == at::kUInt16 ? PixelNumbers::counts
                                 : type == at::kInt  ? PixelNumbers::integers
                                                     : PixelNumbers::floats;
    Message message = serialise(MessageKind::read_frames, ReadRequest{region, numbers, memory.id(), offset, step});
    if (std::find(mapped_.begin(), mapped_.end(), memory.id()) == mapped_.end()) {
      message.file = memory.file();
      std::rotate(mapped_.begin(), mapped_.begin() + 1, mapped_.end());
      mapped_.back() = memory.id();
    }
    return message;
  }
  void forget_process() {
    begun_.clear();
    mapped_ = {};
  }

  Result<void> start_again(const CancelToken& cancel) {
    const std::string where = info_.path.string();
    TL_TRY(ReaderProcess next, ReaderProcess::start(where));
    TL_TRY(const Message answer,
           ask(next, serialise(MessageKind::open_scan, request_), MessageKind::scan, cancel, "opening it", where));
    const auto opened = deserialise<OpenReply>(answer);
    if (!opened) return invalid_reply("opening it", where);
    const ScanInfo& info = opened->info;
    TL_TRY(inputs_->agrees_with(InputFiles(inputs_->scan(), opened->files)));
    if (info.views != info_.views || info.rows != info_.rows || info.cols != info_.cols || info.flats != info_.flats ||
        info.darks != info_.darks || info.pixel_type != info_.pixel_type ||
        opened->files.size() != inputs_->files().size())
      return io_error("the scan changed while it was read", where, "Open it again once nothing writes to it any more");
    process_ = std::move(next);
    forget_process();
    return ok();
  }

  const OpenRequest request_;
  const ScanInfo info_;
  const std::shared_ptr<InputFiles> inputs_;
  ReaderProcess process_;
  std::chrono::steady_clock::time_point looked_;
  std::array<uint64_t, memories_kept> mapped_{};  // ids of the memory blocks that the process has mapped, oldest first
  std::deque<Begun> begun_;                       // oldest first
  std::shared_ptr<SharedMemory> passage_;         // buffer for tensors that are not in shared memory
};

// The reader, and the properties of the volume if the file is opened as one.
struct OpenedFile {
  std::unique_ptr<ScanReader> reader;
  std::optional<VolumeFileInfo> volume;
};

Result<OpenedFile> open_file(const std::filesystem::path& path, OpenRequest request, const CancelToken& cancel) {
  const std::string where = path.string();
  TL_TRY(request.folder, working_folder(where));
  request.path = where;
  request.threads = thread_limit();
  TL_TRY(ReaderProcess process, ReaderProcess::start(where));
  TL_TRY(const Message answer,
         ask(process, serialise(MessageKind::open_scan, request), MessageKind::scan, cancel, "opening it", where));
  auto opened = deserialise<OpenReply>(answer);
  if (!opened || opened->volume.has_value() != (request.content == FileContent::volume))
    return invalid_reply("opening it", where);
  OpenedFile file;
  file.volume = std::move(opened->volume);
  file.reader = std::make_unique<RemoteScan>(path, std::move(request), *std::move(opened), std::move(process));
  // The opened files must not have changed since.
  TL_TRY(file.reader->inputs()->unchanged());
  return file;
}

}  // namespace

Result<std::unique_ptr<ScanReader>> open_remotely(const std::filesystem::path& path, std::string_view format,
                                                  const OpenOptions& options) {
  OpenRequest request;
  request.format = format;
  request.choices = options.choices;
  TL_TRY(OpenedFile file, open_file(path, std::move(request), options.cancel));
  return std::move(file.reader);
}

Result<std::unique_ptr<VolumeReader>> open_volume_remotely(const std::filesystem::path& path, std::string_view format,
                                                           const CancelToken& cancel) {
  OpenRequest request;
  request.format = format;
  request.content = FileContent::volume;
  TL_TRY(OpenedFile file, open_file(path, std::move(request), cancel));
  return std::make_unique<VolumeReader>(*std::move(file.volume), std::move(file.reader));
}

Result<Hdf5Tree> read_hdf5_tree(const std::filesystem::path& file) {
  const std::string where = file.string(), work = "examining its tree";
  TL_TRY(const std::string folder, working_folder(where));
  TL_TRY(ReaderProcess process, ReaderProcess::start(where));
  TL_TRY(const Message answer, ask(process, serialise(MessageKind::read_tree, PathRequest{folder, where}),
                                   MessageKind::tree, {}, work, where));
  auto tree = deserialise<Hdf5Tree>(answer);
  if (!tree) return invalid_reply(work, where);
  return *std::move(tree);
}

Result<std::string> read_tiff_description(const std::filesystem::path& file) {
  const std::string where = file.string();
  TL_TRY(const std::string folder, working_folder(where));
  TL_TRY(ReaderProcess process, ReaderProcess::start(where));
  TL_TRY(const Message answer, ask(process, serialise(MessageKind::read_description, PathRequest{folder, where}),
                                   MessageKind::text, {}, "reading its description", where));
  return answer.body;
}

}  // namespace tl::io
