# SPDX-License-Identifier: Apache-2.0
# The functions of the package, which the tree uses itself: they need terrane::terrane, and the
# second one terrane::cc.

# terrane_add_balancer(name sources...): a balancer in a file, <name>.so. `--balancer` takes its path.
# Nothing is linked: it finds the program that loads it.
function(terrane_add_balancer name)
  if(NOT ARGN)
    message(FATAL_ERROR "terrane_add_balancer(${name} SOURCES...) needs a source")
  endif()
  add_library(${name} MODULE ${ARGN})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE
    $<TARGET_PROPERTY:terrane::terrane,INTERFACE_INCLUDE_DIRECTORIES>)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX .so)
endfunction()

# terrane_add_threaded_c(target a.tc b.c ... [OPTIONS options of terrane cc...]): an executable of
# Threaded-C. What other languages it has is added by target_sources, libraries as everywhere.
function(terrane_add_threaded_c target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "OPTIONS")
  if(NOT TARGET terrane::cc)
    message(FATAL_ERROR "terrane_add_threaded_c needs the compiler of Threaded-C: "
                        "find_package(terrane REQUIRED COMPONENTS threaded_c), or "
                        "TERRANE_COMPILER=ON where Terrane is a part of this project")
  elseif(NOT given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "terrane_add_threaded_c(${target} SOURCES...) needs a source")
  endif()
  if(NOT given_OPTIONS)
    set(given_OPTIONS -O2 -g)
  endif()
  set(definitions $<TARGET_PROPERTY:terrane::terrane,INTERFACE_COMPILE_DEFINITIONS>)
  set(objects "")
  foreach(source IN LISTS given_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET source FILENAME name)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.threaded_c/${name}.o)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.threaded_c)
    add_custom_command(OUTPUT ${object}
      COMMAND terrane::cc ${given_OPTIONS}
              $<$<IN_LIST:TERRANE_SHARED,${definitions}>:-DTERRANE_SHARED>
              -MMD -MF ${object}.d -MT ${object} -c -o ${object} ${source}
      DEPENDS ${source} terrane::cc terrane::terrane DEPFILE ${object}.d
      VERBATIM COMMAND_EXPAND_LISTS
      COMMENT "Compiling Threaded-C ${target}/${name}")
    list(APPEND objects ${object})
  endforeach()
  add_executable(${target} ${objects})
  target_link_libraries(${target} PRIVATE terrane::terrane)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
