// WindowRun: computes the outputs of a pipeline for the windows of a stream, on a thread of its own, without a GUI.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/live/windows/arrivals.h"
#include "core/run/executor.h"
#include "core/stream/windows.h"

namespace tl {

// A window that was computed.
struct ComputedWindow {
  int64_t index = 0;
  std::vector<int64_t> views;           // numbers of the frames
  std::map<std::string, double> found;  // "axis.axis [px]": what nodes have measured, and its value
  int64_t lost = 0;
  double time = 0;  // when its last frame arrived [s since 1970]
  // After that: when its outputs were given, and when what the output nodes write was there [s].
  double prepared = 0, shown = 0;
};

class WindowRun {
 public:
  struct Handlers {
    // On the thread of the computation.
    std::function<void(const ComputedWindow&)> computed = [](const ComputedWindow&) {};
    // What an output node reads of an output of another node, before `computed`. Once per node that reads it.
    std::function<void(const ComputedWindow&, const OutputId& output, const Value&)> pulled =
        [](const ComputedWindow&, const OutputId&, const Value&) {};
    std::function<void()> waits_for_flats = [] {};  // once
  };

  // Errors: invalid, for a graph that no stream can feed (Arrivals::load_node()) or a hop longer than the window.
  static Result<std::unique_ptr<WindowRun>> begin(Graph graph, RunOptions options, stream::WindowChoice choice,
                                                  Handlers handlers);
  ~WindowRun();
  WindowRun(const WindowRun&) = delete;
  WindowRun& operator=(const WindowRun&) = delete;

  // From any thread, as Windows::add().
  void take(stream::FramePtr frame, stream::Numbering numbering, bool linear);
  // A frame of the stream is in the record. From any thread.
  void note_written(const stream::Frame& frame);
  // No frame follows. Computes the last window, and waits for it. The first error of a window, after which none was
  // computed. Afterwards the functions below may be called.
  Result<void> end();
  // The windows that were computed, in order.
  [[nodiscard]] const std::vector<ComputedWindow>& windows() const { return computed_; }
  // How long after the last frame of a window that frame was in the record [s]; of windows that were computed before it
  // was, nothing is known.
  [[nodiscard]] const std::vector<double>& stored() const { return stored_; }
  [[nodiscard]] int64_t skipped() const { return windows_.skipped(); }
  [[nodiscard]] int64_t views_made() const { return arrivals_.views_made(); }
  // How often a reconstruction of a window has filtered a view: once for each view, unless ray weights follow the
  // window. Of each set of rows that is reconstructed by itself.
  [[nodiscard]] int64_t views_filtered() const { return views_filtered_; }
  // Writes the outputs of the last window. Invalid if there was none.
  Result<RunReport> write();

 private:
  WindowRun(Graph graph, RunOptions options, stream::WindowChoice choice, Handlers handlers);
  void compute_windows();
  Result<void> pull_what_is_written(const ComputedWindow& window);
  [[nodiscard]] std::map<std::string, double> found_values();
  Result<void> compute(const stream::Window& window);

  const Graph graph_;
  const Handlers handlers_;
  const stream::Windows::NeedsFlats needs_;
  const bool measures_;  // whether a node does
  const CancelToken cancel_;
  stream::Windows windows_;
  Executor executor_;
  Arrivals arrivals_;
  std::vector<ComputedWindow> computed_;
  std::vector<double> stored_;
  int64_t views_filtered_ = 0;
  std::optional<Error> failure_;
  std::mutex mutex_;
  std::map<double, double> written_;  // by arrival of a frame: how long it took [s]
  std::condition_variable changed_;
  bool news_ = false, ended_ = false;
  std::thread thread_;  // last: it uses the others
};

// The table NAME.windows.csv of a record NAME.nx: the scan, and for each window the settings of the load node with
// which a run over this table computes the same; columns with # before their names are for readers. Windows with frames
// that the record does not hold are left out. Errors: io; invalid (the table may not be replaced).
Result<std::filesystem::path> write_window_table(const std::filesystem::path& record, const std::string& load_node,
                                                 const std::vector<ComputedWindow>& windows,
                                                 const io::OutputRules& rules);

}  // namespace tl
