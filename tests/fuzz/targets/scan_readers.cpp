// Fuzzer target: any bytes as a scan of each format that takes it for its own, read in this process.
#include <tiffio.h>

#include "core/io/scans/scan_formats.h"
#include "tests/fuzz/targets/target_file.h"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  TIFFSetWarningHandler(nullptr);
  TIFFSetErrorHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
  using namespace tl;
  for (const io::ScanFormat& format : io::scan_formats()) {
    const fuzz::TargetFile file(fuzz::first_ending(format.extensions), bytes, size);
    const io::ScanAccess access{std::make_shared<io::SourceFiles>(file.path(), io::OutsideLinks::refuse), 1};
    if (format.sniff(file.path(), access) == 0) continue;
    const auto scan = format.open(file.path(), access);
    if (!scan.ok()) {
      fuzz::must_say_what_and_where(scan.error());
      continue;
    }
    const io::ScanInfo& info = scan.value()->info();
    if (info.views <= 0 || info.rows <= 0 || info.cols <= 0) std::abort();
    // A damaged size may be honest about a file with holes: frames of more than a few pixels are not read here.
    if (info.views > (1 << 16) / info.rows || info.views * info.rows > (1 << 16) / info.cols) continue;
    (void)scan.value()->read({{0, info.views}, {0, info.rows}, {0, info.cols}});
    (void)scan.value()->read_flats({0, info.rows}, {0, info.cols});
    (void)scan.value()->read_darks({0, info.rows}, {0, info.cols});
  }
  return 0;
}
