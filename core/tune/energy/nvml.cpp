// NVIDIA GPUs by NVML, which is loaded when it is asked for. Declared here is what is called of it: its header belongs
// to the CUDA toolkit, which this program is built without.
#include <dlfcn.h>

#include <array>
#include <chrono>
#include <cstdlib>

#include "core/base/printable.h"
#include "core/tune/energy/meters.h"

namespace tl::tune {
namespace {

using Clock = std::chrono::steady_clock;
using Device = void*;                          // nvmlDevice_t
constexpr int done = 0;                        // NVML_SUCCESS
constexpr unsigned instant_power_field = 186;  // NVML_FI_DEV_POWER_INSTANT [mW]
constexpr unsigned unsigned_int_type = 1;      // NVML_VALUE_TYPE_UNSIGNED_INT

struct FieldValue {  // nvmlFieldValue_t
  unsigned field = 0, scope = 0;
  long long timestamp = 0, latency = 0;
  unsigned type = 0;
  int result = 0;
  union {
    double real;
    unsigned integer;
    unsigned long long large;
  } value = {};
};
static_assert(sizeof(FieldValue) == 40);

// The library and its functions, from init to shutdown.
class Nvml {
 public:
  static Result<std::shared_ptr<const Nvml>> open();
  Nvml() = default;
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    if (is_open_) shutdown_();
    if (library_ != nullptr) dlclose(library_);
  }

  int (*device_count)(unsigned*) = nullptr;
  int (*device)(unsigned, Device*) = nullptr;
  int (*device_name)(Device, char*, unsigned) = nullptr;
  // Each may be missing, and may be refused by a device.
  int (*total_energy)(Device, unsigned long long*) = nullptr;  // mJ
  int (*fields)(Device, int, FieldValue*) = nullptr;
  int (*power)(Device, unsigned*) = nullptr;  // mW
  [[nodiscard]] std::string words_of(int code) const {
    const char* const text = error_text_ != nullptr ? error_text_(code) : nullptr;
    return text != nullptr ? printable(text) : "error " + std::to_string(code);
  }

 private:
  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    return function != nullptr;
  }
  void* library_ = nullptr;
  bool is_open_ = false;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  const char* (*error_text_)(int) = nullptr;
};

Result<std::shared_ptr<const Nvml>> Nvml::open() {
  const char* const given = std::getenv("TL_NVML");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  const char* const name = given != nullptr ? given : "libnvidia-ml.so.1";
  const auto library = std::make_shared<Nvml>();
  library->library_ = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library->library_ == nullptr)
    return unavailable("the NVIDIA Management Library cannot be loaded", name, "It comes with NVIDIA's driver");
  Nvml& n = *library;
  const bool is_whole = n.find(n.init_, "nvmlInit_v2") && n.find(n.shutdown_, "nvmlShutdown") &&
                        n.find(n.device_count, "nvmlDeviceGetCount_v2") &&
                        n.find(n.device, "nvmlDeviceGetHandleByIndex_v2") && n.find(n.device_name, "nvmlDeviceGetName");
  n.find(n.error_text_, "nvmlErrorString");
  n.find(n.total_energy, "nvmlDeviceGetTotalEnergyConsumption");
  n.find(n.fields, "nvmlDeviceGetFieldValues");
  n.find(n.power, "nvmlDeviceGetPowerUsage");
  if (!is_whole) return unavailable("the NVIDIA Management Library has other functions", name, "Update the driver");
  if (const int code = n.init_(); code != done)
    return unavailable("the NVIDIA Management Library does not start: " + n.words_of(code), name, "Is there a GPU?");
  n.is_open_ = true;
  return std::shared_ptr<const Nvml>(library);
}

