// tomoloom jobs: shows the state of the jobs of a submission, submits those that failed again, or cancels them.
#include <nlohmann/json.hpp>

#include "app/cli/common/cli.h"
#include "core/run/cluster/submission.h"

namespace tl::cli {
namespace {

struct JobsArguments {
  std::string out;
  bool again = false, cancel = false;
};

const char* state_text(TaskState state) {
  switch (state) {
    case TaskState::waiting: return "waiting";
    case TaskState::running: return "running";
    case TaskState::done: return "done";
    case TaskState::failed: break;
  }
  return "failed";
}

void print_states(const std::vector<TaskStatus>& states, const Cli& cli) {
  int64_t counts[4] = {};
  for (const TaskStatus& s : states) {
    ++counts[static_cast<int>(s.state)];
    if (cli.output_mode == OutputMode::json) {
      const Json line = {{"event", "task"},
                         {"name", s.name},
                         {"state", state_text(s.state)},
                         {"log", s.log.string()},
                         {"last_line", s.last_line}};
      say(stdout, line.dump(-1, ' ', false, Json::error_handler_t::replace));
    } else if (cli.output_mode == OutputMode::text) {
      const bool failed = s.state == TaskState::failed;
      say(stdout,
          s.name + ": " + state_text(s.state) +
              (failed ? ", " + (s.last_line.empty() ? "without a word" : s.last_line) + " (" + s.log.string() + ")"
                      : ""));
    }
  }
  if (cli.output_mode == OutputMode::text)
    say(stdout, std::to_string(counts[2]) + " done, " + std::to_string(counts[1]) + " running, " +
                    std::to_string(counts[0]) + " waiting, " + std::to_string(counts[3]) + " failed");
}

Result<void> run(const JobsArguments& o, Cli& cli) {
  TL_TRY(Submission s, read_submission(o.out));
  if (o.cancel) TL_TRY(cancel(s));
  if (o.again) {
    TL_TRY(const int64_t count, submit_failed(s));
    if (cli.output_mode == OutputMode::text)
      say(stdout, count == 0 ? "no task has failed" : "submitted again: " + std::to_string(count));
  }
  TL_TRY(const std::vector<TaskStatus> states, task_states(s));
  print_states(states, cli);
  for (const TaskStatus& state : states)
    if (state.state == TaskState::failed) cli.code = exit_invalid;
  return ok();
}

}  // namespace

void add_jobs(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("jobs", "Show the state of the jobs of `submit`");
  const auto o = std::make_shared<JobsArguments>();
  cli.files.writes_into(sub->add_option("OUT", o->out, "The output folder of the submission"))->required();
  auto* again = sub->add_flag("--again", o->again, "Submit failed scans again");
  sub->add_flag("--cancel", o->cancel, "Cancel all that waits or runs")->excludes(again);
  add_output_flags(*sub, cli);
  sub->callback([o, &cli] { cli.command = [o](Cli& c) { return run(*o, c); }; });
}

}  // namespace tl::cli
