// Stores the finished points of a sweep as files, and makes its montage and tables.
#include "core/learn/sweep/sweep_store.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/wording.h"
#include "core/graph/graph_json.h"
#include "core/io/output/output_file.h"
#include "core/io/text/csv.h"
#include "core/learn/short_number.h"
#include "core/picture/small_text.h"
#include "core/run/record/provenance.h"

namespace tl::learn {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* job_file = "sweep.json";
constexpr int64_t gap = 8;  // px

std::string exact(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", x);
  return text;
}

// For display and tables: as many digits as identify the number.
std::string number_text(double x) {
  char text[40];
  for (const int digits : {6, 9, 17}) {
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    if (std::strtod(text, nullptr) == x) break;
  }
  return text;
}

// The text of an open file; nothing if it is not a regular file.
std::optional<std::string> contents(int file) {
  struct stat s {};
  if (file < 0 || fstat(file, &s) != 0 || !S_ISREG(s.st_mode)) return std::nullopt;
  std::string text(static_cast<std::size_t>(s.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = read(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return text;
}

std::string pixels_of(const at::Tensor& tile) {
  if (!tile.defined()) return {};
  const at::Tensor plain = tile.contiguous();
  return {static_cast<const char*>(plain.const_data_ptr()), plain.nbytes()};
}

// The content of a point's file: a header line of JSON, then the pixels. `identity` identifies sweep and point.
std::string packed(const SweepResult& r, const std::string& identity) {
  const std::string pixels = pixels_of(r.tile);
  Json head{{"point", identity},
            {"values", r.point.values},
            {"error", r.point.error},
            {"checksum", Hasher().add(pixels).digest().text()}};
  head["score"] = r.point.score ? Json(exact(*r.point.score)) : Json();
  head["size"] = r.tile.defined() ? Json{r.tile.size(0), r.tile.size(1)} : Json();
  const std::string text = head.dump();
  return Hasher().add(text).digest().text() + text + "\n" + pixels;
}

std::optional<SweepResult> unpacked(const std::string& all, const std::string& identity) {
  constexpr std::size_t checksum = 32;
  const auto end = all.find('\n');
  if (end == std::string::npos || end <= checksum) return std::nullopt;
  const std::string text = all.substr(checksum, end - checksum), pixels = all.substr(end + 1);
  if (Hasher().add(text).digest().text() != all.substr(0, checksum)) return std::nullopt;
  const Json head = Json::parse(text, nullptr, false);
  if (head.is_discarded() || head.value("point", "") != identity) return std::nullopt;
  if (head.at("checksum") != Hasher().add(pixels).digest().text()) return std::nullopt;
  SweepResult r;
  r.point.values = head.at("values").get<std::vector<std::string>>();
  r.point.error = head.at("error").get<std::string>();
  if (!head.at("score").is_null())
    r.point.score = std::strtod(head.at("score").get_ref<const std::string&>().c_str(), nullptr);
  if (!head.at("size").is_null()) {
    const auto size = head.at("size").get<std::vector<int64_t>>();
    if (size.size() != 2 || static_cast<std::size_t>(size[0] * size[1]) * sizeof(float) != pixels.size())
      return std::nullopt;
    r.tile = at::empty({size[0], size[1]}, at::kFloat);
    std::memcpy(r.tile.mutable_data_ptr(), pixels.data(), pixels.size());
  }
  return r;
}

// Writes a line of text with its left upper corner at (y, x), cut after `width` px; `lettering` px per dot.
void write_text(at::Tensor& picture, const std::string& text, int64_t y, int64_t x, int64_t width, int64_t lettering) {
  const picture::Bitmap dots = picture::small_text(text);
  auto cells = picture.accessor<float, 2>();
  for (int64_t r = 0; r < dots.height * lettering; ++r)
    for (int64_t c = 0; c < std::min(dots.width * lettering, width); ++c)
      if (dots.ink[static_cast<std::size_t>(r / lettering * dots.width + c / lettering)] != 0) cells[y + r][x + c] = 1;
}

// Shown from black to white: all but 0.3 % of the values at each end.
std::pair<double, double> window_of(const std::vector<SweepResult>& results) {
  std::vector<at::Tensor> all;
  for (const SweepResult& r : results)
    if (r.tile.defined()) all.push_back(r.tile.masked_select(r.tile.isfinite()));
  const at::Tensor values = all.empty() ? at::Tensor() : std::get<0>(at::cat(all).sort());
  if (!values.defined() || values.numel() == 0) return {0, 1};
  const auto last = static_cast<double>(values.numel() - 1);
  const double low = values[static_cast<int64_t>(0.003 * last)].item<double>();
  const double high = values[static_cast<int64_t>(0.997 * last)].item<double>();
  return {low, high > low ? high : low + 1};
}

Json point_json(const SweepPoint& p) {
  Json json{{"values", p.values}};
  json["score"] = p.score && std::isfinite(*p.score) ? Json(*p.score) : Json();
  if (!p.error.empty()) json["error"] = p.error;
  return json;
}

constexpr std::string_view job_heading = "{\"format\":\"tomoloom-sweep-in-progress\"";
constexpr std::string_view point_prefix = "point_";

bool is_point_name(const std::string& name) {
  return name.starts_with(point_prefix) && name.size() > point_prefix.size() &&
         name.find_first_not_of("0123456789", point_prefix.size()) == std::string::npos;
}

// Whether a file in a sweep's folder has a name that a sweep writes, finished or unfinished.
bool is_member(const std::string& name) {
  if (name == job_file || is_point_name(name) || io::is_part_name(name, job_file)) return true;
  const std::string output = name.empty() ? name : name.substr(1, name.find('.', 1) - 1);
  return is_point_name(output) && io::is_part_name(name, output);
}

Result<std::vector<std::string>> members_of(const fs::path& folder) {
  std::vector<std::string> members;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    members.push_back(it->path().filename().string());
  if (failed) return io::system_error("the folder of the sweep cannot be looked into", folder, failed.value());
  return members;
}

// Deletes files of a sweep that have one hard link; other files in the folder stay.
void remove_members(const fs::path& folder, const std::vector<std::string>& members) {
  const io::FileDescriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  for (const std::string& name : members) {
    struct stat s {};
    if (is_member(name) && fstatat(handle.get(), name.c_str(), &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(s.st_mode) &&
        s.st_nlink == 1)
      unlinkat(handle.get(), name.c_str(), 0);
  }
}

Error no_sweep_folder(const fs::path& folder, const std::string& what) {
  return invalid("there is a folder of this name that no sweep made (it holds " + what + ")", folder.string(),
                 "Choose another output name");
}

// The sweep's folder, created if there is none, and its members. Nothing is written into a folder that is not a
// sweep's.
Result<std::vector<std::string>> our_folder(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    return io::system_error("the folder for finished points cannot be created", folder, errno);
  std::error_code failed;
  if (!fs::is_directory(fs::symlink_status(folder, failed)))
    return invalid("the sweep keeps its points here, but this is not a folder", folder.string(),
                   "Choose another output name");
  TL_TRY(std::vector<std::string> members, members_of(folder));
  for (const std::string& name : members)
    if (!is_member(name)) return no_sweep_folder(folder, name);
  const bool index = std::find(members.begin(), members.end(), job_file) != members.end();
  const auto point = std::find_if(members.begin(), members.end(), is_point_name);
  if (!index && point != members.end()) return no_sweep_folder(folder, *point + " and no " + job_file);
  return members;
}

std::string index_text(const Hash& job) {
  return Json{{"format", "tomoloom-sweep-in-progress"}, {"job", job.text()}}.dump() + "\n";
}

// The index, locked by this run. A new index is empty.
Result<io::FileDescriptor> locked_index(const fs::path& folder) {
  const fs::path path = folder / job_file;
  constexpr int plain = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  io::FileDescriptor file(::open(path.c_str(), plain, 0666));
  struct stat s {};
  if (!file.is_open() && errno != ELOOP && errno != ENXIO && errno != EISDIR)
    return io::system_error("finished results cannot be stored", path, errno);
  if (!file.is_open() || fstat(file.get(), &s) != 0 || !S_ISREG(s.st_mode) || s.st_nlink > 1)
    return no_sweep_folder(folder, job_file);
  if ((flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) || !io::is_at(file.get(), path))
    return io_error("another run is making this sweep", folder.string(), "Wait for it, or choose another output name");
  return file;
}

}  // namespace

Result<SweepStore> SweepStore::open(const fs::path& folder, const Hash& job, const io::OutputRules& rules) {
  TL_TRY(rules.check(folder, io::OutputKind::folder));
  TL_TRY(std::vector<std::string> members, our_folder(folder));
  TL_TRY(io::FileDescriptor index, locked_index(folder));
  const std::string known = contents(index.get()).value_or("?");
  const std::string text = index_text(job);
  // An incomplete index (disk full, run killed) counts as a new one.
  const bool begun = !text.starts_with(known);
  if (begun && !known.starts_with(job_heading)) return no_sweep_folder(folder, job_file);
  if (begun && rules.overwrite == io::Overwrite::refuse)
    return invalid("another sweep was interrupted here", folder.string(),
                   "Repeat that one to finish it, choose another output name" +
                       two_wordings(", or allow this with --overwrite", ""));
  if (known != text) {
    members.erase(std::remove(members.begin(), members.end(), job_file), members.end());
    remove_members(folder, members);
    Result<void> written = ok();
    if (ftruncate(index.get(), 0) != 0 || lseek(index.get(), 0, SEEK_SET) != 0)
      written = io::system_error("finished results cannot be stored", folder / job_file, errno);
    if (written.ok()) written = io::write_all(index.get(), std::as_bytes(std::span(text)), folder / job_file);
    if (!written.ok()) {
      remove_members(folder, {job_file});
      rmdir(folder.c_str());
      return written.error();
    }
  }
  return SweepStore(folder, std::move(index), job, {io::Overwrite::replace, rules.inputs});
}

bool SweepStore::is_of(const fs::path& folder, const Hash& job) {
  const fs::path index = folder / job_file;
  const io::FileDescriptor file(::open(index.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return contents(file.get()) == index_text(job);
}

std::string SweepStore::identity(std::size_t index) const { return job_.text() + " " + std::to_string(index); }

namespace {
std::string point_file(std::size_t index) { return std::string(point_prefix) + std::to_string(index); }
}  // namespace

std::optional<SweepResult> SweepStore::find(std::size_t index) const {
  const fs::path file = folder_ / point_file(index);
  const io::FileDescriptor point(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  const auto all = contents(point.get());
  return all ? unpacked(*all, identity(index)) : std::nullopt;
}

Result<void> SweepStore::keep(std::size_t index, const SweepResult& result) const {
  const fs::path file = folder_ / point_file(index);
  std::error_code failed;
  if (fs::is_symlink(file, failed))
    return invalid("a point of the sweep would be written through a symbolic link", file.string(), "Remove the link");
  return io::write_text(file, packed(result, identity(index)), rules_);
}

void SweepStore::remove() {
  // The index is deleted last: if the run is killed before, the folder can still be recognised as this sweep's.
  if (auto members = members_of(folder_); members.ok()) {
    std::erase(members.value(), job_file);
    remove_members(folder_, members.value());
  }
  remove_members(folder_, {job_file});
  rmdir(folder_.c_str());
}

at::Tensor sweep_montage(const std::vector<SweepResult>& results, int64_t across, std::optional<std::size_t> best) {
  int64_t height = 1, width = 1;
  std::size_t lines = 1, letters = 14;  // length of a score with its mark
  for (const SweepResult& r : results) {
    if (r.tile.defined()) {
      height = std::max(height, r.tile.size(0));
      width = std::max(width, r.tile.size(1));
    }
    lines = std::max(lines, r.point.values.size() + 1);
    for (const std::string& value : r.point.values)
      letters = std::max(letters, std::min<std::size_t>(value.size(), 24));
  }
  const int64_t text_width = static_cast<int64_t>(letters) * picture::letter_width;
  const int64_t lettering = width < 2 * text_width ? 1 : 2;
  width = std::max(width, text_width);
  const int64_t line = picture::text_height * lettering, label = static_cast<int64_t>(lines) * line;
  const int64_t cell_y = label + height + 2 * gap, cell_x = width + 2 * gap;
  const auto count = static_cast<int64_t>(results.size());
  const int64_t down = (count + across - 1) / across;
  const auto [low, high] = window_of(results);
  at::Tensor picture = at::full({down * cell_y, across * cell_x}, 0.12, at::kFloat);
  for (int64_t n = 0; n < count; ++n) {
    const SweepResult& r = results[static_cast<std::size_t>(n)];
    const int64_t y = n / across * cell_y, x = n % across * cell_x;
    const bool framed = best && *best == static_cast<std::size_t>(n);
    if (framed) picture.narrow(0, y + label + gap - 3, height + 6).narrow(1, x + gap - 3, width + 6).fill_(1.0f);
    int64_t at = y + gap / 2;
    for (const std::string& value : r.point.values) {
      write_text(picture, value, at, x + gap, width, lettering);
      at += line;
    }
    const std::string score = r.point.score           ? short_number(*r.point.score, 5)
                              : r.point.error.empty() ? ""
                                                      : "no result";
    write_text(picture, score + (framed ? " *" : ""), at, x + gap, width, lettering);
    at::Tensor place = picture.narrow(0, y + label + gap, height).narrow(1, x + gap, width);
    place.fill_(0.0f);
    if (r.tile.defined())
      place.narrow(0, 0, r.tile.size(0))
          .narrow(1, 0, r.tile.size(1))
          .copy_(((r.tile - low) / (high - low)).clamp(0, 1).nan_to_num(0));
  }
  return picture;
}

std::string sweep_csv(const SweepReport& report, const SweepRequest& request) {
  std::string text;
  for (const SweepAxis& axis : request.axes) text += io::csv_field(axis.node + "." + axis.param) + ",";
  text += "score,error\n";
  for (const SweepPoint& p : report.points) {
    for (const std::string& value : p.values) text += io::csv_field(value) + ",";
    text += (p.score ? number_text(*p.score) : "") + "," + io::csv_field(p.error) + "\n";
  }
  return text;
}

std::string sweep_json(const SweepReport& report, const SweepRequest& request, const Graph& graph) {
  Json json{{"format", "tomoloom-sweep"}, {"schema_version", 1}, {"tomoloom", version()}};
  for (const SweepAxis& axis : request.axes) json["parameters"].push_back(axis.node + "." + axis.param);
  json["score"] = report.score.first.empty() ? Json() : Json(report.score.first + "." + report.score.second);
  json["picture"] = report.picture.first.empty() ? Json() : Json(report.picture.first + "." + report.picture.second);
  json["points"] = Json::array();
  for (const SweepPoint& p : report.points) json["points"].push_back(point_json(p));
  json["best"] = report.best ? point_json(report.points[*report.best]) : Json();
  json["pipeline"] = Json::parse(to_json(graph));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tl::learn
