// Writes the evaluations of a learning run to a journal, and replays them when the same run is repeated.
#include "core/learn/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/text.h"
#include "core/graph/base64.h"
#include "core/io/output/output_file.h"
#include "core/values/hash.h"

namespace tl::learn {
namespace {

std::string number_text(double v) { return formatted("%a", v); }

// Longer lists are compared by their digest and written without being rounded, in half the letters.
constexpr std::size_t max_written_out = 300;
constexpr char packed = '#';

std::string_view bytes_of(const std::vector<double>& list) {
  return {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(double)};
}

std::string question_of(const std::string& what, const std::vector<double>& z) {
  if (z.size() > max_written_out) return what + " " + packed + Hasher().add(bytes_of(z)).digest().text();
  std::string text = what;
  for (const double v : z) text += " " + number_text(v);
  return text;
}

std::string answer_of(const std::vector<double>& gradient) {
  if (gradient.size() > max_written_out) {
    const std::string_view bytes = bytes_of(gradient);
    return std::string(" ") + packed + encode_base64(bytes.data(), bytes.size());
  }
  std::string text;
  for (const double v : gradient) text += " " + number_text(v);
  return text;
}

// First character of a line that holds a state instead of an evaluation.
constexpr char state_mark = '@';

std::string state_of(const std::vector<double>& numbers) {
  const std::string_view bytes = bytes_of(numbers);
  return state_mark + std::string(1, packed) + encode_base64(bytes.data(), bytes.size());
}

// Nothing if the text is not a list of numbers.
std::optional<std::vector<double>> numbers_of(const char* at) {
  while (*at == ' ') ++at;
  std::vector<double> list;
  if (*at == packed) {
    const auto bytes = decode_base64(at + 1);
    if (!bytes || bytes->size() % sizeof(double) != 0) return std::nullopt;
    list.resize(bytes->size() / sizeof(double));
    std::memcpy(list.data(), bytes->data(), bytes->size());
    return list;
  }
  for (char* end = nullptr; *at != 0; at = end) {
    list.push_back(std::strtod(at, &end));
    if (end == at) return std::nullopt;
  }
  return list;
}

std::string checked(const std::string& line) { return line + "\t" + Hasher().add(line).digest().text() + "\n"; }

// The part of a line before its checksum, if the checksum is right.
std::optional<std::string> unchecked(const std::string& line) {
  const auto tab = line.rfind('\t');
  if (tab == std::string::npos) return std::nullopt;
  const std::string body = line.substr(0, tab);
  return checked(body) == line + "\n" ? std::optional<std::string>(body) : std::nullopt;
}

constexpr std::string_view magic = "tomoloom-learning-journal 1 ";
std::string heading(const std::string& identity) { return checked(std::string(magic) + identity); }

Error not_ours(const std::filesystem::path& path, const std::string& what) {
  return invalid("the journal of the run would be written into " + what, path.string(),
                 "It is left as it is: move it away, or name another output");
}

// An open journal, locked by this run, and its text.
struct OpenJournal {
  io::FileDescriptor file;
  std::string text;
};

Result<std::string> journal_text(int file, const std::filesystem::path& path) {
  std::string text;
  std::array<char, 65536> block{};
  for (;;) {
    const ssize_t count = ::read(file, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return io::system_error("the journal of the run cannot be read", path, errno);
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
    // Longer than the first words, a file that does not begin with them is not read any further.
    if (text.size() >= magic.size() && !text.starts_with(magic)) return text;
  }
}

// `flags`: O_CREAT if the journal need not exist. Writes nothing.
Result<OpenJournal> open_ours(const std::filesystem::path& path, int flags) {
  constexpr int tries = 20;  // another run may finish and delete its journal in between
  for (int i = 0; i < tries; ++i) {
    constexpr int plain = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    io::FileDescriptor file(::open(path.c_str(), plain | flags, 0666));
    if (!file.is_open() && errno == ELOOP) return not_ours(path, "a symbolic link");
    if (!file.is_open() && errno == ENXIO) return not_ours(path, "something that is not a regular file");
    if (!file.is_open()) return io::system_error("the journal of the run cannot be written", path, errno);
    struct stat s {};
    if (::fstat(file.get(), &s) != 0 || !S_ISREG(s.st_mode))
      return not_ours(path, "something that is not a regular file");
    if (s.st_nlink > 1) return not_ours(path, "a file that has other names");
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      return invalid("another run is using this journal", path.string(), "Wait for it, or name another output");
    if (!io::is_at(file.get(), path)) continue;
    TL_TRY(std::string text, journal_text(file.get(), path));
    // A journal that was truncated within its first words may be overwritten, too.
    if (!text.starts_with(magic) && !magic.starts_with(text))
      return not_ours(path, "a file that is not such a journal");
    return OpenJournal{std::move(file), std::move(text)};
  }
  return io_error("the journal of the run was moved or replaced during the run", path.string(), "Name another output");
}

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path, const std::string& identity,
                                               const io::OutputRules& rules) {
  TL_TRY(rules.check(path, io::OutputKind::file));
  TL_TRY(OpenJournal before, open_ours(path, O_CREAT));
  const std::string& text = before.text;
  const std::string first = heading(identity);
  const bool same = text.starts_with(first);
  std::unique_ptr<Journal> journal(new Journal(path, std::move(before.file)));
  journal->replayed_end_ = journal->end_ = static_cast<int64_t>(first.size());
  if (same) journal->read(text, first.size());
  // Lines that cannot be replayed are cut off; the rest stays unchanged.
  const int file = journal->file_.get();
  const auto length = static_cast<off_t>(same ? journal->end_ : 0);
  if (::ftruncate(file, length) != 0 || ::lseek(file, length, SEEK_SET) < 0)
    return io::system_error("the journal of the run cannot be written", path, errno);
  if (!same) TL_TRY(io::write_all(file, std::as_bytes(std::span(first)), path));
  return journal;
}

// Reads evaluations from a position on, up to the first line that is not an evaluation. Returns the position of that
// line.
std::size_t Journal::read_lines(const std::string& text, std::size_t from, std::deque<Line>& lines) {
  for (;;) {
    const std::size_t end = text.find('\n', from);
    if (end == std::string::npos) return from;
    const auto body = unchecked(text.substr(from, end - from));
    const auto bar = body ? body->find('|') : std::string::npos;
    if (bar == std::string::npos) return from;
    Line entry{body->substr(0, bar), {}, static_cast<int64_t>(end + 1 - from)};
    const char* at = body->c_str() + bar + 1;
    char* number_end = nullptr;
    entry.record.loss = std::strtod(at, &number_end);
    auto gradient = numbers_of(number_end);
    if (!gradient) return from;
    entry.record.gradient = *std::move(gradient);
    lines.push_back(std::move(entry));
    from = end + 1;
  }
}

// The last state counts, wherever it is: a killed run may have left earlier evaluations that the state replaces.
void Journal::read(const std::string& text, std::size_t from) {
  end_ = static_cast<int64_t>(read_lines(text, from, known_));
  for (std::size_t mark = text.rfind(state_mark); mark != std::string::npos && mark >= from;
       mark = text.rfind(state_mark, mark - 1)) {
    const std::size_t line_end = text.find('\n', mark);
    if (text[mark - 1] != '\n' || line_end == std::string::npos) continue;
    const auto body = unchecked(text.substr(mark, line_end - mark));
    if (!body) continue;
    state_ = numbers_of(body->c_str() + 1);
    if (!state_) continue;
    end_ = static_cast<int64_t>(read_lines(text, line_end + 1, after_state_));
    return;
  }
}

bool Journal::is_of(const std::filesystem::path& path, const std::string& identity) {
  const Result<OpenJournal> ours = open_ours(path, 0);
  return ours.ok() && ours.value().text.starts_with(heading(identity));
}

void Journal::remove(const std::filesystem::path& path) {
  const Result<OpenJournal> ours = open_ours(path, 0);
  if (ours.ok() && !ours.value().text.empty()) ::unlink(path.c_str());
}

std::optional<Journal::Record> Journal::replay(const std::string& what, const std::vector<double>& z) {
  if (known_.empty()) return std::nullopt;
  if (known_.front().question != question_of(what, z)) {
    known_.clear();  // the path differs: the remaining evaluations are useless
    after_state_.clear();
    state_.reset();
    return std::nullopt;
  }
  Record record = std::move(known_.front().record);
  replayed_end_ += known_.front().bytes;
  known_.pop_front();
  ++replayed_;
  return record;
}

Result<void> Journal::add(const std::string& what, const std::vector<double>& z, const Record& record) {
  std::string line = question_of(what, z) + "|" + number_text(record.loss) + answer_of(record.gradient);
  line = checked(line);
  TL_TRY(io::write_all(file_.get(), std::as_bytes(std::span(line)), path_));
  end_ += static_cast<int64_t>(line.size());
  return ok();
}

std::optional<std::vector<double>> Journal::begin_descent() {
  begin_ = !known_.empty() || state_ ? replayed_end_ : end_;
  if (state_) known_ = std::move(after_state_);
  after_state_.clear();
  return std::exchange(state_, std::nullopt);
}

// Appends the state after the evaluations; then, if there is room, copies it over them; then truncates the file.
Result<void> Journal::replace_by(const std::vector<double>& state) {
  if (!known_.empty()) return ok();
  const std::string line = checked(state_of(state));
  const auto bytes = static_cast<int64_t>(line.size());
  TL_TRY(io::write_all(file_.get(), std::as_bytes(std::span(line)), path_));
  const int64_t behind = std::exchange(end_, end_ + bytes);
  if (begin_ + bytes > behind) return ok();
  const auto failed = [&] { return io::system_error("the journal of the run cannot be written", path_, errno); };
  if (::lseek(file_.get(), begin_, SEEK_SET) < 0) return failed();
  TL_TRY(io::write_all(file_.get(), std::as_bytes(std::span(line)), path_));
  end_ = begin_ + bytes;
  return ::ftruncate(file_.get(), end_) == 0 ? ok() : Result<void>(failed());
}

}  // namespace tl::learn
