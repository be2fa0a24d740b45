// Back-projection of volumes larger than GPU memory: by slabs and chunks of views, on one or several devices.
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

// Slices of the volume computed on one device, and the detector rows they need in any view.
struct Slab {
  std::size_t device = 0;
  Range slices, rows;
};

// Slabs in the order of their slices. Neighbouring slabs are on different devices, which work concurrently. A device
// stores a slab, its sum over one chunk of views, and two buffers of views: one is filled while the other is read.
struct SlabPlan {
  std::vector<SlabDevice> devices;
  std::vector<Slab> slabs;
  std::vector<Range> chunks;  // chunks of the views, the same for all slabs
};

// Errors: invalid without devices; unavailable if not even one slice and one view fit into a device (the message gives
// the numbers).
Result<SlabPlan> plan_slabs(const BackProjectorSpec& spec, std::vector<SlabDevice> devices);
// The largest number of bytes that the plan needs on a device at a time.
int64_t slab_memory(const SlabPlan& plan, const BackProjectorSpec& spec, std::size_t device);

// One command to a device, in an order that keeps every device busy.
struct SlabStep {
  enum class Kind {
    upload,   // copy the chunk's rows for the slab into `buffer`; not before step `after` has finished reading it
    compute,  // add the back-projection of `buffer` to the slab; not before the upload `after` has ended
    download  // copy the slab to the result; not before the computation `after` has ended
  };
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  Kind kind;
  std::size_t slab, chunk, buffer, after;  // after: an earlier step of this device, or nothing
};
// Uploads are one chunk ahead of the computations.
std::vector<SlabStep> slab_schedule(const SlabPlan& plan);

// projections [view, row, col], float32, in CPU memory -> volume [z, y, x] in CPU memory: the result of
// make_back_projector(spec)->apply(), summed by chunks. On a GPU, copies go through pinned memory on a separate stream.
// Checks the cancel token of `spec` between steps. Errors: as plan_slabs(), and those of the operator.
Result<at::Tensor> back_project_slabs(const BackProjectorSpec& spec, const at::Tensor& projections,
                                      const std::vector<SlabDevice>& devices);

// All GPUs, each with nine tenths of its free memory; the CPU if there is none.
std::vector<SlabDevice> slab_devices();

}  // namespace tl
