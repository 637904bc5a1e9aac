# SPDX-License-Identifier: Apache-2.0
# add_gtest_suites.cmake: read by ctest. One test of ctest for each suite of a GoogleTest program; a
# suite of many tests runs in several parts, so that they share the processors. (A process for each
# single test would take several times as long as the tests themselves.) Suites named long_* are of
# the label `long`, and whole.
#
# Takes program: its path; prefix: of the names; label: of the other suites; seconds: the time limit
# of a part; environment: NAME=value.

set(tests_in_a_part 250)

function(terrane_add_suite suite tests)
  if(suite MATCHES "(^|/)long_")
    set(labels long)
    set(limit 3600)
    set(parts 1)
  else()
    set(labels ${label})
    set(limit ${seconds})
    math(EXPR parts "(${tests} + ${tests_in_a_part} - 1) / ${tests_in_a_part}")
  endif()
  math(EXPR last "${parts} - 1")
  foreach(part RANGE ${last})
    set(name ${prefix}${suite})
    if(parts GREATER 1)
      string(APPEND name "/${part}")
    endif()
    add_test(${name} ${program} --gtest_brief=1 --gtest_filter=${suite}.*)
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${limit} ENVIRONMENT
      "${environment};GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part}")
  endforeach()
endfunction()

if(NOT EXISTS ${program})
  add_test(${prefix}is_not_built ${program})
  return()
endif()
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} could not list its tests (${status}): ${listing}")
endif()
# Unindented lines are suites, indented ones their tests.
string(REGEX REPLACE "[;#][^\n]*" "" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
set(suite "")
set(tests 0)
foreach(line IN LISTS lines)
  if(line MATCHES "^  ")
    math(EXPR tests "${tests} + 1")
  elseif(line MATCHES "^([A-Za-z0-9_/]+)\\. *$")
    if(tests GREATER 0)
      terrane_add_suite(${suite} ${tests})
    endif()
    set(suite ${CMAKE_MATCH_1})
    set(tests 0)
  endif()
endforeach()
if(tests GREATER 0)
  terrane_add_suite(${suite} ${tests})
endif()
