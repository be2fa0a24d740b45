// Times receiving frames (decoded, numbered, kept in the ring) over a bare loop that receives the same messages, and
// recording them over plain writes of the same bytes with the same syncs. Both alternate with what they are compared
// with; the share is the time of the plain loop over ours: 1 is as fast.
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

using namespace tl;
using namespace tl::stream;
namespace fs = std::filesystem;

namespace {

struct Setting {
  int64_t frames, rows, cols;
  fs::path folder;
  [[nodiscard]] std::string address(const char* name) const { return "ipc://" + (folder / name).string(); }
};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Frame frame_of(const Setting& s, int64_t number) {
  Frame frame;
  frame.number = number;
  frame.rows = s.rows;
  frame.cols = s.cols;
  frame.angle = 0.5 * static_cast<double>(number);
  frame.pixels.resize(static_cast<std::size_t>(2 * s.rows * s.cols), std::byte{7});
  return frame;
}

// Sends as fast as it is taken, until the receiver has all.
std::thread sender_of(const Setting& s, const std::string& address) {
  return std::thread([&s, address] {
    const Wire& wire = *wire_of_name("array").or_throw();
    const auto sender = Sender::open(address, SenderSocket::push, SocketEnd::connects).or_throw();
    Frame header = frame_of(s, 0);
    OwnedParts parts = wire.encode(header);
    header.pixels.clear();  // the header changes with each number, the pixels stay
    for (int64_t i = 0; i < s.frames; ++i) {
      header.number = i;
      parts[0] = wire.encode(header)[0];
      if (!sender->send(parts, {}).ok()) bench::stop("sending failed");
    }
  });
}

// From the first message to the last.
double receive_bare(const Setting& s, const std::string& address) {
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
      if (!socket.recv(part)) bench::stop("receiving failed");
      more = part.more();
    }
    if (i == 0) begin = std::chrono::steady_clock::now();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  sender.join();
  return seconds;
}

double receive_ours(const Setting& s, const std::string& address) {
  Intake intake({});
  std::atomic<int64_t> taken{0};
  std::chrono::steady_clock::time_point begin;
  const auto receiver = Receiver::open({.address = address, .end = SocketEnd::binds},
                                       {[&](Message message, const Wire& wire) {
                                          intake.take(std::move(message), wire);
                                          if (taken++ == 0) begin = std::chrono::steady_clock::now();
                                        },
                                        [](const Error&) { bench::stop("a message is broken"); }})
                            .or_throw();
  std::thread sender = sender_of(s, address);
  while (taken < s.frames) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  sender.join();
  return seconds;
}

double record_plain(const Setting& s) {
  const fs::path path = s.folder / "plain.raw";
  const Frame frame = frame_of(s, 0);
  const double seconds = seconds_of([&] {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int64_t i = 0; i < s.frames; ++i)
      if (write(file, frame.pixels.data(), frame.pixels.size()) != static_cast<ssize_t>(frame.pixels.size()))
        bench::stop("cannot write " + path.string());
    if (fsync(file) != 0) bench::stop("cannot sync " + path.string());
    close(file);
  });
  fs::remove(path);
  return seconds;
}

double record_ours(const Setting& s) {
  std::vector<FramePtr> frames;
  for (int64_t i = 0; i < s.frames; ++i) {
    Frame frame = frame_of(s, i);
    frames.push_back(std::make_shared<const Frame>(std::move(frame)));
  }
  RecorderOptions options;
  options.name = s.folder / "r.nx";
  options.rules = io::no_inputs(io::Overwrite::replace);
  const double seconds = seconds_of([&] {
    Recorder recorder(options);
    for (FramePtr& frame : frames) recorder.add(std::move(frame));
    if (!recorder.finish().ok()) bench::stop("cannot record into " + options.name.string());
  });
  fs::remove(options.name);
  return seconds;
}

void compare(const char* name, const Setting& s, int64_t repeat, const std::function<double()>& plain,
             const std::function<double()>& ours) {
  std::vector<double> shares, times;
  for (int64_t i = 0; i < repeat; ++i) {
    const double a = plain(), b = ours();
    shares.push_back(a / b);
    times.push_back(b);
  }
  std::sort(shares.begin(), shares.end());
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2];
  const double bytes = 2.0 * static_cast<double>(s.frames * s.rows * s.cols);
  std::printf(
      "{\"case\":\"%s\",\"frames\":%lld,\"rows\":%lld,\"cols\":%lld,\"seconds\":%.4f,\"gb_per_s\":%.2f,"
      "\"share_of_plain\":%.2f}\n",
      name, static_cast<long long>(s.frames), static_cast<long long>(s.rows), static_cast<long long>(s.cols), seconds,
      bytes / seconds / 1e9, shares[shares.size() / 2]);
}

}  // namespace

// arguments: frames=400 rows=647 cols=768 folder=/tmp repeat=3
int main(int argc, char** argv) {
  bench::Arguments a(argc - 1, argv + 1);
  Setting s{a.number("frames", 400), a.number("rows", 647), a.number("cols", 768), {}};
  const fs::path parent = a.text("folder", fs::temp_directory_path().string());
  a.finish();
  std::string made = (parent / "stream_io_XXXXXX").string();
  if (mkdtemp(made.data()) == nullptr) bench::stop("cannot make a folder in " + parent.string());
  s.folder = made;
  int64_t count = 0;
  const auto next = [&] { return s.address(("s" + std::to_string(count++)).c_str()); };
  compare(
      "receiving", s, a.repeat(), [&] { return receive_bare(s, next()); }, [&] { return receive_ours(s, next()); });
  compare(
      "recording", s, a.repeat(), [&] { return record_plain(s); }, [&] { return record_ours(s); });
  fs::remove_all(s.folder);
  return 0;
}
