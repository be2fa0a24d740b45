// Converts the exception that is being handled to an Error, by its type.
#include "core/run/common/caught_error.h"

#include <c10/util/Exception.h>

#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "core/base/wording.h"

namespace tl {
namespace {

constexpr const char* our_bug = "This is a bug in Tomoloom: please report it.";

// Torch's CPU allocator throws a plain c10::Error, which is recognised only by its text.
bool is_refused_memory(const c10::Error& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  const std::string_view text = error.what_without_backtrace();
  for (const std::string_view mark : {"DefaultCPUAllocator", "ot enough memory", "allocate memory", "bad_alloc"})
    if (text.find(mark) != std::string_view::npos) return true;
  return false;
}

bool is_refused_memory(const std::system_error& error) {
  return error.code() == std::errc::not_enough_memory || error.code() == std::errc::resource_unavailable_try_again;
}

}  // namespace

Error out_of_memory() {
  return unavailable("out of memory", {},
                     two_wordings("Give a smaller --max-memory, or a smaller region",
                                  "Allow less memory in the preferences, or crop or bin the scan"));
}

Error caught_error() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {  // thrown by a container for an impossible size
    return out_of_memory();
  } catch (const c10::Error& error) {
    if (is_refused_memory(error)) return out_of_memory();
    return {ErrorKind::internal, error.what_without_backtrace(), {}, our_bug};
  } catch (const std::filesystem::filesystem_error& error) {
    if (is_refused_memory(error)) return out_of_memory();
    return io_error(error.code().message(), error.path1().string(), "Check the path");
  } catch (const std::system_error& error) {
    if (is_refused_memory(error)) return out_of_memory();
    return {ErrorKind::internal, error.what(), {}, our_bug};
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    if (text.find("bad_alloc") != std::string_view::npos || text.find("ot enough memory") != std::string_view::npos)
      return out_of_memory();
    return {ErrorKind::internal, std::string(text), {}, our_bug};
  } catch (...) {
    return {ErrorKind::internal, "an exception of unknown type", {}, our_bug};
  }
}

}  // namespace tl
