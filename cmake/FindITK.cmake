# Finds ITK's headers and the few of its libraries that core/itk calls. ITK's own ITKConfig.cmake loads all of its modules,
# and with them the development files of GDCM, DCMTK, MINC and HDF5, none of which are needed here.
#
# Gives ITK::ITK (registration, transforms, filters; no files) and ITK_VERSION.
find_path(ITK_INCLUDE_DIR itkImageToImageMetricv4.h PATH_SUFFIXES ITK-5.4 ITK-5.3 ITK-5.2)
if(ITK_INCLUDE_DIR)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" ITK_VERSION "${ITK_INCLUDE_DIR}")
endif()
set(_libraries "")
foreach(_name ITKCommon ITKTransform ITKOptimizersv4 ITKSpatialObjects ITKSmoothing ITKStatistics itkvnl_algo itkvnl itkv3p_netlib itksys)
  find_library(ITK_${_name}_LIBRARY ${_name}-${ITK_VERSION})
  mark_as_advanced(ITK_${_name}_LIBRARY)
  list(APPEND _libraries ITK_${_name}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ITK REQUIRED_VARS ITK_INCLUDE_DIR ${_libraries} VERSION_VAR ITK_VERSION
                                  REASON_FAILURE_MESSAGE "run installer/setup.sh, or install libinsighttoolkit5-dev")
if(ITK_FOUND AND NOT TARGET ITK::ITK)
  add_library(ITK::ITK INTERFACE IMPORTED)
  set_target_properties(ITK::ITK PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${ITK_INCLUDE_DIR}")
  target_include_directories(ITK::ITK INTERFACE "${ITK_INCLUDE_DIR}")
  foreach(_library IN LISTS _libraries)
    target_link_libraries(ITK::ITK INTERFACE "${${_library}}")
  endforeach()
endif()
