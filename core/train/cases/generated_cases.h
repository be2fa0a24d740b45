// Generated cases: volumes and images with their true labels, to try networks and training with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/train/training_set.h"

namespace tl::train {

struct GeneratedCase {
  TrainingSet set;
  std::vector<Item> test;
  std::vector<at::Tensor> inside;  // bool, for the volumes of `test`: voxels inside the tube; empty if there is none
};

// Numbers of items, and edges of their images or volumes [voxel].
struct CaseSize {
  int64_t training = 1, validation = 1, test = 1, edge = 128;
};

enum class FibreScene {
  spheres,    // upright strands, and larger spheres of the same grey value, in a matrix: background, strand, sphere
  container,  // thin upright strands in a tube with larger absorption: background, strand
};

enum class FibreBodies {
  thin,  // up to 45 strands, with 0.045 of the cylinder's radius, and 15 spheres; the tube is the brightest
  // Up to 20 strands with 0.09 of the radius and 20 spheres, as published; the tube is as bright as its content, so
  // that a threshold finds the cylinder rather than the strands.
  published,
};
struct FibreCase {
  FibreScene scene = FibreScene::spheres;
  FibreBodies bodies = FibreBodies::thin;
};

// Volumes of phantoms (gpu/simulate/labelled_phantom.h) reconstructed by FDK from 60 views of a cone beam, of which the
// rays through the axis lose 70 % on average, counted as photons. Labels are those of the centres of voxels. Throws
// Failure when cancelled.
Result<GeneratedCase> fibres(const FibreCase& of, const CaseSize& size, uint64_t seed, const CancelToken& cancel = {});

// Images of 24 objects of 32 pixels (filled and hollow squares, discs and rings) of values from 0.2 to 1 in noise of
// deviation 1, all of which a later one may cover: background and four classes. R. A. Schoonhoven, A. A. Hendriksen, D.
// M. Pelt, K. J. Batenburg, LEAN: graph-based pruning for convolutional neural networks by extracting longest chains,
// arXiv 2011.06923. Errors: invalid for edges below 32.
Result<GeneratedCase> circles_squares(const CaseSize& size, uint64_t seed);

// Images of adjacent cells of about 24 pixels (the regions nearest to points on a perturbed grid); they are separated
// by dark membranes of 3 pixels, whose contrast fades to a quarter in places, with noise of 0.3 of their full contrast:
// membrane and cell. Errors: invalid for edges below 48.
Result<GeneratedCase> cells(const CaseSize& size, uint64_t seed);

}  // namespace tl::train
