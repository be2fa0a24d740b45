// Receiving frames (decoded, numbered, kept in the ring) over a bare loop that receives the same messages, and
// recording them over plain writes of the same bytes with one sync at the end. The share is the time of the plain loop
// over ours: 1 is as fast.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <zmq.hpp>

#include "core/stream/intake.h"
#include "core/stream/receiver.h"
#include "core/stream/sender.h"
#include "core/stream/wires/wires.h"
#include "tests/bench/bench.h"
#include "tests/bench/stream/stream_cases.h"

namespace tl::bench {
namespace {

using namespace stream;
namespace fs = std::filesystem;

struct Transport {
  const SentScan& scan;
  int64_t frames;
  fs::path folder;
  [[nodiscard]] std::string address(const char* name) const { return "ipc://" + (folder / name).string(); }
};

// Sends as fast as it is taken, until the receiver has all.
std::thread sender_of(const Transport& s, const std::string& address) {
  return std::thread([&s, address] {
    const Wire& wire = *wire_of_name("array").or_throw();
    const auto sender = Sender::open(address, SenderSocket::push, SocketEnd::connects).or_throw();
    Frame header = s.scan.frame(SentScan::first_view);
    OwnedParts parts = wire.encode(header);
    header.pixels.clear();  // the header changes with each number, the pixels stay
    for (int64_t i = 0; i < s.frames; ++i) {
      header.number = i;
      parts[0] = wire.encode(header)[0];
      if (!sender->send(parts, {}).ok()) stop("sending failed");
    }
  });
}

// From the first message to the last.
double receive_bare(const Transport& s, const std::string& address) {
  zmq::context_t context;
  zmq::socket_t socket(context, zmq::socket_type::pull);
  socket.set(zmq::sockopt::rcvhwm, 16);
  socket.bind(address);
  std::thread sender = sender_of(s, address);
  std::chrono::steady_clock::time_point begin;
  for (int64_t i = 0; i < s.frames; ++i) {
    bool more = true;
    while (more) {
      zmq::message_t part;
      if (!socket.recv(part)) stop("receiving failed");
      more = part.more();
    }
    if (i == 0) begin = std::chrono::steady_clock::now();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  sender.join();
  return seconds;
}

double receive_ours(const Transport& s, const std::string& address) {
  Intake intake({});
  std::atomic<int64_t> taken{0};
  std::chrono::steady_clock::time_point begin;
  const auto receiver =
      Receiver::open({.address = address, .end = SocketEnd::binds}, {[&](Message message, const Wire& wire) {
                                                                       intake.take(std::move(message), wire);
                                                                       if (taken++ == 0)
                                                                         begin = std::chrono::steady_clock::now();
                                                                     },
                                                                     [](const Error&) { stop("a message is broken"); }})
          .or_throw();
  std::thread sender = sender_of(s, address);
  while (taken < s.frames) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  sender.join();
  return seconds;
}

double record_plain(const Transport& s) {
  const fs::path path = s.folder / "plain.raw";
  const Frame frame = s.scan.frame(SentScan::first_view);
  const Times times = time_of([&] {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int64_t i = 0; i < s.frames; ++i)
      if (write(file, frame.pixels.data(), frame.pixels.size()) != static_cast<ssize_t>(frame.pixels.size()))
        stop("cannot write " + path.string());
    if (fsync(file) != 0) stop("cannot sync " + path.string());
    close(file);
  });
  fs::remove(path);
  return times.wall;
}

double record_ours(const Transport& s) {
  std::vector<FramePtr> frames;
  for (int64_t i = 0; i < s.frames; ++i) {
    frames.push_back(s.scan.shared_frame(SentScan::first_view + i));
  }
  RecorderOptions options;
  options.name = s.folder / "r.nx";
  options.rules = io::no_inputs(io::Overwrite::replace);
  const Times times = time_of([&] {
    Recorder recorder(options);
    for (FramePtr& frame : frames) recorder.add(std::move(frame));
    if (!recorder.finish().ok()) stop("cannot record into " + options.name.string());
  });
  fs::remove(options.name);
  return times.wall;
}

struct Asked {
  const char* name;
  double must, goal;
};

void compare(const Asked& asked, const Transport& s, int64_t repeat, const std::function<double()>& plain,
             const std::function<double()>& ours, StreamTable& table) {
  std::vector<double> shares, times;
  for (int64_t i = 0; i < repeat; ++i) {
    const double a = plain(), b = ours();
    shares.push_back(a / b);
    times.push_back(b);
  }
  std::sort(shares.begin(), shares.end());
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2], share = shares[shares.size() / 2];
  const double gb_per_s = 2e-9 * static_cast<double>(s.frames * s.scan.rows * s.scan.cols) / seconds;
  std::printf("{\"case\": \"%s\", \"frames\": %lld, \"seconds\": %.4f, \"gb_per_s\": %.2f, \"share_of_plain\": %.2f}\n",
              asked.name, static_cast<long long>(s.frames), seconds, gb_per_s, share);
  std::fflush(stdout);
  char remark[32];
  std::snprintf(remark, sizeof remark, "%.2f GB/s", gb_per_s);
  table.add({asked.name, share, "", asked.must, asked.goal, StreamTable::Better::more, remark});
}

}  // namespace

void time_transport(const SentScan& scan, int64_t frames, const fs::path& folder, int64_t repeat, StreamTable& table) {
  std::string made = (folder / "stream_bench_XXXXXX").string();
  if (mkdtemp(made.data()) == nullptr) stop("cannot make a folder in " + folder.string());
  const Transport s{scan, frames, made};
  int64_t count = 0;
  const auto next = [&] { return s.address(("s" + std::to_string(count++)).c_str()); };
  compare(
      {"receiving, share of a bare loop's speed", 0.7, 0.9}, s, repeat, [&] { return receive_bare(s, next()); },
      [&] { return receive_ours(s, next()); }, table);
  compare(
      {"recording, share of plain writes' speed", 0.6, 0.8}, s, repeat, [&] { return record_plain(s); },
      [&] { return record_ours(s); }, table);
  fs::remove_all(s.folder);
}

}  // namespace tl::bench
