// WindowRun: computes the outputs of a pipeline for the windows of a stream, on a thread of its own, without a GUI.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/live/windows/arrivals.h"
#include "core/live/windows/follower.h"
#include "core/live/windows/window_planes.h"
#include "core/live/windows/window_table.h"
#include "core/run/executor.h"
#include "core/stream/windows.h"

namespace tl {

struct WindowRunOptions {
  stream::WindowChoice windows;
  // Planes of the volumes that output nodes use; empty: the slices that they write; for whole volumes the middle one.
  std::vector<PlaneChoice> planes = {};
  // parameters to learn repeatedly on the windows, see Follower; nothing: none
  std::optional<learn::Settings> follow = {};
};

class WindowRun {
 public:
  struct Handlers {
    // Called on the computing thread.
    std::function<void(const ComputedWindow&)> computed = [](const ComputedWindow&) {};
    // Whether there is a receiver of planes; if so, the planes of a window are sent before `computed` is called.
    std::function<bool()> wants_planes = [] { return false; };
    std::function<void(const ComputedWindow&, const NamedPlane&)> plane = [](const ComputedWindow&, const NamedPlane&) {
    };
    // Called after learning on a window; the following windows are computed with the learned values.
    std::function<void(const live::FollowEnd&)> followed = [](const live::FollowEnd&) {};
    std::function<void()> waits_for_flats = [] {};  // once
  };

  // Errors: invalid, for a graph that no stream can feed (Arrivals::load_node()), a hop longer than the window, or
  // parameters that cannot be learned.
  static Result<std::unique_ptr<WindowRun>> begin(Graph graph, RunOptions options, WindowRunOptions how,
                                                  Handlers handlers);
  ~WindowRun();
  WindowRun(const WindowRun&) = delete;
  WindowRun& operator=(const WindowRun&) = delete;

  // From any thread, like Windows::add().
  void take(stream::FramePtr frame, stream::Numbering numbering, bool linear);
  // A frame of the stream is in the record. From any thread.
  void note_written(const stream::Frame& frame);
  // No frame follows. Computes the last window, and waits for it. The first error of a window, after which none was
  // computed. Afterwards the functions below may be called.
  Result<void> end();
  // The computed windows, in order.
  [[nodiscard]] const std::vector<ComputedWindow>& windows() const { return computed_; }
  // For each window, the time from the arrival of its last frame until the frame was in the record [s]; not known for
  // windows computed before that.
  [[nodiscard]] const std::vector<double>& stored() const { return stored_; }
  [[nodiscard]] int64_t skipped() const { return windows_.skipped(); }
  [[nodiscard]] int64_t views_made() const { return arrivals_.views_made(); }
  // How many views were filtered for reconstructions of windows: each view once, unless ray weights depend on the
  // window; counted for each set of rows that is reconstructed separately.
  [[nodiscard]] int64_t views_filtered() const { return views_filtered_; }
  // Writes the outputs of the last window. Invalid if there was none.
  Result<RunReport> write();

 private:
  WindowRun(Graph graph, RunOptions options, WindowRunOptions how, Handlers handlers);
  void compute_windows();
  Result<std::vector<TakenPlane>> pull_what_is_written();
  Result<void> give_planes(const ComputedWindow& window, const std::vector<TakenPlane>& taken);
  void add_settings(ComputedWindow& window);
  Result<void> compute(const stream::Window& window);
  void follow(const stream::Window& window);
  [[nodiscard]] bool has_ended();

  const Graph drawn_;
  Graph graph_;  // graph of the last window: with the values learned before it
  const WindowRunOptions how_;
  const Handlers handlers_;
  const stream::Windows::NeedsFlats needs_;
  const bool measures_;  // whether a node does
  const CancelToken cancel_;
  stream::Windows windows_;
  Executor executor_;
  Arrivals arrivals_;
  std::optional<Follower> follower_;
  std::vector<ComputedWindow> computed_;
  std::vector<double> stored_;
  int64_t views_filtered_ = 0;
  std::optional<Error> failure_;
  std::mutex mutex_;
  std::map<double, double> written_;  // by arrival of a frame: time until it was written [s]
  std::condition_variable changed_;
  bool news_ = false, ended_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace tl
