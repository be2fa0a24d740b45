# One line per test: tl_add_test(name core)
tl_add_test(graph_json core)

# Input and output: files are made and read back with the plain libraries.
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(TIFF REQUIRED)
find_package(PNG REQUIRED)
foreach(name io_dxchange io_output io_writers)
  tl_add_test(${name} core LIBS ${HDF5_C_LIBRARIES} TIFF::TIFF PNG::PNG)
  target_include_directories(test_core_${name} SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS})
endforeach()
tl_add_test(progress core)
tl_add_test(reference core)
