// A library to be preloaded: a program is killed before one of the renames that give its outputs their names, or before
// one of the removals of its temporary files.
//
// TL_KILL_AT_RENAME=n    the n-th call of renameat2(), rename() or link() (from 1) does not happen; SIGKILL ends the
// program TL_KILL_AT_REMOVAL=n   the same for unlink(), unlinkat(), rmdir() and remove() TL_PLAIN_RENAMES=1     the
// file system cannot exchange names, as NFS and SMB; =2: nor are there hard links
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace {

std::atomic<long> renames{0}, removals{0};

void count(const char* variable, std::atomic<long>& calls) {
  const char* text = std::getenv(variable);
  if (text != nullptr && calls.fetch_add(1) + 1 == std::atol(text)) kill(getpid(), SIGKILL);
}
void count_rename() { count("TL_KILL_AT_RENAME", renames); }
void count_removal() { count("TL_KILL_AT_REMOVAL", removals); }

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned int flags) {
  static const auto real = next<int (*)(int, const char*, int, const char*, unsigned int)>("renameat2");
  if (flags != 0 && std::getenv("TL_PLAIN_RENAMES") != nullptr) {
    errno = EINVAL;
    return -1;
  }
  count_rename();
  return real(from_folder, from, to_folder, to, flags);
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  count_rename();
  return real(from, to);
}

int link(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("link");
  if (const char* plain = std::getenv("TL_PLAIN_RENAMES"); plain != nullptr && std::atol(plain) == 2) {
    errno = EPERM;
    return -1;
  }
  count_rename();
  return real(from, to);
}

int unlink(const char* name) {
  static const auto real = next<int (*)(const char*)>("unlink");
  count_removal();
  return real(name);
}

int unlinkat(int folder, const char* name, int flags) {
  static const auto real = next<int (*)(int, const char*, int)>("unlinkat");
  count_removal();
  return real(folder, name, flags);
}

int remove(const char* name) {
  static const auto real = next<int (*)(const char*)>("remove");
  count_removal();
  return real(name);
}

int rmdir(const char* name) {
  static const auto real = next<int (*)(const char*)>("rmdir");
  count_removal();
  return real(name);
}
}
