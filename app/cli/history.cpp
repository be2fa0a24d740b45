// tomoloom history: lists, shows and deletes entries of runs, learning, training and exports, and finds their files
// again.
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "app/cli/common/report_file.h"
#include "core/history/kept_files.h"
#include "core/run/common/memory.h"
#include "core/run/common/progress.h"

namespace tl::cli {
namespace {

struct HistoryArguments {
  history::Filter filter;
  int64_t id = 0;
  std::vector<int64_t> ids;
  std::string folder, report;
  int days = 0;
  bool with_files = false;
};

history::Store user_store() { return history::Store(history::default_file()); }

std::string presence_text(history::Presence presence) {
  switch (presence) {
    case history::Presence::there: return "there";
    case history::Presence::changed: return "changed";
    case history::Presence::missing: return "missing";
  }
  return {};
}

std::string found_text(const history::Value& value) {
  return value.node + "." + value.name + " = " + history::value_text(value) +
         (value.verdict.empty() ? "" : " (" + value.verdict + ")");
}

// One line: number, time, kind, state, data, pipeline, and the found value or the error.
std::string line_of(const history::Entry& e) {
  std::string line = std::to_string(e.id) + "  " + history::time_text(e.begun) + "  " + std::string(to_string(e.kind)) +
                     "  " + std::string(to_string(e.state)) + "  " + history::name_of(e);
  if (!e.title.empty()) line += "  " + e.title;
  if (e.state == history::State::failed) return line + ": " + e.error;
  if (const history::Value* found = history::first_found(e)) line += "  " + found_text(*found);
  if (const int64_t bytes = history::bytes_of(e); bytes > 0) line += "  " + format_bytes(bytes);
  if (const auto presence = history::presence_of_outputs(e); presence != history::Presence::there)
    line += "  files " + presence_text(presence);
  return line;
}

Json as_json(const std::vector<history::File>& files) {
  Json list = Json::array();
  for (const history::File& f : files)
    list.push_back({{"path", f.path},
                    {"fingerprint", f.fingerprint},
                    {"bytes", f.bytes},
                    {"state", presence_text(history::presence_of(f))}});
  return list;
}

Json as_json(const history::Entry& e) {
  Json values = Json::array();
  for (const history::Value& v : e.values)
    values.push_back({{"node", v.node},
                      {"name", v.name},
                      {"value", v.value},
                      {"unit", v.unit},
                      {"uncertainty", v.uncertainty ? Json(*v.uncertainty) : Json()},
                      {"verdict", v.verdict.empty() ? Json() : Json(v.verdict)}});
  return {{"id", e.id},
          {"kind", to_string(e.kind)},
          {"state", to_string(e.state)},
          {"begun", e.begun},
          {"seconds", e.seconds},
          {"pipeline", e.title},
          {"digest", e.digest},
          {"program", e.program},
          {"version", e.version},
          {"device", e.device},
          {"error", e.error},
          {"inputs", as_json(e.inputs)},
          {"parameters", values},
          {"outputs", as_json(e.outputs)}};
}

void print_history_line(const Json& line) { say(stdout, line.dump(-1, ' ', false, Json::error_handler_t::replace)); }

Result<void> list(const HistoryArguments& o, const Cli& cli) {
  history::Filter filter = o.filter;
  if (o.days > 0) filter.since = static_cast<double>(std::time(nullptr)) - o.days * 86400.0;
  TL_TRY(const history::Listing listing, user_store().list(filter));
  if (cli.output_mode == OutputMode::json) {
    for (const history::Entry& e : listing.entries) print_history_line(as_json(e));
  } else if (cli.output_mode == OutputMode::text) {
    for (const history::Entry& e : listing.entries) say(stdout, line_of(e));
    if (user_store().is_off()) {
      say(stdout, "the history is off: TL_HISTORY disables it, or there is no folder for it");
    } else {
      say(stdout, std::to_string(listing.entries.size()) + " of " + std::to_string(listing.all) + " entries in " +
                      user_store().file().string());
    }
  }
  return ok();
}

void print_entry(const history::Entry& e) {
  say(stdout, line_of(e));
  say(stdout, "took " + format_duration(e.seconds) + "; " + e.program + ", version " + e.version +
                  (e.device.empty() ? "" : ", " + e.device));
  if (!e.digest.empty()) say(stdout, "pipeline " + e.title + ", digest " + e.digest);
  for (const auto& [word, files] : {std::pair{"read", &e.inputs}, std::pair{"wrote", &e.outputs}})
    for (const history::File& f : *files)
      say(stdout, std::string(word) + " " + f.path + ", " + format_bytes(f.bytes) + ", " +
                      presence_text(history::presence_of(f)));
  for (const history::Value& v : e.values) say(stdout, (v.found() ? "found " : "") + found_text(v));
}

Result<void> show(const HistoryArguments& o, const Cli& cli) {
  TL_TRY(const history::Entry entry, user_store().get(o.id));
  if (cli.output_mode == OutputMode::json) {
    Json line = as_json(entry);
    const Json record = Json::parse(entry.record, nullptr, false);
    line["record"] = record.is_discarded() ? Json() : record;
    print_history_line(line);
  } else if (cli.output_mode == OutputMode::text) {
    print_entry(entry);
  }
  return ok();
}

Result<void> remove(const HistoryArguments& o, Cli& cli) {
  const history::Store store = user_store();
  for (const int64_t id : o.ids) TL_TRY(store.get(id));
  TL_TRY(const history::DeletionPlan planned, history::plan_deletion(store, o.ids));
  history::DeletionPlan done;
  if (o.with_files) {
    TL_TRY(done, history::delete_entries_with_files(store, o.ids));
  } else {
    TL_TRY(store.remove(o.ids));
  }
  if (cli.output_mode == OutputMode::json) {
    Json files = Json::array(), kept = Json::array();
    for (const auto& file : done.files) files.push_back(file.string());
    for (const auto& [file, why] : done.not_deleted) kept.push_back({{"file", file.string()}, {"why", why}});
    print_history_line(
        {{"event", "done"}, {"entries", o.ids}, {"files", files}, {"freed_bytes", done.bytes}, {"kept", kept}});
    return ok();
  }
  if (cli.output_mode == OutputMode::quiet) return ok();
  const std::string entries = std::to_string(o.ids.size()) + (o.ids.size() == 1 ? " entry" : " entries") + " deleted";
  for (const auto& file : done.files) say(stdout, "deleted " + file.string());
  for (const auto& [file, why] : done.not_deleted) say(stdout, "kept " + file.string() + ": " + why);
  say(stdout, entries + (o.with_files ? ", " + format_bytes(done.bytes) + " freed"
                                      : "; their files stay (" + format_bytes(planned.bytes) + ")"));
  return ok();
}

Result<void> locate(const HistoryArguments& o, const Cli& cli) {
  TL_TRY(const int found, history::locate(user_store(), o.id, o.folder, cli.cancel));
  if (cli.output_mode == OutputMode::json) print_history_line({{"event", "done"}, {"entry", o.id}, {"found", found}});
  if (cli.output_mode == OutputMode::text)
    say(stdout, found == 0 ? "no file of the entry is missing, or none was found there"
                           : std::to_string(found) + " found, and entered under the new names");
  return ok();
}

Result<void> write_report(const HistoryArguments& o, const Cli& cli) {
  TL_TRY(check_report_name(o.report));
  TL_TRY(const history::Entry entry, user_store().get(o.id));
  io::ProtectedFiles files;
  for (const history::File& file : entry.inputs) files.add(file.path, "an input of the entry");
  for (const history::File& file : entry.outputs) files.add(file.path, "an output of the entry");
  return write_report_file(cli, entry, cli.files.rules(std::move(files)), o.report);
}

void add_filters(CLI::App& app, history::Filter& filter, int& days) {
  app.add_option("--text", filter.text, "Anywhere: in names of pipelines and files, parameters, verdicts, errors");
  app.add_option("--scan", filter.scan, "In the path of an input");
  app.add_option("--parameter", filter.parameter, "axis, axis.axis, or with a comparison: cutoff<0.5, method=fbp");
  app.add_option("--verdict", filter.verdict, "Verdict of a found value: resolved, flat, ...");
  app.add_option("--kind", filter.kind, "run, learning, training or export");
  app.add_option("--days", days, "Only entries of the last days")->check(CLI::PositiveNumber);
  app.add_option("--last", filter.limit, "Only the newest so many")->check(CLI::PositiveNumber);
}

}  // namespace

void add_history(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("history", "What was run, learned, trained and exported: list, show, delete");
  const auto o = std::make_shared<HistoryArguments>();
  sub->require_subcommand(0, 1);
  const auto does = [&cli, o](CLI::App* command, Result<void> (*work)(const HistoryArguments&, Cli&)) {
    add_output_flags(*command, cli);
    command->callback([&cli, o, work] { cli.command = [o, work](Cli& c) { return work(*o, c); }; });
  };
  CLI::App* all = sub->add_subcommand("list", "The newest first (also without any of these words)");
  add_filters(*all, o->filter, o->days);
  does(all, [](const HistoryArguments& a, Cli& c) { return list(a, c); });
  CLI::App* one = sub->add_subcommand("show", "Everything about one entry");
  one->add_option("ID", o->id, "Its number in the list")->required();
  does(one, [](const HistoryArguments& a, Cli& c) { return show(a, c); });
  CLI::App* gone = sub->add_subcommand("delete", "Delete entries, and with --with-files also their output files");
  gone->add_option("ID", o->ids, "Numbers of the entries in the list")->required();
  gone->add_flag("--with-files", o->with_files,
                 "Also the output files, unless they have changed since then or belong to another entry too");
  does(gone, remove);
  CLI::App* moved = sub->add_subcommand("locate", "Find the files of an entry that were moved, by their content");
  moved->add_option("ID", o->id, "Its number in the list")->required();
  cli.files.reads(moved->add_option("FOLDER", o->folder, "Folder to search, with all its subfolders"))->required();
  does(moved, [](const HistoryArguments& a, Cli& c) { return locate(a, c); });
  CLI::App* page =
      sub->add_subcommand("report", "Write a page: pipeline, parameters, slices, plots, times, references");
  page->add_option("ID", o->id, "Its number in the list")->required();
  cli.files.writes(page->add_option("FILE", o->report, "The page: NAME.html or NAME.pdf"))->required();
  page->add_flag("--overwrite")->description("Replace a file that exists");
  does(page, [](const HistoryArguments& a, Cli& c) { return write_report(a, c); });
  add_filters(*sub, o->filter, o->days);
  add_output_flags(*sub, cli);
  sub->callback([sub, o, &cli] {
    if (sub->get_subcommands().empty()) cli.command = [o](Cli& c) { return list(*o, c); };
  });
}

}  // namespace tl::cli
