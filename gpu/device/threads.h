// Threads of parallel loops on machines that others use too: how many, and how they wait for each other.
//
// A loop with two threads ends when both have done their part. Where other programs keep all cores busy, one of them
// waits for a core meanwhile, and with it the loop: two threads are then slower than one. A program therefore states
// the most threads that its loops may use, and their number follows the cores that others leave free, ten times a
// second (gpu/device/free_cores). Long loops of our own have the most threads all the same (gpu/device/loop_threads).
//
// A program that links this file waits asleep after a short spin (OMP_WAIT_POLICY=passive, GOMP_SPINCOUNT) unless its
// environment sets another policy: it starts itself once more with these variables before any library is initialised,
// since OpenMP reads them only then. Threads that spin for long keep the cores from those that they wait for: next to
// four busy programs on two cores a training with two threads took eight times as long as with one. Threads that fall
// asleep at once have to be woken for each of a thousand short loops: on a quiet machine a training took 1.5 times as
// long.
#pragma once

#include <filesystem>
#include <string>

namespace tl {

// The largest number of threads for loops of this process from now on; 0: OMP_NUM_THREADS, or without it the number of
// cores that this process may use (affinity, quota of its control group). The actual number follows the cores that
// others leave free, unless OMP_DYNAMIC=false. Call it as early as possible: the load since then determines the threads
// of the first loop. A process that never calls it has as many threads as LibTorch chose (at::set_num_threads).
void limit_threads(int limit);

// The number that limit_threads() set, or else the one of LibTorch.
int thread_limit();

// Gives the loops of the calling thread, including those of LibTorch and oneDNN, as many threads as there are free
// cores, within the limit. Parallel loops (gpu/device/parallel_for.h), tensor operations of nodes, and steps of a
// training call it first; inside a parallel loop it does nothing. It takes 20 ns; every 0.1 s one call reads the
// counters of the kernel.
void follow_free_cores();

// Whether follow_free_cores() does anything now for the calling thread.
bool follows_free_cores();

// The calling thread's number does not change until unfreeze_thread_count(). Used by gpu/device/loop_threads.
void freeze_thread_count();
void unfreeze_thread_count();

// Loops of the calling thread stay serial.
void keep_to_one_thread();

// Number of threads of library loops, and of short loops, so far.
struct ThreadsUsed {
  int limit = 1, fewest = 1, most = 1;
  double busy = 0;  // largest number of cores that others kept busy
};
ThreadsUsed threads_used();

// "1 to 2 of 2 threads: other programs kept up to 1.9 cores busy"
std::string to_text(const ThreadsUsed& used);

// Number of cores that control groups of version 1 or 2 allow: quotas of the group and its ancestors; a large number
// without any. `membership` and `mount` are /proc/self/cgroup and /sys/fs/cgroup.
double cores_of_group(const std::filesystem::path& membership, const std::filesystem::path& mount);

}  // namespace tl
