// LiveWindows: the part of the command live that runs a pipeline on the windows of the stream.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/live/windows/window_run.h"

namespace tl::cli {

struct WindowArguments {
  std::string pipeline;  // empty: frames are only recorded
  std::vector<std::string> settings;
  int64_t length = 60, hop = 6;
  std::filesystem::path out;  // empty: nothing is written
  bool allow_outside = false;
  RunFlags flags;
};

// Adds PIPELINE, --set, --window, --hop, --out, --allow-outside and the options of all runs.
void add_window_options(CLI::App& app, Cli& cli, WindowArguments& arguments);

class LiveWindows {
 public:
  using Print = std::function<void(const nlohmann::ordered_json& event, const std::string& text)>;  // from any thread

  ~LiveWindows();
  LiveWindows(const LiveWindows&) = delete;
  LiveWindows& operator=(const LiveWindows&) = delete;

  // Checks all that can be checked before frames come. Null without a pipeline.
  static Result<std::unique_ptr<LiveWindows>> begin(const WindowArguments& arguments, const Cli& cli, Print print);
  void take(const stream::FramePtr& frame, stream::Numbering numbering, bool linear) {
    run_->take(frame, numbering, linear);
  }
  // No frame follows: computes the last window, writes OUT, and the table next to the record, if there is one; adds
  // what became of the windows to the last event.
  Result<void> end(const std::optional<std::filesystem::path>& record, nlohmann::ordered_json& last_event);

 private:
  class Sink;
  LiveWindows(const WindowArguments& arguments, const Cli& cli, Print print);

  const WindowArguments arguments_;
  const Cli& cli_;
  const Print print_;
  std::unique_ptr<Sink> sink_;
  std::string load_;
  std::unique_ptr<WindowRun> run_;  // last: it uses the others
};

}  // namespace tl::cli
