// Fuzzer target: any bytes as a volume file of each format that takes it for its own, read in this process.
#include <ATen/ATen.h>
#include <tiffio.h>

#include "core/io/volumes/format.h"
#include "tests/fuzz/targets/target_file.h"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  TIFFSetWarningHandler(nullptr);
  TIFFSetErrorHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
  using namespace tl;
  for (const io::VolumeFormat& format : io::volume_formats()) {
    if (format.output_kind != io::OutputKind::file) continue;  // slices are TIFF files as well
    const fuzz::TargetFile file(fuzz::first_ending(format.extensions), bytes, size);
    if (format.sniff(file.path()) == 0) continue;
    const io::VolumeAccess access{std::make_shared<io::SourceFiles>(file.path(), io::OutsideLinks::refuse), 1};
    const auto volume = format.open(file.path(), access);
    if (!volume.ok()) {
      fuzz::must_say_what_and_where(volume.error());
      continue;
    }
    const VolumeGrid& g = volume.value().info.grid;
    if (g.nz <= 0 || g.ny <= 0 || g.nx <= 0) std::abort();
    // A damaged size may be honest about a file with holes: no more than some voxels are read here.
    if (g.nz > (1 << 16) / g.ny || g.nz * g.ny > (1 << 16) / g.nx) continue;
    const at::Tensor voxels = at::empty({g.nz, g.ny, g.nx}, at::kFloat);
    (void)volume.value().voxels->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}, voxels);
  }
  return 0;
}
