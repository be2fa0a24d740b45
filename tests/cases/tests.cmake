# Inputs that a folder beside the repository holds, each with its command and what has to come of it: ../shared/cases, or $TL_CASES.
tl_add_script_test(shared cases ${CMAKE_SOURCE_DIR}/tests/cases/shared_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
