// LabelView: how labels lie over images, and which class is current.
#pragma once

#include <cstdint>
#include <set>

namespace tl::ui {

struct LabelView {
  bool visible = true;
  bool outlined = false;     // the edges alone
  double opacity = 0.45;     // 0 to 1
  int64_t current = 1;       // the number that is painted, whose row is selected
  std::set<int64_t> hidden;  // numbers that are not shown
  std::set<int64_t> locked;  // painting does not change voxels of these numbers
  // Objects of the selected rows of a table: opaque, the others faint. Not saved with the pipeline.
  std::set<int64_t> highlighted = {};
  friend bool operator==(const LabelView&, const LabelView&) = default;
};

enum class LabelChange { show_or_hide, fill_or_outline, more_opaque, less_opaque };
LabelView changed(LabelView view, LabelChange change);  // never fainter than visible

}  // namespace tl::ui
