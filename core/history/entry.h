// Entry: a run, a learning, a training or an export in the history: when, with which pipeline and data, what was found
// and written, and how it ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tl::history {

enum class Kind { run, learning, training, exported };
// interrupted: the program that computed it ended without recording an end: killed, or a power failure.
enum class State { running, done, failed, cancelled, interrupted };

// The word of files, options and JSON: "run", "learning", "training", "export".
std::string_view to_string(Kind kind);
std::string_view to_string(State state);
std::optional<Kind> kind_of(std::string_view word);

// A file or folder, with the properties by which it is recognised elsewhere.
struct File {
  std::string path;         // absolute
  std::string fingerprint;  // io::fingerprint(); "" = not known
  int64_t bytes = 0;        // for a folder: the sum over all files in it
};

// A parameter value that was used, or a value that was found.
struct Value {
  std::string node, name, value, unit;
  std::optional<double> uncertainty;  // one sigma
  std::string verdict;                // "" = none
  [[nodiscard]] bool found() const { return uncertainty.has_value() || !verdict.empty(); }
};

// Grey pixels, top row first.
struct Thumbnail {
  int rows = 0, cols = 0;
  std::string pixels;  // rows * cols bytes
};

struct Entry {
  int64_t id = 0;  // assigned by the store; not reused after a deletion
  Kind kind = Kind::run;
  State state = State::running;
  double begun = 0;    // seconds since 1970
  double seconds = 0;  // it took
  std::string title;   // title of the pipeline, or of work without a pipeline
  std::string digest;  // digest of the pipeline without layout and input files: equal for one pipeline over many scans
  std::string record;  // JSON record as next to outputs, with absolute inputs; only {"pipeline": ...} without a result
  std::string program, version, device;
  std::string error;
  std::vector<File> inputs, outputs;
  std::vector<Value> values;  // found ones first
  Thumbnail thumbnail;
};

// The first found value, as shown on cards and in rows; nullptr if there is none.
const Value* first_found(const Entry& entry);
// "-23.24 ± 0.04 px": rounded as by measured_text() if sigma is known, else to six digits; texts unchanged.
std::string value_text(const Value& value);
// The name of the first input, else of the first output, else the title.
std::string name_of(const Entry& entry);
// "2026-05-04 14:31", in local time; "?" for a number that is not a time.
std::string time_text(double seconds_since_1970);
// Of all outputs.
int64_t bytes_of(const Entry& entry);

}  // namespace tl::history
