// Svg: appends elements as text.
#include "core/history/report/svg.h"

#include <array>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/graph/base64.h"

namespace tl::history {
namespace {

std::string point_list(const std::vector<SvgPoint>& points) {
  std::string list;
  for (const SvgPoint& p : points) list += (list.empty() ? "" : " ") + svg_number(p.x) + "," + svg_number(p.y);
  return list;
}

std::string attribute(const char* name, double value) {
  return " " + std::string(name) + "=\"" + svg_number(value) + "\"";
}

std::string box(SvgPoint corner, double width, double height) {
  return attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", width) + attribute("height", height);
}

// Width of the first character, in units of the font size.
double character_width(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (lead >= 0xe3) return 1;  // East Asian scripts and pictograms
  if (lead >= 0x80) return 0.62;
  const char c = character.front();
  if (std::string_view("ijl.,:;|!'()[] ").find(c) != std::string_view::npos) return 0.32;
  if (std::string_view("mwMW@%").find(c) != std::string_view::npos) return 0.9;
  return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? 0.68 : 0.56;
}

std::size_t bytes_of_first(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0U) == 0x80) ++bytes;
  return bytes;
}

}  // namespace

std::string svg_number(double value) {
  if (!std::isfinite(value)) return "0";
  return formatted("%.8g", std::round(value * 100) / 100);
}

std::string svg_fill(std::string_view colour) { return "fill=\"" + std::string(colour) + "\""; }
std::string svg_line(std::string_view colour, double width) {
  return "fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" + svg_number(width) + "\"";
}

std::string svg_rgb(unsigned rgb) { return formatted("#%06x", rgb & 0xffffffU); }

double text_width(std::string_view words, double size) {
  double width = 0;
  while (!words.empty()) {
    width += character_width(words) * size;
    words.remove_prefix(bytes_of_first(words));
  }
  return width;
}

std::string fitted_text(std::string_view words, double width, double size) {
  if (text_width(words, size) <= width) return std::string(words);
  const double room = width - text_width("…", size);
  std::string fitted;
  for (double used = 0; !words.empty();) {
    used += character_width(words) * size;
    if (used > room) break;
    const std::size_t bytes = bytes_of_first(words);
    fitted += words.substr(0, bytes);
    words.remove_prefix(bytes);
  }
  return fitted + "…";
}

Svg::Svg(SvgPoint corner, double width, double height, std::string_view title) {
  svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\"" +
         attribute("width", width) + attribute("height", height) + " viewBox=\"" + svg_number(corner.x) + " " +
         svg_number(corner.y) + " " + svg_number(width) + " " + svg_number(height) +
         "\" font-family=\"Inter,Helvetica,Arial,sans-serif\"><title>" + html_escaped(title) + "</title>\n";
}

void Svg::rectangle(SvgPoint corner, double width, double height, double radius, std::string_view style) {
  svg_ += "<rect" + box(corner, width, height) + (radius > 0 ? attribute("rx", radius) : "") + " " +
          std::string(style) + "/>\n";
}

void Svg::circle(SvgPoint centre, double radius, std::string_view style) {
  svg_ += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) + " " +
          std::string(style) + "/>\n";
}

void Svg::polygon(const std::vector<SvgPoint>& points, std::string_view style) {
  svg_ += "<polygon points=\"" + point_list(points) + "\" " + std::string(style) + "/>\n";
}

void Svg::polyline(const std::vector<SvgPoint>& points, std::string_view style) {
  svg_ += "<polyline points=\"" + point_list(points) + "\" " + std::string(style) + "/>\n";
}

void Svg::path(std::string_view commands, std::string_view style) {
  svg_ += "<path d=\"" + std::string(commands) + "\" " + std::string(style) + "/>\n";
}

void Svg::text(SvgPoint at, std::string_view words, const SvgText& how) {
  if (words.empty()) return;
  constexpr std::array anchors{"start", "middle", "end"};
  svg_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + attribute("font-size", how.size) + " fill=\"" +
          how.colour + "\"" + (how.bold ? " font-weight=\"600\"" : "") + " text-anchor=\"" +
          anchors.at(static_cast<std::size_t>(how.anchor)) + "\">" + html_escaped(words) + "</text>\n";
}

void Svg::image(SvgPoint corner, double width, double height, std::string_view png) {
  svg_ += "<image" + box(corner, width, height) + " preserveAspectRatio=\"xMidYMid slice\" xlink:href=\"" +
          "data:image/png;base64," + encode_base64(png.data(), png.size()) + "\"/>\n";
}

std::string Svg::done() && { return std::move(svg_) + "</svg>\n"; }

}  // namespace tl::history
