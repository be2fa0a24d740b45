# The Debian package of the programs, made by `cpack` in the build folder; installer/package.sh runs it, and makes the
# package of LibTorch and the archive.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tomoloom)
set(CPACK_PACKAGE_VENDOR "The Tomoloom developers")
set(CPACK_PACKAGE_CONTACT "The Tomoloom developers <tomoloom@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "X-ray CT pipelines: reconstruction, segmentation and learning, live")
# Lines of less than 80 characters: tools show them as they are.
set(CPACK_PACKAGE_DESCRIPTION "Tomoloom turns X-ray scans into calibrated volumes, and those into labels,
tables of objects and surfaces. A pipeline is a typed graph of nodes; the
window shows every slice live, and the same file runs on the command line,
on a GPU or on a cluster.
.
This package has the window (tomoloom-studio), the command line (tomoloom),
the module for NVIDIA GPUs, bundled pipelines and the user guide.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LibTorch_LIBRARY_DIRS})
# LibTorch lies in folders of its own: dpkg-shlibdeps cannot name its package.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "tomoloom-torch (>= ${TL_TORCH_SERIES}) | tomoloom-torch-cuda (>= ${TL_TORCH_SERIES})")
if(TARGET tl_history)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libqt6sql6-sqlite")  # opened by name
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, desktop-file-utils, shared-mime-info, xdg-utils")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, python3-torch")

# What the scripts of packages need to know, in CPackConfig.cmake.
set(CPACK_TL_SOURCE "${PROJECT_SOURCE_DIR}")
set(CPACK_TL_TORCH_ROOT "${LibTorch_ROOT_FOLDER}")
set(CPACK_TL_TORCH_SERIES "${TL_TORCH_SERIES}")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/finish_package.cmake")
include(CPack)
