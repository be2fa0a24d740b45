// Writes reports of runs and of entries of the history, and prints the name of the file.
#include "app/cli/common/report_file.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/history/entry_texts.h"
#include "core/history/recorder.h"
#include "core/history/report/entry_report.h"
#include "core/io/output/output_file.h"
#include "core/run/cluster/command.h"
#include "core/run/record/protected_inputs.h"
#include "core/run/record/versions.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

bool is_pdf(const fs::path& file) { return lower_case(file.extension().string()) == ".pdf"; }

// The studio program in the folder of this program; empty if it is not there.
fs::path studio_program() {
  std::error_code failed;
  const fs::path studio = fs::read_symlink("/proc/self/exe", failed).parent_path() / "tomoloom-studio";
  return fs::exists(studio, failed) ? studio : fs::path();
}

// The studio paints the PDF in a process of its own, without a screen: this program cannot paint.
Result<std::string> pdf_of(const std::string& page) {
  std::string place = (fs::temp_directory_path() / "tomoloom-report-XXXXXX").string();
  if (mkdtemp(place.data()) == nullptr) return io_error("no temporary folder can be made", place, "Free some space");
  struct Removed {
    fs::path folder;
    ~Removed() {
      std::error_code failed;
      fs::remove_all(folder, failed);
    }
  } const removed{place};
  const fs::path html = removed.folder / "page.html", pdf = removed.folder / "page.pdf";
  TL_TRY(io::write_text(html, page, io::no_inputs(io::Overwrite::refuse)));
  TL_TRY(const CommandOutput ran, tl::run_command({"env", "QT_QPA_PLATFORM=offscreen", studio_program().string(),
                                                   "--pdf", pdf.string(), html.string()}));
  std::ifstream in(pdf, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (ran.code == 0 && bytes.starts_with("%PDF")) return bytes;
  return io_error("the report could not be rendered: " + (ran.err.empty() ? std::to_string(ran.code) : ran.err),
                  studio_program().string(), "Write it as HTML, which every browser prints");
}

}  // namespace

Result<void> check_report_name(const std::string& file) {
  if (file.empty()) return ok();
  if (!is_pdf(file)) return history::check_report_name(file);
  if (!studio_program().empty()) return ok();
  return unavailable("PDF is painted by the desktop application, which is not installed", file,
                     "Install tomoloom-studio next to tomoloom, or name a file that ends in .html");
}

Result<void> write_report_file(const Cli& cli, const history::Entry& entry, const io::OutputRules& rules,
                               const std::string& file) {
  const history::Report report = history::report_of(entry, Registry::all(), history::SliceBefore::compute, cli.cancel);
  if (cli.cancel.cancelled()) return cancelled();
  const std::string page = history::report_html(report);
  if (is_pdf(file)) {
    TL_TRY(const std::string pdf, pdf_of(page));
    TL_TRY(io::write_text(file, pdf, rules));
  } else {
    TL_TRY(io::write_text(file, page, rules));
  }
  if (cli.output_mode == OutputMode::text) say(stdout, "wrote " + file);
  if (cli.output_mode == OutputMode::json)
    say(stdout, nlohmann::ordered_json{{"event", "report"}, {"file", file}}.dump(
                    -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return ok();
}

Result<void> write_report_file(const Cli& cli, const Graph& graph, const RunOptions& options, const RunReport& run,
                               const std::string& file) {
  const Registry& registry = Registry::all();
  history::Entry entry = history::entry_of(history::Kind::run, graph, registry, options.input_dir);
  if (entry.title.empty()) entry.title = cli.pipeline;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  entry.begun = now.count() - run.seconds;
  entry.seconds = run.seconds;
  entry.state = history::State::done;
  entry.program = "command line";
  entry.version = version();
  history::add_fingerprints(entry.inputs);
  history::add_results(entry, run.files, registry);
  return write_report_file(cli, entry, cli.files.rules(inputs_of(graph, registry, options.input_dir)), file);
}

}  // namespace tl::cli
