// A library to be preloaded: a program is killed before one of the renames that give its outputs their names.
//
// TL_KILL_AT_RENAME=n   the n-th call of renameat2() or rename() (from 1) does not happen; the program ends by SIGKILL
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

namespace {

std::atomic<long> renames{0};

void count_rename() {
  const char* text = std::getenv("TL_KILL_AT_RENAME");
  if (text != nullptr && renames.fetch_add(1) + 1 == std::atol(text)) kill(getpid(), SIGKILL);
}

}  // namespace

extern "C" {

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned int flags) {
  using Rename = int (*)(int, const char*, int, const char*, unsigned int);
  static const auto real = reinterpret_cast<Rename>(dlsym(RTLD_NEXT, "renameat2"));
  count_rename();
  return real(from_folder, from, to_folder, to, flags);
}

int rename(const char* from, const char* to) {
  using Rename = int (*)(const char*, const char*);
  static const auto real = reinterpret_cast<Rename>(dlsym(RTLD_NEXT, "rename"));
  count_rename();
  return real(from, to);
}
}
