// Consent to programs: a network that is a program (TorchScript) runs only if this user has trusted exactly these bytes
// on this machine.
//
// Such a program can do whatever the user may do. A pipeline or another file must therefore not be able to grant trust:
// trust is a copy of the program in a folder that only the user can write to ($XDG_DATA_HOME/tomoloom/programs).
// The copy is what is loaded, so that nobody can exchange the program between the question and the run.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl::net {

// Information for a user who is asked to trust a program.
inline constexpr const char* meaning_of_trust =
    "A TorchScript file is a program. Once trusted, it can do on this machine whatever you may do: read, change and "
    "send "
    "your files. Trust it only if you know who made it.";

// Error::what for a program that is not trusted.
inline constexpr const char* not_trusted = "the network is a program, and you have not trusted it on this machine";

// The folder of the copies; it need not exist. Errors: unavailable if the environment names no folder of the user.
Result<std::filesystem::path> programs_folder();

// Copies the program into the folder and returns the copy, which appears only when it is complete. Errors: io; invalid
// for files other than TorchScript, or larger than io::max_model_bytes; unavailable if others may write to the folder.
Result<std::filesystem::path> trust_program(const std::filesystem::path& file);

// The copy whose bytes equal those of the file; all bytes are compared. Errors: as trust_program(); invalid, with
// not_trusted, if there is none.
Result<std::filesystem::path> trusted_copy(const std::filesystem::path& file);

// Checks without reading the file again, if neither its nor its copy's size and time have changed since the last check.
// For checks while a pipeline is edited; programs to run must come from trusted_copy(). Any thread.
Result<void> check_trusted(const std::filesystem::path& file);

// Deletes the copy; false if there was none. The path of the copy itself is accepted, too. Errors: as trusted_copy().
Result<bool> forget_program(const std::filesystem::path& file);

}  // namespace tl::net
