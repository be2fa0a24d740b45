// Writes a simulated or corrected scan as a NeXus NXtomo file.
#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "core/base/units.h"
#include "core/io/hdf5_file.h"
#include "core/io/output_file.h"
#include "core/io/volume_writer.h"

namespace tl::io {
namespace {

// Collects the first failure, so that a file is described in one go and checked
// once.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) {
    const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), 0, 1);  // OutputFile holds the lock
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
    check(id);
    file_ = Hdf5Id(id, H5Fclose);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    links_ = Hdf5Id(links, H5Pclose);
  }

  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void group(const std::string& name, const std::string& nx_class) {
    if (failed()) return;
    const Hdf5Id id(check(H5Gcreate2(file_.get(), name.c_str(), links_.get(), H5P_DEFAULT, H5P_DEFAULT)), H5Gclose);
    attribute(id.get(), "NX_class", nx_class);
  }
  void text(const std::string& name, const std::string& value) {
    if (failed()) return;
    const char* words = value.c_str();
    const Hdf5Id type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id set = create(name, type.get(), space.get(), H5P_DEFAULT);
    check(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &words));
  }
  template <class T>
  void numbers(const std::string& name, hid_t type, const std::vector<T>& values, const std::string& units) {
    if (failed()) return;
    const hsize_t count = values.size();
    const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Id set = create(name, type, space.get(), H5P_DEFAULT);
    check(H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    if (!units.empty()) attribute(set.get(), "units", units);
  }
  void number(const std::string& name, double value, const std::string& units) {
    if (failed()) return;
    const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id set = create(name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT);
    check(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
    if (!units.empty()) attribute(set.get(), "units", units);
  }
  // Frames of several tensors [n, row, col] one behind the other, in chunks of
  // one frame.
  void frames(const std::string& name, const std::vector<at::Tensor>& parts, bool as_uint16,
              const std::string& quantity) {
    if (failed()) return;
    hsize_t shape[3] = {0, static_cast<hsize_t>(parts[0].size(1)), static_cast<hsize_t>(parts[0].size(2))};
    for (const at::Tensor& part : parts) shape[0] += static_cast<hsize_t>(part.size(0));
    const hsize_t chunk[3] = {1, shape[1], shape[2]};
    const Hdf5Id space(H5Screate_simple(3, shape, nullptr), H5Sclose), plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(plist.get(), 3, chunk));
    const Hdf5Id set = create(name, as_uint16 ? H5T_STD_U16LE : H5T_IEEE_F32LE, space.get(), plist.get());
    attribute(set.get(), "quantity", quantity);
    hsize_t start[3] = {0, 0, 0};
    for (const at::Tensor& part : parts) {
      if (failed()) return;
      const hsize_t count[3] = {static_cast<hsize_t>(part.size(0)), shape[1], shape[2]};
      const Hdf5Id memory(H5Screate_simple(3, count, nullptr), H5Sclose);
      check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr));
      check(H5Dwrite(set.get(), H5T_NATIVE_FLOAT, memory.get(), space.get(), H5P_DEFAULT, part.data_ptr<float>()));
      start[0] += count[0];
    }
  }
  void link(const std::string& target, const std::string& name) {
    if (!failed()) check(H5Lcreate_soft(target.c_str(), file_.get(), name.c_str(), links_.get(), H5P_DEFAULT));
  }
  void root_attribute(const std::string& name, const std::string& value) {
    if (!failed()) attribute(file_.get(), name, value);
  }
  // Flushes; the first failure of all, or none.
  std::optional<std::string> finish() {
    if (!failed()) check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL));
    return problem_;
  }

 private:
  [[nodiscard]] bool failed() const { return problem_.has_value(); }
  hid_t check(hid_t result) {
    if (result < 0 && !failed()) problem_ = Hdf5Quiet::problem();
    return result;
  }
  // Of variable length, as h5py reads as str.
  static Hdf5Id text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return {type, H5Tclose};
  }
  Hdf5Id create(const std::string& name, hid_t type, hid_t space, hid_t plist) {
    return {check(H5Dcreate2(file_.get(), name.c_str(), type, space, links_.get(), plist, H5P_DEFAULT)), H5Dclose};
  }
  void attribute(hid_t object, const char* name, const std::string& value) {
    attribute(object, std::string(name), value);
  }
  void attribute(hid_t object, const std::string& name, const std::string& value) {
    if (failed()) return;
    const char* words = value.c_str();
    const Hdf5Id type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id id(check(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)),
                    H5Aclose);
    check(H5Awrite(id.get(), type.get(), &words));
  }

  const Hdf5Quiet quiet_;
  Hdf5Id file_, links_;
  std::optional<std::string> problem_;
};

bool fits_uint16(const at::Tensor& t) {
  const float* p = t.data_ptr<float>();
  for (int64_t i = 0; i < t.numel(); ++i)
    if (!(p[i] >= 0 && p[i] <= 65535 && p[i] == std::floor(p[i]))) return false;
  return true;
}

