// PixelClassifier: a forest with the features and classes that it was grown from, and its form in a model file.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/values/values.h"
#include "gpu/classification/features.h"
#include "gpu/classification/forest.h"

namespace tl {

struct PixelClassifier {
  ops::FeatureSpec features;        // without voxel size and token
  std::vector<LabelClass> classes;  // of the forest, sorted by number
  ops::Forest forest;
};

Model model_of(const PixelClassifier& classifier);
// Errors: invalid, with `where`: a model of another kind, damaged arrays.
Result<PixelClassifier> classifier_of(const Model& model, const std::string& where);

// For messages and cache keys: "in slices; gaussian, hessian; 0.7, 1 voxels".
std::string feature_text(const ops::FeatureSpec& features);

}  // namespace tl
