// The methods of HTTomo that have a counterpart here, with their parameters. Internal to core/graph/foreign.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/foreign/parameter_map.h"

namespace tl::foreign {

// What reading and writing do in addition to converting parameters.
enum class HttomoRole {
  plain,
  flat_field,   // may be followed by a logarithm of its own
  finder,       // finds the rotation axis; smin and smax are its search range
  retrieval,    // takes the pixel size
  recon,        // takes the rotation axis as "center"
  masked_recon  // and a radius outside of which it gives 0
};

struct HttomoMethod {
  std::string_view module, method, node;
  HttomoRole role = HttomoRole::plain;
  std::vector<std::pair<std::string_view, std::string_view>> fixed =
      {};  // our parameters with the values that this method implies
  std::vector<ParameterMap> parameters = {};
  // Their parameters without counterpart, with the values that we write and that lose nothing when read.
  std::vector<std::pair<std::string_view, std::string_view>> constants = {};
  // What differs in any case: reported when it is read and when it is written.
  std::string_view difference = {};
  bool is_only_read = false;  // another method is written for the node
};

// Where a reconstruction without "center" has the axis, in pixels from the detector centre: TomoPy at w / 2 (core/base/
// axis_frames.h), those of httomolibgpu at column w / 2 in integers (its recon/algorithm.py), half a pixel from
// the middle for an even width. Nothing if that depends on a width that is not known.
std::optional<double> axis_without_centre(const HttomoMethod& method, std::optional<int64_t> columns);

// All; of several rows with one node the first that fits is written.
const std::vector<HttomoMethod>& httomo_methods();
// By module and name, else by name in another module of the same packages; nullptr if it is not known.
const HttomoMethod* find_httomo_method(std::string_view module, std::string_view method);

}  // namespace tl::foreign
