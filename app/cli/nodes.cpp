// tomoloom nodes: the node reference, from the declarations that this program was built with.
#include <cstdio>

#include "app/cli/cli.h"
#include "core/node/reference.h"
#include "core/node/registry.h"

namespace tl::cli {
namespace {

struct Options {
  std::string id;
  bool markdown = false;
};

void print_table(const Registry& registry) {
  std::string category;
  for (const NodeType& t : registry.types()) {
    if (t.category != category) std::printf("%s%s\n", category.empty() ? "" : "\n", t.category.c_str());
    category = t.category;
    std::printf("  %-24s %s\n", t.id.c_str(), t.summary.c_str());
  }
}

Result<void> run(const Options& options, Cli& cli) {
  const Registry& registry = Registry::all();
  const NodeType* type = options.id.empty() ? nullptr : registry.find(options.id);
  if (!options.id.empty() && type == nullptr) return registry.unknown(options.id);
  std::string text;
  if (cli.speech == Speech::json) {
    text = type != nullptr ? node_json(*type) : registry_json(registry);
  } else if (options.markdown || type != nullptr) {
    text = type != nullptr ? node_markdown(*type) : registry_markdown(registry);
  } else {
    print_table(registry);
  }
  std::fputs(text.c_str(), stdout);
  return ok();
}

}  // namespace

void add_nodes(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("nodes", "List the nodes, or show the reference page of one");
  const auto options = std::make_shared<Options>();
  sub->add_option("ID", options->id, "A node's id, for example recon.fbp");
  auto* markdown = sub->add_flag("--markdown", options->markdown, "Reference pages in Markdown");
  sub->add_flag_callback(
         "--json", [&cli] { cli.speech = Speech::json; }, "Declarations as JSON")
      ->excludes(markdown);
  sub->callback([options, &cli] { cli.command = [options](Cli& c) { return run(*options, c); }; });
}

}  // namespace tl::cli
