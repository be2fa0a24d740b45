# Tests of windows, one program that drives real windows under Xvfb: tl_add_gui_test(name)
find_program(TL_XVFB_RUN xvfb-run REQUIRED)
add_library(tl_gui_test_pch OBJECT support/gui/pch.cpp)
target_link_libraries(tl_gui_test_pch PUBLIC tl_widgets Qt6::Test)
target_precompile_headers(tl_gui_test_pch PRIVATE <QtWidgets/QtWidgets> <QtTest/QtTest>)
target_compile_options(tl_gui_test_pch PRIVATE ${TL_TEST_OPTIONS})
add_library(tl_gui_test_main OBJECT support/test_case.cpp support/gui/main.cpp)
target_link_libraries(tl_gui_test_main PUBLIC tl_widgets Qt6::Test)
target_compile_options(tl_gui_test_main PRIVATE ${TL_TEST_OPTIONS})
target_precompile_headers(tl_gui_test_main REUSE_FROM tl_gui_test_pch)

function(tl_add_gui_test name)
  cmake_path(GET name FILENAME case)
  tl_test_program(target widgets ${name} tl_gui_test_pch tl_gui_test_main ${ARGN} LIBS tl_widgets tl_test_hdf5 tl_test_programs)
  add_test(NAME widgets/${name} COMMAND ${TL_XVFB_RUN} -a -s "-screen 0 1920x1200x24" $<TARGET_FILE:${target}> ${case})
  set_tests_properties(widgets/${name} PROPERTIES LABELS widgets TIMEOUT ${TL_TEST_TIMEOUT}
    ENVIRONMENT "QT_QPA_PLATFORM=xcb;LIBGL_ALWAYS_SOFTWARE=1;QT_SCALE_FACTOR=1;QTEST_FUNCTION_TIMEOUT=${TL_TEST_TIMEOUT}000;${TL_SANITIZER_ENV}")
endfunction()

foreach(name broken_input cache_use canvas/background canvas/cards canvas/chain canvas/keyboard canvas/links canvas/models canvas/scene choose_datasets document export/dialog files_at_risk hints inspector jobs learning language/pseudo_language language/translations
             learning_shown learning_start learning_words live_session main_window main_window_notices main_window_room
             main_window_runs main_window_search missing_input newcomer newcomer_recovery newcomer_results newcomer_segments open_volume palette plot_panel pruning random_user room/flow_layout room/scaled save_names saved_range special_editors sweeps theme tour training trust_program two_windows typeset runs/queue runs/data_dock runs/slurm runs/background runs/leaving runs/new_job runs/history_page stream/dock stream/windows export/full_disk runs/killed_anywhere
             weave_by_hand
             views/area views/class_table views/compare views/grey_window views/label_tools views/labels views/live views/live_classifier views/measure views/oblique views/scan_panes views/settle views/slices views/studio views/tables views/threshold_lines views/tools views/volume
             views/volume_camera views/volume_controls views/lost_driver views/view_keys views/volume_movie views/painting views/painting_killed)
  tl_add_gui_test(${name})
endforeach()
