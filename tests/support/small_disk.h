// SmallDisk: a folder in which files find little room: a file system of its own, or a limit for the size of files.
#pragma once

#include <sys/mount.h>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <csignal>
#include <filesystem>
#include <string>

namespace tl::test {

// disk: a tmpfs of whole pages, which needs permission to mount. limit: RLIMIT_FSIZE of this process.
enum class Shortage { disk, limit };

class SmallDisk {
 public:
  SmallDisk(Shortage shortage, int64_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    if (shortage == Shortage::disk) {
      const std::string size = "size=" + std::to_string(bytes);
      mounted_ = made_ = mount("tmpfs", folder().c_str(), "tmpfs", 0, size.c_str()) == 0;
    } else {
      const rlimit small{static_cast<rlim_t>(bytes), before_.rlim_max};
      made_ = setrlimit(RLIMIT_FSIZE, &small) == 0;
    }
  }
  ~SmallDisk() {
    end_limit();
    if (mounted_) umount(folder().c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool is_made() const { return made_; }
  [[nodiscard]] std::filesystem::path folder() const { return folder_.path().toStdString(); }
  // Removes the limit on file sizes: call it before anything is printed.
  void end_limit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  QTemporaryDir folder_;
  rlimit before_{};
  void (*handler_)(int);
  bool made_ = false, mounted_ = false;
};

}  // namespace tl::test
