# SPDX-License-Identifier: Apache-2.0
# `cpack -G DEB` in a build with -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_SHARED_LIBS=ON: the packages
# libterrane0, libterrane-dev, terrane and terrane-doc (docs/install.md).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME terrane)
set(CPACK_PACKAGE_VENDOR "The Terrane developers")
# Who makes the packages: lintian wants an address that mail reaches.
set(TERRANE_PACKAGER "The Terrane developers <terrane@localhost.localdomain>" CACHE STRING
    "Name and address in Debian packages")
set(CPACK_PACKAGE_CONTACT "${TERRANE_PACKAGER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "fine-grain multithreading")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL lib dev tools doc ${parts})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# The programs of Threaded-C are linked by `terrane cc`, and say nothing of where the library lies.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)

set(about "Terrane runs fine-grain parallel programs in C, C++ and Threaded-C on\n\
processors of this machine or of a simulated one, and moves their work to\nwhere there is room.")
function(terrane_describe component package section summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${about}\n\n${text}" PARENT_SCOPE)
  # What policy asks of each package: a licence and a log of changes.
  install(FILES ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/debian/copyright
          DESTINATION share/doc/${package} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/package/changelog.Debian.gz
          DESTINATION share/doc/${package} COMPONENT ${component})
endfunction()
terrane_describe(lib libterrane${PROJECT_VERSION_MAJOR} libs
  "runtime for fine-grain multithreading" "This package has the shared library.")
terrane_describe(dev libterrane-dev libdevel "headers of a runtime for fine-grain multithreading"
  "This package has the headers, the static library, and what CMake and\npkg-config read.")
terrane_describe(tools terrane devel "command and programs for fine-grain multithreading"
  "This package has the command, the compiler of Threaded-C and programs of\nthe papers.")
terrane_describe(doc terrane-doc doc "pages about fine-grain multithreading with Terrane"
  "This package has the pages.")
set(of_mpi "and its applications\ngive phases of their work to Terrane.")
set(openmpi_is "under Open MPI")
set(openmpi_does "lets programs run under the mpirun of Open MPI, ${of_mpi}")
set(mpich_is "under MPICH")
set(mpich_does "lets programs run under the mpirun of MPICH, ${of_mpi}")
set(ucx_is "over UCX")
set(ucx_does "lets nodes of a run on several hosts send their\nmessages over what UCX finds between them.")
foreach(part IN LISTS parts)
  terrane_describe(${part} libterrane${PROJECT_VERSION_MAJOR}-${part} libs
    "fine-grain multithreading ${${part}_is}"
    "This package ${${part}_does}")
  string(TOUPPER ${part} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS
      "libterrane${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-1)")
  list(APPEND part_packages libterrane${PROJECT_VERSION_MAJOR}-${part})
endforeach()
list(JOIN part_packages ", " CPACK_DEBIAN_LIB_PACKAGE_SUGGESTS)
set(CPACK_DEBIAN_LIB_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_LIST_DIR}/debian/triggers")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libterrane${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-1), libc6-dev, libstdc++-12-dev")
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
    "libterrane${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_LIB_PACKAGE_RECOMMENDS libssl3)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "libterrane-dev (= ${PROJECT_VERSION}-1), g++")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "terrane-doc")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)

string(TIMESTAMP packaged "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT package/changelog.Debian CONTENT [[
terrane (@PROJECT_VERSION@-1) unstable; urgency=medium

  * Version @PROJECT_VERSION@: see CHANGELOG.md in terrane-doc.

 -- @TERRANE_PACKAGER@  @packaged@
]])
find_program(TERRANE_GZIP gzip)
mark_as_advanced(TERRANE_GZIP)
if(TERRANE_GZIP)
  execute_process(COMMAND ${TERRANE_GZIP} -9nkf ${PROJECT_BINARY_DIR}/package/changelog.Debian)
endif()
# What Debian's policy asks of man pages.
if(TERRANE_GZIP)
  install(CODE "if(CMAKE_INSTALL_PREFIX STREQUAL [[/usr]])
file(GLOB pages \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/*.1\")
execute_process(COMMAND [[${TERRANE_GZIP}]] -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()" COMPONENT tools)
endif()
# CPack writes a call of ldconfig besides the trigger that does the same.
file(WRITE ${PROJECT_BINARY_DIR}/package/libterrane${PROJECT_VERSION_MAJOR}
     "libterrane${PROJECT_VERSION_MAJOR}: maintscript-calls-ldconfig *\n")
install(FILES ${PROJECT_BINARY_DIR}/package/libterrane${PROJECT_VERSION_MAJOR}
        DESTINATION share/lintian/overrides COMPONENT lib)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION share/doc/terrane/docs COMPONENT doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.ipynb")
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
              ${PROJECT_SOURCE_DIR}/ARCHITECTURE.md DESTINATION share/doc/terrane COMPONENT doc)
include(CPack)
