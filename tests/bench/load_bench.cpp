// Times reading a stack of uint16 TIFFs to absorption, alternately with a plain loop that reads and converts the same
// files, with our own reader in this process instead of a process of its own, and with frames handed over as floats.
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "core/io/open_scan.h"
#include "core/io/reader/source_files.h"
#include "core/io/scans/scan_formats.h"
#include "gpu/correction/flats/flat_field.h"
#include "tests/bench/bench.h"

using namespace tl;
namespace fs = std::filesystem;

namespace {

// The smallest TIFF there is: one strip, no compression, pixels from byte 8.
void write_tiff(const fs::path& path, int64_t size, const std::vector<uint16_t>& pixels) {
  const auto edge = static_cast<uint32_t>(size), bytes = static_cast<uint32_t>(2 * size * size);
  struct Tag {
    uint16_t id, type;
    uint32_t count, value;
  };
  const Tag tags[] = {{256, 4, 1, edge}, {257, 4, 1, edge}, {258, 3, 1, 16},   {259, 3, 1, 1},     {262, 3, 1, 1},
                      {273, 4, 1, 8},    {277, 3, 1, 1},    {278, 4, 1, edge}, {279, 4, 1, bytes}, {339, 3, 1, 1}};
  const uint16_t count = std::size(tags);
  const uint32_t head[2] = {0x002A4949, 8 + bytes}, end = 0;
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](const void* data, std::size_t n) {
    file.write(static_cast<const char*>(data), static_cast<std::streamsize>(n));
  };
  put(head, sizeof head);
  put(pixels.data(), bytes);
  put(&count, 2);
  put(tags, sizeof tags);
  put(&end, 4);
  if (!file.flush()) bench::stop("cannot write " + path.string());
}

// Every pixel of frame i is dark by 100 counts and half as bright as the flat, give or take a pattern.
void make_scan(const fs::path& folder, int64_t frames, int64_t size) {
  fs::create_directories(folder);
  std::vector<uint16_t> pixels(static_cast<std::size_t>(size * size));
  for (int64_t i = 0; i < frames; ++i) {
    for (std::size_t p = 0; p < pixels.size(); ++p)
      pixels[p] = static_cast<uint16_t>(10100 + (p * 7 + static_cast<std::size_t>(i)) % 64);
    char name[32];
    std::snprintf(name, sizeof name, "frame_%04d.tif", static_cast<int>(i));
    write_tiff(folder / name, size, pixels);
  }
}

void plain_loop(const fs::path& folder, int64_t frames, int64_t pixels, std::vector<float>& block) {
  const auto in_block = static_cast<int64_t>(block.size()) / pixels;
  std::vector<uint16_t> raw(static_cast<std::size_t>(pixels));
  for (int64_t i = 0; i < frames; ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "frame_%04d.tif", static_cast<int>(i));
    const int file = open((folder / name).c_str(), O_RDONLY);
    if (file < 0 || pread(file, raw.data(), raw.size() * 2, 8) != static_cast<ssize_t>(raw.size() * 2))
      bench::stop("cannot read " + (folder / name).string());
    close(file);
    float* out = block.data() + i % in_block * pixels;
    for (std::size_t p = 0; p < raw.size(); ++p) out[p] = static_cast<float>(raw[p]);
  }
}

// Reads in this process, as no user does: what the process that reads files costs.
std::unique_ptr<io::ScanReader> open_here(const fs::path& folder) {
  const auto sources = std::make_shared<io::SourceFiles>(folder, io::OutsideLinks::refuse);
  return io::open_scan_here(folder, {}, {sources, at::get_num_threads(), {}}).or_throw();
}

// The mean absorption of the last block.
double load(const std::unique_ptr<io::ScanReader>& reader, Samples samples, int64_t frames, int64_t size,
            int64_t block_views) {
  ops::FlatFieldSpec spec;
  spec.flats = at::full({1, size, size}, 20132, at::kFloat);
  spec.darks = at::full({1, size, size}, 100, at::kFloat);
  spec.logarithm = ops::MinusLogSpec{};
  spec.prepared = ops::prepare_flats(spec).or_throw();
  spec.input = ops::InputUse::overwrite;
  double mean = 0;
  for (int64_t first = 0; first < frames; first += block_views) {
    const at::Tensor views =
        reader->read({{first, std::min(frames, first + block_views)}, {0, size}, {0, size}}, samples).or_throw();
    const at::Tensor absorption = ops::flat_field(views, spec).or_throw().logarithm.absorption;
    if (first + block_views >= frames) mean = absorption.mean().item<double>();
  }
  return mean;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t frames = a.number("frames", 1000), size = a.number("size", 1024);
  const int64_t block_views = a.number("block", 4);  // frames that are read before they are corrected
  const fs::path folder = fs::path(a.text("folder", ".")) / "frames";
  a.finish();
  make_scan(folder, frames, size);
  std::vector<float> block(static_cast<std::size_t>(block_views * size * size));
  double mean = 0;
  // Alternately, the best of each: other programs on the machine slow both down.
  bench::Times plain{1e300, 1e300}, ours = plain, here = plain, floats = plain;
  const auto better = [](bench::Times& best, const bench::Times& once) {
    best = {std::min(best.wall, once.wall), std::min(best.processor, once.processor)};
  };
  for (int64_t round = -1; round < a.repeat(); ++round) {
    const auto ours_with = [&](Samples samples) {
      mean = load(io::open_scan(folder).or_throw(), samples, frames, size, block_views);
    };
    const bench::Times one = bench::time_of([&] { plain_loop(folder, frames, size * size, block); }),
                       two = bench::time_of([&] { ours_with(Samples::counts); }),
                       three =
                           bench::time_of([&] { load(open_here(folder), Samples::counts, frames, size, block_views); }),
                       four = bench::time_of([&] { ours_with(Samples::floats); });
    if (round < 0) continue;
    better(plain, one);
    better(ours, two);
    better(here, three);
    better(floats, four);
  }
  char more[200];
  std::snprintf(
      more, sizeof more,
      ", \"plain_seconds\": %.6g, \"plain_processor\": %.6g, \"in_process_seconds\": %.6g, \"float_seconds\": %.6g, "
      "\"check\": \"mean absorption %.4f, wanted %.4f\"",
      plain.wall, plain.processor, here.wall, floats.wall, mean, -std::log(10031.5 / 20032));
  bench::report("load", ours, static_cast<double>(frames * size * size), more);
  fs::remove_all(folder);
}
