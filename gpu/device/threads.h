// Threads of parallel loops on machines that others use too: how many, and how they wait for each other.
//
// A program that links this file waits passively (OMP_WAIT_POLICY=passive) unless its environment sets another policy:
// it starts itself once more with that variable before any library is initialised, since OpenMP reads it only then.
// Threads that spin while they wait keep the cores from those that they wait for: next to four busy programs on two
// cores a training with two threads took eight times as long as with one.
#pragma once

#include <filesystem>
#include <string>

namespace tl {

struct ThreadCount {
  int threads = 1;
  int cores = 1;    // that this process may use: affinity, quota of its control group
  double busy = 0;  // cores of the machine that other programs keep busy
};

// What loops should get: the cores that this process may use, at most as many as other programs leave free, at least 1.
// Busy are as many as the load average of the last minute says, but not more than run at this moment: a program that
// has just ended does not count.
ThreadCount recommended_threads();

// The same from numbers: cores of the machine and of the process, load average, other processes that run now.
ThreadCount recommended_threads(int machine_cores, int cores, double load, int running);

// Cores that control groups of version 1 or 2 allow: quotas of the group and of those above it; a large number without
// any. `membership` and `mount` are /proc/self/cgroup and /sys/fs/cgroup.
double cores_of_group(const std::filesystem::path& membership, const std::filesystem::path& mount);

// "1 thread of 2 cores: other programs keep 3.9 of them busy"
std::string to_text(const ThreadCount& count);

// For all later loops of the calling thread. False: OMP_NUM_THREADS has chosen the number, which stays.
bool use_threads(const ThreadCount& count);
// The requested number, whatever the environment sets.
void use_threads(int threads);

}  // namespace tl
