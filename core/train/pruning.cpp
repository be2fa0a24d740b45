// Trains between the steps of a pruning, and writes network and report together.
#include "core/train/pruning.h"

#include "core/io/output/output_file.h"
#include "core/net/files/network_file.h"

namespace tl::train {

Result<void> train_between(const net::Network& network, net::PruneOptions& options, const TrainingBetween& between) {
  const std::size_t classes = between.set.classes.size();
  if (classes != network.classes.size() && !network.classes.empty())
    return invalid(
        "the data have " + std::to_string(classes) + " classes, the network " + std::to_string(network.classes.size()),
        between.data, "Give the data that the network was trained with");
  if (!options.checkpoint.empty()) {
    options.training_settings = settings_of(between.set, network, between.options);
    options.training_settings["epochs"] = std::to_string(between.options.epochs);
  }
  options.fine_tune = [between](net::Network& pruned, const net::FilterMasks& masks) {
    TrainingOptions t = between.options;
    t.masks = masks;
    return between.train(pruned, t);
  };
  return ok();
}

Result<void> write_pruned(const net::Network& network, const std::string& report, const PrunedFiles& files,
                          const io::OutputRules& rules) {
  std::vector<io::OutputFile> outputs;
  TL_TRY(const std::string bytes, net::network_file_bytes(network, files.network));
  TL_TRY(io::OutputFile file, io::uncommitted_text(files.network, bytes, rules));
  outputs.push_back(std::move(file));
  if (!files.report.empty()) {
    TL_TRY(io::OutputFile text, io::uncommitted_text(files.report, report, rules));
    outputs.push_back(std::move(text));
  }
  return io::commit_together(std::move(outputs));
}

}  // namespace tl::train
