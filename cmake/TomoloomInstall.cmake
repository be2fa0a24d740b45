# What `cmake --install build/release --prefix DIR` puts where: programs, the CUDA module, desktop entry, file types,
# metainfo, icon, templates and guide. LibTorch stays where it was found: the programs carry its folder as run path.
include(GNUInstallDirs)
set(_id io.github.tomoloom.Tomoloom)

install(TARGETS tl_verify RUNTIME)
if(TARGET tl_cuda)
  install(TARGETS tl_cuda LIBRARY DESTINATION lib)  # where the run path of the programs looks
endif()
if(NOT TL_CORE_ONLY)
  install(TARGETS tomoloom tomoloom-studio RUNTIME)
  install(FILES "installer/${_id}.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "installer/${_id}.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES "installer/${_id}.mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME "${_id}.xml")
  install(FILES "installer/${_id}.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  install(DIRECTORY resources/pipelines
          DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom"
          FILES_MATCHING PATTERN "*.json")
  install(FILES resources/python/tomoloom_net.py DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom/python")
  install(DIRECTORY resources/python/bridges DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom/python" FILES_MATCHING PATTERN "*.py")
  install(FILES resources/pipeline.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/tomoloom")
  install(DIRECTORY resources/docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  install(FILES README.md LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()
