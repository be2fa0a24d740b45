#!/usr/bin/env bash
# Installs what Tomoloom needs to build: Debian 12 packages and the LibTorch environment. Safe to run again.
#
# usage: installer/setup.sh [--test-python]
#   --test-python   also makes the small Python environment whose libraries the tests use as independent readers, and
#                   fetches the CUDA compiler where the system has none, and one for ARM
# Where things go: ${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom. Set TL_TORCH_ROOT to use a LibTorch of your own.
set -euo pipefail

PACKAGES=(g++ cmake ninja-build ccache lld git pkg-config python3 python3-venv python3-pip qt6-base-dev libgl1-mesa-dev
          libhdf5-dev libtiff-dev libpng-dev zlib1g-dev nlohmann-json3-dev libeigen3-dev libcli11-dev libspdlog-dev libxrl-dev libxxhash-dev
          libblosc-dev libzstd-dev libyaml-cpp-dev libzmq3-dev cppzmq-dev libnlopt-cxx-dev fonts-inter libgl1-mesa-dri xvfb xauth libvtk9-dev libinsighttoolkit5-dev
          libqcustomplot-dev qt6-svg-dev qt6-l10n-tools libqt6sql6-sqlite)
TORCH_WHEELS=('torch==2.11.*' 'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-cupti==13.0.*')
TEST_WHEELS=('numpy==2.*' 'h5py==3.*' 'tifffile' 'olefile' 'fabio' 'SimpleITK==2.5.*' 'zarr==3.*' 'pydicom==3.*' 'scikit-image==0.26.*'
             'scikit-learn==1.*' 'jsonschema==4.*' 'pyzmq==27.*' 'nvidia-cuda-cuobjdump==13.*' 'clang-format==16.*' 'clang-tidy==16.*')
# Another program that computes ONNX models; there are wheels for fewer systems.
ONNX_WHEELS=('onnx==1.*' 'onnxruntime==1.*')
# The CUDA compiler where there is none: what nvcc needs to translate and link our kernels (250 MB).
NVCC_WHEELS=('nvidia-cuda-nvcc==13.0.*' 'nvidia-nvvm==13.0.*' 'nvidia-cuda-crt==13.0.*' 'nvidia-cuda-runtime==13.0.*')
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom"

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

is_debian_12() {
    [ -r /etc/os-release ] && (. /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ])
}

missing_debian_packages() {
    local installed
    installed="$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${PACKAGES[@]}" 2>/dev/null || true)"
    for package in "${PACKAGES[@]}"; do
        grep -qxF -- "$package installed" <<<"$installed" || printf '%s\n' "$package"
    done
}

install_debian_packages() {
    local missing root=()
    mapfile -t missing < <(missing_debian_packages)
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "packages are missing and there is no sudo. As root: apt-get install ${missing[*]}"
        root=(sudo)
    fi
    say "installing ${missing[*]}"
    "${root[@]}" apt-get update -qq || say "the package lists could not be refreshed; trying with the old ones"
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
        fail "apt-get could not install: ${missing[*]}"
}

