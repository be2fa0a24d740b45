// Error and Result: how all layers report what failed, where, and what the user can do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/macros.h"

namespace tl {

enum class ErrorKind { invalid, unavailable, io, device, cancelled, internal };

// The kind's name in files and messages ("invalid", "io", ...).
std::string_view to_string(ErrorKind kind);

// One failure, in words for the user: `what` is wrong, `where` it is (node, parameter, file and field), and a `hint`
// about what to do.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string what;
  std::string where;
  std::string hint;

  // "what (where). hint", as shown by terminals and logs.
  [[nodiscard]] std::string message() const;
};

Error invalid(std::string what, std::string where = {}, std::string hint = {});
Error unavailable(std::string what, std::string where = {}, std::string hint = {});
Error io_error(std::string what, std::string where = {}, std::string hint = {});
Error cancelled();

// An Error as an exception, to pass through libraries that only know exceptions (autograd, parallel loops). run_node()
// converts it back.
class Failure : public std::runtime_error {
 public:
  explicit Failure(Error error) : std::runtime_error(error.message()), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
};

[[noreturn]] void fail_internal(const char* condition, const char* message, const char* file, int line);

// A value, or the Error because of which there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  [[nodiscard]] const T& value() const& { return get(); }
  [[nodiscard]] T& value() & { return const_cast<T&>(get()); }
  [[nodiscard]] T&& value() && { return std::move(const_cast<T&>(get())); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }
  // Returns the value or throws the error as a Failure: for code that is called below an exception boundary.
  T or_throw() && {
    if (!ok()) throw Failure(std::get<1>(std::move(state_)));
    return std::get<0>(std::move(state_));
  }

 private:
  const T& get() const {
    TL_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(state_);
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] const Error& error() const& { return error_; }
  [[nodiscard]] Error&& error() && { return std::move(error_); }
  void or_throw() && {
    if (!ok_) throw Failure(std::move(error_));
  }

 private:
  Error error_;
  bool ok_ = true;
};

inline Result<void> ok() { return {}; }

}  // namespace tl
