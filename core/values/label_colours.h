// Colours of labels: from the table of classes, else from a fixed sequence.
#pragma once

#include <cstdint>
#include <string>

#include "core/values/label_table.h"

namespace tl {

struct LabelColour {
  uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const LabelColour&, const LabelColour&) = default;
};

// The class of a number; nullptr if the table does not have it.
const LabelClass* class_of(const LabelTable& table, int64_t number);
// The colour of a number: that of its class, else one from a fixed sequence of seven colours that are distinguishable
// with colour blindness (M. Okabe and K. Ito, Color Universal Design, 2008), each in three degrees of brightness.
LabelColour label_colour(const LabelTable& table, int64_t number);
// "#e69f00"
std::string colour_text(LabelColour colour);
// Whether its voxels are displayed and exported: not 0 unless that is a class with a colour, and not the unlabelled
// number.
bool is_labelled(const LabelTable& table, int64_t number);

}  // namespace tl
