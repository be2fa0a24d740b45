// Every option of every command that names a file is declared, and none makes a file that another one reads or makes:
// walks the options of the program, so that a new one is tested by being there.
#include <QTemporaryDir>
#include <fstream>
#include <set>

#include "app/cli/common/cli.h"
#include "core/io/output/output_rules.h"
#include "core/node/registry.h"
#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::options_and_files_test {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;
using Use = cli::CommandFiles::Use;

// Texts that name no file. A pipeline's own files (--set, --over, ...) are known to the pipeline: outputs_and_inputs.
const std::set<std::string> names_no_file = {"SETTINGS",
                                             "ID",
                                             "--set",
                                             "--over",
                                             "--score",
                                             "--picture",
                                             "--learn",
                                             "--objective",
                                             "--edges",
                                             "--neighbours",
                                             "--pagerank",
                                             "--method",
                                             "--device",
                                             "--max-memory",
                                             "--slab",
                                             "--format",
                                             "--data",
                                             "--type",
                                             "--compression",
                                             "--region",
                                             "--from",
                                             "--log",
                                             "--trigger",
                                             "--plugin",
                                             "--plugin-back",
                                             "--send",
                                             "--angle-unit",
                                             "--odd-references",
                                             "--use-darks",
                                             "--to",
                                             "--left-out",
                                             "--plane",
                                             "--planes",
                                             "--axis",
                                             "--prior",
                                             "--masking",
                                             "--loss",
                                             "--split",
                                             "--class-weights",
                                             "--optimiser",
                                             "--schedule",
                                             "--alignment",
                                             "--convert",
                                             "--axis-method",
                                             "--beam",
                                             "--energy",
                                             "--pixels",
                                             "--image-key",
                                             "--raw-size",
                                             "--raw-type",
                                             "--raw-offset",
                                             "--raw-byte-order",
                                             "--pixel-size",
                                             "--source-to-axis",
                                             "--axis-to-detector",
                                             "--partition",
                                             "--account",
                                             "--sbatch",
                                             "--wire",
                                             "--socket",
                                             "--order",
                                             "--text",
                                             "--scan",
                                             "--parameter",
                                             "--verdict",
                                             "--worker",
                                             "COMMAND",
                                             "--kind"};
// The same word is a file of these commands.
const std::set<std::string> files_all_the_same = {"reconstruct --picture", "prune --data", "train DATA"};

// The program with a command line that was parsed, without its process.
class Program {
 public:
  Program() { cli::add_commands(app_, cli_); }
  [[nodiscard]] const cli::CommandFiles& files() const { return cli_.files; }
  // Those within commands too.
  [[nodiscard]] std::vector<const CLI::App*> commands() const {
    std::vector<const CLI::App*> all;
    for (const CLI::App* command : static_cast<const CLI::App&>(app_).get_subcommands({})) {
      all.push_back(command);
      for (const CLI::App* within : command->get_subcommands({})) all.push_back(within);
    }
    return all;
  }
  Result<void> run(Words words) {
    const CLI::App* command = app_.get_subcommand(words.front());
    for (const CLI::App* within : command->get_subcommands({}))
      if (words.size() > 1 && within->get_name() == words[1]) command = within;
    if (command->get_option_no_throw("--quiet") != nullptr) words.emplace_back("--quiet");
    std::reverse(words.begin(), words.end());
    app_.parse(words);
    return cli::run_command(cli_, app_);
  }

 private:
  cli::Cli cli_;
  CLI::App app_{"test", "tomoloom"};
};

std::vector<const CLI::Option*> options_of(const CLI::App& command, const cli::CommandFiles& files,
                                           std::optional<Use> use = {}) {
  std::vector<const CLI::Option*> found;
  for (const CLI::Option* option : command.get_options())
    if (!use || files.use_of(option) == *use) found.push_back(option);
  return found;
}

std::string title(const CLI::App& command, const CLI::Option* option) {
  return command.get_name() + " " + option->get_name();
}

// NAME or --name.
std::string option_name(const CLI::Option* option) {
  return option->get_positional() ? option->get_name() : "--" + option->get_lnames().front();
}

bool takes_text(const CLI::Option* option) {
  // With a check: "FLOAT:FLOAT in [0 - 1]".
  static const std::set<std::string> numbers = {"INT", "UINT", "FLOAT"};
  const std::string type = option->get_type_name();
  return option->get_items_expected_max() > 0 && numbers.count(type.substr(0, type.find(':'))) == 0 &&
         option->get_lnames() != Words{"help"};
}

// False for two options of which the command takes only one at a time.
bool can_meet(const CLI::Option* first, const CLI::Option* second) {
  const auto excludes = [](const CLI::Option* one, const CLI::Option* other) {
    return one->get_excludes().count(const_cast<CLI::Option*>(other)) != 0;  // NOLINT(*-const-cast): the set's keys
  };
  return !excludes(first, second) && !excludes(second, first);
}

// One input, and a file or folder that belongs to it.
struct Input {
  std::string name;
  fs::path given, target;
  bool of_volumes = false;
};

}  // namespace

