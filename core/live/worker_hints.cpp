// Computes hints about the graph's scans on the compute thread, when it is otherwise idle.
#include "core/live/guarded.h"
#include "core/live/worker.h"
#include "core/run/hints/scan_hints.h"

namespace tl::live {

// The scans that can be read now, with their keys.
std::map<std::string, Hash> Worker::scans() const {
  std::map<std::string, Hash> found;
  for (const std::string& id : scans_of(graph_, registry_)) {
    const auto look = looks_.find(id);
    if (look != looks_.end() && !look->second.error && look->second.complete) found[id] = look->second.key;
  }
  return found;
}

// Computes the hints of one scan that changed; if another job interrupts it, it restarts later.
void Worker::next_hints() {
  const std::map<std::string, Hash> now = scans();
  const auto notify_listener = [&] {
    HintsChange change;
    for (const auto& [scan, hints] : hints_) change.hints.insert(change.hints.end(), hints.begin(), hints.end());
    listener_.notify(std::move(change));
  };
  const auto differs = [&](const auto& known) {
    const auto found = now.find(known.first);
    return found == now.end() || found->second != known.second;
  };
  const auto outdated = [&](const auto& hints) { return differs(*hinted_.find(hints.first)); };
  if (std::erase_if(hints_, outdated) > 0) notify_listener();
  std::erase_if(hinted_, differs);
  for (const auto& [scan, key] : now) {
    if (hinted_.count(scan) != 0) continue;
    const Requests::Guard guard(requests_, IdleJob{});
    if (requests_.anything()) return;
    Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::quiet);
    const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::in_between));
    auto found = guarded([&] { return scan_hints(executor_, registry_, graph_, scan); });
    if (!found.ok() && found.error().kind == ErrorKind::cancelled) return;
    hinted_[scan] = key;  // the node of a scan that cannot be read shows the error
    hints_[scan] = found.ok() ? std::move(found).value() : std::vector<Hint>();
    return notify_listener();
  }
}

}  // namespace tl::live
