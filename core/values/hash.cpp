// Computes 128-bit keys of cached results with XXH3-128 of the xxHash library.
#include "core/values/hash.h"

#include <xxhash.h>

#include <new>

#include "core/base/text.h"

namespace tl {

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { XXH3_freeState(xxh); }
};

std::string Hash::text() const {
  return formatted("%016llx%016llx", static_cast<unsigned long long>(high), static_cast<unsigned long long>(low));
}

Hasher::Hasher() : state_(std::make_unique<State>()) {}
Hasher::~Hasher() = default;

Hasher& Hasher::add(std::string_view text) {
  add(static_cast<int64_t>(text.size()));
  XXH3_128bits_update(state_->xxh, text.data(), text.size());
  return *this;
}
Hasher& Hasher::add(int64_t value) {
  XXH3_128bits_update(state_->xxh, &value, sizeof(value));
  return *this;
}
Hasher& Hasher::add(double value) {
  XXH3_128bits_update(state_->xxh, &value, sizeof(value));
  return *this;
}
Hasher& Hasher::add(const Hash& hash) {
  return add(static_cast<int64_t>(hash.high)).add(static_cast<int64_t>(hash.low));
}

Hasher& Hasher::add(const Region& region) {
  add(static_cast<int64_t>(region.index()));
  if (const auto* s = std::get_if<ScanRegion>(&region)) {
    for (const Range& r : {s->views, s->rows, s->cols}) add(r.begin).add(r.end);
    add(static_cast<int64_t>(s->references));
  } else if (const auto* g = std::get_if<VolumeGrid>(&region)) {
    add(g->nz).add(g->ny).add(g->nx);
    for (const Vec3& v : {g->centre, g->step_x, g->step_y, g->step_z}) add(v.x).add(v.y).add(v.z);
  }
  return *this;
}

Hash Hasher::digest() const {
  const XXH128_hash_t h = XXH3_128bits_digest(state_->xxh);
  return {h.high64, h.low64};
}

}  // namespace tl
