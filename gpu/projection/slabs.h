// Back-projection of more than a card holds: slabs of the volume, some views at a time, over one or several devices.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "gpu/projection/back_projector/back_projector.h"

namespace tl {

// A device and how much of its memory may be used [bytes].
struct SlabDevice {
  std::string id;  // "cpu", "cuda:N"
  int64_t memory = 0;
};

// Slices of the volume that one device makes, and the detector rows that they need in any view.
struct Slab {
  std::size_t device = 0;
  Range slices, rows;
};

// Slabs in the order of their slices; neighbouring ones lie on different devices, which work at the same time. A device
// holds a slab, the sum of one chunk of views for it, and two buffers of views: one is filled while the other is read.
struct SlabPlan {
  std::vector<SlabDevice> devices;
  std::vector<Slab> slabs;
  std::vector<Range> chunks;  // of the views, the same for all slabs
};

// Errors: invalid without devices, unavailable where not even a slice and a view fit into a device (with the numbers).
Result<SlabPlan> plan_slabs(const BackProjectorSpec& spec, std::vector<SlabDevice> devices);
// The largest number of bytes that the plan needs on a device at a time.
int64_t slab_memory(const SlabPlan& plan, const BackProjectorSpec& spec, std::size_t device);

// What a device is asked to do, in an order that keeps every device busy.
struct SlabStep {
  enum class Kind {
    upload,   // copy the chunk's rows for the slab into `buffer`; not before the step `after` has read it
    compute,  // add the back-projection of `buffer` to the slab; not before the upload `after` has ended
    download  // copy the slab to the result; not before the computation `after` has ended
  };
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  Kind kind;
  std::size_t slab, chunk, buffer, after;  // after: an earlier step of this device, or nothing
};
// Uploads run one chunk ahead of the computations.
std::vector<SlabStep> slab_schedule(const SlabPlan& plan);

// projections [view, row, col] in the memory of the processor, float32 -> volume [z, y, x] there: what
// make_back_projector(spec)->apply() gives, summed by chunks. On a card copies go through pinned memory on a stream of
// their own. Looks at the cancel token of `spec` between steps. Errors: as plan_slabs(), and those of the operator.
Result<at::Tensor> back_project_slabs(const BackProjectorSpec& spec, const at::Tensor& projections,
                                      const std::vector<SlabDevice>& devices);

// All cards, each with nine tenths of the memory that it has free; the processor where there is none.
std::vector<SlabDevice> slab_devices();

}  // namespace tl
