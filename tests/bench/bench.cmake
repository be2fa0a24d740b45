# Benchmark programs (TL_BENCH=ON): they time one operator on raw data; the target `benchmarks` builds them.
function(tl_add_bench name)
  add_executable(bench_${name} ${CMAKE_SOURCE_DIR}/tests/bench/${name}_bench.cpp)
  target_link_libraries(bench_${name} PRIVATE ${ARGN})
  set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bench")
  add_dependencies(benchmarks bench_${name})
endfunction()

add_custom_target(benchmarks)
tl_add_bench(back_projection tl_gpu)
