// Names of the states of a node.
#include "core/live/state.h"

#include "core/values/enum_rows.h"

namespace tl::live {
namespace {

constexpr NamedValue<State> state_names[] = {
    {State::unconfigured, "unconfigured"},
    {State::waiting, "waiting"},
    {State::ready, "ready"},
    {State::stale, "stale"},
    {State::queued, "queued"},
    {State::running, "running"},
    {State::current, "current"},
    {State::partial, "partial"},
    {State::failed, "failed"},
    {State::cancelled, "cancelled"},
    {State::bypassed, "bypassed"},
    {State::muted, "muted"},
};
static_assert(has_rows_up_to(state_names, State::muted));

}  // namespace

std::string_view to_string(State state) { return enum_row(state_names, state).name; }

}  // namespace tl::live
