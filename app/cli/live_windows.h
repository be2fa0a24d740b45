// LiveWindows: the part of the command live that runs a pipeline on the windows of the stream.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/live/windows/window_run.h"
#include "core/stream/planes/plane_links.h"
#include "core/stream/record_end.h"

namespace tl::cli {

struct WindowArguments {
  std::string pipeline;  // empty: frames are only recorded
  std::vector<std::string> settings;
  int64_t length = 60;
  std::optional<int64_t> hop;  // if not given: 6, or the length of the window where that is shorter
  [[nodiscard]] int64_t hop_or_default() const { return hop ? *hop : std::min<int64_t>(6, length); }
  bool follows = false;
  std::vector<std::string> planes;  // as PlaneChoice::parse()
  std::filesystem::path out;        // empty: nothing is written
  bool allow_outside = false;
  RunFlags flags;
};

// Adds PIPELINE, --set, --window, --hop, --follow, --plane, --out, --allow-outside and the options of all runs.
void add_window_options(CLI::App& app, Cli& cli, WindowArguments& arguments);

// Each scan of the stream has its own windows: those of an earlier scan are completed while the next one
// arrives.
class LiveWindows {
 public:
  using Print = std::function<void(const nlohmann::ordered_json& event, const std::string& text)>;  // from any thread

  ~LiveWindows();
  LiveWindows(const LiveWindows&) = delete;
  LiveWindows& operator=(const LiveWindows&) = delete;

  // Checks everything that can be checked before frames arrive. Planes are sent over `planes` until end(). Null without
  // a pipeline.
  static Result<std::unique_ptr<LiveWindows>> begin(const WindowArguments& arguments, const Cli& cli, Print print,
                                                    stream::PlaneLinks& planes);
  // On the receiver's thread.
  void take(const stream::FramePtr& frame, stream::Numbering numbering, bool linear);
  // From any thread.
  void note_written(const stream::Frame& frame);
  // Called after the last frame: computes the last window, writes OUT, and a table next to each record; adds the counts
  // of windows to the last event.
  Result<void> end(const std::vector<stream::EndedRecord>& records, nlohmann::ordered_json& last_event);

 private:
  class Sink;
  using RunPtr = std::shared_ptr<WindowRun>;
  LiveWindows(const WindowArguments& arguments, const Cli& cli, Print print, stream::PlaneLinks& planes);
  Result<void> begin_scan(int64_t scan);
  void print_window(const ComputedWindow& window, int64_t scan);
  void print_followed(const live::FollowEnd& end, int64_t scan);
  [[nodiscard]] RunPtr run_of(int64_t scan) const;  // null: there is none
  void add_to(nlohmann::ordered_json& last_event) const;

  const WindowArguments arguments_;
  const Cli& cli_;
  const Print print_;
  stream::PlaneLinks& planes_;
  std::unique_ptr<Sink> sink_;
  Graph graph_;
  RunOptions options_;
  WindowRunOptions how_;
  std::string load_;
  mutable std::mutex mutex_;
  std::map<int64_t, RunPtr> runs_;  // by number of the scan; declared last, as runs use the members above
  std::vector<std::future<Result<void>>> ending_;
  std::optional<Error> failure_;  // of beginning a scan
};

}  // namespace tl::cli
