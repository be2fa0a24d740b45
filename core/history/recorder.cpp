// Begins and ends rows of the history; its errors do not reach the recorded work.
#include "core/history/recorder.h"

#include <chrono>

#include "core/history/entry_texts.h"
#include "core/history/thumbnail.h"
#include "core/run/common/caught_error.h"
#include "core/run/record/versions.h"

namespace tl::history {

Recorder::Recorder(Store store, std::string program, const Registry& registry, Say say)
    : store_(std::move(store)), program_(std::move(program)), registry_(registry), say_(std::move(say)) {}

void Recorder::guarded(const std::function<Result<void>()>& work) const {
  if (store_.is_off()) return;
  const Result<void> done = [&]() -> Result<void> {
    try {
      return work();
    } catch (...) {
      return caught_error();
    }
  }();
  if (!done.ok() && !said_.exchange(true)) say_(done.error());
}

void Recorder::begin(Entry& entry) const {
  guarded([&]() -> Result<void> {
    entry.state = State::running;
    if (entry.begun <= 0)
      entry.begun = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    entry.program = program_;
    entry.version = version();
    TL_TRY(entry.id, store_.add(entry));
    return ok();
  });
}

void Recorder::end(Entry& entry, const Outcome& outcome) const {
  if (entry.id == 0) return;  // the row could not be begun, and this was reported
  guarded([&]() -> Result<void> {
    entry.seconds = outcome.seconds;
    entry.state = !outcome.error                                ? State::done
                  : outcome.error->kind == ErrorKind::cancelled ? State::cancelled
                                                                : State::failed;
    if (outcome.error && entry.state == State::failed) entry.error = outcome.error->message();
    add_fingerprints(entry.inputs);
    if (!outcome.error) {
      add_results(entry, outcome.files, registry_);
      entry.thumbnail = thumbnail_of(outcome.files);
    }
    return store_.update(entry);
  });
}

void Recorder::drop(const Entry& entry) const {
  if (entry.id == 0) return;
  guarded([&] { return store_.remove({entry.id}); });
}

}  // namespace tl::history
