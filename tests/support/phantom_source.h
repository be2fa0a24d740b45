// A source node for tests: an analytic scan of a phantom, so that pipelines run without a file.
#pragma once

#include "core/node/registry.h"

namespace tl::test {

// "test.phantom": parameters views, rows, cols, range [deg], axis [px], beam ("parallel", "cone"), kind ("absorption",
// "transmission", "counts": the last with two flats at each end, 5 % brighter at the later one, and two darks), density
// (a factor of the attenuation), photons and seed (noise; the seed also changes the shifts), rays per pixel edge, gaps
// ("one_nan": the middle pixel of the middle view), pixel [mm] (the phantom's size scales with it), delta_over_beta
// (above 0: the wave is propagated; whole scans only), lean (of the axis along the beam, not stated in the geometry),
// body ("shepp_logan", "balls"). Energy 20 keV, detector 100 mm behind the axis, source of the cone 200 mm before it.
NodeType phantom_source();
// "test.displacement": maps of a smooth displacement [mm] on the grid of a volume.
NodeType displacement_source();
// "test.per_view": hands views on, but needs whole views, as phase retrieval does.
NodeType per_view_filter();
// "test.throws": throws the exception named by its parameter ("bad_alloc", "torch", "torch_memory", "std", "failure").
NodeType thrower();
// "test.steps": a thousand tensor operations and a metric "step" after each, without a look at the cancel token.
NodeType many_operations();
// "test.gate": passes projections on while the gate is open; while it is closed, waits until it opens or the work is
// cancelled. There is one gate for all nodes, initially open.
NodeType gate();
void open_gate();
void close_gate();
bool anyone_waits_at_the_gate();
// All nodes of the program and the test nodes above.
const Registry& registry();

}  // namespace tl::test
