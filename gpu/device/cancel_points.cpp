// Makes every tensor operation of a thread check a cancel token and adapt to the free cores: a fallback kernel for all
// operators, dispatched before everything else in a torch call.
#include "gpu/device/cancel_points.h"

#include <torch/library.h>

#include "gpu/device/threads.h"

namespace tl {
namespace {

// One of the highest-priority dispatch keys, reserved by torch for modes like this one.
constexpr c10::DispatchKey in_front = c10::DispatchKey::TESTING_ONLY_GenericMode;

thread_local const CancelToken* token_of_thread = nullptr;

void look_then_call(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  if (token_of_thread != nullptr) token_of_thread->check();
  follow_free_cores();
  const c10::impl::ExcludeDispatchKeyGuard once(in_front);
  op.callBoxed(stack);
}

void install() {
  static const bool installed = [] {
    static torch::Library library(torch::Library::IMPL, "_", in_front, __FILE__, __LINE__);
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&look_then_call>());
    return true;
  }();
  (void)installed;
}

c10::DispatchKey installed_key() {
  install();
  return in_front;
}

}  // namespace

CancelPoints::CancelPoints(const CancelToken& token) : before_(token_of_thread), included_(installed_key()) {
  token_of_thread = &token;
}
CancelPoints::~CancelPoints() { token_of_thread = before_; }

}  // namespace tl
