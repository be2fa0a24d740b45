// tomoloom stream: sends a scan over ZeroMQ as a detector would, frame by frame; options add faults.
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/common/cli.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/stream/sender.h"
#include "core/stream/spoiled_stream.h"
#include "core/stream/wires/wires.h"

namespace tl::cli {
namespace {

using stream::FrameKind;
using SteadyClock = std::chrono::steady_clock;

struct StreamArguments {
  std::filesystem::path scan;
  std::string address, wire = "array", socket = "push", order = "turn";
  bool binds = false;
  double rate = 33.3, pause = 0;  // [1/s], [s]
  int64_t turns = 1, pause_at = -1;
  stream::Faults faults;
};

// One frame of the stream, by its number in the scan.
struct Shot {
  FrameKind kind = FrameKind::view;
  int64_t index = 0, number = 0;
  double angle = 0;  // [deg]
};

// The order of the frames: darks, flats before the first view, views and the flats between them; repeated for each turn
// of the stage.
std::vector<Shot> shots_of(const io::ScanInfo& info, const StreamArguments& o, const stream::Wire& wire) {
  const auto order = o.order == "golden"  ? stream::ViewOrder::golden
                     : o.order == "sweep" ? stream::ViewOrder::sweep
                                          : stream::ViewOrder::turn;
  std::vector<Shot> shots;
  for (int64_t i = 0; i < info.darks; ++i) shots.push_back({FrameKind::dark, i});
  const auto view_before = [&](int64_t flat) {  // the number of views recorded before this flat
    const auto n = static_cast<std::size_t>(flat);
    return n < info.flat_positions.size() ? std::floor(info.flat_positions[n]) + 1 : 0.0;
  };
  std::vector<int64_t> flats(static_cast<std::size_t>(info.flats));
  for (std::size_t i = 0; i < flats.size(); ++i) flats[i] = static_cast<int64_t>(i);
  std::stable_sort(flats.begin(), flats.end(), [&](int64_t a, int64_t b) { return view_before(a) < view_before(b); });
  auto flat = flats.begin();
  const auto flats_until = [&](double views) {
    for (; flat != flats.end() && view_before(*flat) <= views; ++flat) shots.push_back({FrameKind::flat, *flat});
  };
  flats_until(0);
  const std::vector<int64_t> views = stream::view_order(info.views, o.turns, order);
  for (std::size_t k = 0; k < views.size(); ++k) {
    if (order == stream::ViewOrder::turn && static_cast<int64_t>(k) < info.views) flats_until(static_cast<double>(k));
    // A sweep returns to its first angle; otherwise the rotation continues.
    const auto turn = static_cast<double>(static_cast<int64_t>(k) / info.views);
    const double angle = from_stored(info.angles.value[static_cast<std::size_t>(views[k])], Unit::deg);
    constexpr double full_turn = 360;
    shots.push_back(
        {FrameKind::view, views[k], 0, order == stream::ViewOrder::sweep ? angle : angle + full_turn * turn});
  }
  flats_until(static_cast<double>(info.views));
  std::array<int64_t, stream::frame_kinds> next{};
  for (std::size_t i = 0; i < shots.size(); ++i) {
    int64_t& of_kind = next[static_cast<std::size_t>(shots[i].kind)];
    shots[i].number = wire.numbering == stream::Numbering::per_kind ? of_kind : static_cast<int64_t>(i);
    ++of_kind;
  }
  return shots;
}

template <class T>
std::vector<std::byte> pixels_as(const float* values, int64_t count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * sizeof(T));
  for (int64_t i = 0; i < count; ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

// Reads frames of a scan and packs them into messages.
class ScanFrames {
 public:
  ScanFrames(io::ScanReader& reader, const CancelToken& cancel) : reader_(reader), cancel_(cancel) {}

  Result<stream::Frame> frame(const Shot& shot) {
    const io::ScanInfo& info = reader_.info();
    const Range rows{0, info.rows}, cols{0, info.cols};
    at::Tensor picture;
    if (shot.kind == FrameKind::view) {
      const std::vector<int64_t> one{shot.index};
      TL_TRY(picture, reader_.read_views(one, rows, cols, Samples::floats, cancel_));
    } else {
      at::Tensor& all = shot.kind == FrameKind::flat ? flats_ : darks_;
      if (!all.defined()) {
        TL_TRY(all, shot.kind == FrameKind::flat ? reader_.read_flats(rows, cols, cancel_)
                                                 : reader_.read_darks(rows, cols, cancel_));
      }
      picture = all.slice(0, shot.index, shot.index + 1);
    }
    stream::Frame frame;
    frame.number = shot.number;
    frame.kind = shot.kind;
    if (shot.kind == FrameKind::view) frame.angle = shot.angle;
    frame.rows = info.rows;
    frame.cols = info.cols;
    const at::Tensor whole = picture.contiguous();
    const auto* values = whole.const_data_ptr<float>();
    if (info.pixel_type == "uint8") {
      frame.type = stream::PixelType::uint8;
      frame.pixels = pixels_as<uint8_t>(values, whole.numel());
    } else if (info.pixel_type == "uint16") {
      frame.type = stream::PixelType::uint16;
      frame.pixels = pixels_as<uint16_t>(values, whole.numel());
    } else {
      frame.type = stream::PixelType::float32;
      frame.pixels = pixels_as<float>(values, whole.numel());
    }
    return frame;
  }

 private:
  io::ScanReader& reader_;
  const CancelToken& cancel_;
  at::Tensor flats_, darks_;
};

// The messages that a sender sends before its frames; none for a wire that has no such messages.
std::vector<stream::Message> announcements(const io::ScanInfo& info, const std::vector<Shot>& shots) {
  stream::StreamGeometry geometry;
  geometry.beam = info.beam;
  geometry.rows = info.rows;
  geometry.cols = info.cols;
  for (const Shot& shot : shots)
    if (shot.kind == FrameKind::view) geometry.angles.push_back(shot.angle);
  geometry.views = static_cast<int64_t>(geometry.angles.size());
  if (info.source_to_axis) geometry.source_to_axis = info.source_to_axis->value;
  if (info.axis_to_detector) geometry.axis_to_detector = info.axis_to_detector->value;
  geometry.pitch_u = info.pixel_size_u.value;
  geometry.pitch_v = info.pixel_size_v.value;
  return {stream::ScanSettings{info.darks, info.flats, info.kind == PixelKind::absorption}, geometry};
}

Json numbers_of(const std::vector<Shot>& shots, const std::vector<int64_t>& chosen,
                std::initializer_list<FrameKind> kinds) {
  auto list = Json::array();
  for (const int64_t i : chosen) {
    const Shot& shot = shots[static_cast<std::size_t>(i)];
    if (std::find(kinds.begin(), kinds.end(), shot.kind) != kinds.end()) list.push_back(shot.number);
  }
  return list;
}

// If each kind of frame has its own numbers, missing flats and darks are listed separately.
void print_faults(const std::vector<Shot>& shots, const stream::SpoiledStream& spoiled, const stream::Wire& wire,
                  const Cli& cli) {
  if (cli.output_mode != OutputMode::json) return;
  Json line = {{"event", "spoilt"}};
  const bool per_kind = wire.numbering == stream::Numbering::per_kind;
  for (const auto& [name, list] : {std::pair("dropped", &spoiled.dropped), std::pair("duplicated", &spoiled.duplicated),
                                   std::pair("corrupted", &spoiled.corrupted)}) {
    if (!per_kind) {
      line[name] = numbers_of(shots, *list, {FrameKind::view, FrameKind::flat, FrameKind::dark});
      continue;
    }
    line[name] = numbers_of(shots, *list, {FrameKind::view});
    line[std::string(name) + "_flats"] = numbers_of(shots, *list, {FrameKind::flat});
    line[std::string(name) + "_darks"] = numbers_of(shots, *list, {FrameKind::dark});
  }
  line["reordered"] = spoiled.reordered;
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

// Waits in small steps, so that it can be cancelled.
void wait_until(SteadyClock::time_point time, const CancelToken& cancel) {
  constexpr auto step = std::chrono::milliseconds(50);
  while (!cancel.cancelled() && SteadyClock::now() < time)
    std::this_thread::sleep_until(std::min(time, SteadyClock::now() + step));
}

SteadyClock::duration seconds_of(double count) {
  return std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(count));
}

Result<void> send_scan(const StreamArguments& o, const Cli& cli) {
  TL_TRY(const stream::Wire* wire, stream::wire_of_name(o.wire));
  TL_TRY(const auto reader, io::open_scan(o.scan, {}, {.cancel = cli.cancel}));
  const io::ScanInfo& info = reader->info();
  const std::vector<Shot> shots = shots_of(info, o, *wire);
  const auto count = static_cast<int64_t>(shots.size());
  const stream::SpoiledStream spoiled = stream::spoil(count, o.faults);
  TL_TRY(const auto sender,
         stream::Sender::open(o.address, o.socket == "pub" ? stream::SenderSocket::publish : stream::SenderSocket::push,
                              o.binds ? stream::SocketEnd::binds : stream::SocketEnd::connects));
  print_faults(shots, spoiled, *wire, cli);
  const auto send = [&](const stream::OwnedParts& parts) {
    return parts.empty() ? ok() : sender->send(parts, cli.cancel);
  };
  for (const stream::Message& message : announcements(info, shots)) TL_TRY(send(wire->encode(message)));
  ScanFrames frames(*reader, cli.cancel);
  const auto begin = SteadyClock::now();
  auto due = begin;
  int64_t sent = 0;
  for (const stream::SentFrame& one : spoiled.order) {
    if (sent == o.pause_at) due = SteadyClock::now() + seconds_of(o.pause);
    TL_TRY(stream::Frame frame, frames.frame(shots[static_cast<std::size_t>(one.frame)]));
    wait_until(due, cli.cancel);
    frame.sender_time = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    stream::OwnedParts parts = wire->encode(std::move(frame));
    if (one.corrupt) parts = stream::corrupted(std::move(parts), static_cast<uint64_t>(one.frame));
    TL_TRY(send(parts));
    ++sent;
    // After a delay it does not send faster to catch up, as a detector would not either.
    if (o.rate > 0) due = std::max(due + seconds_of(1 / o.rate), SteadyClock::now() - seconds_of(1 / o.rate));
  }
  TL_TRY(send(wire->encode(stream::EndOfStream{0, count})));
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
  if (cli.output_mode == OutputMode::json) {
    const Json line = {{"event", "done"}, {"frames", count}, {"sent", sent}, {"seconds", seconds}};
    std::printf("%s\n", line.dump().c_str());
  }
  if (cli.output_mode == OutputMode::text)
    say(stdout, "sent " + std::to_string(sent) + " messages of " + std::to_string(count) + " frames");
  return ok();
}

}  // namespace

void add_stream(CLI::App& app, Cli& cli) {
  CLI::App* sub =
      app.add_subcommand("stream", "Send a scan as a detector would, frame by frame, with faults if wanted");
  const auto o = std::make_shared<StreamArguments>();
  cli.files.reads(sub->add_option("SCAN", o->scan, "The scan"))->required();
  sub->add_option("--to", o->address, "Address to send to, for example tcp://127.0.0.1:5558")->required();
  sub->add_flag("--bind", o->binds, "Wait at that address for receivers, instead of connecting to one");
  sub->add_option("--wire", o->wire, "The form of the messages: " + stream::wire_names())->capture_default_str();
  sub->add_option("--socket", o->socket, "push waits for a slow receiver, pub sends to all and waits for none")
      ->check(CLI::IsMember({"push", "pub"}))
      ->capture_default_str();
  sub->add_option("--rate", o->rate, "Frames per second; 0: as fast as the receiver accepts them")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  sub->add_option("--turns", o->turns, "Number of times that the views are sent")
      ->check(CLI::Range(int64_t{1}, int64_t{10000}))
      ->capture_default_str();
  sub->add_option("--order", o->order,
                  "turn: turn after turn; sweep: forward and back; golden: by the golden ratio within each turn")
      ->check(CLI::IsMember({"turn", "sweep", "golden"}))
      ->capture_default_str();
  sub->add_option("--drop", o->faults.drop, "Fraction of the frames that are lost")->check(CLI::Range(0.0, 1.0));
  sub->add_option("--reorder", o->faults.reorder, "Largest number of frames that arrive before an earlier one")
      ->check(CLI::Range(int64_t{0}, int64_t{10000}));
  sub->add_option("--duplicate", o->faults.duplicate, "Fraction of the frames that are sent twice")
      ->check(CLI::Range(0.0, 1.0));
  sub->add_option("--corrupt", o->faults.corrupt, "Fraction of the frames whose messages are damaged")
      ->check(CLI::Range(0.0, 1.0));
  sub->add_option("--pause-at", o->pause_at, "Pause before this message")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 40));
  sub->add_option("--pause", o->pause, "How long, in s")->check(CLI::Range(0.0, 1e6));
  sub->add_option("--seed", o->faults.seed, "The same seed gives the same faults")->capture_default_str();
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return send_scan(*o, c); }; });
}

}  // namespace tl::cli
