// Every option of the command line that names an output, with the words of a command that has it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/common/cli.h"

namespace tl::test::outputs {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

// The program without its process.
inline Result<void> command(Words words) {
  cli::Cli cli;
  CLI::App app("test", "tomoloom");
  cli::add_commands(app, cli);
  words.emplace_back("--quiet");
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return cli::run_command(cli, app);
}

// One input that an output must not replace: the scan that is read, or the pipeline, and which of its files.
struct Input {
  std::string name;
  fs::path scan, pipeline, target;
};

// One option that names an output. The given name is a link that ends in `ending`, or the input itself if that is
// empty.
struct Option {
  std::string name, ending;
  std::function<Words(const Input&, const fs::path&)> words;
};

inline std::string without(const fs::path& path, const std::string& ending) {
  return path.string().substr(0, path.string().size() - ending.size());
}

inline std::vector<Option> options_reading_scans() {
  const auto reconstruct = [](const Input& in, Words more) {
    Words words{"reconstruct", in.scan, "--axis", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto elsewhere = [](const fs::path& to) { return (to.parent_path() / "other.tif").string(); };
  return {
      {"reconstruct -o", "",
       [=](const Input& in, const fs::path& to) {
         return reconstruct(in, {"-o", to});
       }},
      {"reconstruct -o, record", ".tif.json",
       [=](const Input& in, const fs::path& to) {
         return reconstruct(in, {"-o", without(to, ".json")});
       }},
      {"reconstruct --picture", "",
       [=](const Input& in, const fs::path& to) {
         return reconstruct(in, {"-o", elsewhere(to), "--picture", to});
       }},
      {"reconstruct --picture, record", ".png.json",
       [=](const Input& in, const fs::path& to) {
         return reconstruct(in, {"-o", elsewhere(to), "--picture", without(to, ".json")});
       }},
      {"reconstruct --save-pipeline", "",
       [=](const Input& in, const fs::path& to) {
         return reconstruct(in, {"-o", elsewhere(to), "--save-pipeline", to});
       }},
      {"reconstruct --set", "",
       [=](const Input& in, const fs::path& to) {
         return reconstruct(in, {"-o", elsewhere(to), "--set", "save.file=" + to.string()});
       }},
  };
}

inline std::vector<Option> options_reading_pipelines() {
  const auto run = [](const Input& in, const std::string& command, Words more) {
    Words words{command, in.pipeline};
    if (!in.scan.empty()) words.insert(words.end(), {"--input", in.scan});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto sweep = [=](const Input& in, const std::string& output) {
    return run(in, "sweep", {"--over", "fbp.cutoff=0.5,1", "-o", output});
  };
  std::vector<Option> options = {
      {"run --out", "volume.tif",
       [=](const Input& in, const fs::path& to) {
         return run(in, "run", {"--out", to.parent_path()});
       }},
      {"run --out, record", "volume.tif.json",
       [=](const Input& in, const fs::path& to) {
         return run(in, "run", {"--out", to.parent_path()});
       }},
      {"run --set", "",
       [=](const Input& in, const fs::path& to) {
         return run(in, "run", {"--set", "save.file=" + to.string()});
       }},
  };
  for (const char* program : {"httomo", "nabu", "ewoks"})
    options.push_back({std::string("translate --to ") + program, "", [=](const Input& in, const fs::path& to) {
                         return run(in, "translate", {to, "--to", program});
                       }});
  for (const char* ending : {".json", ".csv", ".png", ".sweep"})
    options.push_back({std::string("sweep -o, NAME") + ending, ending,
                       [=](const Input& in, const fs::path& to) { return sweep(in, without(to, ending)); }});
  return options;
}

inline std::vector<Option> options_of_learning() {
  const auto learn = [](const Input& in, Words more) {
    Words words{"learn",      in.pipeline,   "--learn",     "set_geometry.axis=0", "--objective",
                "wedge.loss", "--no-survey", "--no-errors", "--iterations",        "1"};
    if (!in.scan.empty()) words.insert(words.end(), {"--input", in.scan});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto elsewhere = [](const fs::path& to) { return (to.parent_path() / "other.json").string(); };
  return {
      {"learn -o", "",
       [=](const Input& in, const fs::path& to) {
         return learn(in, {"-o", to});
       }},
      {"learn --save-pipeline", "",
       [=](const Input& in, const fs::path& to) {
         return learn(in, {"-o", elsewhere(to), "--save-pipeline", to});
       }},
      {"learn -o, journal", ".json.journal",
       [=](const Input& in, const fs::path& to) {
         return learn(in, {"-o", without(to, ".journal")});
       }},
  };
}

}  // namespace tl::test::outputs
