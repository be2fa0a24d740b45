// What a run asks of the card that it computes on: how much memory is free, to wait for it, to give memory back.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <exception>
#include <string>

namespace tl {

// Bytes that are free on the card now; 0 where the CUDA module does not know the device.
int64_t free_card_memory(const std::string& id);

// Returns when all that was asked of the device is done; throws what torch throws for work that failed. Nothing to wait
// for on the processor.
void wait_for(at::Device device);

// Gives what torch keeps of the card's memory, for later tensors, back to the card.
void release_card_memory(at::Device device);

// Whether an exception says that a device's memory is used up, or that the device itself failed.
bool is_out_of_card_memory(const std::exception& error);
bool is_card_failure(const std::exception& error);

}  // namespace tl
