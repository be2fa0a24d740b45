// Tables of classes as one line of text, the form used in parameters.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/values/label_table.h"

namespace tl {

// "1 enamel #e69f00; 2 dentine #56b4e9": number (1 to 65535), name and colour (#rrggbb) of each class, in any order; a
// name may have several words, and both name and colour may be missing. Voxels of 0 are not labelled. An empty text is
// a table without classes. invalid, naming the class and the format: an entry without such a number, or a duplicate
// number.
Result<LabelTable> label_table_from_text(std::string_view text);

// Text for label_table_from_text(), in which 0 always means "not labelled", so that a class 0 is left out; a ';' in a
// name becomes a ','.
std::string to_text(const LabelTable& table);

}  // namespace tl
