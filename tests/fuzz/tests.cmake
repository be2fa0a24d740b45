# Damaged files, thousands of them: TL_FUZZ_MUTANTS=50000 for more, TL_FUZZ_SEED for others, TL_FUZZ_KEEP=FOLDER keeps what failed.
foreach(name scans pipelines progress_files)
  tl_add_test(${name} fuzz LIBS ${HDF5_C_LIBRARIES} TIFF::TIFF)
  target_sources(test_fuzz_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/fuzz/many_trials.cpp ${CMAKE_SOURCE_DIR}/tests/fuzz/mutations.cpp
                                           ${CMAKE_SOURCE_DIR}/tests/fuzz/hdf5_checksums.cpp)
  # Trials that take too long are ended one by one; 50 000 of them take hours.
  set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT 14400)
  set_property(TEST fuzz/${name} APPEND PROPERTY ENVIRONMENT QTEST_FUNCTION_TIMEOUT=14400000)
  target_include_directories(test_fuzz_${name} SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS})
endforeach()
