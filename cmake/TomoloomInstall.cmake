# What `cmake --install build/release --prefix DIR` puts where: programs, the CUDA module, manual pages, completions of bash
# and zsh, desktop entry, file type, icons, metainfo, templates and guide. LibTorch stays where it was found: the programs
# carry its folder as run path, which packages replace (TomoloomPackage).
include(GNUInstallDirs)
set(_id io.github.tomoloom.Tomoloom)

if(TARGET tl_cuda)
  install(TARGETS tl_cuda LIBRARY DESTINATION lib/tomoloom/cuda)  # where the run path of the programs looks
endif()
if(TL_CORE_ONLY)
  install(TARGETS tl_verify RUNTIME)
else()
  # All that is installed and must be built: not the tests.
  add_custom_target(installed_files)
  add_dependencies(installed_files tomoloom tomoloom-studio)
  if(TARGET manual)  # not of sanitized programs
    add_dependencies(installed_files manual)
  endif()
  if(TARGET tl_cuda)
    add_dependencies(installed_files tl_cuda)
  endif()
  install(TARGETS tomoloom tomoloom-studio RUNTIME)
  install(DIRECTORY "${CMAKE_BINARY_DIR}/manual/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${CMAKE_BINARY_DIR}/manual/bash/tomoloom" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${CMAKE_BINARY_DIR}/manual/zsh/_tomoloom" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
  install(FILES "installer/${_id}.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "installer/${_id}.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES "installer/${_id}.mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME "${_id}.xml")
  install(FILES "installer/${_id}.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  install(FILES installer/application-vnd.tomoloom.pipeline+json.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/mimetypes")
  install(DIRECTORY resources/pipelines
          DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom"
          FILES_MATCHING PATTERN "*.json")
  install(FILES resources/python/tomoloom_net.py resources/python/tomoloom_worker.py DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom/python")
  install(DIRECTORY resources/python/bridges DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom/python" FILES_MATCHING PATTERN "*.py")
  install(FILES resources/pipeline.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom")
  install(DIRECTORY resources/docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  install(FILES README.md CHANGELOG.md installer/debian/copyright DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()
