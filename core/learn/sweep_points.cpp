// Files of single points, the montage and the tables of a sweep.
#include "core/learn/sweep_points.h"

#include <ATen/ATen.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/graph/graph_json.h"
#include "core/io/output_file.h"
#include "core/learn/short_number.h"
#include "core/picture/small_text.h"
#include "core/run/provenance.h"

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

// For people and tables: as many digits as tell the number apart.
std::string number(double x) {
  char text[40];
  for (const int digits : {6, 9, 17}) {
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    if (std::strtod(text, nullptr) == x) break;
  }
  return text;
}

std::optional<std::string> contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

std::string pixels_of(const at::Tensor& tile) {
  if (!tile.defined()) return {};
  const at::Tensor plain = tile.contiguous();
  return {static_cast<const char*>(plain.const_data_ptr()), plain.nbytes()};
}

// head: one line of JSON; then the pixels.
std::string packed(const SweepResult& r) {
  const std::string pixels = pixels_of(r.tile);
  Json head{{"values", r.point.values}, {"error", r.point.error}, {"checksum", Hasher().add(pixels).digest().text()}};
  head["score"] = r.point.score ? Json(exact(*r.point.score)) : Json();
  head["size"] = r.tile.defined() ? Json{r.tile.size(0), r.tile.size(1)} : Json();
  const std::string text = head.dump();
  return Hasher().add(text).digest().text() + text + "\n" + pixels;
}

std::optional<SweepResult> unpacked(const std::string& all) {
  constexpr std::size_t checksum = 32;
  const auto end = all.find('\n');
  if (end == std::string::npos || end <= checksum) return std::nullopt;
  const std::string text = all.substr(checksum, end - checksum), pixels = all.substr(end + 1);
  if (Hasher().add(text).digest().text() != all.substr(0, checksum)) return std::nullopt;
  const Json head = Json::parse(text, nullptr, false);
  if (head.is_discarded() || head.at("checksum") != Hasher().add(pixels).digest().text()) return std::nullopt;
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
  const picture::Dots dots = picture::small_text(text);
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

// A field of a CSV file.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

Result<SweepStore> SweepStore::open(const fs::path& folder, const Hash& job, io::Overwrite overwrite) {
  std::error_code failed;
  const auto known = contents(folder / job_file);
  const std::string text = Json{{"format", "tomoloom-sweep-in-progress"}, {"job", job.text()}}.dump() + "\n";
  if (known && *known == text) return SweepStore(folder);
  if (fs::exists(folder, failed)) {
    if (!known)
      return invalid("there is a folder of this name that no sweep made", folder.string(),
                     "Choose another output name");
    if (overwrite == io::Overwrite::refuse)
      return invalid("another sweep was interrupted here", folder.string(),
                     "Repeat that one to finish it, choose another output name, or allow this with --overwrite");
    fs::remove_all(folder, failed);
  }
  if (!fs::create_directory(folder, failed))
    return io_error("the folder for what is done cannot be made: " + failed.message(), folder.string());
  TL_TRY(io::write_text(folder / job_file, text, io::Overwrite::replace));
  return SweepStore(folder);
}

fs::path SweepStore::file(std::size_t index) const { return folder_ / ("point_" + std::to_string(index)); }

std::optional<SweepResult> SweepStore::find(std::size_t index) const {
  const auto all = contents(file(index));
  return all ? unpacked(*all) : std::nullopt;
}

Result<void> SweepStore::keep(std::size_t index, const SweepResult& result) const {
  return io::write_text(file(index), packed(result), io::Overwrite::replace);
}

void SweepStore::remove() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

at::Tensor sweep_montage(const std::vector<SweepResult>& results, int64_t across, std::optional<std::size_t> best) {
  int64_t height = 1, width = 1;
  std::size_t lines = 1, letters = 14;  // of a score with its mark
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
  for (const SweepAxis& axis : request.axes) text += field(axis.node + "." + axis.param) + ",";
  text += "score,error\n";
  for (const SweepPoint& p : report.points) {
    for (const std::string& value : p.values) text += field(value) + ",";
    text += (p.score ? number(*p.score) : "") + "," + field(p.error) + "\n";
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
