// Simulates scans in polychromatic beams.
#include "core/nodes/input/simulated_materials.h"

#include <ATen/ATen.h>

#include "core/nodes/input/file_states.h"
#include "core/nodes/input/volume_file.h"
#include "core/values/values.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/spectral_model.h"

namespace tl {
namespace {

// Labels are shared by all pieces of a scan.
struct LabelVolume {
  at::Tensor data;  // int32
  VolumeGrid grid;
};

Result<std::unique_ptr<io::VolumeReader>> open_labels(const SimulatedMaterials& p, const CancelToken& cancel = {}) {
  return open_labels_file(*p.labels, 0, cancel);
}

std::shared_ptr<LabelVolume> label_volume(const SimulatedMaterials& p, NodeRun& r) {
  const auto reader = open_labels(p, r.cancel()).or_throw();
  r.host().reads(reader->inputs()).or_throw();
  const VolumeGrid grid = reader->info().grid;
  return r.memo<LabelVolume>("labels", 4 * grid.count(), [&] {
    auto made = std::make_shared<LabelVolume>();
    made->grid = grid;
    made->data = values_on_grid(*reader, grid, grid, nearest_labels, r.cancel()).or_throw();
    return made;
  });
}

struct SpectralTables {
  at::Tensor attenuation, weight;
};

Result<SpectralTables> tables_of(const SimulatedMaterials& p) {
  TL_TRY(TubeBeam beam, tube_beam(p));
  SpectralTables tables;
  TL_TRY(tables.attenuation, attenuation_tensor(p.materials, beam.energies));
  tables.weight = beam.weight;
  return tables;
}

}  // namespace

Result<void> check_materials(const SimulatedMaterials& p) {
  if (!is_spectral(p)) {
    if (!p.labels) return ok();
    return invalid("the materials of the labels are not given", "materials", "For example: C5O2H8 1.18; Al");
  }
  TL_TRY(const SpectralTables tables, tables_of(p));
  if (p.labels) {
    TL_TRY(open_labels(p));
  } else if (tables.attenuation.size(0) > 1) {
    return invalid("a phantom is made of one material", "materials", "Give a file of labels for several");
  }
  return ok();
}

Result<at::Tensor> spectral_absorption(const SimulatedMaterials& p, const at::Tensor& lengths) {
  TL_TRY(const SpectralTables tables, tables_of(p));
  return solve::polychromatic_absorption(lengths.unsqueeze(0), tables.attenuation, tables.weight);
}

Result<at::Tensor> spectral_absorption(const SimulatedMaterials& p, const ScanGeometry& geometry, NodeRun& r) {
  TL_TRY(const SpectralTables tables, tables_of(p));
  const auto labels = label_volume(p, r);
  TL_TRY(const OperatorPtr project, make_projector({geometry, labels->grid, r.cancel()}));
  std::vector<at::Tensor> lengths;
  for (int64_t m = 1; m <= tables.attenuation.size(0); ++m)
    lengths.push_back(project->apply(labels->data.eq(m).to(at::kFloat).contiguous()).to(at::kDouble));
  return solve::polychromatic_absorption(at::stack(lengths), tables.attenuation, tables.weight);
}

Result<std::vector<double>> effective_attenuations(const SimulatedMaterials& p) {
  TL_TRY(const TubeBeam beam, tube_beam(p));
  const at::Tensor energies = at::tensor(beam.energies, at::kDouble);
  const double energy = ((beam.weight * energies).sum() / beam.weight.sum()).item<double>();
  TL_TRY(const at::Tensor mu, attenuation_tensor(p.materials, {energy}));
  return std::vector<double>(mu.const_data_ptr<double>(), mu.const_data_ptr<double>() + mu.numel());
}

Result<at::Tensor> label_attenuations(const SimulatedMaterials& p, const VolumeGrid& grid, NodeRun& r) {
  TL_TRY(const std::vector<double> mu, effective_attenuations(p));
  const auto labels = label_volume(p, r);
  const at::Tensor numbers = nearest_labels(labels->data, labels->grid, grid);
  at::Tensor volume = at::zeros(numbers.sizes(), at::kDouble);
  for (std::size_t m = 0; m < mu.size(); ++m) volume.masked_fill_(numbers.eq(static_cast<int64_t>(m) + 1), mu[m]);
  return volume;
}

Result<std::string> fingerprint_of_labels(const SimulatedMaterials& p) {
  if (!p.labels) return std::string();
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open_labels(p));
  return fingerprints_of(reader->files());
}

Result<ScanFiles> files_of_labels(const SimulatedMaterials& p) {
  if (!p.labels) return ScanFiles{};
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open_labels(p));
  return ScanFiles{*p.labels, reader->files()};
}

}  // namespace tl
