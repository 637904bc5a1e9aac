# SPDX-License-Identifier: Apache-2.0
# The shared library, of the objects of the static one. The static one is still built: the tests see
# more of it than a user may, and terrane cc links it.
#
# It exports the C functions terrane_*, and of the C++ names those of the layers that public headers
# reach. Everything else, fmt and JSON among it, stays inside.
set(exporting_layers base core cpp node_data threaded_c thread talk)

set_target_properties(terrane PROPERTIES POSITION_INDEPENDENT_CODE ON)
set(exports ${CMAKE_CURRENT_BINARY_DIR}/exports.map)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/objects.txt
     CONTENT "$<JOIN:$<TARGET_OBJECTS:terrane>,\n>\n")
list(JOIN exporting_layers "|" layer_names)
add_custom_command(OUTPUT ${exports}
  COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DOBJECTS=${CMAKE_CURRENT_BINARY_DIR}/objects.txt
          "-DLAYERS=${layer_names}" -DOUTPUT=${exports}
          -P ${PROJECT_SOURCE_DIR}/cmake/write_exports.cmake
  DEPENDS terrane ${PROJECT_SOURCE_DIR}/cmake/write_exports.cmake VERBATIM
  COMMENT "Listing what the shared library exports")

add_library(terrane_shared SHARED $<TARGET_OBJECTS:terrane> ${exports})
add_library(terrane::terrane ALIAS terrane_shared)
set_target_properties(terrane_shared PROPERTIES
  OUTPUT_NAME terrane EXPORT_NAME terrane LINKER_LANGUAGE CXX LINK_DEPENDS ${exports}
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set_target_properties(terrane PROPERTIES EXPORT_NAME static)
target_link_options(terrane_shared PRIVATE -Wl,--version-script=${exports} -Wl,--no-undefined
                                           -Wl,-z,nodelete)
# The model of thread-local variables that reaches into a shared library (terrane.h).
target_compile_definitions(terrane_shared INTERFACE TERRANE_SHARED)
foreach(property INTERFACE_INCLUDE_DIRECTORIES INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_FEATURES
        INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(value terrane ${property})
  if(value)
    set_property(TARGET terrane_shared APPEND PROPERTY ${property} ${value})
  endif()
endforeach()
target_link_options(terrane_shared PUBLIC -pthread)
target_link_libraries(terrane_shared PRIVATE ${CMAKE_DL_LIBS})