# On other systems nothing is installed: the names below are looked for, and what is absent is listed.
has_header() { printf '#include <%s>\n' "$1" | g++ -std=c++20 -x c++ -fsyntax-only - 2>/dev/null; }
list_missing_elsewhere() {
    # Xvfb and its wrapper: the tests of windows run where there is no screen.
    for tool in g++ cmake ninja git pkg-config python3 Xvfb xvfb-run xauth; do
        command -v "$tool" >/dev/null || printf '  the program %s\n' "$tool"
    done
    command -v pkg-config >/dev/null && for module in Qt6Core Qt6Sql Qt6Widgets Qt6PrintSupport Qt6Svg Qt6Test hdf5 libtiff-4 libpng libxxhash libxrl blosc libzstd yaml-cpp libzmq nlopt spdlog; do
        pkg-config --exists "$module" 2>/dev/null || printf '  %s (development files)\n' "$module"
    done
    command -v g++ >/dev/null && for header in nlohmann/json.hpp CLI/CLI.hpp eigen3/Eigen/Core zmq.hpp; do
        has_header "$header" || printf '  the C++ header %s\n' "$header"
    done
    compgen -G '/usr/*/vtk-9*/vtkVersion.h' >/dev/null || compgen -G '/usr/local/include/vtk-9*/vtkVersion.h' >/dev/null ||
        printf '  VTK 9.1 or later (development files)\n'
    compgen -G '/usr/include/ITK-5*/itkImage.h' >/dev/null || compgen -G '/usr/local/include/ITK-5*/itkImage.h' >/dev/null ||
        printf '  ITK 5.2 or later (development files)\n'
    [ -n "$(ldconfig -p 2>/dev/null | grep libQCustomPlotQt6)" ] || printf '  QCustomPlot 2.1 for Qt 6 (development files)\n'
    return 0
}
check_elsewhere() {
    local missing
    missing="$(list_missing_elsewhere)"
    [ -z "$missing" ] || fail "this is not Debian 12, so nothing was installed. Please install:
$missing
On Debian 12 these are the packages: ${PACKAGES[*]}"
}

# "python3 -m pip", or the pip of a throw-away environment where the system's Python has none.
run_pip() {
    if python3 -m pip --version >/dev/null 2>&1; then
        python3 -m pip "$@"
        return
    fi
    local environment status=0
    environment="$(mktemp -d)"
    python3 -m venv "$environment" && "$environment/bin/python" -m pip "$@" || status=$?
    rm -rf "$environment"
    return "$status"
}

has_nvidia_card() { [ -e /proc/driver/nvidia/version ]; }

torch_complete() {
    local root="$1"
    [ -e "$root/torch/lib/libtorch_cpu.so" ] && grep -q "^__version__ = '2\.11\." "$root/torch/version.py" 2>/dev/null || return 1
    # With a GPU the CUDA half of LibTorch is used too, and needs the rest of the CUDA libraries.
    ! has_nvidia_card || compgen -G "$root/nvidia/cu13/lib/libcublas.so*" >/dev/null
}

install_torch() {
    local root="$CACHE/torch-2.11" part dependencies=(--no-deps)
    if [ -n "${TL_TORCH_ROOT:-}" ]; then
        [ -e "$TL_TORCH_ROOT/torch/lib/libtorch_cpu.so" ] || fail "TL_TORCH_ROOT=$TL_TORCH_ROOT holds no torch/lib/libtorch_cpu.so"
        return 0
    fi
    torch_complete "$root" && return 0
    ! has_nvidia_card || dependencies=()
    say "installing LibTorch 2.11 into $root (1.2 GB, or more with a CUDA GPU)"
    mkdir -p "$CACHE"
    rm -rf "$CACHE"/torch-2.11.part.*
    part="$(mktemp -d "$CACHE/torch-2.11.part.XXXXXX")"
    run_pip install -q --no-compile --no-cache-dir --no-warn-conflicts "${dependencies[@]}" --target "$part" \
        "${TORCH_WHEELS[@]}" || { rm -rf "$part"; fail "LibTorch could not be installed; is the network there?"; }
    # A library that does not load now would only show itself after a long build.
    python3 - "$part/torch/lib/libtorch_cpu.so" <<'PYTHON' || { rm -rf "$part"; fail "the installed libtorch_cpu.so does not load"; }
import ctypes, sys
ctypes.CDLL(sys.argv[1])
PYTHON
    torch_complete "$part" || { rm -rf "$part"; fail "the installed wheel is not LibTorch 2.11"; }
    rm -rf "$root"
    chmod 755 "$part"
    mv "$part" "$root"
}

