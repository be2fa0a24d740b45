// Consent to programs: a network that is a program (TorchScript) runs only where this user has trusted its very bytes
// on this machine.
//
// Such a program can do whatever the user may do. Trust is therefore nothing that a pipeline or another file could
// bring along: it is a copy of the program in a folder that only the user can write to
// ($XDG_DATA_HOME/tomoloom/programs). The copy is what is loaded, so that nobody can exchange the program between the
// question and the run.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl::net {

// What whoever is asked for trust has to know.
inline constexpr const char* meaning_of_trust =
    "A TorchScript file is a program. Once trusted, it can do on this machine whatever you may do: read, change and "
    "send "
    "your files. Trust it only if you know who made it.";

// Error::what of a program that is not trusted.
inline constexpr const char* not_trusted = "the network is a program, and you have not trusted it on this machine";

// The folder of the copies; it need not exist. Errors: unavailable where the environment names no folder of the user.
Result<std::filesystem::path> programs_folder();

// Copies the program into the folder and returns the copy; nothing is there before it is whole. Errors: io; invalid for
// other than TorchScript, or more than io::max_model_bytes; unavailable where others may write to the folder.
Result<std::filesystem::path> trust_program(const std::filesystem::path& file);

// The copy whose bytes are those of the file, all of which are compared. Errors: as trust_program(); invalid, with
// not_trusted, if there is none.
Result<std::filesystem::path> trusted_copy(const std::filesystem::path& file);

// The same without reading the file again that was looked at before, as long as neither it nor its copy has changed by
// size and time. For checks while a pipeline is edited; what runs is to come from trusted_copy(). Any thread.
Result<void> check_trusted(const std::filesystem::path& file);

// Removes the copy; false if there was none. The copy's own path names it, too. Errors: as trusted_copy().
Result<bool> forget_program(const std::filesystem::path& file);

}  // namespace tl::net
