// A library in the place of NVIDIA's, for TL_NVML: two GPUs whose power rises by 50 W a second from 100 W. The variable
// SIMULATED_NVML says what they report: "energy", "power", "average_power", "nothing", or "no_driver".
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int done = 0, not_supported = 3, no_driver = 9;

bool reports(const char* what) {
  const char* const mode = std::getenv("SIMULATED_NVML");
  return mode != nullptr && std::strcmp(mode, what) == 0;
}

double seconds() {
  static const auto start = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double watts() { return 100 + 50 * seconds(); }

struct Field {
  unsigned id, scope;
  long long timestamp, latency;
  unsigned type;
  int result;
  union {
    double real;
    unsigned integer;
  } value;
};

}  // namespace

extern "C" {

int nvmlInit_v2() { return reports("no_driver") ? no_driver : done; }
int nvmlShutdown() { return done; }
const char* nvmlErrorString(int code) { return code == not_supported ? "Not Supported" : "Driver Not Loaded"; }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return done;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static int devices[2];
  *device = &devices[index];
  return done;
}
int nvmlDeviceGetName(void*, char* name, unsigned length) {
  std::strncpy(name, "Simulated GPU", length);
  return done;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  if (!reports("energy")) return not_supported;
  const double t = seconds();
  *millijoules = 1'000'000 + static_cast<unsigned long long>(1000 * (100 * t + 25 * t * t));
  return done;
}
int nvmlDeviceGetFieldValues(void*, int count, void* values) {
  auto* const fields = static_cast<Field*>(values);
  for (int i = 0; i < count; ++i) {
    fields[i].result = reports("power") && fields[i].id == 186 ? done : not_supported;
    fields[i].type = 1;
    fields[i].value.integer = static_cast<unsigned>(1000 * watts());
  }
  return done;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  if (!reports("average_power")) return not_supported;
  *milliwatts = static_cast<unsigned>(1000 * watts());
  return done;
}
}
