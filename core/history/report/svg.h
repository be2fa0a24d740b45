// Svg: writes a drawing as SVG, element by element. Uses presentation attributes only, which simple viewers support
// too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tl::history {

enum class Anchor { start, middle, end };

struct SvgText {
  double size = 12;  // px
  const char* colour = "#000000";
  Anchor anchor = Anchor::start;
  bool bold = false;
};

struct SvgPoint {
  double x = 0, y = 0;
};

class Svg {
 public:
  // The part of the plane that is shown, and its title.
  Svg(SvgPoint corner, double width, double height, std::string_view title);

  void rectangle(SvgPoint corner, double width, double height, double radius, std::string_view style);
  void circle(SvgPoint centre, double radius, std::string_view style);
  void polygon(const std::vector<SvgPoint>& points, std::string_view style);
  void polyline(const std::vector<SvgPoint>& points, std::string_view style);
  void path(std::string_view commands, std::string_view style);
  void text(SvgPoint at, std::string_view words, const SvgText& how);
  // Fills the rectangle; where the proportions differ, two sides of the image are cropped. `png`: the content of a
  // file.
  void image(SvgPoint corner, double width, double height, std::string_view png);
  [[nodiscard]] std::string done() &&;  // the <svg> element

 private:
  std::string svg_;
};

std::string svg_number(double value);                         // two decimals at most
std::string svg_fill(std::string_view colour);                // attributes: filled, without a line
std::string svg_line(std::string_view colour, double width);  // a line alone
std::string svg_rgb(unsigned rgb);                            // "#rrggbb"
// Approximate, since a drawing does not know the reader's fonts; on the wide side.
double text_width(std::string_view words, double size);
// The text, shortened with "…" if it is wider than `width`.
std::string fitted_text(std::string_view words, double width, double size);

}  // namespace tl::history
