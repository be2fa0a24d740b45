// tomoloom templates: lists the bundled pipelines, prints one, or writes one to a file.
#include <cstdio>

#include "app/cli/common/cli.h"
#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "core/io/output/output_file.h"
#include "core/node/nearest.h"

namespace tl::cli {
namespace {

struct TemplatesArguments {
  std::string name, output;
};

Result<void> list_templates() {
  for (const Template& t : templates()) {
    TL_TRY(const Graph graph, graph_from_json(t.text, Registry::all(), std::string(t.name)));
    std::printf("%-20s %s\n", std::string(t.name).c_str(), graph.title.c_str());
  }
  return ok();
}

Result<void> run(const TemplatesArguments& o, const Cli& cli) {
  if (o.name.empty()) return list_templates();
  std::vector<std::string> names;
  for (const Template& t : templates()) {
    names.emplace_back(t.name);
    if (t.name != o.name) continue;
    if (!o.output.empty()) return io::write_text(o.output, std::string(t.text), cli.files.rules());
    std::printf("%s", std::string(t.text).c_str());
    return ok();
  }
  return invalid("there is no template \"" + o.name + "\"", "templates", suggest(o.name, names));
}

}  // namespace

void add_templates(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("templates", "List the bundled pipelines, or show or write one");
  const auto o = std::make_shared<TemplatesArguments>();
  sub->add_option("NAME", o->name, "The template to show");
  cli.files.writes(sub->add_option("-o,--output", o->output, "Write it to this file"))->needs("NAME");
  sub->callback([o, &cli] { cli.command = [o](const Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
