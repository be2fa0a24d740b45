// Writes errors as text, and throws Failure for internal errors.
#include "core/base/error.h"

#include <array>

#include "core/base/wording.h"

namespace tl {

std::string_view to_string(ErrorKind kind) {
  static constexpr std::array<std::string_view, 6> names = {"invalid", "unavailable", "io",
                                                            "device",  "cancelled",   "internal"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string Error::message() const { return message_for(FrontEnd::command_line, *this); }

Error invalid(std::string what, std::string where, std::string hint) {
  return {ErrorKind::invalid, std::move(what), std::move(where), std::move(hint)};
}
Error unavailable(std::string what, std::string where, std::string hint) {
  return {ErrorKind::unavailable, std::move(what), std::move(where), std::move(hint)};
}
Error io_error(std::string what, std::string where, std::string hint) {
  return {ErrorKind::io, std::move(what), std::move(where), std::move(hint)};
}
Error cancelled() { return {ErrorKind::cancelled, "cancelled", {}, {}}; }

void fail_internal(const char* condition, const char* message, const char* file, int line) {
  throw Failure({ErrorKind::internal, std::string(message) + " [" + condition + "]",
                 std::string(file) + ":" + std::to_string(line), "This is a bug in Tomoloom: please report it."});
}

}  // namespace tl
