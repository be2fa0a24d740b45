// tomoloom live: receives the frames of a scan while the sample turns, and records them.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/common/cli.h"
#include "app/cli/live_links.h"
#include "app/cli/live_windows.h"
#include "core/run/common/memory.h"
#include "core/stream/live_stream.h"
#include "core/stream/wires/wires.h"

namespace tl::cli {
namespace {

using Json = nlohmann::ordered_json;
using SteadyClock = std::chrono::steady_clock;

struct LiveArguments {
  std::string address, wire, socket = "pull";
  bool binds = false;
  int64_t frames = 0;
  double seconds = 0;
  std::filesystem::path record, recover;
  LinkOptions links;
  WindowArguments windows;
};

// Prints events, from any thread: JSON lines, or text on standard error.
class Events {
 public:
  explicit Events(const Cli& cli) : mode_(cli.output_mode) {}
  void print(const Json& event, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (mode_ == OutputMode::text) say(stderr, text);
    if (mode_ != OutputMode::json) return;
    std::printf("%s\n", event.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    std::fflush(stdout);
  }
  void alarm(const std::string& what) { print({{"event", "alarm"}, {"what", what}}, "alarm: " + what); }

 private:
  const OutputMode mode_;
  std::mutex mutex_;
};

// Prints the events since the last call.
void report(const std::vector<stream::StreamEvent>& news, Events& events) {
  using Kind = stream::StreamEvent::Kind;
  for (const stream::StreamEvent& event : news) {
    switch (event.kind) {
      case Kind::first_frame: events.print({{"event", "first_frame"}, {"number", event.number}}, event.text); break;
      case Kind::joined: events.print({{"event", "joined"}, {"missing", event.missing}}, event.text); break;
      case Kind::scan: {
        Json scan = {{"event", "scan"}, {"scan", event.number}, {"because", event.because}};
        if (!event.record.empty()) scan["file"] = event.record.string();
        events.print(scan, event.text);
        break;
      }
      case Kind::trigger:
        events.print({{"event", "trigger"}, {"name", event.value.name}, {"value", event.value.value}}, event.text);
        break;
      case Kind::alarm:
      case Kind::disk: events.alarm(event.text); break;
      case Kind::beam: events.print({{"event", "beam"}}, event.text); break;
      case Kind::resumed: events.print({{"event", "resumed"}}, event.text); break;
    }
  }
}

// The last event, without links and states of windows.
Json end_event(const stream::StreamStatus& status, const std::vector<stream::EndedRecord>& records) {
  const stream::IntakeCounts& counts = status.counts;
  Json line = {{"event", "end"},
               {"frames", counts.taken()},
               {"views", counts.views},
               {"flats", counts.flats},
               {"darks", counts.darks},
               {"missing", status.missing},
               {"duplicates", counts.duplicates},
               {"broken", status.received.broken},
               {"late", counts.late},
               {"refused", counts.refused},
               {"no_beam", counts.no_beam},
               {"bytes", status.received.bytes},
               {"scans", status.scan}};
  if (!records.empty()) line["file"] = records.front().path.string();
  for (const stream::EndedRecord& record : records)
    if (records.size() > 1) line["files"].push_back(record.path.string());
  return line;
}

void print_end(const Json& line, const Cli& cli) {
  if (cli.output_mode == OutputMode::json)
    std::printf("%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  if (cli.output_mode != OutputMode::text) return;
  const auto number = [&](const char* name) { return std::to_string(line[name].get<int64_t>()); };
  say(stdout, number("views") + " views, " + number("flats") + " flats, " + number("darks") + " darks; missing " +
                  std::to_string(line["missing"].size()) + ", duplicates " + number("duplicates") + ", broken " +
                  number("broken") + ", late " + number("late") + ", refused " + number("refused"));
  for (const std::string& text : link_lines(line)) say(stdout, text);
  const auto say_wrote = [&](const char* one, const char* several) {
    if (line.contains(several)) {
      for (const Json& file : line[several]) say(stdout, "wrote " + file.get<std::string>());
    } else if (line.contains(one)) {
      say(stdout, "wrote " + line[one].get<std::string>());
    }
  };
  say_wrote("file", "files");
  say_wrote("table", "tables");
  say_wrote("output", "outputs");
}

Result<void> recover(const LiveArguments& o, const Cli& cli) {
  TL_TRY(const stream::EndedRecord record, stream::recover_record(o.recover, cli.files.rules()));
  if (cli.output_mode == OutputMode::json) {
    const Json line = {{"event", "recovered"},  {"file", record.path.string()}, {"views", record.views},
                       {"flats", record.flats}, {"darks", record.darks},        {"lost", record.lost}};
    std::printf("%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  }
  if (cli.output_mode == OutputMode::text)
    say(stdout, "wrote " + record.path.string() + ": " + std::to_string(record.views) + " views, " +
                    std::to_string(record.flats) + " flats, " + std::to_string(record.darks) + " darks");
  return ok();
}

Result<stream::LiveStreamOptions> stream_options(const LiveArguments& o) {
  stream::LiveStreamOptions options;
  options.receiver.address = o.address;
  options.receiver.end = o.binds ? stream::SocketEnd::binds : stream::SocketEnd::connects;
  options.receiver.socket = o.socket == "sub"   ? stream::ReceiverSocket::subscribe
                            : o.socket == "rep" ? stream::ReceiverSocket::reply
                                                : stream::ReceiverSocket::pull;
  if (!o.wire.empty()) {
    TL_TRY(options.receiver.wire, stream::wire_of_name(o.wire));
  }
  options.log = o.links.log;
  options.windows.length = o.windows.length;
  if (o.windows.flags.memory) {
    const int64_t shares = o.windows.pipeline.empty() ? 2 : 8;  // the rest is for the computation
    TL_TRY(const int64_t given, parse_bytes(*o.windows.flags.memory));
    options.max_bytes = given / shares;
  }
  return options;
}

Result<void> receive(const LiveArguments& o, const Cli& cli) {
  Events events(cli);
  TL_TRY(stream::LiveStreamOptions options, stream_options(o));
  TL_TRY(stream::RecordStart start, record_start(o.links));
  if (o.windows.pipeline.empty() && !(o.links.planes.send.empty() && o.links.planes.plugin.empty()))
    return invalid("without a pipeline there are no planes to send",
                   o.links.planes.send.empty() ? "--plugin" : "--send", "Name a pipeline: tomoloom live PIPELINE");
  TL_TRY(const auto links,
         stream::PlaneLinks::open(o.links.planes, [&events](const std::string& what) { events.alarm(what); }));
  TL_TRY(const std::unique_ptr<LiveWindows> windows,
         LiveWindows::begin(
             o.windows, cli, [&events](const Json& event, const std::string& text) { events.print(event, text); },
             *links));
  std::optional<stream::RecorderOptions> record;
  if (!o.record.empty()) {
    record.emplace();
    record->name = o.record;
    record->rules = cli.files.rules();
    if (windows) record->written = [&windows](const stream::Frame& frame) { windows->note_written(frame); };
  }
  if (windows)
    options.taken = [&windows](const stream::FramePtr& frame, stream::Numbering numbering, bool linear) {
      windows->take(frame, numbering, linear);
    };
  TL_TRY(const auto stream, stream::LiveStream::open(std::move(options), std::move(record), std::move(start)));
  stream::Scans& scans = stream->scans();
  events.print({{"event", "listening"}, {"address", o.address}}, "waiting for frames at " + o.address);

  constexpr auto pause = std::chrono::milliseconds(20);
  const auto begin = SteadyClock::now();
  while (!cli.cancel.cancelled() && !scans.has_ended() && scans.record_state().ok()) {
    if (o.frames > 0 && scans.counts().taken() >= o.frames) break;
    if (o.seconds > 0 && std::chrono::duration<double>(SteadyClock::now() - begin).count() > o.seconds) break;
    report(stream->events(), events);
    std::this_thread::sleep_for(pause);
  }
  stream->close();
  report(stream->events(), events);
  const Result<std::vector<stream::EndedRecord>> ended = scans.end_record();
  const std::vector<stream::EndedRecord> records = ended.ok() ? ended.value() : std::vector<stream::EndedRecord>();
  const stream::StreamStatus status = stream->status();
  Json last = end_event(status, records);
  if (!o.links.log.empty()) last["bad_lines"] = status.bad_lines;
  if (!o.links.trigger.empty()) last["triggered"] = scans.has_triggered();
  add_links(last, scans.values(), *links);
  Result<void> computed = ok();
  if (windows) computed = windows->end(records, last);
  print_end(last, cli);
  if (!ended.ok()) return ended.error();
  return computed;
}

Result<void> live(const LiveArguments& o, const Cli& cli) {
  if (!o.recover.empty()) return recover(o, cli);
  if (!o.record.empty()) {
    TL_TRY(stream::check_record_name(o.record, cli.files.rules()));
  }
  if (o.address.empty())
    return invalid("no source of frames is given", "--from", "Give --from ADDRESS, or --recover RECORD");
  return receive(o, cli);
}

}  // namespace

void add_live(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("live", "Receive and record a scan while the sample turns");
  const auto o = std::make_shared<LiveArguments>();
  auto* from =
      sub->add_option("--from", o->address, "Address of the sender of frames, for example tcp://127.0.0.1:5558");
  sub->add_flag("--bind", o->binds, "Wait at that address for the sender, instead of connecting to it");
  sub->add_option("--wire", o->wire,
                  "The form of the messages: " + stream::wire_names() + " (default: the first message shows it)");
  sub->add_option(
         "--socket", o->socket,
         "pull: the sender waits when the disk is slow; sub: frames are lost then; rep: each message is answered")
      ->check(CLI::IsMember({"pull", "sub", "rep"}))
      ->capture_default_str();
  CLI::Option* record = cli.files.writes(
      sub->add_option("--record", o->record, "The NXtomo file to write; until its end NAME.recording"));
  add_link_options(*sub, o->links, record);
  sub->add_option("--frames", o->frames, "End after so many frames")->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  sub->add_option("--seconds", o->seconds, "End after so many seconds")->check(CLI::Range(0.0, 1e9));
  auto* recover_option = cli.files.reads(sub->add_option(
      "--recover", o->recover, "Make a record of NAME.recording, left by a killed run; receives no frames"));
  recover_option->excludes(from);
  add_window_options(*sub, cli, o->windows);
  sub->callback([o, &cli] {
    if (o->windows.hop_or_default() > o->windows.length)
      throw CLI::ValidationError("--hop", "it is longer than the window, so that views between them would be left out");
    cli.command = [o](Cli& c) { return live(*o, c); };
  });
}

}  // namespace tl::cli
