# SPDX-License-Identifier: Apache-2.0
# Installs the headers: public_headers.cmake says which. Runs in `cmake --install`, which sets
# TERRANE_SOURCE and TERRANE_INCLUDE.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
terrane_find_headers(${TERRANE_SOURCE} public internal)

cmake_path(ABSOLUTE_PATH TERRANE_INCLUDE BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX})
set(to $ENV{DESTDIR}${TERRANE_INCLUDE}/terrane)
file(REMOVE_RECURSE ${to})  # an older version's headers would be found too
foreach(header IN LISTS public internal)
  file(READ ${TERRANE_SOURCE}/terrane/${header} text)
  terrane_included_by(${TERRANE_SOURCE} ${header} included)
  foreach(each IN LISTS included)
    if(each IN_LIST internal)
      string(REPLACE "#include \"terrane/${each}\"" "#include \"terrane/internal/${each}\""
             text "${text}")
    endif()
  endforeach()
  set(place ${header})
  if(header IN_LIST internal)
    set(place internal/${header})
  endif()
  file(WRITE ${to}/${place} "${text}")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${TERRANE_INCLUDE}/terrane/${place})
endforeach()
list(LENGTH public public_count)
list(LENGTH internal internal_count)
message(STATUS "Installed ${public_count} public and ${internal_count} internal headers: "
               "${TERRANE_INCLUDE}/terrane")
