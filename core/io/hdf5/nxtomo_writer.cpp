// Writes a whole scan in memory, with its flats and darks, as an NXtomo file (simulated scans); nxtomo_views.cpp writes
// views while they are computed.
#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "core/base/units.h"
#include "core/io/hdf5/nexus_file.h"
#include "core/io/hdf5/nxtomo_file.h"
#include "core/io/output/output_file.h"
#include "core/io/output/volume_writer.h"

namespace tl::io {
namespace {

bool fits_uint16(const at::Tensor& t) {
  const float* p = t.data_ptr<float>();
  for (int64_t i = 0; i < t.numel(); ++i)
    if (!(p[i] >= 0 && p[i] <= 65535 && p[i] == std::floor(p[i]))) return false;
  return true;
}

// The frames in file order: darks, flats before the first view, views with the flats between them, flats after the last
// view.
struct Series {
  std::vector<at::Tensor> parts;
  std::vector<int32_t> keys;
  std::vector<double> degrees;
  bool counts = false;  // all pixels are 16-bit integers

  void add(const at::Tensor& frames, int32_t key, double first_angle) {
    parts.push_back(frames);
    keys.insert(keys.end(), static_cast<std::size_t>(frames.size(0)), key);
    degrees.insert(degrees.end(), static_cast<std::size_t>(frames.size(0)), first_angle);
  }
};

Series series_of(const Projections& scan, const std::vector<double>& angles) {
  const auto plain = [](const at::Tensor& t) { return t.to(at::kCPU, at::kFloat).contiguous(); };
  const auto degrees = [&](std::size_t i) { return from_stored(angles[std::min(i, angles.size() - 1)], Unit::deg); };
  Series s;
  const References& r = scan.references;
  if (r.darks.defined() && r.darks.size(0) > 0) s.add(plain(r.darks), 2, degrees(0));
  const at::Tensor data = plain(scan.data), flats = r.flats.defined() ? plain(r.flats) : at::Tensor();
  const int64_t n_flats = flats.defined() ? flats.size(0) : 0, views = data.size(0);
  // The view before which each flat was taken; flats with equal positions keep their order.
  std::vector<std::pair<int64_t, int64_t>> order;
  for (int64_t f = 0; f < n_flats; ++f) {
    const auto n = static_cast<std::size_t>(f);
    const double position = n < r.flat_positions.size() ? r.flat_positions[n] : -0.5;
    order.emplace_back(std::clamp<int64_t>(static_cast<int64_t>(std::floor(position)) + 1, 0, views), f);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  int64_t done = 0;
  const auto views_until = [&](int64_t end) {
    if (end <= done) return;
    s.add(data.slice(0, done, end), 0, 0);
    for (int64_t i = done; i < end; ++i)
      s.degrees[s.degrees.size() - static_cast<std::size_t>(end - i)] = degrees(static_cast<std::size_t>(i));
    done = end;
  };
  for (const auto& [view, f] : order) {
    views_until(view);
    s.add(flats.slice(0, f, f + 1), 1, degrees(static_cast<std::size_t>(view)));
  }
  views_until(views);
  s.counts = scan.kind == PixelKind::counts && std::all_of(s.parts.begin(), s.parts.end(), fits_uint16);
  return s;
}

// Reserves the disk space of the file, so that a full disk is detected before HDF5 writes.
Result<void> check_room(const OutputFile& file, const Series& series) {
  constexpr int64_t per_frame = 256,
                    rest = 1 << 16;  // space for chunk index, keys and angles, groups and texts
  const int64_t per_pixel = series.counts ? 2 : 4;
  int64_t bytes = rest;
  for (const at::Tensor& part : series.parts) bytes += part.numel() * per_pixel + per_frame * part.size(0);
  struct stat status {};
  int code = fstat(file.handle(), &status) == 0 && S_ISREG(status.st_mode) ? 0 : ENODEV;
  if (code == 0 && fallocate(file.handle(), 0, 0, bytes) != 0 && errno != EOPNOTSUPP && errno != ENOSYS) code = errno;
  if (code == 0) return ok();
  return system_error("the output of " + std::to_string(bytes) + " bytes cannot be written", file.name(), code);
}

}  // namespace

Result<void> write_nxtomo(const std::filesystem::path& name, const Projections& scan, double energy_kev,
                          const OutputRules& rules) {
  TL_CHECK(scan.data.dim() == 3 && scan.data.size(0) == scan.geometry.views(), "a scan is [view, row, col]");
  const auto orbit = scan.geometry.orbit();
  if (!orbit)
    return invalid("only circular scans can be written as NXtomo", name.string(), "Simulate a circular orbit");
  TL_TRY(OutputFile file, OutputFile::create(name, rules));
  const Series series = series_of(scan, orbit->angles);
  TL_TRY(check_room(file, series));
  std::optional<std::string> problem;
  {
    const std::lock_guard lock(hdf5_mutex());
    NexusFile writer(file.part_path());
    write_nxtomo_metadata(writer,
                          {scan.geometry, *orbit, energy_kev, series.keys, series.degrees, KnownGeometry::as_truth});
    writer.frames(nxtomo_frames, series.parts, series.counts, std::string(to_string(scan.kind)));
    problem = writer.finish();
  }
  if (problem)
    return io_error("the scan cannot be written", file.name().string(),
                    "Check that the disk has room and the folder may be "
                    "written to (HDF5 says: " +
                        *problem + ")");
  return file.commit();
}

}  // namespace tl::io
