// tomoloom nodes: prints the node reference, from the declarations in this program.
#include <ATen/core/Tensor.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/common/cli.h"
#include "core/io/output/volume_writer.h"
#include "core/node/reference.h"
#include "core/node/registry.h"
#include "core/run/automatic/batch.h"
#include "core/run/automatic/node_picture.h"

namespace tl::cli {
namespace {

struct NodesArguments {
  std::string id;
  bool markdown = false;
  std::filesystem::path pictures;
};

// Images are small and computed in seconds from simulated data; nodes that work on a whole scan need most memory.
constexpr int64_t picture_memory = int64_t{3} << 30;

std::filesystem::path picture_file(const NodesArguments& options, const NodeType& type) {
  return options.pictures / (type.id + ".png");
}

// Writes FOLDER/ID.png for every node (or one) that has a visible effect; returns paths relative to a page next to the
// folder. Existing files are refused before the first image is made.
Result<NodePictures> write_pictures(const Registry& registry, const NodesArguments& options, const Cli& cli) {
  std::error_code failure;
  std::filesystem::create_directories(options.pictures, failure);
  if (failure) return Error{ErrorKind::io, failure.message(), options.pictures.string(), "Choose another folder"};
  std::vector<const NodeType*> shown;
  std::vector<std::filesystem::path> files;
  for (const NodeType& type : registry.types()) {
    if ((!options.id.empty() && type.id != options.id) || !has_picture(type)) continue;
    shown.push_back(&type);
    files.push_back(picture_file(options, type));
  }
  const io::OutputRules rules = cli.files.rules();
  TL_TRY(check_writable(files, rules));
  RunOptions run;
  run.memory = picture_memory;
  run.cancel = cli.cancel;
  NodePictures written;
  for (const NodeType* shown_type : shown) {
    const NodeType& type = *shown_type;
    const Result<std::optional<at::Tensor>> made = node_picture(registry, type, run);
    if (!made.ok() && made.error().kind == ErrorKind::cancelled) return made.error();
    if (!made.ok()) std::fprintf(stderr, "no image of %s: %s\n", type.id.c_str(), made.error().what.c_str());
    if (!made.ok()) continue;
    const std::optional<at::Tensor>& picture = made.value();
    if (!picture) continue;
    const std::filesystem::path file = picture_file(options, type);
    TL_TRY(io::write_png(file, picture->flip(0).contiguous(), 0, 1, rules));
    written[type.id] = (options.pictures.filename() / file.filename()).generic_string();
  }
  return written;
}

void print_table(const Registry& registry) {
  std::string category;
  for (const NodeType& t : registry.types()) {
    if (t.category != category) std::printf("%s%s\n", category.empty() ? "" : "\n", t.category.c_str());
    category = t.category;
    std::printf("  %-24s %s\n", t.id.c_str(), t.summary.c_str());
  }
}

Result<void> run(const NodesArguments& options, Cli& cli) {
  const Registry& registry = Registry::all();
  const NodeType* type = options.id.empty() ? nullptr : registry.find(options.id);
  if (!options.id.empty() && type == nullptr) return registry.unknown(options.id);
  NodePictures pictures;
  if (!options.pictures.empty()) {
    TL_TRY(pictures, write_pictures(registry, options, cli));
  }
  std::string text;
  if (cli.output_mode == OutputMode::json) {
    text = type != nullptr ? node_json(*type) : registry_json(registry);
  } else if (options.markdown || type != nullptr) {
    text = type != nullptr ? node_markdown(*type, pictures) : registry_markdown(registry, pictures);
  } else {
    print_table(registry);
  }
  std::fputs(text.c_str(), stdout);
  return ok();
}

}  // namespace

void add_nodes(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("nodes", "List the nodes, or show the reference page of one");
  const auto options = std::make_shared<NodesArguments>();
  sub->add_option("ID", options->id, "A node's id, for example recon.fbp");
  auto* markdown = sub->add_flag("--markdown", options->markdown, "Reference pages in Markdown");
  cli.files
      .writes_into(sub->add_option("--pictures", options->pictures,
                                   "Also write each node's effect on a small simulated scan into a folder, as PNG"))
      ->type_name("FOLDER");
  sub->add_flag("--overwrite")->description("Replace images that exist");
  sub->add_flag_callback(
         "--json", [&cli] { cli.output_mode = OutputMode::json; }, "Declarations as JSON")
      ->excludes(markdown);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
