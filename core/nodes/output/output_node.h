// What the nodes that write files share: their declaration, names that may be written, blocks on their way to a file,
// embedded provenance.
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

// Invalid if the name is empty, or ends like another format than the given one of the node's.
Result<void> check_file_name(const std::string& node_type, std::string_view format, const std::string& file);

// The output and the record that a run writes next to it (NAME.json) must not exist, unless overwriting was asked for,
// and neither may be an input of the run.
Result<void> check_output(const std::filesystem::path& file, io::OutputKind kind, NodeRun& r);

// {"pipeline": ..., "provenance": ...} as one line of JSON: what an output embeds so that it opens as a pipeline again.
// `folder` holds the file that embeds it.
std::string embedded_description(NodeRun& r, const std::filesystem::path& folder);

// Where a volume on the grid of the node's whole input goes, with the embedded description.
io::VolumeTarget volume_target(const std::filesystem::path& file, const io::VolumeFormat& format,
                               io::Compression compression, NodeRun& r);

// Hands the file over, to appear when the run is complete; nothing was found by writing it.
Result<Findings> deliver(Result<io::OutputFile> whole, NodeRun& r);

// What the declaration of every such node begins with, and its parameter "file".
template <class P>
NodeBuilder<P>& declare_output(NodeBuilder<P>& n, std::string id, std::string title) {
  n.id(std::move(id), 1).title(std::move(title)).category("Output").writes_files();
  return n.not_differentiable("it writes a file");
}
template <class P>
ParamBuilder declare_file(NodeBuilder<P>& n, const std::string& what = "Name of the file") {
  return n.param("file", "File", &P::file).output_file().help(what + "; relative names go into the output folder.");
}

// A node that takes the whole of its one input, a T, and writes the file that `file_of(parameters, input, run)` makes.
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

// Blocks on their way to a file: one is written while the next is computed, if there is memory for both.
template <class Writer>
struct BlocksToFile {
  std::unique_ptr<Writer> writer;
  int64_t nans = 0;
  io::BackgroundCalls writing;  // destroyed first: it uses the writer

  // Calls `write` in the background; what it refers to must live until the next block.
  Result<void> call(std::function<Result<void>()> write, const NodeRun& r) {
    TL_TRY(writing.start(std::move(write)));
    return r.may_keep_block ? ok() : writing.wait();
  }
  template <class Where>
  Result<void> add(const Where& where, const at::Tensor& block, const NodeRun& r) {
    nans += count_of_nans(block);
    return call([this, where, block] { return writer->write(where, block); }, r);
  }
  // `what`: "voxels", for the warning about those that are NaN.
  Result<io::OutputFile> finish(const std::string& what, NodeRun& r) {
    TL_TRY(writing.wait());
    if (nans > 0) r.message(LogLevel::warning, std::to_string(nans) + " " + what + " are NaN");
    return writer->finish();
  }
};

}  // namespace tl
