// Many trials, each of which may crash, hang or eat memory: they run in child processes, and the outcome of each is
// reported.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::fuzz {

// How many damaged files a test tries: TL_FUZZ_MUTANTS, or `usual`. TL_FUZZ_SEED (default 1) draws others.
int64_t trials(int64_t usual);
uint64_t seed();

struct Failure {
  int64_t trial = 0;
  std::string what;  // "signal 11", "takes more than 60 s", or what the trial complained of
};

// Runs trial(0) to trial(count - 1) in child processes, some hundred in each. A trial gives a complaint, or nothing
// when all is well. A child that dies or hangs costs its trial; the next child goes on behind it. At most ten failures
// are collected. The caller must not have started threads that trials need: only the calling one lives on in a child.
using Trial = std::function<std::string(int64_t trial)>;
std::vector<Failure> run_trials(int64_t count, const Trial& trial);

// Trials that read a damaged file: `here` in the child itself, where its memory counts and sanitizers are heard, and
// one in 32 `elsewhere`, by a process of its own, as users do. HDF5's own library crashes or does not come to an end on
// some files: with Library::hdf5 that is not a failure, because a process of its own is there for it; after a crash
// `elsewhere` must report an error for the same trial (not with the address sanitizer, whose processes start slowly).
enum class Library { any, hdf5 };
std::vector<Failure> run_reading_trials(int64_t count, const Trial& here, const Trial& elsewhere, Library library);

// The failures as one text, with the seed and how to repeat them.
std::string describe(const std::vector<Failure>& failures);

// What is wrong with an error: no words, an internal one, or a reading process that a sanitizer ended; empty when
// nothing is.
std::string complaint_about(const Error& error);

// Puts this process under the limits of a reading one, and allows processor time for reading a small file.
void limit_as_reader();

// What a trial may take: 2 s of the processor and what starting children costs while the machine is busy; memory beyond
// four times the file [bytes]. Memory is not counted with the address sanitizer, which keeps what was freed and shadows
// all of it, and under which HDF5's library is not bounded (core/io/bytes/reader_limits.h): the same trials without it
// count.
inline constexpr double longest_trial = 3;
inline constexpr int64_t spare_memory = int64_t{64} << 20;
// What reading a damaged file of `bytes` complains of, or that this process took too much time or memory for it.
std::string complaint_within_limits(const std::function<std::string()>& read, int64_t bytes);
// Keeps a file that failed in the folder TL_FUZZ_KEEP, if that is set.
void keep(const std::string& bytes, const std::string& name);
// Writes a sound file into the folder TL_FUZZ_CORPUS, if that is set: with these the fuzzers of tests/fuzz/targets
// begin.
void keep_sound(const std::string& bytes, const std::string& name);

// Processor time of this process and of those that it waited for [s].
double processor_seconds();

}  // namespace tl::fuzz
