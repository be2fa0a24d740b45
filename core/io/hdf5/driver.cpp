// Opens every file of an HDF5 scan through a virtual file driver, which reads with pread() from files that SourceFiles
// admitted.
#include "core/io/hdf5/driver.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>

#include "core/io/bytes/read_at.h"
#include "core/io/bytes/reader_limits.h"

namespace tl::io {
namespace {

// The driver's data in a file access property list.
struct DriverInfo {
  SourceFiles* sources;
};

struct DriverFile {
  H5FD_t head;  // first: the library's part
  int file;
  FileStamp stamp;
  haddr_t end_of_allocated;
  DriverInfo info;
};

DriverFile& ours(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& ours(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

void* copy_info(const void* info) { return new DriverInfo(*static_cast<const DriverInfo*>(info)); }
herr_t free_info(void* info) {
  delete static_cast<DriverInfo*>(info);
  return 0;
}
void* info_of(H5FD_t* file) { return new DriverInfo(ours(file).info); }

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t /*most*/) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr || (flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0) return nullptr;
  if (!info->sources->admits(name)) return nullptr;
  const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return nullptr;
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(file);
    return nullptr;
  }
  auto* opened = new DriverFile{};
  opened->file = file;
  opened->stamp = stamp_of(status);
  opened->info = *info;
  info->sources->add(name, opened->stamp);
  allow_memory_for(info->sources->bytes());
  constexpr double for_file = 2e-3;  // [s]
  allow_cpu_time_for_object(for_file);
  return &opened->head;
}

herr_t close_file(H5FD_t* file) {
  close(ours(file).file);
  delete &ours(file);
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const FileStamp &x = ours(a).stamp, &y = ours(b).stamp;
  if (x.device != y.device) return x.device < y.device ? -1 : 1;
  return x.inode == y.inode ? 0 : x.inode < y.inode ? -1 : 1;
}

herr_t features(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_POSIX_COMPAT_HANDLE |
           H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t /*type*/) { return ours(file).end_of_allocated; }
herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  ours(file).end_of_allocated = end;
  return 0;
}
haddr_t file_end(const H5FD_t* file, H5FD_mem_t /*type*/) { return static_cast<haddr_t>(ours(file).stamp.size); }

herr_t handle_of(H5FD_t* file, hid_t /*access*/, void** handle) {
  *handle = &ours(file).file;
  return 0;
}

herr_t read_file(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t at, std::size_t size, void* to) {
  if (at > static_cast<haddr_t>(std::numeric_limits<off_t>::max()) - size) return -1;
  const int64_t got = read_at(ours(file).file, static_cast<int64_t>(at), {static_cast<std::byte*>(to), size});
  return got == static_cast<int64_t>(size) ? 0 : -1;
}

herr_t refuse_to_write(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t /*at*/, std::size_t /*size*/,
                       const void* /*from*/) {
  return -1;
}

herr_t lock_file(H5FD_t* file, hbool_t writing) {
  return flock(ours(file).file, (writing ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno == ENOSYS ? 0 : -1;
}
herr_t unlock_file(H5FD_t* file) { return flock(ours(file).file, LOCK_UN) == 0 || errno == ENOSYS ? 0 : -1; }

H5FD_class_t driver_class() {
  H5FD_class_t c{};
  c.name = "scan";
  c.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  c.fc_degree = H5F_CLOSE_WEAK;
  c.fapl_size = sizeof(DriverInfo);
  c.fapl_get = info_of;
  c.fapl_copy = copy_info;
  c.fapl_free = free_info;
  c.open = open_file;
  c.close = close_file;
  c.cmp = compare_files;
  c.query = features;
  c.get_eoa = allocated_end;
  c.set_eoa = set_allocated_end;
  c.get_eof = file_end;
  c.get_handle = handle_of;
  c.read = read_file;
  c.write = refuse_to_write;
  c.lock = lock_file;
  c.unlock = unlock_file;
  constexpr H5FD_mem_t one_kind[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(one_kind), std::end(one_kind), c.fl_map);
  return c;
}

}  // namespace

bool use_scan_driver(hid_t access, SourceFiles& sources) {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  const DriverInfo info = {&sources};
  return id >= 0 && H5Pset_driver(access, id, &info) >= 0;
}

}  // namespace tl::io