class OptionsAndFiles : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path root_;
  std::vector<Input> inputs_;
  int count_ = 0;

  fs::path fresh_folder() {
    const fs::path folder = root_ / ("made_" + std::to_string(++count_));
    fs::create_directories(folder);
    return folder;
  }

  void clear() {
    for (; count_ > 0; --count_) fs::remove_all(root_ / ("made_" + std::to_string(count_)));
  }

  // A command line with these values, and something for what else is required.
  Words line(const CLI::App& command, std::map<const CLI::Option*, fs::path> values) {
    Words positional, named;
    for (const CLI::Option* option : command.get_options()) {
      auto value = values.find(option);
      if (value == values.end() && !option->get_required() && title(command, option) != "templates NAME") continue;
      std::string text =
          value != values.end() ? value->second.string() : std::string(takes_text(option) ? "a.b=1" : "1");
      if (value == values.end() && uses_.at(option) == Use::input) text = (root_ / "other.nrrd").string();
      if (value == values.end() && uses_.at(option) == Use::output) text = (fresh_folder() / "other.tif").string();
      if (option->get_positional()) {
        positional.push_back(text);
      } else {
        named.push_back(option_name(option));
        named.push_back(text);
      }
    }
    Words words{command.get_name()};
    if (const CLI::App* around = command.get_parent(); around != nullptr && around->get_parent() != nullptr)
      words.insert(words.begin(), around->get_name());
    words.insert(words.end(), positional.begin(), positional.end());
    words.insert(words.end(), named.begin(), named.end());
    if (command.get_option_no_throw("--overwrite") != nullptr) words.emplace_back("--overwrite");
    return words;
  }

  // Refused for one of these reasons, and nothing has changed.
  void refuses(const Words& words, const std::vector<std::string>& reasons) {
    const test::Tree before = test::tree_of(root_);
    std::string all;
    for (const std::string& word : words) all += word + " ";
    const Result<void> result = Program().run(words);
    QVERIFY2(!result.ok(), (all + "was accepted").c_str());
    const std::string text = result.error().message();
    QVERIFY2(std::any_of(reasons.begin(), reasons.end(),
                         [&](const std::string& reason) { return text.find(reason) != std::string::npos; }),
             (all + "was refused for another reason: " + text).c_str());
    const std::string changed = test::difference(before, test::tree_of(root_));
    QVERIFY2(changed.empty(), (all + "changed " + changed).c_str());
  }

  // For each file that the option makes: a name to give, such that this file is what the link leads to.
  std::vector<fs::path> names_for(const CLI::Option* option, const fs::path& target, bool hard) {
    std::vector<fs::path> names;
    const std::size_t count = model_.files().outputs_of(option, "x.tif").size();
    for (std::size_t i = 0; i < count; ++i) {
      const fs::path given = fresh_folder() / "x.tif", made = model_.files().outputs_of(option, given).at(i);
      if (hard)
        fs::create_hard_link(target, made);
      else
        fs::create_symlink(target, made);
      names.push_back(given);
    }
    return names;
  }

  Program model_;  // whose options are walked
  std::map<const CLI::Option*, Use> uses_;

 private Q_SLOTS:
  void initTestCase() {
    dir_ = std::make_unique<QTemporaryDir>();
    root_ = fs::canonical(dir_->path().toStdString());
    for (const CLI::App* command : model_.commands())
      for (const CLI::Option* option : command->get_options()) uses_[option] = model_.files().use_of(option);
    fs::create_directories(root_ / "stack");
    test::put(root_ / "other.nrrd", "other");
    for (int i = 0; i < 3; ++i) test::put(root_ / "stack" / ("s_" + std::to_string(i) + ".tif"), "a slice");
    test::put(root_ / "plain", "plain");
    test::put(root_ / "v.nhdr",
              "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nendian: little\ndata file: v.raw\n");
    test::put(root_ / "v.raw", "12345678");
    test::put(root_ / "v.nhdr.labels.json", R"({"classes": []})");
    test::put(root_ / "v.labels.json", R"({"classes": []})");
    inputs_ = {{"a file", root_ / "plain", root_ / "plain"},
               {"the table of classes next to it", root_ / "v.nhdr", root_ / "v.nhdr.labels.json"},
               {"a table without the ending of the volume", root_ / "v.nhdr", root_ / "v.labels.json"},
               {"voxels of a header", root_ / "v.nhdr", root_ / "v.raw", true},
               {"a folder", root_ / "stack", root_ / "stack"},
               {"a file of the folder", root_ / "stack", root_ / "stack/s_1.tif"}};
  }

  void every_text_is_a_file_or_is_not() {
    int files = 0;
    for (const CLI::App* command : model_.commands())
      for (const CLI::Option* option : options_of(*command, model_.files())) {
        if (!takes_text(option)) continue;
        const std::string name = title(*command, option), word = option_name(option);
        const bool is_file = model_.files().use_of(option) != Use::none;
        files += is_file ? 1 : 0;
        if (is_file) {
          QVERIFY2(names_no_file.count(word) == 0 || files_all_the_same.count(command->get_name() + " " + word) == 1,
                   (name + " is listed as one that names no file").c_str());
          continue;
        }
        const NodeType* simulation = Registry::all().find("input.simulate_scan");
        std::string param = word.substr(std::min<std::size_t>(2, word.size()));
        std::replace(param.begin(), param.end(), '-', '_');
        if (command->get_name() == "simulate" && simulation->param(param) != nullptr) {
          QVERIFY2(simulation->param(param)->path == PathRole::none, name.c_str());
          continue;
        }
        if (name == "templates NAME") continue;  // of a bundled pipeline
        QVERIFY2(names_no_file.count(word) == 1,
                 (name + ": does it name a file? Then declare it in Cli::files, else list it here").c_str());
      }
    QVERIFY2(files > 60, QByteArray::number(files));
  }

  void no_output_is_an_input() {
    int tried = 0;
    for (const CLI::App* command : model_.commands())
      for (const CLI::Option* output : options_of(*command, model_.files(), Use::output))
        for (const CLI::Option* input : options_of(*command, model_.files(), Use::input))
          for (const Input& one : inputs_) {
            clear();
            if (!can_meet(input, output)) continue;
            if (one.of_volumes && !model_.files().reads_volume(input)) continue;
            std::vector<fs::path> names = names_for(output, one.target, false);
            if (!fs::is_directory(one.target)) {
              const auto hard = names_for(output, one.target, true);
              names.insert(names.end(), hard.begin(), hard.end());
              const fs::path around = one.target.parent_path();
              if (const auto made = model_.files().outputs_of(output, one.target); made.front() == one.target) {
                names.push_back(one.target);
                names.push_back(around / ".." / around.filename() / one.target.filename());
              }
            }
            for (const fs::path& name : names) {
              refuses(line(*command, {{input, one.given}, {output, name}}), {io::is_an_input, "part of an input"});
              if (QTest::currentTestFailed()) return;
              ++tried;
            }
          }
    QVERIFY2(tried > 500, QByteArray::number(tried));
  }

  void nothing_new_appears_in_a_folder_that_is_read_as_a_volume() {
    int tried = 0;
    for (const CLI::App* command : model_.commands())
      for (const CLI::Option* output : options_of(*command, model_.files(), Use::output))
        for (const CLI::Option* input : options_of(*command, model_.files(), Use::input)) {
          if (!model_.files().reads_volume(input) || !can_meet(input, output)) continue;
          const fs::path alias = fresh_folder() / "alias";
          fs::create_symlink(root_ / "stack", alias);
          for (const fs::path& name : {root_ / "stack/x.tif", alias / "x.tif", root_ / "stack/../stack/x"}) {
            refuses(line(*command, {{input, root_ / "stack"}, {output, name}}), {"part of an input"});
            if (QTest::currentTestFailed()) return;
            ++tried;
          }
        }
    QVERIFY2(tried >= 20, QByteArray::number(tried));
  }

  void no_output_is_another_output() {
    int tried = 0;
    for (const CLI::App* command : model_.commands()) {
      const auto outputs = options_of(*command, model_.files(), Use::output);
      for (const CLI::Option* first : outputs)
        for (const CLI::Option* second : outputs) {
          if (first == second || !can_meet(first, second)) continue;
          clear();
          const fs::path target = fresh_folder() / "target";
          test::put(target, "mine");
          auto of_first = names_for(first, target, false), of_second = names_for(second, target, true);
          // The checkpoint that was named is there instead of the one next to the output.
          if (option_name(second) == "--checkpoint") of_first.resize(1);
          if (option_name(first) == "--checkpoint") of_second.resize(1);
          for (const fs::path& a : of_first)
            for (const fs::path& b : of_second) {
              refuses(line(*command, {{first, a}, {second, b}}), {"two outputs have the same name"});
              if (QTest::currentTestFailed()) return;
              ++tried;
            }
          // The same name, of a file that is not there yet.
          const fs::path folder = fresh_folder();
          refuses(
              line(*command, {{first, folder / "new.tif"}, {second, folder / ".." / folder.filename() / "new.tif"}}),
              {"two outputs have the same name"});
          if (QTest::currentTestFailed()) return;
        }
    }
    QVERIFY2(tried > 10, QByteArray::number(tried));
  }

  // Before the command does anything: its inputs here are not files that it could read.
  void what_exists_is_refused_first() {
    int tried = 0;
    for (const CLI::App* command : model_.commands())
      for (const CLI::Option* output : options_of(*command, model_.files(), Use::output)) {
        static const std::set<std::string> go_on_after_a_kill = {"sweep", "learn"};
        if (go_on_after_a_kill.count(command->get_name()) != 0 || option_name(output) == "--checkpoint") continue;
        const fs::path name = fresh_folder() / "x.tif", made = model_.files().outputs_of(output, name).front();
        test::put(made, "mine");
        Words words = line(*command, {{output, name}});
        std::erase(words, "--overwrite");
        refuses(words, {"exists already"});
        if (QTest::currentTestFailed()) return;
        ++tried;
      }
    QVERIFY2(tried >= 10, QByteArray::number(tried));
  }
};

TL_TEST_CASE(OptionsAndFiles)

}  // namespace tl::options_and_files_test

#include "options_and_files.moc"
