# Damaged files, thousands of them: TL_FUZZ_MUTANTS=50000 for more, TL_FUZZ_SEED for others, TL_FUZZ_KEEP=FOLDER keeps what failed.
add_library(tl_fuzz STATIC ${CMAKE_SOURCE_DIR}/tests/fuzz/many_trials.cpp ${CMAKE_SOURCE_DIR}/tests/fuzz/mutations.cpp
                           ${CMAKE_SOURCE_DIR}/tests/fuzz/hdf5_checksums.cpp ${CMAKE_SOURCE_DIR}/tests/fuzz/crashes.cpp)
target_link_libraries(tl_fuzz PUBLIC tl_core tl_test_hdf5 TIFF::TIFF Qt6::Core Qt6::Test)
target_compile_definitions(tl_fuzz PRIVATE QT_NO_KEYWORDS QT_NO_FOREACH)
target_compile_options(tl_fuzz PRIVATE ${TL_TEST_OPTIONS})
target_precompile_headers(tl_fuzz REUSE_FROM tl_test_pch)
foreach(name scans volumes pipelines progress_files models networks messages)
  tl_add_test(${name} fuzz LIBS tl_fuzz)
  # Trials that take too long are ended one by one; 50 000 of them take hours.
  set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT 14400)
  set_property(TEST fuzz/${name} APPEND PROPERTY ENVIRONMENT QTEST_FUNCTION_TIMEOUT=14400000)
endforeach()

# Fuzzers that search for new paths through our code: build/fuzzers/tests/fuzz_scan_readers NEW tests/fuzz/corpus/scans
set(TL_FUZZ_TARGETS pipeline_json foreign_pipelines scan_readers volume_readers model_files network_files onnx_models)
# Compiled by every build of the tests, so that they keep up with the interfaces.
list(TRANSFORM TL_FUZZ_TARGETS REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/tests/fuzz/targets/\\1.cpp" OUTPUT_VARIABLE TL_FUZZ_TARGET_FILES)
add_library(tl_fuzz_targets OBJECT ${TL_FUZZ_TARGET_FILES})
target_link_libraries(tl_fuzz_targets PRIVATE tl_core TIFF::TIFF)
target_compile_options(tl_fuzz_targets PRIVATE ${TL_TEST_OPTIONS})
if(TL_FUZZERS)
  add_custom_target(fuzzers)
  foreach(name ${TL_FUZZ_TARGETS})
    add_executable(fuzz_${name} ${CMAKE_SOURCE_DIR}/tests/fuzz/targets/${name}.cpp)
    target_link_libraries(fuzz_${name} PRIVATE tl_core TIFF::TIFF)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    tl_test_sanitizers(fuzz_${name})
    add_dependencies(fuzzers fuzz_${name})
  endforeach()
endif()
