// core/nodes/filter/objectness.cpp: how much like a tube, a plate or a blob a volume is at each voxel.
#include "core/itk/filters.h"
#include "core/nodes/whole_volume.h"

namespace tl::filter_objectness_node {

enum class Shape { blobs, tubes, plates };
enum class Grey { bright, dark };

struct Params {
  Shape shape = Shape::tubes;
  Grey grey = Grey::bright;
  double sigma = 1, alpha = 0.5, beta = 0.5, gamma = 5;
};

Result<void> check(const Params&, const Infos& in) { return check_four_voxels(volume_of(in).grid); }

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  VolumeInfo info = volume_of(in);
  info.unit = Unit::none;
  return Infos{{"volume", info}};
}

Result<void> run(const Params& p, NodeRun& r) {
  return put_whole_volume(r, Unit::none, [&](const insight::VolumeView& in, float* out) {
    const insight::Objectness spec{
        static_cast<int64_t>(p.shape), p.grey == Grey::bright, p.sigma, p.alpha, p.beta, p.gamma};
    return insight::objectness(in, spec, out, itk_call(r));
  });
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) { return whole_volume_needs(in); }

// Six second derivatives, and their intermediate images.
int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) { return 48 * volume_of(in).grid.count(); }

void describe(NodeBuilder<Params>& n) {
  n.id("filter.objectness", 1).title("Objectness").category("Filter").partition(Partition::custom);
  n.not_differentiable("it is computed by ITK");
  n.summary("Frangi's vesselness and its kin: finds tubes, plates or blobs of a given size by second derivatives.");
  n.description(
      "The eigenvalues of the second derivatives after a Gaussian show whether a voxel belongs to a structure that is "
      "long and thin, flat, or round. The width of the Gaussian chooses the size: about the radius of the tubes, half "
      "the thickness of the plates. The result is 0 where there is no structure of that shape, and up to 1 otherwise; "
      "labels are made from it by a threshold. Structures weaker than the strength, which is in the unit of the "
      "volume, are suppressed: set it above the strength of the noise. The whole volume has to fit into memory.");
  n.cite("A. F. Frangi et al., Multiscale vessel enhancement filtering, Proc. MICCAI 1998, 130");
  n.cite("L. Antiga, Generalizing vesselness with respect to dimensionality and shape, Insight Journal (2007)");
  n.synonyms(
      {"Frangi", "vesselness", "tubeness", "ridge", "fibres", "cracks", "sheetness", "Hessian", "vessels", "ITK"});
  n.example({{"gamma", "0.01"}});
  n.input<Volume>("volume", "Any volume without NaN.");
  n.output<Volume>("volume", "Likeness, from 0 to 1.");
  n.param("shape", "Shape", &Params::shape,
          {{Shape::blobs, "blobs", "Blobs"}, {Shape::tubes, "tubes", "Tubes"}, {Shape::plates, "plates", "Plates"}})
      .help("Shape of the objects.");
  n.param("grey", "Grey", &Params::grey, {{Grey::bright, "bright", "Brighter"}, {Grey::dark, "dark", "Darker"}})
      .help("Whether the objects are brighter or darker than their surroundings.");
  n.param("sigma", "Size", &Params::sigma)
      .range(0.1, 1000, Unit::px)
      .help("Standard deviation of the Gaussian, in voxels.");
  n.param("gamma", "Strength", &Params::gamma)
      .range(1e-30, 1e30)
      .help("Smallest strength of the second derivatives of a structure, in the unit of the volume.");
  n.advanced_param("alpha", "Alpha", &Params::alpha)
      .range(1e-6, 1e6)
      .help("Larger values suppress objects of more dimensions, such as plates among tubes, more strongly.");
  n.advanced_param("beta", "Beta", &Params::beta)
      .range(1e-6, 1e6)
      .help("Larger values suppress objects of fewer dimensions, such as blobs among tubes, less strongly.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::filter_objectness_node

TL_NODE(filter_objectness)
