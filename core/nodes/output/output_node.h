// Shared by the nodes that write files: their declaration, permitted names, writing of blocks, embedded
// provenance.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/choices.h"
#include "core/io/output/background_calls.h"
#include "core/io/output/output_file.h"
#include "core/io/volumes/format.h"
#include "core/node/node_builder.h"
#include "gpu/operator/reduce.h"

namespace tl {

// The formats that volumes can be written in, as choices of a parameter.
Choices<const io::VolumeFormat*> written_format_choices();

// Invalid if the name is empty, or has the ending of another format than the given one.
Result<void> check_file_name(const std::string& node_type, std::string_view format, const std::string& file);

// The output and the record that a run writes next to it (NAME.json) must not exist, unless overwriting is allowed, and
// neither may be an input of the run.
Result<void> check_output(const std::filesystem::path& file, io::OutputKind kind, NodeRun& r);

// {"pipeline": ..., "provenance": ...} as one line of JSON: embedded in an output so that it opens as a pipeline again.
// `folder` contains the output.
std::string embedded_description(NodeRun& r, const std::filesystem::path& folder);

// The target for a volume on the grid of the node's whole input, with the embedded description.
io::VolumeTarget volume_target(const std::filesystem::path& file, const io::VolumeFormat& format,
                               io::Compression compression, NodeRun& r);

// Passes the file to the run, which renames it when it is complete; there are no findings.
Result<Findings> deliver(Result<io::OutputFile> whole, NodeRun& r);

// Declares the common beginning of all output nodes, and the parameter "file".
template <class P>
NodeBuilder<P>& declare_output(NodeBuilder<P>& n, std::string id, std::string title) {
  n.id(std::move(id), 1).title(std::move(title)).category("Output").writes_files();
  return n.not_differentiable("it writes a file");
}
template <class P>
ParamBuilder declare_file(NodeBuilder<P>& n, const std::string& what = "Name of the file") {
  return n.param("file", "File", &P::file).output_file().help(what + "; relative names go into the output folder.");
}

// Declares a node that takes its single input, a T, as a whole, and writes the file that `file_of(parameters, input,
// run)` makes.
template <class T, auto file_of, class P>
void write_whole(NodeBuilder<P>& n) {
  n.template reduce<T>(
      [](const P& p, NodeRun& r) -> Result<std::shared_ptr<T>> {
        TL_TRY(check_output(p.file, io::OutputKind::file, r));
        return std::make_shared<T>();
      },
      [](const P&, T& input, NodeRun& r) -> Result<void> {
        input = std::get<T>(r.inputs.begin()->second);
        return ok();
      },
      [](const P& p, T& input, NodeRun& r) { return deliver(file_of(p, input, r), r); });
}

// Writes blocks to a file: one is written while the next is computed, if there is memory for both.
template <class Writer>
struct BlocksToFile {
  std::unique_ptr<Writer> writer;
  int64_t nans = 0;
  io::BackgroundCalls writing;  // destroyed first, because it uses the writer

  // Calls `write` in the background; objects that it refers to must live until the next block.
  Result<void> call(std::function<Result<void>()> write, const NodeRun& r) {
    TL_TRY(writing.start(std::move(write)));
    return r.may_keep_block ? ok() : writing.wait();
  }
  template <class Where>
  Result<void> add(const Where& where, const at::Tensor& block, const NodeRun& r) {
    nans += count_of_nans(block);
    return call([this, where, block] { return writer->write(where, block); }, r);
  }
  // `what`: "voxels", used in the warning about NaN values.
  Result<io::OutputFile> finish(const std::string& what, NodeRun& r) {
    TL_TRY(writing.wait());
    if (nans > 0) r.message(LogLevel::warning, std::to_string(nans) + " " + what + " are NaN");
    return writer->finish();
  }
};

}  // namespace tl
