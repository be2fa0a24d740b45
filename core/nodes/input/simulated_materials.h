// A scan simulated with the polychromatic beam of a tube: of a phantom of one material, or of labels in a file.
#pragma once

#include "core/nodes/tube_params.h"

namespace tl {

struct SimulatedMaterials : TubeParams {
  std::string materials;              // in the notation of parse_materials(); empty: monochromatic beam
  std::optional<std::string> labels;  // file of a labelled volume, instead of the phantom
};

inline bool is_spectral(const SimulatedMaterials& p) { return !p.materials.empty(); }

// Errors: invalid for materials, tube and labels that do not fit together; those of opening the labels.
Result<void> check_materials(const SimulatedMaterials& p);

// Absorption [view, row, col], float64, from the lengths [mm] of rays within the first material.
Result<at::Tensor> spectral_absorption(const SimulatedMaterials& p, const at::Tensor& lengths);
// Absorption through the labels of the file.
Result<at::Tensor> spectral_absorption(const SimulatedMaterials& p, const ScanGeometry& geometry, NodeRun& r);

// Attenuation [1/mm] of each material at the mean energy of the recorded signal: the contrast in a scan at that
// energy.
Result<std::vector<double>> effective_attenuations(const SimulatedMaterials& p);
// Attenuations on a grid, float64, at the nearest voxels of the labels.
Result<at::Tensor> label_attenuations(const SimulatedMaterials& p, const VolumeGrid& grid, NodeRun& r);

Result<std::string> fingerprint_of_labels(const SimulatedMaterials& p);
Result<ScanFiles> files_of_labels(const SimulatedMaterials& p);

// P derives from SimulatedMaterials.
template <class P>
void declare_simulated_materials(NodeBuilder<P>& n) {
  n.param("materials", "Materials", &P::materials)
      .help(
          "Material of the phantom, or of each label from 1 on, in the beam of a tube: formula, element or NIST name "
          "with the density in g/cm3 where the tables have none, separated by semicolons (C5O2H8 1.18; Al). Empty: a "
          "beam of one energy.");
  n.advanced_param("labels", "Labels", &P::labels)
      .input_file()
      .automatic("the phantom")
      .help("A volume of labels that is scanned instead of the phantom; it needs the materials.");
  declare_tube(n, TubeUse::simulated);
}

}  // namespace tl
