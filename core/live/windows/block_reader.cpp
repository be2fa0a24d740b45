// Reads pixels of frames in memory.
#include "core/live/windows/block_reader.h"

#include <ATen/ATen.h>

#include <cstring>

#include "core/base/units.h"
#include "core/base/wording.h"
#include "core/io/reader/scan_checks.h"
#include "core/values/flat_positions.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

namespace tl {
namespace {

constexpr const char* stream_name = "stream";

template <class From, class To>
void convert_row(const std::byte* from, To* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    From value{};
    std::memcpy(&value, from + i * static_cast<int64_t>(sizeof(From)), sizeof(From));
    to[i] = static_cast<To>(value);
  }
}

template <class To>
void convert_row(stream::PixelType type, const std::byte* from, To* to, int64_t count) {
  switch (type) {
    case stream::PixelType::uint8: return convert_row<uint8_t>(from, to, count);
    case stream::PixelType::uint16: return convert_row<uint16_t>(from, to, count);
    case stream::PixelType::float32: return convert_row<float>(from, to, count);
  }
}

class FrameReader final : public io::ScanReader {
 public:
  FrameReader(io::ScanInfo info, std::vector<stream::FramePtr> views, std::vector<stream::FramePtr> flats,
              std::vector<stream::FramePtr> darks)
      : ScanReader(io::FramePool::Sharing::none),
        info_(std::move(info)),
        views_(std::move(views)),
        flats_(std::move(flats)),
        darks_(std::move(darks)) {}

  [[nodiscard]] const io::ScanInfo& info() const override { return info_; }
  [[nodiscard]] const std::shared_ptr<io::InputFiles>& inputs() const override { return inputs_; }

  Result<void> read_into(const io::FrameRegion& region, const at::Tensor& out, const CancelToken& cancel) override {
    const std::vector<stream::FramePtr>& frames = region.kind == io::Frames::views   ? views_
                                                  : region.kind == io::Frames::flats ? flats_
                                                                                     : darks_;
    if (cancel.cancelled()) return cancelled();
    const bool counts = out.scalar_type() == at::kUInt16;
    for (int64_t i = region.frames.begin; i < region.frames.end; ++i)
      if (counts && frames.at(static_cast<std::size_t>(i))->type == stream::PixelType::float32)
        return unavailable("the pixels are not counts");
    const int64_t rows = region.rows.size(), cols = region.cols.size(), between = out.stride(0);
    ops::parallel_for(0, region.frames.size() * rows, ops::grain(cols), [&](int64_t first, int64_t last) {
      for (int64_t line = first; line < last; ++line) {
        const int64_t view = line / rows, row = line % rows;
        const stream::Frame& frame = *frames[static_cast<std::size_t>(region.frames.begin + view)];
        const std::byte* from = frame.pixels.data() + ((region.rows.begin + row) * frame.cols + region.cols.begin) *
                                                          stream::bytes_per_pixel(frame.type);
        const int64_t at = view * between + row * cols;
        if (counts)
          convert_row(frame.type, from, static_cast<uint16_t*>(out.data_ptr()) + at, cols);
        else
          convert_row(frame.type, from, out.mutable_data_ptr<float>() + at, cols);
      }
    });
    return ok();
  }

 private:
  io::ScanInfo info_;
  std::vector<stream::FramePtr> views_, flats_, darks_;
  std::shared_ptr<io::InputFiles> inputs_ = std::make_shared<io::InputFiles>(stream_name, std::vector<io::InputFile>{});
};

// Uses the angles of the stage, or angles that the load node counts from view to view of the stream.
Result<void> set_angles(std::span<const stream::Window::View> views, const io::ScanChoices& choices,
                        io::ScanInfo& info) {
  if (choices.angle_step) {
    info.angles = {{}, Origin::user, "given: first angle and step"};
    for (const stream::Window::View& view : views)
      info.angles.value.push_back(choices.first_angle.value_or(0) +
                                  *choices.angle_step * static_cast<double>(view.ordinal));
    return ok();
  }
  info.angles = {{}, Origin::file, stream_name};
  for (const stream::Window::View& view : views) {
    if (!view.frame->angle)
      return invalid("frames come without angles", "angle_step",
                     two_wordings("Give the step between views: --set NODE.angle_step=0.5",
                                  "Give the step between views in the form of the load node"));
    info.angles.value.push_back(to_stored(*view.frame->angle, Unit::deg));
  }
  return ok();
}

}  // namespace

Result<std::unique_ptr<io::ScanReader>> block_reader(const stream::Window& window,
                                                     std::span<const stream::Window::View> views,
                                                     const io::ScanChoices& choices) {
  TL_CHECK(!views.empty(), "a block of frames has views");
  if (choices.names_references() || !choices.angles_file.empty())
    return invalid("the load node names files, but the scan arrives as a stream", "flats_file",
                   "Leave out its files: flats, darks and angles come with the stream");
  io::ScanInfo info;
  const stream::Frame& like = *views.front().frame;
  info.path = stream_name;
  info.format = stream_name;
  info.pixel_type = stream::to_string(like.type);
  info.views = std::ssize(views);
  info.rows = like.rows;
  info.cols = like.cols;
  info.kind = window.linear ? PixelKind::absorption : PixelKind::counts;
  std::vector<int64_t> ordinals;
  std::vector<stream::FramePtr> frames, flats;
  for (const stream::Window::View& view : views) {
    ordinals.push_back(view.ordinal);
    frames.push_back(view.frame);
  }
  std::vector<double> positions;
  for (const stream::Window::Flat& flat : window.flats) positions.push_back(flat.position);
  const FlatsAmong among = flats_among(ordinals, positions);
  for (const int64_t flat : among.flats) flats.push_back(window.flats[static_cast<std::size_t>(flat)].frame);
  info.flat_positions = among.positions;
  info.flats = std::ssize(flats);
  info.darks = std::ssize(window.darks);
  TL_TRY(set_angles(views, choices, info));
  io::ScanChoices others = choices;
  others.first_angle = others.angle_step = std::nullopt;  // set already
  TL_TRY(io::apply(others, info));
  io::guess_missing(info);
  return std::unique_ptr<io::ScanReader>(
      std::make_unique<FrameReader>(std::move(info), std::move(frames), std::move(flats), window.darks));
}

}  // namespace tl
