// RunSink: shows the progress of a run as a bar on a terminal, plain lines in files, JSON lines, or errors only.
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/base/printable.h"
#include "core/run/common/progress.h"

namespace tl::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Interval between repaints of the bar, so that a slow terminal does not slow the run.
constexpr double repaint_seconds = 0.1;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string_view level_name(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: return "error";
  }
  return "info";
}

void print_message(LogLevel level, std::string_view node, std::string_view text) {
  const std::string prefix = level == LogLevel::warning ? "warning: " : level == LogLevel::error ? "error: " : "";
  say(stderr, prefix + std::string(node) + (node.empty() ? "" : ": ") + std::string(text));
}

class TerminalSink final : public RunSink {
 public:
  ~TerminalSink() override { erase(); }
  void end() override { erase(); }

  void node_progress(std::string_view node, int64_t done, int64_t total) override {
    node_ = printable(node);
    estimate_.update_block(done, total, seconds_since(start_));
    paint();
  }
  void run_progress(int64_t done, int64_t total) override {
    estimate_.update(done, total, seconds_since(start_));
    paint();
  }
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    if (level == LogLevel::debug) return;
    erase();
    print_message(level, node, text);
  }

 private:
  void paint() {
    const double now = seconds_since(start_);
    if (painted_ && now - last_paint_ < repaint_seconds) return;
    last_paint_ = now;
    painted_ = true;
    winsize size = {};
    const int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
    std::fprintf(stderr, "\r\033[K%s",
                 progress_line(estimate_, now > 0 && elements_done ? elements_done() / now : 0, node_, width).c_str());
    std::fflush(stderr);
  }
  void erase() {
    if (painted_) std::fputs("\r\033[K", stderr);
    painted_ = false;
  }

  Clock::time_point start_ = Clock::now();
  ProgressEstimate estimate_;
  std::string node_;
  double last_paint_ = 0;
  bool painted_ = false;
};

// Standard error is not a terminal: prints messages only, since a progress bar would fill a log file.
class PlainSink final : public RunSink {
 public:
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    if (level != LogLevel::debug) print_message(level, node, text);
  }
};

class QuietSink final : public RunSink {
 public:
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    if (level == LogLevel::error) print_message(level, node, text);
  }
};

class JsonSink final : public RunSink {
 public:
  void node_progress(std::string_view node, int64_t done, int64_t total) override {
    print({{"event", "node"}, {"node", node}, {"done", done}, {"total", total}});
  }
  void run_progress(int64_t done, int64_t total) override {
    if (done == 0) return;  // a line per block
    estimate_.update(done, total, seconds_since(start_));
    Json line = {{"event", "progress"}, {"done", done}, {"total", total}, {"seconds", estimate_.seconds()}};
    if (estimate_.seconds_left() >= 0) line["seconds_left"] = estimate_.seconds_left();
    print(line);
  }
  void metric(std::string_view node, std::string_view name, int64_t index, double value) override {
    Json line = {{"event", "metric"}, {"node", node}, {"name", name}, {"index", index}, {"value", nullptr}};
    if (std::isfinite(value)) line["value"] = value;
    print(line);
  }
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    print({{"event", "message"}, {"level", level_name(level)}, {"node", node}, {"text", text}});
  }

 private:
  static void print(const Json& line) { print_json(line); }
  Clock::time_point start_ = Clock::now();
  ProgressEstimate estimate_;
};

}  // namespace

std::unique_ptr<RunSink> make_run_sink(const Cli& cli) {
  if (cli.output_mode == OutputMode::json) return std::make_unique<JsonSink>();
  if (cli.output_mode == OutputMode::quiet) return std::make_unique<QuietSink>();
  if (isatty(STDERR_FILENO) == 1) return std::make_unique<TerminalSink>();
  return std::make_unique<PlainSink>();
}

}  // namespace tl::cli
