// Recorder: writes the work of a program into the history. Errors of the history do not stop the work.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/history/store.h"

namespace tl::history {

// An entry for a pipeline that is about to run: title, digest, the pipeline with absolute inputs, its input files.
// Relative inputs lie in `input_dir` (empty: the working folder).
Entry entry_of(Kind kind, const Graph& graph, const Registry& registry, const std::filesystem::path& input_dir = {});
// The pipeline of an entry, with absolute inputs. Invalid for an entry without one.
Result<Graph> pipeline_of(const Entry& entry, const Registry& registry);

// How a piece of work ended. Its files already have their final names; records next to them (NAME.json) are not listed.
struct Outcome {
  std::vector<std::filesystem::path> files;
  double seconds = 0;
  std::optional<Error> error;
};

// Any thread. The first error of the history is passed to `say`, later ones are dropped; nothing is thrown.
class Recorder {
 public:
  using Say = std::function<void(const Error&)>;
  // `program`: "command line", "window".
  Recorder(Store store, std::string program, const Registry& registry, Say say);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] const Store& store() const { return store_; }
  // Turns the history off from here on.
  void turn_off() { store_ = Store({}); }
  // Adds the row as running since now, or since the start time in the entry.
  void begin(Entry& entry) const;
  // Completes the row: state, files with fingerprints, values from the record next to the first file, a thumbnail of
  // the first volume. Reads the disk: not for a GUI thread.
  void end(Entry& entry, const Outcome& outcome) const;
  // Removes the row: there was nothing to do.
  void drop(const Entry& entry) const;

 private:
  void guarded(const std::function<Result<void>()>& work) const;

  Store store_;
  std::string program_;
  const Registry& registry_;
  Say say_;
  mutable std::atomic<bool> said_ = false;
};

}  // namespace tl::history
