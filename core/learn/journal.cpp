// Writing, reading and checking of journals.
#include "core/learn/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/graph/base64.h"
#include "core/io/output_file.h"
#include "core/run/hash.h"

namespace tl::learn {
namespace {

std::string number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", v);
  return text;
}

// Longer lists are compared by their digest and written without being rounded, in half the letters.
constexpr std::size_t most_written_out = 300;
constexpr char packed = '#';

std::string_view bytes_of(const std::vector<double>& list) {
  return {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(double)};
}

std::string question_of(const std::string& what, const std::vector<double>& z) {
  if (z.size() > most_written_out) return what + " " + packed + Hasher().add(bytes_of(z)).digest().text();
  std::string text = what;
  for (const double v : z) text += " " + number(v);
  return text;
}

std::string answer_of(const std::vector<double>& gradient) {
  if (gradient.size() > most_written_out) {
    const std::string_view bytes = bytes_of(gradient);
    return std::string(" ") + packed + base64(bytes.data(), bytes.size());
  }
  std::string text;
  for (const double v : gradient) text += " " + number(v);
  return text;
}

// Nothing where it is no answer.
std::optional<std::vector<double>> numbers_of(const char* at) {
  while (*at == ' ') ++at;
  std::vector<double> list;
  if (*at == packed) {
    const auto bytes = bytes_of_base64(at + 1);
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

// The part of a line before its checksum, if that is right.
std::optional<std::string> unchecked(const std::string& line) {
  const auto tab = line.rfind('\t');
  if (tab == std::string::npos) return std::nullopt;
  const std::string body = line.substr(0, tab);
  return checked(body) == line + "\n" ? std::optional<std::string>(body) : std::nullopt;
}

std::string heading(const std::string& identity) { return checked("tomoloom-learning-journal 1 " + identity); }

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path, const std::string& identity) {
  std::deque<Line> known;
  std::string kept = heading(identity);
  {
    std::ifstream before(path, std::ios::binary);
    std::string line;
    bool ours = std::getline(before, line) && line + "\n" == kept;
    while (ours && std::getline(before, line)) {
      const auto body = before.eof() ? std::nullopt : unchecked(line);
      const auto bar = body ? body->find('|') : std::string::npos;
      if (bar == std::string::npos) break;
      Line entry{body->substr(0, bar), {}};
      const char* at = body->c_str() + bar + 1;
      char* end = nullptr;
      entry.record.loss = std::strtod(at, &end);
      auto gradient = numbers_of(end);
      if (!gradient) break;
      entry.record.gradient = *std::move(gradient);
      known.push_back(std::move(entry));
      kept += line + "\n";
    }
  }
  // What cannot be replayed is cut off; the rest stands as it was.
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  if (file == nullptr && errno == ENOENT) file = std::fopen(path.c_str(), "w+b");
  if (file == nullptr) return io::system_error("the journal of the run cannot be written", path, errno);
  std::unique_ptr<Journal> journal(new Journal(path, file));
  if (::flock(::fileno(file), LOCK_EX | LOCK_NB) != 0)
    return invalid("another run is using this journal", path.string(), "Wait for it, or name another output");
  if (::ftruncate(::fileno(file), 0) != 0 || std::fwrite(kept.data(), 1, kept.size(), file) != kept.size() ||
      std::fflush(file) != 0)
    return io::system_error("the journal of the run cannot be written", path, errno);
  journal->known_ = std::move(known);
  return journal;
}

Journal::~Journal() { std::fclose(file_); }

std::optional<Journal::Record> Journal::replay(const std::string& what, const std::vector<double>& z) {
  if (known_.empty()) return std::nullopt;
  if (known_.front().question != question_of(what, z)) {
    known_.clear();  // another path: the rest is of no use
    return std::nullopt;
  }
  Record record = std::move(known_.front().record);
  known_.pop_front();
  ++replayed_;
  return record;
}

Result<void> Journal::add(const std::string& what, const std::vector<double>& z, const Record& record) {
  std::string line = question_of(what, z) + "|" + number(record.loss) + answer_of(record.gradient);
  line = checked(line);
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
    return io::system_error("the journal of the run cannot be written", path_, errno);
  return ok();
}

}  // namespace tl::learn
