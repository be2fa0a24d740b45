// Looks for the innermost function that crashed, those of the C library left out: in the stack itself for signals, in
// the report for the address sanitizer.
#include "tests/fuzz/crashes.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace tl::fuzz {
namespace {

constexpr const char* hdf5 = "libhdf5";

bool names_c_library(const char* file) { return std::strstr(file, "libc.so") != nullptr; }
// Also what the sanitizer puts in its place.
bool stands_for_c_library(const char* file) {
  return names_c_library(file) || std::strstr(file, "libasan") != nullptr ||
         std::strstr(file, "libsanitizer") != nullptr;
}

// The file of the program that a function stands in; empty if none is known.
const char* file_of(void* function) {
  Dl_info place{};
  return dladdr(function, &place) != 0 && place.dli_fname != nullptr ? place.dli_fname : "";
}

// The stack begins with the handler and the functions of the C library that called it.
bool crashed_in_hdf5() {
  std::array<void*, 64> stack{};
  const int depth = backtrace(stack.data(), static_cast<int>(stack.size()));
  const auto end = stack.begin() + depth;
  const auto handler_end = std::find_if(stack.begin(), end, [](void* f) { return names_c_library(file_of(f)); });
  const auto crashed = std::find_if_not(handler_end, end, [](void* f) { return stands_for_c_library(file_of(f)); });
  if (crashed != end && std::strstr(file_of(*crashed), hdf5) != nullptr) return true;
  backtrace_symbols_fd(stack.data(), depth, STDERR_FILENO);
  return false;
}

void on_crash(int number) {
  if (!crashed_in_hdf5()) _exit(our_crash);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

#ifdef __SANITIZE_ADDRESS__
void on_report(const char* report) {
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("    #") || stands_for_c_library(line.c_str())) continue;
    if (line.find(hdf5) == std::string::npos) return;
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  }
}
#endif

}  // namespace

void distinguish_crashes() {
  std::array<void*, 1> first{};
  (void)backtrace(first.data(), 1);  // loads what it needs: later, in a handler, it could not
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) std::signal(number, on_crash);
  for (const int number : {SIGABRT, SIGTERM}) std::signal(number, SIG_DFL);
#ifdef __SANITIZE_ADDRESS__
  __asan_set_error_report_callback(on_report);
#endif
}

}  // namespace tl::fuzz
