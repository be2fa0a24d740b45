// Engine: one compute thread that takes the newest graph first, then runs, then pictures.
#include "core/live/engine.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/run/executor.h"

namespace tl::live {

struct Engine::Impl {
  Impl(const Registry& r, EngineOptions o, Listener& l) : registry(r), options(std::move(o)), listener(l) {
    worker = std::thread([this] { loop(); });
  }
  void loop();
  void check(const Graph& graph);

  const Registry& registry;
  EngineOptions options;
  Listener& listener;
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<Graph> graph;
  bool quit = false;
  std::thread worker;
};

void Engine::Impl::loop() {
  std::unique_lock lock(mutex);
  while (!quit) {
    if (!graph) {
      wake.wait(lock);
      continue;
    }
    const Graph now = *std::exchange(graph, std::nullopt);
    lock.unlock();
    check(now);
    lock.lock();
  }
}

void Engine::Impl::check(const Graph& now) {
  for (const auto& [id, node] : now.nodes) listener.status(id, NodeStatus{});
  for (const GraphProblem& p : problems(now, registry)) {
    NodeStatus status;
    status.state = State::unconfigured;
    status.error = p.error;
    listener.status(p.node, status);
  }
  Executor executor(registry, {});
  if (const auto infos = executor.check(now); infos.ok()) listener.infos(infos.value());
}

Engine::Engine(const Registry& registry, EngineOptions options, Listener& listener)
    : impl_(std::make_unique<Impl>(registry, std::move(options), listener)) {}
Engine::~Engine() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->quit = true;
  }
  impl_->wake.notify_all();
  impl_->worker.join();
}
void Engine::set_graph(const Graph& graph) {
  const std::lock_guard lock(impl_->mutex);
  impl_->graph = graph;
  impl_->wake.notify_all();
}
void Engine::request(const std::string& /*view*/, const PictureRequest& /*request*/) {}
void Engine::forget(const std::string& /*view*/) {}
void Engine::run(const std::vector<std::string>& /*outputs*/) {}
void Engine::compute(const std::vector<std::string>& /*nodes*/) {}
void Engine::stop() {}
void Engine::free_cache() {}

}  // namespace tl::live
