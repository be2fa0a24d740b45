// Colours of labels: seven hues of Okabe and Ito, then lighter and darker shades of them.
#include "core/values/label_colours.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tl {
namespace {

constexpr std::array<uint32_t, 21> colour_sequence{
    0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0xffc137, 0x9adaff, 0x00d59b, 0xfff78b,
    0x009af0, 0xff8321, 0xffacda, 0x996a00, 0x39789b, 0x00694d, 0xa0982c, 0x004c77, 0x8e3f00, 0x88516f};

LabelColour from_rgb(uint32_t rgb) {
  return {static_cast<uint8_t>(rgb >> 16U), static_cast<uint8_t>(rgb >> 8U), static_cast<uint8_t>(rgb)};
}

}  // namespace

const LabelClass* class_of(const LabelTable& table, int64_t number) {
  const auto found = std::find_if(table.classes.begin(), table.classes.end(),
                                  [number](const LabelClass& c) { return c.number == number; });
  return found == table.classes.end() ? nullptr : &*found;
}

LabelColour label_colour(const LabelTable& table, int64_t number) {
  constexpr std::size_t length = 7;  // of "#rrggbb"
  if (const LabelClass* c = class_of(table, number); c != nullptr && c->colour.size() == length) {
    uint32_t rgb = 0;
    const char* const end = c->colour.data() + length;
    if (const auto read = std::from_chars(c->colour.data() + 1, end, rgb, 16); read.ptr == end) return from_rgb(rgb);
  }
  const auto index = static_cast<std::size_t>(std::max<int64_t>(number - 1, 0));
  return from_rgb(colour_sequence.at(index % colour_sequence.size()));
}

std::string colour_text(LabelColour colour) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "#";
  for (const unsigned part : {colour.red, colour.green, colour.blue}) {
    text += digits[part >> 4U];
    text += digits[part & 15U];
  }
  return text;
}

bool is_labelled(const LabelTable& table, int64_t number) {
  if (table.not_labelled == number) return false;
  if (number != 0) return true;
  const LabelClass* zero = class_of(table, 0);
  return zero != nullptr && !zero->colour.empty();
}

}  // namespace tl
