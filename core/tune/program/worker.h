// WorkerSource: asks a worker for each score, a program that listens on a Unix socket
// (resources/python/tomoloom_worker.py).
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/cancel.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/tune/program/score_source.h"

namespace tl::tune {

// Messages are lines of JSON, at most 1 MiB each. The worker speaks first:
//   {"protocol": "tomoloom-worker", "version": 1, "parameters": ["x", "mode"] or null}
// then each question has one answer with the same number:
//   {"id": 1, "evaluate": {"x": 0.25, "mode": "a"}}   {"id": 1, "score": 3.5}   {"id": 1, "error": "ValueError: ..."}
// A connection that closes ends the conversation. Integers and items of lists that are numbers are numbers.
class WorkerSource final : public ScoreSource {
 public:
  // Waits for the worker up to half a second, since both may have been started at once, and for its first message up to
  // five. io: nothing listens there, what listens is silent, or closes; unavailable: another protocol or version;
  // invalid: a path too long for a socket, parameters that are not these axes.
  static Result<std::unique_ptr<WorkerSource>> connect(const std::filesystem::path& socket,
                                                       const std::vector<SearchAxis>& axes,
                                                       std::optional<std::chrono::duration<double>> timeout,
                                                       CancelToken cancel);
  // io, as soon as the worker is dead, after the timeout, and for an answer that is none: a worker that computes cannot
  // be stopped from here.
  Result<CallOutcome> call(const std::vector<SearchAxis>& axes, const AxisPoint& point) override;
  [[nodiscard]] std::vector<std::string> identity() const override { return {"worker", socket_.string()}; }

 private:
  WorkerSource(std::filesystem::path socket, io::FileDescriptor handle,
               std::optional<std::chrono::duration<double>> timeout, CancelToken cancel)
      : socket_(std::move(socket)), handle_(std::move(handle)), timeout_(timeout), cancel_(std::move(cancel)) {}
  Result<void> greet(const std::vector<SearchAxis>& axes);
  Result<void> send(const std::string& line);
  Result<std::string> receive(const std::optional<std::chrono::duration<double>>& limit);
  [[nodiscard]] Error broken(std::string what) const;

  std::filesystem::path socket_;
  io::FileDescriptor handle_;
  std::optional<std::chrono::duration<double>> timeout_;
  CancelToken cancel_;
  std::string received_;
  int64_t id_ = 0;
};

}  // namespace tl::tune
