// Engine: computes a graph interactively on one compute thread: images of the regions on screen, states of the nodes,
// runs with progress, learning. No array type and no Qt in this header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/live/notification.h"
#include "core/live/requests.h"
#include "core/live/switches.h"

namespace tl::live {

struct EngineOptions {
  std::string device = "cpu";
  int threads = 0;     // largest number of threads of loops (gpu/device/threads.h); 0 = as in the process
  int64_t memory = 0;  // [bytes]; 0 = 80 % of the available memory
  int64_t cache = 0;   // [bytes] part of the memory for cached results; 0 = a quarter
  std::filesystem::path input_dir, output_dir;
  Switches switches;  // at the start
};

// "181 x 2 x 640 · absorption", "512 x 512 x 64 voxels · 0.1 mm"; empty for small values.
std::string summary_of(const Info& info);

// The device for display: "CPU · 2 cores · AVX-512".
std::string device_text(const std::string& device);

// 8-bit grey of a small image: 0.5 % of the pixels are clipped at each end; non-finite pixels are 0.
std::vector<uint8_t> auto_contrast_8bit(const Image& image);

// The queue of requests, with the compute thread that serves them. Notifications go to the listener.
class Engine final : public Requests {
 public:
  Engine(const Registry& registry, EngineOptions options, Listener& listener);
  ~Engine();  // cancels all work and joins the compute thread

 private:
  std::thread compute_thread_;
};

}  // namespace tl::live
