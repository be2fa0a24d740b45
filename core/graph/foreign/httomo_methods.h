// The methods of HTTomo that have a counterpart here, with their parameters. Internal to core/graph/foreign.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/foreign/parameter_map.h"

namespace tl::foreign {

// Special work of reading and writing for a method, besides converting parameters.
enum class HttomoRole {
  plain,
  flat_field,   // may be followed by a separate method for the logarithm
  finder,       // finds the rotation axis; smin and smax are its search range
  retrieval,    // takes the pixel size
  recon,        // has the rotation axis as parameter "center"
  masked_recon  // has the rotation axis as parameter, and sets voxels outside a radius to 0
};

struct HttomoMethod {
  std::string_view module, method, node;
  HttomoRole role = HttomoRole::plain;
  std::vector<std::pair<std::string_view, std::string_view>> fixed =
      {};  // parameters of our node that this method implies, with their values
  std::vector<ParameterMap> parameters = {};
  // Parameters of the method without counterpart, with the values that we write; reading these values loses nothing.
  std::vector<std::pair<std::string_view, std::string_view>> constants = {};
  // A difference that always exists: reported whenever the method is read or written.
  std::string_view difference = {};
  bool is_only_read = false;  // another method is written for this node
};

// Position of the axis in a reconstruction without "center", in pixels from the detector centre: TomoPy at w / 2
// (core/base/ axis_frames.h), httomolibgpu at column w / 2 in integers (its recon/algorithm.py), half a pixel from the
// middle for an even width. Nothing if it depends on an unknown width.
std::optional<double> axis_without_centre(const HttomoMethod& method, std::optional<int64_t> columns);

// All methods; of several rows with the same node the first that fits is written.
const std::vector<HttomoMethod>& httomo_methods();
// By module and name, else by name in another module of the same packages; nullptr if the method is not known.
const HttomoMethod* find_httomo_method(std::string_view module, std::string_view method);

}  // namespace tl::foreign
