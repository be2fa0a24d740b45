// Engine: forwards all calls to Requests, from which the compute thread takes them.
#include "core/live/engine.h"

#include <thread>

#include "core/base/priority.h"
#include "core/live/requests.h"
#include "core/live/worker.h"

namespace tl::live {

struct Engine::Impl {
  Impl(const Registry& registry, EngineOptions options, Listener& listener)
      : worker([this, &registry, o = std::move(options), &listener] {
          lower_thread_priority();
          // The Worker is made, used and destroyed on this thread: the array library keeps a thread pool for it.
          Worker(registry, o, listener, requests).work();
        }) {}
  ~Impl() {
    requests.quit();
    worker.join();
  }
  Requests requests;
  std::thread worker;
};

Engine::Engine(const Registry& registry, EngineOptions options, Listener& listener)
    : impl_(std::make_unique<Impl>(registry, std::move(options), listener)) {}
Engine::~Engine() = default;

void Engine::set_graph(const Graph& graph) { impl_->requests.set_graph(graph); }
void Engine::request(const std::string& view, const PictureRequest& request) { impl_->requests.request(view, request); }
void Engine::forget(const std::string& view) { impl_->requests.forget(view); }
void Engine::ask(const std::string& node, const std::string& port, Effort effort) {
  impl_->requests.ask({node, port, effort});
}
void Engine::run(const std::vector<std::string>& outputs, Existing existing, const io::ProtectedFiles& inputs) {
  impl_->requests.run({RunJob::Kind::outputs, outputs, existing, false, inputs});
}
void Engine::compute(const std::vector<std::string>& nodes) {
  impl_->requests.run({RunJob::Kind::results, nodes, Existing::refuse, false});
}
void Engine::learn(const learn::Settings& settings) {
  impl_->requests.learn({LearnJob::Kind::learn, settings, {}, false});
}
void Engine::command(learn::LearnCommand command) { impl_->requests.command(command); }
void Engine::landscape(const learn::LandscapeRequest& request) {
  impl_->requests.learn({LearnJob::Kind::landscape, {}, request, false});
}
void Engine::check_gradients(const learn::Settings& settings) {
  impl_->requests.learn({LearnJob::Kind::gradients, settings, {}, false});
}
void Engine::check_node(const std::string& node) { impl_->requests.learn({LearnJob::Kind::node, {}, {}, false, node}); }
void Engine::show_thumbnails(bool wanted) { impl_->requests.show_thumbnails(wanted); }
void Engine::stop() { impl_->requests.stop(); }
void Engine::free_cache() { impl_->requests.keep({KeepJob::Kind::free_all, {}}); }
void Engine::free_cache(const std::string& node) { impl_->requests.keep({KeepJob::Kind::free_node, node}); }
void Engine::pin(const std::string& node) { impl_->requests.keep({KeepJob::Kind::pin, node}); }
void Engine::unpin(const std::string& node) { impl_->requests.keep({KeepJob::Kind::unpin, node}); }

}  // namespace tl::live