// Darks first, then flats before the first view, views with the flats between
// them, flats after the last view.
struct Series {
  std::vector<at::Tensor> parts;
  std::vector<int32_t> keys;
  std::vector<double> degrees;
  bool counts = false;  // all pixels are whole numbers of 16 bits

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
  // The view before which each flat was taken; the order of equal ones is kept.
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

void describe(Writer& w, const Projections& scan, const Orbit& orbit, const Series& s, double energy_kev) {
  const std::string entry = "/entry", instrument = entry + "/instrument", detector = instrument + "/detector";
  w.root_attribute("default", "entry");
  w.group(entry, "NXentry");
  w.text(entry + "/definition", "NXtomo");
  w.text(entry + "/program_name", "Tomoloom");
  w.group(instrument, "NXinstrument");
  w.group(detector, "NXdetector");
  w.frames(detector + "/data", s.parts, s.counts, std::string(to_string(scan.kind)));
  w.numbers(detector + "/image_key", H5T_NATIVE_INT32, s.keys, "");
  const DetectorShape& shape = scan.geometry.detector();
  w.number(detector + "/x_pixel_size", shape.pitch_u, "mm");
  w.number(detector + "/y_pixel_size", shape.pitch_v, "mm");
  w.number(detector + "/distance", orbit.axis_to_detector, "mm");
  w.number(detector + "/x_rotation_axis_pixel_position", orbit.axis, "px");
  w.group(instrument + "/source", "NXsource");
  w.text(instrument + "/source/probe", "x-ray");
  if (scan.geometry.beam() == Beam::cone) {
    w.text(instrument + "/source/type", "Fixed Tube X-ray");
    w.number(instrument + "/source/distance", -orbit.source_to_axis,
             "mm");  // upstream of the sample
  } else {
    w.text(instrument + "/source/type", "Synchrotron X-ray Source");
  }
  if (energy_kev > 0) {
    w.group(instrument + "/beam", "NXbeam");
    w.number(instrument + "/beam/incident_energy", energy_kev, "keV");
  }
  w.group(entry + "/sample", "NXsample");
  w.numbers(entry + "/sample/rotation_angle", H5T_NATIVE_DOUBLE, s.degrees, "degree");
  w.group(entry + "/data", "NXdata");
  w.link(detector + "/data", entry + "/data/data");
  w.link(detector + "/image_key", entry + "/data/image_key");
  w.link(entry + "/sample/rotation_angle", entry + "/data/rotation_angle");
  const bool plain = orbit.tilt == 0 && orbit.lamino == 0 && orbit.shift_u.empty() && orbit.shift_v.empty() &&
                     orbit.source_shift_u == 0 && orbit.source_shift_v == 0;
  // NXtomo has no words for tilts and shifts: the exact vectors (beam,
  // detector, u, v of each view) go beside the frames.
  if (!plain) w.numbers(detector + "/view_vectors", H5T_NATIVE_DOUBLE, scan.geometry.vectors(), "mm");
}

// Asks the file system for the room that the file will take, before HDF5 meets
// a full disk half-way.
Result<void> check_room(const std::filesystem::path& path, const Series& series) {
  constexpr int64_t per_frame = 256,
                    rest = 1 << 16;  // chunk index, keys and angles; groups and texts
  const int64_t per_pixel = series.counts ? 2 : 4;
  int64_t bytes = rest;
  for (const at::Tensor& part : series.parts) bytes += part.numel() * per_pixel + per_frame * part.size(0);
  const int handle = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (handle < 0) return system_error("the output cannot be written", path, errno);
  struct stat status {};
  int code = fstat(handle, &status) == 0 && S_ISREG(status.st_mode) ? 0 : ENODEV;
  if (code == 0 && fallocate(handle, 0, 0, bytes) != 0 && errno != EOPNOTSUPP && errno != ENOSYS) code = errno;
  close(handle);
  if (code == 0) return ok();
  return system_error("the output of " + std::to_string(bytes) + " bytes cannot be written", path, code);
}

}  // namespace

Result<void> write_nxtomo(const std::filesystem::path& name, const Projections& scan, double energy_kev,
                          Overwrite overwrite) {
  TL_CHECK(scan.data.dim() == 3 && scan.data.size(0) == scan.geometry.views(), "a scan is [view, row, col]");
  const auto orbit = scan.geometry.orbit();
  if (!orbit)
    return invalid("only circular scans can be written as NXtomo", name.string(), "Simulate a circular orbit");
  TL_TRY(OutputFile file, OutputFile::create(name, overwrite));
  const Series series = series_of(scan, orbit->angles);
  TL_TRY(check_room(file.part_path(), series));
  std::optional<std::string> problem;
  {
    const std::lock_guard turn(hdf5_turn());
    Writer writer(file.part_path());
    describe(writer, scan, *orbit, series, energy_kev);
    problem = writer.finish();
  }
  if (problem)
    return io_error("the scan cannot be written", file.part_path().string(),
                    "Check that the disk has room and the folder may be "
                    "written to (HDF5 says: " +
                        *problem + ")");
  return file.commit();
}

}  // namespace tl::io
