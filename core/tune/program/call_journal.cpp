// Reads and appends lines of a journal under a lock.
#include "core/tune/program/call_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/graph/json_document.h"
#include "core/io/output/output_file.h"

namespace tl::tune {
namespace {

using json::Json;

constexpr const char* format_name = "tomoloom-tune-journal";
constexpr int format_version = 1;
constexpr off_t most_bytes = off_t{1} << 30;

std::string text_of(const Json& line) { return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string header_of(const std::vector<std::string>& identity) {
  return text_of({{"format", format_name}, {"version", format_version}, {"search", identity}});
}

bool is_journal(const std::string& line, const std::string& where) {
  const auto header = json::read_document(line, where);
  if (!header.ok() || !header.value().root.is_object()) return false;
  const Json& root = header.value().root;
  return root.value("format", Json()) == format_name;
}

Result<JournalCall> call_of(const std::string& line, const std::string& where) {
  const Error bad = invalid("the line is not a call of a program", where, "Delete the file to begin the search again");
  const auto document = json::read_document(line, where);
  if (!document.ok() || !document.value().root.is_object()) return bad;
  const Json& root = document.value().root;
  const auto values = root.find("values"), score = root.find("score"), failure = root.find("failure"),
             seconds = root.find("seconds");
  if (values == root.end() || !values->is_array() || score == root.end() || failure == root.end() ||
      !failure->is_string() || seconds == root.end() || !seconds->is_number())
    return bad;
  JournalCall call;
  for (const Json& value : *values) {
    if (!value.is_string()) return bad;
    call.values.push_back(value.get<std::string>());
  }
  if (!score->is_null()) {
    if (!score->is_number() || !std::isfinite(score->get<double>())) return bad;
    call.outcome.score = score->get<double>();
  }
  call.outcome.failure = failure->get<std::string>();
  call.outcome.seconds = seconds->get<double>();
  return call;
}

Result<std::string> whole_text(int handle, const std::filesystem::path& path) {
  struct stat status = {};
  if (fstat(handle, &status) != 0) return io::system_error("the journal cannot be read", path, errno);
  if (!S_ISREG(status.st_mode) || status.st_nlink != 1 || status.st_size > most_bytes)
    return invalid("there is something that is not a journal of a search", path.string(),
                   "Move it away, or write the result somewhere else");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t got = pread(handle, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io::system_error("the journal cannot be read", path, errno);
    if (got == 0) text.resize(done);
    done += static_cast<std::size_t>(got);
  }
  return text;
}

}  // namespace

Result<CallJournal> CallJournal::open(const std::filesystem::path& file, const std::vector<std::string>& identity,
                                      io::Overwrite overwrite) {
  constexpr mode_t mode = 0666;  // as far as the user's mask allows
  io::FileDescriptor handle(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode));
  if (!handle.is_open())
    return errno == ELOOP ? invalid("the journal is a link", file.string(), "Remove it")
                          : io::system_error("the journal cannot be written", file, errno);
  if (flock(handle.get(), LOCK_EX | LOCK_NB) != 0)
    return io_error("another search writes this result", file.string(), "Wait for its end, or give another name");
  CallJournal journal(file, std::move(handle));
  TL_TRY(journal.read(identity, overwrite));
  return journal;
}

Result<void> CallJournal::read(const std::vector<std::string>& identity, io::Overwrite overwrite) {
  TL_TRY(const std::string text, whole_text(file_.get(), path_));
  const std::string header = header_of(identity);
  const std::size_t first = text.find('\n');
  const auto begin_new = [&]() -> Result<void> {
    if (ftruncate(file_.get(), 0) != 0) return io::system_error("the journal cannot be written", path_, errno);
    return append(header);
  };
  // Empty, or killed while its first line was written.
  if (first == std::string::npos && header.compare(0, text.size(), text) == 0) return begin_new();
  if (first == std::string::npos || !is_journal(text.substr(0, first), path_.string()))
    return invalid("there is something that is not a journal of a search", path_.string(),
                   "Move it away, or write the result somewhere else");
  if (text.compare(0, first + 1, header) != 0) {
    if (overwrite == io::Overwrite::replace) return begin_new();
    return invalid("there is the journal of another search that was interrupted", path_.string(),
                   "Give the same command as then to go on, delete the file, or write the result somewhere else");
  }
  std::size_t from = first + 1;
  for (std::size_t number = 2;; ++number) {
    const std::size_t end = text.find('\n', from);
    if (end == std::string::npos) break;
    TL_TRY(JournalCall call, call_of(text.substr(from, end - from), path_.string() + ":" + std::to_string(number)));
    earlier_.push_back(std::move(call));
    from = end + 1;
  }
  // A line that a kill cut short.
  if (from < text.size() && ftruncate(file_.get(), static_cast<off_t>(from)) != 0)
    return io::system_error("the journal cannot be written", path_, errno);
  return ok();
}

Result<void> CallJournal::append(const std::string& line) {
  if (lseek(file_.get(), 0, SEEK_END) < 0) return io::system_error("the journal cannot be written", path_, errno);
  TL_TRY(io::write_all(file_.get(), std::as_bytes(std::span(line)), path_));
  if (fdatasync(file_.get()) != 0) return io::system_error("the journal cannot be written", path_, errno);
  return ok();
}

Result<void> CallJournal::add(const JournalCall& call) {
  return append(text_of({{"values", call.values},
                         {"score", call.outcome.score ? Json(*call.outcome.score) : Json()},
                         {"failure", call.outcome.failure},
                         {"seconds", call.outcome.seconds}}));
}

void CallJournal::remove() {
  std::error_code failed;
  std::filesystem::remove(path_, failed);
}

}  // namespace tl::tune
