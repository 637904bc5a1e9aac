# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. Everything finds the rest relative to itself, so that the
# installed tree may be moved: bin/, include/terrane/, lib/, lib/cmake/terrane/, lib/pkgconfig/,
# lib/terrane/ (Clang's own headers), libexec/terrane/ (the programs that come along), share/.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)

# What this build has of what a user may ask for by COMPONENTS.
set(components tcp)
get_property(parts GLOBAL PROPERTY TERRANE_PARTS)
if("openmpi" IN_LIST parts OR "mpich" IN_LIST parts)
  list(APPEND components mpi)
endif()
if("ucx" IN_LIST parts)
  list(APPEND components ucx)
endif()
if(TERRANE_HAS_COMPILER)
  list(PREPEND components threaded_c)
endif()

install(TARGETS terrane EXPORT terrane-targets ARCHIVE COMPONENT dev)
if(TARGET terrane_shared)
  install(TARGETS terrane_shared EXPORT terrane-targets
          LIBRARY COMPONENT lib NAMELINK_COMPONENT dev)
endif()
install(EXPORT terrane-targets NAMESPACE terrane:: DESTINATION ${package_folder} COMPONENT dev)

# The folder above the commands of a build is laid out like an installation, and is found likewise.
cmake_path(GET TERRANE_BIN_DIR PARENT_PATH build_prefix)
set(build_package ${build_prefix}/lib/cmake/terrane)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/terrane-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/terrane-config.cmake INSTALL_DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/terrane-config.cmake.in
  ${build_package}/terrane-config.cmake INSTALL_DESTINATION lib/cmake/terrane)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/terrane-config-version.cmake
  COMPATIBILITY SameMinorVersion)
export(EXPORT terrane-targets NAMESPACE terrane:: FILE ${build_package}/terrane-targets.cmake)
configure_file(${PROJECT_BINARY_DIR}/package/terrane-config-version.cmake
               ${build_package}/terrane-config-version.cmake COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/functions.cmake ${build_package}/functions.cmake COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/terrane-config.cmake
              ${PROJECT_BINARY_DIR}/package/terrane-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/functions.cmake
        DESTINATION ${package_folder} COMPONENT dev)

# pkg-config. ${pcfiledir} is lib/pkgconfig of wherever the tree is.
cmake_path(SET pc_prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_up /${pc_prefix} /)
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
if(TARGET terrane_shared)
  set(pc_definitions " -DTERRANE_SHARED")
  set(pc_libraries "")
  set(pc_private " -lstdc++ -lm -ldl")
else()
  set(pc_definitions "")
  set(pc_libraries " -lstdc++ -lm -ldl")
  set(pc_private "")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/terrane.pc.in ${PROJECT_BINARY_DIR}/package/terrane.pc
               @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/terrane.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

# The public headers and what they need, gathered when they are installed.
install(CODE "set(TERRANE_SOURCE [[${PROJECT_SOURCE_DIR}]])
set(TERRANE_INCLUDE [[${CMAKE_INSTALL_INCLUDEDIR}]])" COMPONENT dev)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT dev)

if(TARGET terrane_command)
  install(TARGETS terrane_command RUNTIME COMPONENT tools)
  # What the command writes about itself, into a folder of the build, then to their places.
  set(pages ${PROJECT_BINARY_DIR}/pages)
  install(CODE "execute_process(COMMAND [[${TERRANE_BIN_DIR}/terrane]] pages [[${pages}]]
                                COMMAND_ERROR_IS_FATAL ANY)" COMPONENT tools)
  install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
  install(FILES ${pages}/completions/bash/terrane
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
  install(FILES ${pages}/completions/zsh/_terrane
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tools)
  install(FILES ${pages}/completions/fish/terrane.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)
  # The programs that were built.
  get_property(programs GLOBAL PROPERTY TERRANE_PROGRAMS)
  get_property(programs_in_threaded_c GLOBAL PROPERTY TERRANE_PROGRAMS_IN_THREADED_C)
  install(TARGETS ${programs} RUNTIME DESTINATION libexec/terrane COMPONENT tools OPTIONAL)
  if(programs_in_threaded_c)
    install(TARGETS ${programs_in_threaded_c} RUNTIME DESTINATION libexec/terrane/threaded_c
            COMPONENT tools OPTIONAL)
  endif()
endif()
if(TERRANE_HAS_COMPILER)
  install(TARGETS terrane_cc RUNTIME COMPONENT tools)
  install(DIRECTORY ${TERRANE_CLANG_HEADERS}/ DESTINATION lib/terrane/clang COMPONENT tools
          FILES_MATCHING PATTERN "*.h")
endif()
