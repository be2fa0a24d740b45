// Assembles a session from its parts, and provides the services that nodes use while they compute.
#include "core/run/session/session.h"

#include <utility>

namespace tl {

Session::Session(RunResources& resources, const Graph& graph, const ExternalValues& external,
                 MeasurementUse measurements, CachedOutputs keep)
    : context_(resources, graph, external, measurements),
      outputs_(context_),
      runner_(context_, *this),
      placement_(context_),
      findings_(context_),
      resolver_(context_, runner_, placement_, findings_, puller_),
      planning_{context_, resolver_, stored_},
      puller_(planning_, runner_, placement_, findings_, plan_runner_, keep),
      plan_runner_(planning_, {runner_, placement_, findings_, stored_, puller_, outputs_}) {}

std::shared_ptr<void> Session::memo(const std::string& name, int64_t bytes,
                                    const std::function<std::shared_ptr<void>()>& make) {
  return runner_.memo(name, bytes, make);
}
std::string Session::pipeline_text(const std::filesystem::path& folder) const { return outputs_.pipeline_text(folder); }
std::string Session::provenance_text() const { return outputs_.provenance_text(); }
std::string Session::parameters_text(const std::filesystem::path& folder) const {
  return outputs_.parameters_text(folder);
}
io::OutputRules Session::output_rules() const { return outputs_.rules(); }
void Session::deliver(io::OutputFile&& whole) { outputs_.deliver(std::move(whole)); }
Result<void> Session::reads(const std::shared_ptr<io::InputFiles>& files) { return outputs_.add_input(files); }
void Session::event(const std::function<void(EventSink&)>& send) { context_.send_event(send); }
void Session::count_work(const std::string& node, const std::string& what, int64_t n) {
  context_.update_stats(node, [&](NodeStats& s) { s.counts[what] += n; });
}

}  // namespace tl
