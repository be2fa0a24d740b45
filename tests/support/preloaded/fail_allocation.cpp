// A library to be preloaded: one or more allocations of a program fail, as they would where memory is short.
//
// TL_FAIL_ALLOCATION=n   the n-th allocation (from 1) since the program's main() began fails
// TL_FAIL_TIMES=k        and the k - 1 after it (default 1); more than the program's reserve of memory has blocks, and
//                        operator new throws
// TL_FAIL_ABOVE=bytes    only allocations of at least so many bytes count (default 1)
// TL_COUNT_FILE=name     how many there were is written there when the program ends
//
// Counted are malloc, calloc, realloc, posix_memalign, aligned_alloc and anonymous mappings of the program itself;
// operator new goes through malloc. What the program does before main() is not ours to judge, nor is the initialisation
// of HDF5, which is done before. A child that is forked goes on counting for itself.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<bool> counting{false};
std::atomic<long> calls{0};
long failing = 0, times = 1;
std::size_t above = 1;

bool fails(std::size_t size) {
  if (!counting.load(std::memory_order_relaxed) || size < above) return false;
  const long number = calls.fetch_add(1, std::memory_order_relaxed) + 1;
  if (number < failing || number >= failing + times) return false;
  errno = ENOMEM;
  return true;
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  if (const char* text = std::getenv("TL_FAIL_ALLOCATION")) failing = std::atol(text);
  if (const char* text = std::getenv("TL_FAIL_TIMES")) times = std::atol(text);
  if (const char* text = std::getenv("TL_FAIL_ABOVE")) above = static_cast<std::size_t>(std::atol(text));
  // If an allocation fails during HDF5's own initialisation, HDF5 1.10 reports an error about its error reports
  // endlessly.
  if (const auto open_hdf5 = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "H5open"))) open_hdf5();
  counting = true;
  return real_main(argc, argv, environment);
}

void write_count() {
  counting = false;
  const char* name = std::getenv("TL_COUNT_FILE");
  if (name == nullptr) return;
  if (std::FILE* file = std::fopen(name, "w")) {
    std::fprintf(file, "%ld\n", calls.load());
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails(size) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return fails(count * size) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) { return fails(size) ? nullptr : __libc_realloc(old, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(size) ? nullptr : __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return fails(size) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  void* made = fails(size) ? nullptr : __libc_memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *to = made;
  return 0;
}
void* mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0 && fails(size)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, file, offset));
}

[[noreturn]] void _Exit(int code) {
  write_count();
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

int __libc_start_main(Main main, int argc, char** argv, void (*begin)(), void (*end)(), void (*loader_end)(),
                      void* stack_end) {
  real_main = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, begin, end, loader_end, stack_end);
}
}