# CUDA is compiled wherever tests run: where the system has no nvcc, the one from NVIDIA's wheels is used (build.sh finds
# it there). Without it the kernels would not be compiled, which is reported and not an error.
install_nvcc() {
    local root="$CACHE/nvcc-13.0" part
    ! command -v nvcc >/dev/null && [ -z "${CUDACXX:-}" ] && [ ! -x /usr/local/cuda/bin/nvcc ] || return 0
    [ ! -x "$root/nvidia/cu13/bin/nvcc" ] || return 0
    say "installing the CUDA compiler into $root (250 MB)"
    mkdir -p "$CACHE"
    rm -rf "$CACHE"/nvcc-13.0.part.*
    part="$(mktemp -d "$CACHE/nvcc-13.0.part.XXXXXX")"
    if run_pip install -q --no-compile --no-cache-dir --no-warn-conflicts --no-deps --target "$part" "${NVCC_WHEELS[@]}" &&
        "$part/nvidia/cu13/bin/nvcc" --version >/dev/null; then
        # The wheel has no name to link with, and nvcc looks for libraries in lib64.
        ln -s libcudart.so.13 "$part/nvidia/cu13/lib/libcudart.so"
        ln -s lib "$part/nvidia/cu13/lib64"
        chmod 755 "$part"
        rm -rf "$root"
        mv "$part" "$root"
    else
        rm -rf "$part"
        say "no CUDA compiler could be installed: the kernels for GPUs are NOT compiled"
    fi
}

# install_for_tests CHECK SAY PACKAGE...: what some tests need and CHECK, a command, does not find; without it they are
# skipped, with a message.
install_for_tests() {
    local check="$1" failure_message="$2" root=()
    is_debian_12 && ! eval "$check" >/dev/null 2>&1 || return 0
    [ "$(id -u)" -eq 0 ] || ! command -v sudo >/dev/null || root=(sudo)
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${@:3}" >/dev/null || say "$failure_message"
}
has_program() { PATH="$PATH:/usr/sbin" command -v "$1"; }
install_arm_compiler() {
    install_for_tests "has_program aarch64-linux-gnu-g++" "there is no compiler for ARM: its check is skipped" g++-aarch64-linux-gnu
}
# A test starts a cluster of one node of its own; nothing of it runs at other times.
install_slurm() {
    install_for_tests "has_program slurmctld" "there is no Slurm: its tests are skipped" slurmctld slurmd slurm-client munge
}
# An independent PyTorch, of the system's Python: our LibTorch comes without what its Python module needs.
install_python_torch() {
    install_for_tests "/usr/bin/python3 -c 'import torch, numpy'" "there is no PyTorch: its tests are skipped" python3-torch
}

# Independent readers for the tests. Without them those tests are skipped with a message, hence no failure here.
install_test_python() {
    local root="$CACHE/test-python" stamp
    stamp="$root/complete.$(printf '%s ' "${TEST_WHEELS[@]}" "${ONNX_WHEELS[@]}" | cksum | cut -d ' ' -f 1)"
    [ -e "$stamp" ] && return 0
    say "making the tests' Python environment in $root"
    rm -rf "$root"
    mkdir -p "$CACHE"
    if python3 -m venv "$root" && "$root/bin/python" -m pip install -q "${TEST_WHEELS[@]}"; then
        "$root/bin/python" -m pip install -q "${ONNX_WHEELS[@]}" || say "there is no onnxruntime: the test that needs it will be skipped"
        touch "$stamp"
    else
        rm -rf "$root"
        say "no test environment could be made; tests that need it will be skipped"
    fi
}

with_test_python=no
for argument in "$@"; do
    case "$argument" in
        --test-python) with_test_python=yes ;;
        *) fail "unknown argument $argument; usage: installer/setup.sh [--test-python]" ;;
    esac
done

if is_debian_12; then install_debian_packages; else check_elsewhere; fi
install_torch
[ "$with_test_python" = no ] || { install_test_python; install_nvcc; install_arm_compiler; install_slurm; install_python_torch; }
