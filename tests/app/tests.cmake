# One line per test: tl_add_test(name app)
tl_add_script_test(cli app ${CMAKE_SOURCE_DIR}/tests/app/cli_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_convert app ${CMAKE_SOURCE_DIR}/tests/app/cli_convert_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_diff app ${CMAKE_SOURCE_DIR}/tests/app/cli_diff_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_learning app ${CMAKE_SOURCE_DIR}/tests/app/cli_learning_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_many app ${CMAKE_SOURCE_DIR}/tests/app/cli_many_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_safety app ${CMAKE_SOURCE_DIR}/tests/app/cli_safety_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(full_disk app ${CMAKE_SOURCE_DIR}/tests/app/full_disk_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_score app ${CMAKE_SOURCE_DIR}/tests/app/cli_score_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_slabs app ${CMAKE_SOURCE_DIR}/tests/app/cli_slabs_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_train app ${CMAKE_SOURCE_DIR}/tests/app/cli_train_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(cli_translate app ${CMAKE_SOURCE_DIR}/tests/app/cli_translate_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(live app ${CMAKE_SOURCE_DIR}/tests/stream/live_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(slurm app ${CMAKE_SOURCE_DIR}/tests/app/slurm_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(limits app ${CMAKE_SOURCE_DIR}/tests/app/limits_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_script_test(killed_anywhere app ${CMAKE_SOURCE_DIR}/tests/app/killed_anywhere_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
# The program is killed before each of its renames in turn.
add_library(tl_kill_at_rename MODULE ${CMAKE_SOURCE_DIR}/tests/support/preloaded/kill_at_rename.cpp)
tl_add_script_test(killed_commit app ${CMAKE_SOURCE_DIR}/tests/app/killed_commit_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR}
                   $<TARGET_FILE:tl_kill_at_rename>)
tl_add_script_test(cli_networks app ${CMAKE_SOURCE_DIR}/tests/app/cli_networks_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR}
                   $<TARGET_FILE:tl_kill_at_rename>)
# One refused allocation at a time; TL_ALLOCATION_TRIALS=900 for more. Sanitizers bring an allocator of their own.
if(NOT TL_ASAN)
  add_library(tl_fail_allocation MODULE ${CMAKE_SOURCE_DIR}/tests/support/preloaded/fail_allocation.cpp)
  target_link_libraries(tl_fail_allocation PRIVATE ${CMAKE_DL_LIBS})
  tl_add_script_test(allocations app ${CMAKE_SOURCE_DIR}/tests/app/allocations_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR}
                     $<TARGET_FILE:tl_fail_allocation>)
  set_tests_properties(app/allocations PROPERTIES TIMEOUT 14400)
endif()
tl_add_test(verify_report app LIBS tl_cli)
tl_add_test(outputs_and_inputs app LIBS tl_cli tl_test_hdf5)
tl_add_test(options_and_files app LIBS tl_cli)
# Sanitized programs do not make the manual.
if(NOT TL_ASAN)
  tl_add_script_test(manual app ${CMAKE_SOURCE_DIR}/tests/app/manual_test.py $<TARGET_FILE:tomoloom> $<TARGET_FILE:tomoloom-studio>
                     ${CMAKE_BINARY_DIR}/manual ${CMAKE_SOURCE_DIR})
endif()
