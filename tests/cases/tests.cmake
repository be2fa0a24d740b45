# Inputs in a folder next to the repository, each with its command and the expected result: ../shared/cases, or $TL_CASES.
tl_add_script_test(shared cases ${CMAKE_SOURCE_DIR}/tests/cases/shared_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
