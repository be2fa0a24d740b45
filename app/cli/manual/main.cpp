// tl_manual FOLDER VERSION DATE: writes the manual pages and shell completions of tomoloom, from its options.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/cli/common/cli.h"
#include "app/cli/manual/option_tree.h"

namespace {

bool write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) std::fprintf(stderr, "tl_manual: %s could not be written\n", file.c_str());
  return out.good();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tl::cli;
  if (argc != 4) {
    std::fprintf(stderr, "usage: tl_manual FOLDER VERSION DATE\n");
    return exit_usage;
  }
  Cli cli;
  CLI::App app("X-ray CT pipelines: from a scan to volumes, labels and tables", "tomoloom");
  app.set_version_flag("--version", argv[2]);
  add_commands(app, cli);
  const std::filesystem::path folder = argv[1];
  const std::vector<CommandText> commands = option_tree(app);
  bool written = write(folder / "bash/tomoloom", bash_completion(commands)) &&
                 write(folder / "zsh/_tomoloom", zsh_completion(commands));
  for (const CommandText& command : commands)
    written = written &&
              write(folder / "man" / (page_name(command) + ".1"), manual_page(commands, command, {argv[2], argv[3]}));
  return written ? exit_done : exit_file;
}
