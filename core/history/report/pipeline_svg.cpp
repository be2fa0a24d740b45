// Draws the cards, links and frames of a pipeline.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/history/report/drawing.h"
#include "core/history/report/paper.h"
#include "core/history/report/svg.h"
#include "core/values/palette.h"

namespace tl::history {
namespace {

constexpr double edge = 24, pad = 10, stripe = 4, port_radius = 5.5;
constexpr double title_size = 13, row_size = 12, small_size = 11;

std::string port_colour(PortType type) {
  const auto rgb = data_rgb(row_of(type).colour);
  return rgb ? svg_rgb(*rgb) : paper::second;
}

std::vector<SvgPoint> corners(SvgPoint centre, double radius, int count) {
  std::vector<SvgPoint> points;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    points.push_back({centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)});
  }
  return points;
}

// The shapes of widgets/canvas/items/port_shape.
void draw_port(Svg& svg, const DrawnCard& card, const DrawnPort& port) {
  const SvgPoint at{card.x + port.x, card.y + port.y};
  const std::string_view shape = row_of(port.type).shape;
  const std::string fill = svg_fill(port_colour(port.type)) + " stroke=\"" + paper::card + "\"";
  const auto regular = [&](double scale, int count) { svg.polygon(corners(at, scale * port_radius, count), fill); };
  if (shape == "square") {
    const double side = 1.8 * port_radius;
    svg.rectangle({at.x - side / 2, at.y - side / 2}, side, side, 0, fill);
  } else if (shape == "diamond") {
    regular(1.25, 4);
  } else if (shape == "triangle") {
    regular(1.25, 3);
  } else if (shape == "pentagon") {
    regular(1.15, 5);
  } else if (shape == "hexagon") {
    regular(1.1, 6);
  } else if (shape == "bars") {
    for (int i = -1; i <= 1; ++i)
      svg.rectangle({at.x - port_radius, at.y + (0.75 * i - 0.22) * port_radius}, 2 * port_radius, 0.45 * port_radius,
                    0, svg_fill(port_colour(port.type)));
  } else if (shape == "ring") {
    svg.circle(at, port_radius - 1,
               svg_fill(paper::card) + " stroke=\"" + port_colour(port.type) + "\" stroke-width=\"2\"");
  } else {
    svg.circle(at, port_radius, fill);
  }
}

void draw_card(Svg& svg, const DrawnCard& card) {
  const auto at = [&card](double x, double y) { return SvgPoint{card.x + x, card.y + y}; };
  const char* const ink = card.is_used ? paper::ink : paper::second;
  svg.rectangle(
      at(0, 0), card.width, card.height, 8,
      svg_fill(paper::card) + " stroke=\"" + paper::border + "\"" + (card.is_used ? "" : " stroke-dasharray=\"4 3\""));
  svg.rectangle(at(0, 6), stripe, std::max(card.height - 12, 0.0), 2, svg_fill(svg_rgb(category_rgb(card.category))));
  const double text_left = stripe + pad - 2, text_right = card.width - pad;
  constexpr double line_height = 16;
  const double first = card.title_height / 2 + 4.5 - line_height / 2 * (static_cast<double>(card.title.size()) - 1);
  for (std::size_t i = 0; i < card.title.size(); ++i)
    svg.text(at(text_left, first + line_height * static_cast<double>(i)),
             fitted_text(card.title[i], text_right - text_left, title_size), {title_size, ink, Anchor::start, true});
  if (card.picture_height > 0 && !card.png.empty())
    svg.image(at(stripe, card.title_height), card.width - stripe, card.picture_height, card.png);
  double bottom = card.title_height + card.picture_height;
  for (const DrawnRow& row : card.rows) {
    const double base = bottom + card.row_height / 2 + 4;
    const std::string label = fitted_text(row.label, 0.6 * (text_right - text_left), row_size);
    const double left = text_width(label, row_size);
    svg.text(at(text_left, base), label, {row_size, paper::second});
    svg.text(at(text_right, base), fitted_text(row.value, text_right - text_left - left - 6, row_size),
             {row_size, row.found ? paper::accent : ink, Anchor::end});
    bottom += card.row_height;
  }
  if (card.height > card.title_height) {
    const std::string foot = card.state.empty() ? card.foot : card.state + " · " + card.foot;
    svg.text(at(text_left, bottom + 15), fitted_text(foot, text_right - text_left, small_size),
             {small_size, paper::second});
  }
  for (const DrawnPort& port : card.ports) draw_port(svg, card, port);
}

void draw_link(Svg& svg, const DrawnLink& link) {
  const double dx = link.to_x - link.from_x;
  const double handle = dx > 0 ? std::max(0.5 * dx, std::min(40.0, dx)) : std::clamp(-0.6 * dx, 60.0, 220.0);
  const auto pair = [](double x, double y) { return svg_number(x) + " " + svg_number(y); };
  svg.path("M" + pair(link.from_x, link.from_y) + " C" + pair(link.from_x + handle, link.from_y) + " " +
               pair(link.to_x - handle, link.to_y) + " " + pair(link.to_x, link.to_y),
           svg_line(port_colour(link.type), 2));
}

struct Extent {
  double left = std::numeric_limits<double>::max(), top = left, right = -left, bottom = -left;
  void add(double x, double y, double width, double height) {
    left = std::min(left, x), top = std::min(top, y);
    right = std::max(right, x + width), bottom = std::max(bottom, y + height);
  }
};

}  // namespace

std::string pipeline_svg(const PipelineDrawing& drawing) {
  if (drawing.cards.empty()) return {};
  Extent all;
  for (const DrawnCard& c : drawing.cards) all.add(c.x, c.y, c.width, c.height);
  for (const DrawnFrame& f : drawing.frames) all.add(f.x, f.y, f.width, f.height);
  const SvgPoint corner{all.left - edge, all.top - edge};
  const double width = all.right - all.left + 2 * edge, height = all.bottom - all.top + 2 * edge;
  Svg svg(corner, width, height, "Drawing of the pipeline");
  svg.rectangle(corner, width, height, 8, svg_fill(paper::ground));
  for (const DrawnFrame& f : drawing.frames) {
    svg.rectangle({f.x, f.y}, f.width, f.height, 8, svg_line(paper::border, 1));
    svg.text({f.x + pad, f.y + 18}, fitted_text(f.comment, f.width - 2 * pad, row_size), {row_size, paper::second});
  }
  for (const DrawnLink& link : drawing.links) draw_link(svg, link);
  for (const DrawnCard& card : drawing.cards) draw_card(svg, card);
  return std::move(svg).done();
}

}  // namespace tl::history