class EnergyCounterMeter final : public EnergyMeter {
 public:
  EnergyCounterMeter(std::shared_ptr<const Nvml> nvml, Device device, std::string name)
      : nvml_(std::move(nvml)), device_(device), name_(std::move(name)) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string source() const override { return "NVML energy counter"; }
  Result<double> joules() override {
    unsigned long long millijoules = 0;
    if (const int code = nvml_->total_energy(device_, &millijoules); code != done)
      return unavailable("the energy cannot be read: " + nvml_->words_of(code), name_, "");
    if (!first_) first_ = millijoules;
    if (millijoules < *first_)
      return unavailable("the energy counter went back: the driver was loaded again", name_, "Measure again");
    return static_cast<double>(millijoules - *first_) / 1000;
  }

 private:
  std::shared_ptr<const Nvml> nvml_;
  Device device_;
  std::string name_;
  std::optional<unsigned long long> first_;
};

// Watts at this moment, by the field of instantaneous power, or the average that older devices give.
std::optional<double> watts_of(const Nvml& nvml, Device device, int& code) {
  if (nvml.fields != nullptr) {
    FieldValue value;
    value.field = instant_power_field;
    code = nvml.fields(device, 1, &value);
    if (code == done) code = value.result;
    if (code == done && value.type == unsigned_int_type) return value.value.integer / 1000.0;
  }
  if (nvml.power == nullptr) return std::nullopt;
  unsigned milliwatts = 0;
  code = nvml.power(device, &milliwatts);
  if (code != done) return std::nullopt;
  return milliwatts / 1000.0;
}

class PowerMeter final : public EnergyMeter {
 public:
  PowerMeter(std::shared_ptr<const Nvml> nvml, Device device, std::string name)
      : nvml_(std::move(nvml)), device_(device), name_(std::move(name)) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string source() const override { return "NVML power over time"; }
  Result<double> joules() override {
    int code = done;
    const std::optional<double> watts = watts_of(*nvml_, device_, code);
    if (!watts) return unavailable("the power cannot be read: " + nvml_->words_of(code), name_, "");
    integral_.add(std::chrono::duration<double>(Clock::now() - start_).count(), *watts);
    return integral_.joules();
  }

 private:
  std::shared_ptr<const Nvml> nvml_;
  Device device_;
  std::string name_;
  Clock::time_point start_ = Clock::now();
  PowerIntegral integral_;
};

}  // namespace

MetersFound nvml_meters() {
  MetersFound found;
  const auto opened = Nvml::open();
  if (!opened.ok()) {
    found.unreadable.push_back({"GPU", opened.error()});
    return found;
  }
  const std::shared_ptr<const Nvml>& nvml = opened.value();
  unsigned count = 0;
  if (const int code = nvml->device_count(&count); code != done)
    found.unreadable.push_back({"GPU", unavailable("the GPUs cannot be counted: " + nvml->words_of(code), "NVML", "")});
  if (count == 0 && found.unreadable.empty())
    found.unreadable.push_back({"GPU", unavailable("there is no NVIDIA GPU", "NVML", "")});
  for (unsigned i = 0; i < count; ++i) {
    std::string name = "GPU " + std::to_string(i);
    Device device = nullptr;
    if (const int code = nvml->device(i, &device); code != done) {
      found.unreadable.push_back({name, unavailable("the GPU cannot be asked: " + nvml->words_of(code), name, "")});
      continue;
    }
    std::array<char, 128> text{};
    if (nvml->device_name(device, text.data(), static_cast<unsigned>(text.size() - 1)) == done)
      name += ": " + printable(text.data());
    unsigned long long millijoules = 0;
    int code = done;
    if (nvml->total_energy != nullptr && nvml->total_energy(device, &millijoules) == done) {
      found.meters.push_back(std::make_unique<EnergyCounterMeter>(nvml, device, name));
    } else if (watts_of(*nvml, device, code)) {
      found.meters.push_back(std::make_unique<PowerMeter>(nvml, device, name));
    } else {
      found.unreadable.push_back(
          {name, unavailable("the GPU reports neither energy nor power: " + nvml->words_of(code), name, "")});
    }
  }
  return found;
}

}  // namespace tl::tune
